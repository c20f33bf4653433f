//go:build unix

package drive_test

import (
	"bufio"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/internal/drive"
	"assay/result"
	"assay/schema"
	"assay/workload"
)

// streamEnv makes the test binary a runner of streams.
const streamEnv = "DRIVE_TEST_STREAM"

// streamed is the type of the streams' messages.
type streamed struct{ Data []byte }

func streamSource(workload.Size, uint64) (*workload.Stream, error) {
	const messages = 50
	done := 0
	return &workload.Stream{Root: "M", Messages: messages, Items: 3, Bytes: 10_000, Next: func(n int) (any, error) {
		list := make([]streamed, min(n, messages-done))
		for i := range list {
			list[i].Data = make([]byte, 10_000)
			list[i].Data[0] = byte(done + i)
		}
		done += len(list)
		return list, nil
	}}, nil
}

// streaming returns a program of contenders that write gobs and misbehave as their names say.
func streaming() bench.Program {
	p := bench.Program{Workloads: []*workload.Workload{{
		Name: "w", Schema: &schema.Schema{Name: "w"}, Sizes: []workload.Size{{Key: "n=50"}}, Stream: streamSource,
	}}}
	for _, name := range []string{"good", "wrong", "panics", "hungry", "refuses"} {
		p.Streams = append(p.Streams, bench.StreamBinding{Contender: name, Workload: "w", Root: "M", New: func() *bench.StreamCodec { return gobs(name) }})
	}
	return p
}

func gobs(name string) *bench.StreamCodec {
	var in, v []streamed
	var enc *gob.Encoder
	var dec *gob.Decoder
	var held [][]byte
	return &bench.StreamCodec{
		Fill:   func(values any) error { in = values.([]streamed); return nil },
		Create: func(w *bufio.Writer) error { enc = gob.NewEncoder(w); return nil },
		Write: func() error {
			if name == "refuses" {
				return errors.New("no such values")
			}
			for _, one := range in {
				if err := enc.Encode(one); err != nil {
					return err
				}
			}
			return nil
		},
		Close: func() error { return nil },
		Open:  func(r *bufio.Reader) error { dec = gob.NewDecoder(r); return nil },
		Read: func(n int) (int, error) {
			for name == "hungry" {
				block := make([]byte, 64<<20)
				for i := 0; i < len(block); i += 4096 {
					block[i] = 1
				}
				held = append(held, block)
			}
			if name == "panics" {
				panic("at the disco")
			}
			v = nil
			for range n {
				var one streamed
				if err := dec.Decode(&one); err != nil {
					return len(v), err
				}
				if name == "wrong" && one.Data[0] == 33 {
					one.Data[5000]++
				}
				v = append(v, one)
			}
			return len(v), nil
		},
		Value: func(i int) any { return &v[i] },
	}
}

// streamRun measures streams of the named contenders.
func streamRun(t *testing.T, room int64, ops []result.Op, names ...string) (records []result.Record, outcomes []result.Outcome, dir string) {
	t.Helper()
	dir = t.TempDir()
	cfg := drive.StreamConfig{
		Runner: drive.Runner{
			Binary: func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{streamEnv + "=1"}} },
			Limits: drive.Limits{Memory: 300 << 20}, Seed: 1,
		},
		Dir: dir, Room: func() int64 { return room }, Messages: func(result.Case) int64 { return 50 },
	}
	for _, name := range names {
		for _, op := range ops {
			cfg.Cases = append(cfg.Cases, result.Case{Workload: "w", Size: "n=50", Contender: name, Mode: contender.StreamMode, Op: op})
		}
	}
	outcomes, err := drive.Streams(t.Context(), cfg, func(r result.Record) error { records = append(records, r); return nil }, func(drive.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	return records, outcomes, dir
}

var bothOps = []result.Op{result.Encode, result.Decode}

// TestStreams has contenders that fail in every way beside one that works. Each failure costs
// only that contender's rows, has a reason and leaves no file.
func TestStreams(t *testing.T) {
	records, outcomes, dir := streamRun(t, 1<<30, bothOps, "wrong", "panics", "refuses", "hungry", "good")
	for _, test := range []struct {
		contender string
		op        result.Op
		status    result.Status
		reason    string
	}{
		{"wrong", result.Decode, result.Unverified, "message 33: Data"},
		{"wrong", result.Encode, result.Unverified, "decode: "},
		{"panics", result.Decode, result.Panic, "at the disco"},
		{"refuses", result.Encode, result.Unsupported, "no such values"},
		{"refuses", result.Decode, result.Unsupported, "encode: "},
		{"hungry", result.Decode, result.OOM, "(--memory 300 MiB)"},
	} {
		found := false
		for _, o := range outcomes {
			if o.Case.Contender == test.contender && o.Case.Op == test.op {
				found = true
				if o.Status != test.status || !strings.Contains(o.Reason, test.reason) {
					t.Errorf("%s %s: %s: %s, want %s: %s", test.contender, test.op, o.Status, o.Reason, test.status, test.reason)
				}
			}
		}
		if !found {
			t.Errorf("%s %s has no outcome", test.contender, test.op)
		}
	}
	counts := map[result.Op]int{}
	for _, r := range records {
		if s := r.Stream; s != nil {
			counts[s.Case.Op]++
			if s.Case.Contender != "good" || s.Messages != 50 || s.Items != 150 || s.Bytes < 500_000 || s.Wall <= 0 || s.Limit != 300<<20 || len(s.Sum) != 16 {
				t.Errorf("stream %+v", s)
			}
		}
		if v := r.Verification; v != nil && (!v.OK || v.Contender != "good") {
			t.Errorf("verification %+v", v)
		}
	}
	if counts[result.Encode] == 0 || counts[result.Encode] != counts[result.Decode] {
		t.Errorf("%v streams of the contender that works", counts)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// TestStreamsOfOneOp asks for one op: both ops are done, and only the one that was asked for is
// recorded.
func TestStreamsOfOneOp(t *testing.T) {
	for _, op := range bothOps {
		records, outcomes, _ := streamRun(t, 0, []result.Op{op}, "good")
		if len(outcomes) > 0 {
			t.Fatal(outcomes)
		}
		for _, r := range records {
			if r.Stream != nil && r.Stream.Case.Op != op {
				t.Errorf("%s was asked for, and there is %+v", op, r.Stream)
			}
		}
		if _, outcomes, _ := streamRun(t, 0, []result.Op{op}, "wrong"); len(outcomes) != 1 || outcomes[0].Case.Op != op || outcomes[0].Status != result.Unverified {
			t.Errorf("%s of a contender whose decode is wrong: %v", op, outcomes)
		}
	}
}

// TestStreamsRoom has less room on the disk than the stream takes.
func TestStreamsRoom(t *testing.T) {
	_, outcomes, dir := streamRun(t, 100_000, bothOps, "good")
	for _, o := range outcomes {
		if o.Status != result.Unsupported || !strings.Contains(o.Reason, "does not fit on the disk") {
			t.Errorf("%+v", o)
		}
	}
	if left, _ := filepath.Glob(dir + "/*"); len(outcomes) != 2 || len(left) > 0 {
		t.Errorf("%d outcomes, files %v", len(outcomes), left)
	}
}

//go:build unix

package drive_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/internal/drive"
	"assay/result"
	"assay/schema"
	"assay/workload"
)

// wholeEnv makes the test binary a runner of contenders whose whole values are measured.
const wholeEnv = "DRIVE_TEST_WHOLE"

// wholeValue is the type of the whole values.
type wholeValue struct{ Data []byte }

func (v *wholeValue) LeafSum() uint64 { return uint64(len(v.Data)) }

// wholeSizes returns sizes of one value of so many bytes.
func wholeSizes() []workload.Size {
	var all []workload.Size
	for _, n := range []int64{1 << 20, 2 << 20, 8 << 20} {
		all = append(all, workload.Size{Key: fmt.Sprintf("n=%d", n), Root: "M", Bytes: n, Items: 10})
	}
	return all
}

// wholes returns a program of contenders that write JSON and misbehave as their names say.
func wholes() bench.Program {
	p := bench.Program{Workloads: []*workload.Workload{{
		Name: "w", Schema: &schema.Schema{Name: "w"}, Sizes: wholeSizes(),
		Generate: func(size workload.Size, _ uint64, n int) (any, error) {
			bytes, err := strconv.Atoi(strings.TrimPrefix(size.Key, "n="))
			list := make([]wholeValue, n)
			for i := range list {
				list[i].Data = make([]byte, bytes)
			}
			return list, err
		},
	}}}
	for _, name := range []string{"good", "wrong", "panics", "overflows", "hungry", "hungry decoder", "limited", "limited panic"} {
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: name, Workload: "w", Root: "M", Ops: wholeOps,
			New: func(values any) (*bench.Codec, error) { return wholeCodec(name, values.([]wholeValue)), nil },
		})
	}
	return p
}

// wholeOps are the ops of whole values.
var wholeOps = append(slices.Clone(bothOps), result.Convert)

// eat allocates without end if the value is of the largest size.
func eat(data []byte) {
	var held [][]byte
	for len(data) > 4<<20 {
		block := make([]byte, 16<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		held = append(held, block)
		runtime.KeepAlive(held)
	}
}

func wholeCodec(name string, in []wholeValue) *bench.Codec {
	var out []byte
	var messages [][]byte
	var v *wholeValue
	return &bench.Codec{
		Seek: func(int) {},
		Encode: func(int) (uint64, error) {
			switch name {
			case "hungry":
				eat(in[0].Data)
			case "limited":
				return 0, errors.New("limited: message too large")
			case "limited panic":
				panic("cannot grow buffer beyond 2 gigabytes")
			}
			var err error
			out, err = json.Marshal(in[0])
			return uint64(len(out)), err
		},
		Encoded: func() []byte { return out },
		Use:     func(all [][]byte) { messages = all },
		Decode: func(int) (uint64, error) {
			v = &wholeValue{}
			switch name {
			case "panics":
				panic("at the disco")
			case "overflows":
				panic("runtime error: makeslice: len out of range")
			}
			err := json.Unmarshal(messages[0], v)
			if name == "wrong" {
				v.Data[5]++
			}
			if name == "hungry decoder" {
				eat(v.Data)
			}
			return 1, err
		},
		Decoded: func() any { return v },
		Convert: func(int) (uint64, error) {
			v = &wholeValue{slices.Clone(in[0].Data)}
			switch name {
			case "wrong":
				v.Data[5]++
			case "hungry":
				eat(v.Data)
			}
			return 1, nil
		},
		Converted: func() any { return v },
	}
}

// wholeRun measures whole values of the named contenders in the given runner. It claims that the
// values are scale times as large as they are.
func wholeRun(t *testing.T, binary drive.Binary, limit, scale int64, sizes []string, names ...string) *notebook {
	t.Helper()
	dir := t.TempDir()
	n := &notebook{}
	binary.Env = append(binary.Env, wholeEnv+"=1")
	cfg := drive.StreamConfig{
		Runner: drive.Runner{Binary: func(uint64) drive.Binary { return binary }, Limits: drive.Limits{Memory: limit}, Seed: 1},
		Dir:    dir, Room: func() int64 { return 0 }, Messages: func(result.Case) int64 { return 1 },
		Values: func(c result.Case) int64 {
			bytes, err := strconv.ParseInt(strings.TrimPrefix(c.Size, "n="), 10, 64)
			if err != nil {
				t.Error(err)
			}
			return scale * bytes
		},
	}
	for _, size := range sizes {
		for _, name := range names {
			for _, op := range wholeOps {
				cfg.Cases = append(cfg.Cases, result.Case{Workload: "w", Size: size, Contender: name, Mode: contender.WholeMode, Op: op})
			}
		}
	}
	if _, err := drive.Streams(t.Context(), cfg, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	return n
}

// outcomeOf returns the notebook's outcome of a case, or a zero Outcome.
func (n *notebook) outcomeOf(name, size string, op result.Op) result.Outcome {
	for _, r := range n.records {
		if o := r.Outcome; o != nil && o.Case.Contender == name && o.Case.Size == size && o.Case.Op == op {
			return *o
		}
	}
	return result.Outcome{}
}

// streamsOf returns the notebook's stream records of a case.
func (n *notebook) streamsOf(name, size string, op result.Op) []*result.Stream {
	var all []*result.Stream
	for _, r := range n.records {
		if s := r.Stream; s != nil && s.Case.Contender == name && s.Case.Size == size && s.Case.Op == op {
			all = append(all, s)
		}
	}
	return all
}

// TestWhole has contenders that fail in every way beside one that works, and lists the largest
// size first. Each failure costs only that contender's rows. Its reason names the memory that the
// case was expected to need and the memory that it had.
func TestWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("fills memory for seconds")
	}
	const small, middle, large = "n=1048576", "n=2097152", "n=8388608"
	n := wholeRun(t, drive.Binary{Path: os.Args[0]}, 300<<20, 1, []string{large, small, middle},
		"good", "wrong", "panics", "hungry", "hungry decoder", "limited", "limited panic")
	for _, test := range []struct {
		contender, size string
		op              result.Op
		status          result.Status
		reasons         []string
	}{
		{"wrong", small, result.Decode, result.Unverified, []string{"Data[5]: 0 became 1"}},
		{"wrong", small, result.Encode, result.Unverified, []string{"decode: "}},
		{"panics", large, result.Decode, result.Panic, []string{"at the disco"}},
		{"limited", small, result.Encode, result.Unsupported, []string{"message too large"}},
		{"limited panic", small, result.Encode, result.Unsupported, []string{"a limit of the format or its library: ", "beyond 2 gigabytes"}},
		{"hungry", large, result.Encode, result.OOM, []string{
			"grew past 300 MiB, which is the limit of one process (--memory 300 MiB); it had 3", "MiB when it ended",
			"it was expected to need ", "as n=2097152 took ", "times the bytes of its values",
		}},
		{"hungry", large, result.Decode, result.OOM, []string{"encode: grew past", "; decode was expected to need ", "as n=2097152 took"}},
		{"hungry decoder", large, result.Decode, result.OOM, []string{"grew past 300 MiB", "as n=2097152 took"}},
		{"wrong", small, result.Convert, result.Unverified, []string{"wrong convert: Data[5]: 0 became 1"}},
		{"hungry", large, result.Convert, result.OOM, []string{"grew past 300 MiB", "it was expected to need ", "as n=2097152 took"}},
	} {
		o := n.outcomeOf(test.contender, test.size, test.op)
		for _, reason := range test.reasons {
			if o.Status != test.status || !strings.Contains(o.Reason, reason) {
				t.Errorf("%s %s %s: %s: %s, want %s with %q", test.contender, test.size, test.op, o.Status, o.Reason, test.status, reason)
			}
		}
	}
	for _, name := range []string{"good", "hungry"} {
		for _, op := range bothOps {
			if len(n.streamsOf(name, small, op)) == 0 {
				t.Errorf("%s %s at the small size has no number", name, op)
			}
		}
	}
	for _, name := range []string{"good", "panics", "hungry decoder"} {
		all := n.streamsOf(name, large, result.Convert)
		if len(all) == 0 {
			t.Errorf("%s has no conversion at the large size, and its other ops are none of that: %+v", name, n.outcomeOf(name, large, result.Convert))
		}
		for _, s := range all {
			if s.Messages != 1 || s.Items != 10 || s.Bytes != 0 || s.Wall <= 0 || s.AllocBytes < 8<<20 || s.Peak < 16<<20 || len(s.Sum) != 16 || s.Root != "M" {
				t.Errorf("%s converted %+v", name, s)
			}
		}
	}
	for _, s := range n.streamsOf("good", large, result.Decode) {
		if s.Messages != 1 || s.Items != 10 || s.Bytes < 8<<20 || s.Wall <= 0 || s.Limit != 300<<20 || s.Peak < 8<<20 || len(s.Sum) != 16 || s.Root != "M" || s.Unread != "" {
			t.Errorf("%+v", s)
		}
	}
	// An encoded value keeps its number if only the memory to read it back was missing.
	wrote := n.streamsOf("hungry decoder", large, result.Encode)
	if len(wrote) != 1 || !strings.Contains(wrote[0].Unread, "decode ran out of memory: grew past 300 MiB") {
		t.Errorf("encoded and not read back: %+v", wrote)
	}
	if o := n.outcomeOf("hungry decoder", large, result.Encode); o.Status != "" {
		t.Errorf("what has a number has an outcome: %+v", o)
	}
	if got := n.streamsOf("wrong", small, result.Encode); len(got) > 0 {
		t.Errorf("encoded and read back wrong: %+v", got)
	}
}

// TestWholePastLimits has values that are larger than 32-bit lengths allow. A library that fails
// because of a length has a limit, one that panics for another reason is broken, and one that
// returns something else is wrong.
func TestWholePastLimits(t *testing.T) {
	const size = "n=1048576"
	n := wholeRun(t, drive.Binary{Path: os.Args[0]}, 1<<30, 3<<10, []string{size}, "wrong", "panics", "overflows")
	if o := n.outcomeOf("overflows", size, result.Decode); o.Status != result.Unsupported || !strings.Contains(o.Reason, "the values take 3.0 GiB, more than the 2 GiB") {
		t.Errorf("overflows: %+v", o)
	}
	if o := n.outcomeOf("panics", size, result.Decode); o.Status != result.Panic || !strings.Contains(o.Reason, "at the disco") {
		t.Errorf("panics for another reason than a length: %+v", o)
	}
	if o := n.outcomeOf("wrong", size, result.Decode); o.Status != result.Unverified {
		t.Errorf("wrong: %+v", o)
	}
}

// TestWholeUnderUlimit has the system refuse memory, by a limit from outside, before our limit is
// reached. The outcome is oom, and the other rows stay.
func TestWholeUnderUlimit(t *testing.T) {
	if testing.Short() {
		t.Skip("fills memory for seconds")
	}
	if runtime.GOOS != "linux" || raced {
		t.Skip("a limit on addresses that a Go program can run in")
	}
	const small, large = "n=2097152", "n=8388608"
	shell := drive.Binary{Path: "/bin/sh", Args: []string{"-c", `ulimit -v 2500000; exec "$0"`, os.Args[0]}}
	n := wholeRun(t, shell, 8<<30, 1, []string{small, large}, "hungry", "good")
	o := n.outcomeOf("hungry", large, result.Encode)
	for _, want := range []string{"memory", "by a limit from outside", "it was expected to need", "as n=2097152 took"} {
		if o.Status != result.OOM || !strings.Contains(o.Reason, want) {
			t.Errorf("%s: %s, want oom with %q", o.Status, o.Reason, want)
		}
	}
	for _, size := range []string{small, large} {
		if len(n.streamsOf("good", size, result.Decode)) == 0 {
			t.Errorf("the other contender has no number at %s: %v", size, n.outcomes())
		}
	}
}

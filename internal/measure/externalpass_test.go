package measure

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/external"
	"assay/internal/verify"
	"assay/result"
)

// An external contender's counts are compared with the messages that it was seen to write.
func TestMiscounted(t *testing.T) {
	seen := verify.Size{Messages: 64, Encoded: 6400}
	good := bench.Counted{Ops: 1024, Bytes: 2048, Allocs: 1024, Messages: 64, Encoded: 6400}
	for _, test := range []struct {
		name   string
		change func(*bench.Counted)
		seen   verify.Size
		want   string
	}{
		{"as it is", func(*bench.Counted) {}, seen, ""},
		{"nothing allocated", func(n *bench.Counted) { n.Bytes, n.Allocs = 0, 0 }, seen, ""},
		{"written otherwise", func(n *bench.Counted) { n.Encoded = 6401 }, seen, ""},
		{"16 times as many, as package bench may", func(n *bench.Counted) { n.Ops, n.Bytes, n.Allocs = 16384, 32768, 16384 }, seen, ""},
		{"it only reads", func(*bench.Counted) {}, verify.Size{}, ""},
		{"too many operations", func(n *bench.Counted) { n.Ops = 10240 }, seen, "counted 10240 operations where 1000 were asked for, in whole passes over 64 inputs"},
		{"too few operations", func(n *bench.Counted) { n.Ops = 1000 }, seen, "counted 1000 operations where 1000 were asked for, in whole passes over 64 inputs"},
		{"too many where it only reads", func(n *bench.Counted) { n.Ops = 10240 }, verify.Size{}, "counted 10240 operations where 1000 were asked for, in whole passes over 64 inputs"},
		{"other messages", func(n *bench.Counted) { n.Messages = 32 }, seen, "counted 32 messages and wrote 64"},
		{"smaller messages", func(n *bench.Counted) { n.Encoded = 3200 }, seen, "counted 3200 bytes in its messages and wrote 6400"},
		{"bytes of no allocation", func(n *bench.Counted) { n.Allocs = 0 }, seen, "counted 0 allocations of 2048 bytes together"},
		{"allocations of no bytes", func(n *bench.Counted) { n.Bytes = 0 }, seen, "counted 1024 allocations of 0 bytes together"},
	} {
		n := good
		test.change(&n)
		if got := miscounted(n, 1000, test.seen); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// A launch is represented by its median: one sample that is too short does not count, and other
// launches that are honest do not make up for a dishonest one.
func TestLaunched(t *testing.T) {
	c := result.Case{Workload: "w", Size: "n=1", Contender: "py", Op: result.Encode}
	launch := func(wall, cpu []int64) result.Record {
		return result.Record{Launch: &result.Launch{Cell: c.Cell(), Series: []result.Series{
			{Subject: c.Subject(), N: 10, Wall: wall, CPU: cpu},
			{Subject: result.Subject{Contender: "other"}, N: 10, Wall: []int64{1}},
		}}}
	}
	for _, test := range []struct {
		name    string
		records []result.Record
		want    float64
	}{
		{"one short sample", []result.Record{launch([]int64{1, 1000, 1010, 1020}, nil)}, 100},
		{"half of them", []result.Record{launch([]int64{10, 1000, 10, 1020}, nil)}, 1},
		{"one short launch", []result.Record{launch([]int64{1000, 1010, 1020}, nil), launch([]int64{300, 310, 320}, nil)}, 31},
		{"CPU times", []result.Record{launch([]int64{1000, 1010, 1020}, []int64{0, 300, 310})}, 30},
	} {
		m := &Measurement{Records: test.records}
		if got := m.launched(c); got != test.want {
			t.Errorf("%s: %v ns, want %v", test.name, got, test.want)
		}
	}
}

// Unknown ops are listed once each, up to a limit.
func TestUnknownOps(t *testing.T) {
	d := &bench.Described{Bindings: []bench.BindingInfo{{Ops: []result.Op{"encode", "fly", "swim"}}, {Ops: []result.Op{"fly", "run", "sit"}}}}
	if got := unknownOps(d); len(got) != 3 || got[0] != "fly" || got[1] != "swim" || got[2] != "run" {
		t.Errorf("unknown are %q", got)
	}
}

// An external contender has 15 seconds for an answer unless it sets another limit. The script fooled
// of cmd/assay sets one, and shows that it ends a runner that never answers.
func TestAnswerLimit(t *testing.T) {
	for set, want := range map[time.Duration]time.Duration{0: 15 * time.Second, 3 * time.Second: 3 * time.Second, 90 * time.Second: 90 * time.Second} {
		x := &External{Contender: &external.Contender{Command: []string{"runner"}, Timeout: set}}
		if got := x.runner(1, 0, nil).Limits.Answer; got != want {
			t.Errorf("a limit of %v that it sets is %v, want %v", set, got, want)
		}
	}
}

// A case that has no count gets the sizes of the messages that were seen, if any was.
func TestStoreSizes(t *testing.T) {
	of := func(name string) result.Case {
		return result.Case{Workload: "w", Size: "n=1", Contender: name, Op: result.Encode}
	}
	counted, uncounted, reads := of("counted"), of("uncounted"), of("reads")
	m := &Measurement{Records: []result.Record{{Count: &result.Count{Case: counted, Ops: 64, Messages: 64, Encoded: 6400}}}}
	err := m.storeSizes([]result.Case{counted, uncounted, reads}, map[result.Case]verify.Size{
		counted: {Messages: 64, Encoded: 6400}, uncounted: {Messages: 32, Encoded: 320},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Count
	for _, r := range m.Records {
		got = append(got, *r.Count)
	}
	want := []result.Count{{Case: counted, Ops: 64, Messages: 64, Encoded: 6400}, {Case: uncounted, Messages: 32, Encoded: 320}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// Without a directory for the files of an external contender, the error says what to do about it.
func TestNoExchange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	if _, err := newExchange(); err == nil || !strings.Contains(err.Error(), "cannot write to "+dir) || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("error %v", err)
	}
}

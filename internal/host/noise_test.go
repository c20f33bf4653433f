package host

import (
	"maps"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"assay/result"
)

func TestParseStat(t *testing.T) {
	const two = "cpu  4 0 0 40 50 0 0 9 0 0\ncpu0 1 0 0 40 50 0 0 9 0 0\ncpu1 3 0 0 0 0 0 0 0 0 0\n"
	tests := []struct {
		name, stat string
		of         map[string]bool
		want       ticks
	}{
		{"all CPUs", "cpu  10 20 30 40 50 60 70 1234 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n", nil, ticks{1514, 190, 1234, true}},
		{"one of two", two, map[string]bool{"cpu1": true}, ticks{3, 3, 0, true}},
		{"both", two, map[string]bool{"cpu0": true, "cpu1": true}, ticks{103, 4, 9, true}},
		{"one that is not there", two, map[string]bool{"cpu2": true}, ticks{}},
		{"old kernel", "cpu  10 20 30 40 50 60 70\n", nil, ticks{}},
		{"absent", "", nil, ticks{}},
		{"another line first", "intr 1 2 3 4 5 6 7 8 9\n", nil, ticks{}},
		{"not a number", "cpu a b c d e f g h\n", nil, ticks{}},
		{"negative", "cpu 1 2 3 4 5 6 7 -8\n", nil, ticks{}},
	}
	for _, tt := range tests {
		if got := parseStat([]byte(tt.stat), tt.of); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestAllowed(t *testing.T) {
	tests := []struct {
		status string
		want   []string
	}{
		{"Name:\tx\nCpus_allowed_list:\t0-2,7\nMems_allowed:\t1\n", []string{"cpu0", "cpu1", "cpu2", "cpu7"}},
		{"Cpus_allowed_list:\t5\n", []string{"cpu5"}},
		{"Cpus_allowed_list:\tall\n", nil},
		{"Name:\tx\n", nil},
		{"", nil},
	}
	for _, tt := range tests {
		if got := slices.Sorted(maps.Keys(allowed([]byte(tt.status)))); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.status, got, tt.want)
		}
	}
}

func TestMomentSince(t *testing.T) {
	at := func(busy, idle, steal int64, ownMS int64) Moment {
		of := ticks{busy + idle + steal, busy, steal, true}
		return Moment{of, of, ownMS * 1e6}
	}
	const unseen = -100
	tests := []struct {
		name          string
		before, after Moment
		steal         int64
		others        float64
	}{
		{"ours alone", at(100, 100, 5, 70), at(200, 200, 5, 1070), 0, 0},
		{"half of what was used", at(100, 100, 5, 0), at(200, 200, 5, 500), 0, 0.25},
		{"stolen", at(100, 100, 5, 0), at(200, 190, 15, 1000), 10, 0},
		{"ticks are coarse", at(100, 100, 5, 0), at(200, 200, 5, 1020), 0, -0.01},
		{"no time between", at(100, 100, 5, 0), at(100, 100, 5, 0), 0, unseen},
		{"not seen", Moment{}, at(200, 200, 5, 500), 0, unseen},
		{"not seen later", at(100, 100, 5, 0), Moment{}, 0, unseen},
	}
	for _, tt := range tests {
		steal, others := tt.after.since(tt.before)
		if others == nil {
			others = new(float64)
			*others = unseen
		}
		if steal != tt.steal || math.Abs(*others-tt.others) > 1e-9 {
			t.Errorf("%s: %d and %g, want %d and %g", tt.name, steal, *others, tt.steal, tt.others)
		}
	}
}

// TestMomentOwn checks that the CPU time of a child counts as the process's own once the
// child has been waited for.
func TestMomentOwn(t *testing.T) {
	linux(t)
	if os.Getenv("HOST_SPIN") != "" {
		for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		}
		return
	}
	before := Now()
	child := exec.Command(os.Args[0], "-test.run=^TestMomentOwn$")
	child.Env = append(os.Environ(), "HOST_SPIN=1")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	used := child.ProcessState.UserTime() + child.ProcessState.SystemTime()
	if own := time.Duration(Now().own - before.own); own < used {
		t.Errorf("own CPU time grew by %v, and a child used %v", own, used)
	}
	var l result.Launch
	before.Record(&l)
	if l.Steal < 0 || l.Others == nil || *l.Others > 1 || l.Load < 0 {
		t.Errorf("this machine: %+v", l)
	}
}

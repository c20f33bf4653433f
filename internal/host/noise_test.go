package host

import (
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"assay/result"
)

func TestParseStat(t *testing.T) {
	tests := []struct {
		name, stat string
		want       ticks
	}{
		{"all CPUs", "cpu  10 20 30 40 50 60 70 1234 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n", ticks{1514, 190, 1234, true}},
		{"old kernel", "cpu  10 20 30 40 50 60 70\n", ticks{}},
		{"absent", "", ticks{}},
		{"another line first", "intr 1 2 3 4 5 6 7 8 9\n", ticks{}},
		{"not a number", "cpu a b c d e f g h\n", ticks{}},
		{"negative", "cpu 1 2 3 4 5 6 7 -8\n", ticks{}},
	}
	for _, tt := range tests {
		if got := parseStat([]byte(tt.stat)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestMomentSince(t *testing.T) {
	at := func(busy, idle, steal int64, ownMS int64) Moment {
		return Moment{ticks{busy + idle + steal, busy, steal, true}, ownMS * 1e6}
	}
	tests := []struct {
		name          string
		before, after Moment
		steal         int64
		others        float64
	}{
		{"ours alone", at(100, 100, 5, 70), at(200, 200, 5, 1070), 0, 0},
		{"half of what was used", at(100, 100, 5, 0), at(200, 200, 5, 500), 0, 0.25},
		{"stolen", at(100, 100, 5, 0), at(200, 190, 15, 1000), 10, 0},
		{"ticks are coarse", at(100, 100, 5, 0), at(200, 200, 5, 1020), 0, 0},
		{"no time between", at(100, 100, 5, 0), at(100, 100, 5, 0), 0, 0},
		{"not seen", Moment{}, at(200, 200, 5, 500), 0, 0},
		{"not seen later", at(100, 100, 5, 0), Moment{}, 0, 0},
	}
	for _, tt := range tests {
		steal, others := tt.after.since(tt.before)
		if steal != tt.steal || math.Abs(others-tt.others) > 1e-9 {
			t.Errorf("%s: %d and %g, want %d and %g", tt.name, steal, others, tt.steal, tt.others)
		}
	}
}

// TestMomentOwn: what a child of this process used is its own once it has been waited for.
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
	if l.Steal < 0 || l.Others < 0 || l.Others > 1 || l.Load < 0 {
		t.Errorf("this machine: %+v", l)
	}
}

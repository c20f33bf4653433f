package drive

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"assay/bench"
	"assay/result"
)

// The audit accepts honest runners, also on a busy machine and behind another program, and
// rejects dishonest ones.
func TestAudit(t *testing.T) {
	const ms = time.Millisecond
	// The short command has one batch of 30 ms, the long one has five. The runner also runs a
	// tenth of a batch before each batch, and a collection takes a millisecond.
	seen := func(batches int, wait, others time.Duration) (elapsed, used time.Duration) {
		work := time.Duration(batches) * 34 * ms
		return 5*ms + work + wait, 5*ms + work + others
	}
	for _, test := range []struct {
		name                string
		waits, others       time.Duration // of the long command: for a processor, and CPU time of other threads
		worker              bool          // the process does the work itself
		wall, cpu           float64       // the factors by which the runner falsifies its times
		noCPU, unseen       bool
		confirmed, accepted bool
	}{
		{name: "honest", worker: true, wall: 1, cpu: 1, confirmed: true, accepted: true},
		{name: "honest without a CPU clock", worker: true, wall: 1, noCPU: true, confirmed: true, accepted: true},
		{name: "honest where CPU time cannot be seen", worker: true, wall: 1, cpu: 1, unseen: true, accepted: true},
		{name: "honest on a busy machine", worker: true, waits: 300 * ms, wall: 1, cpu: 1, confirmed: true, accepted: true},
		{name: "honest behind another program", wall: 1, cpu: 1, accepted: true},
		{name: "honest with threads that collect", worker: true, others: 200 * ms, wall: 1, cpu: 1, accepted: true},
		{name: "a hundredth", worker: true, wall: 0.01, cpu: 0.01},
		{name: "half", worker: true, wall: 0.5, cpu: 0.5},
		{name: "half where CPU time cannot be seen", worker: true, wall: 0.5, cpu: 0.5, unseen: true},
		{name: "half behind another program", wall: 0.5, cpu: 0.5},
		{name: "a hundredth of the wall time", worker: true, wall: 0.01, cpu: 1},
		{name: "a hundredth of the CPU time", worker: true, wall: 1, cpu: 0.01, accepted: true}, // as wall times
		{name: "nothing", worker: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			bout := func(batches int, share time.Duration) bout {
				b := bout{batches: batches}
				waits := test.waits * share
				b.elapsed, b.used = seen(batches, waits, test.others*share)
				work := float64(time.Duration(batches) * 30 * ms)
				b.wall = time.Duration(test.wall * (work + float64(waits)))
				if !test.noCPU {
					b.cpu = time.Duration(test.cpu * work)
				}
				if !test.worker {
					b.used = ms
				}
				if test.unseen {
					b.used = -1
				}
				return b
			}
			tr := &trial{short: bout(1, 0), long: bout(5, 1)}
			if tr.confirmed() != test.confirmed {
				t.Errorf("confirmed: %v", !test.confirmed)
			}
			if accepted := tr.confirmed() || tr.accounted(); accepted != test.accepted {
				t.Errorf("accepted: %v", accepted)
			}
		})
	}
}

// impossible names both figures that contradict each other.
func TestImpossible(t *testing.T) {
	rounds := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{{N: 10}, {N: 20}}}}
	measured := func(n int, wall ...int64) bench.Answer {
		return bench.Answer{Measured: &bench.Measured{Series: []result.Series{{N: n, Wall: wall}, {N: 20, Wall: []int64{1e6}}}}}
	}
	cpus := int64(runtime.NumCPU())
	timed := func(sentinel []int64, cpu ...int64) bench.Answer {
		a := measured(10, 5e6)
		a.Measured.Sentinel = sentinel
		a.Measured.Series[0].CPU = cpu
		return a
	}
	memory := bench.Command{Cmd: "memory", Memory: &bench.Memory{Ops: 100}}
	for _, test := range []struct {
		cmd  bench.Command
		a    bench.Answer
		want string
	}{
		{rounds, measured(10, 5e6, 4e6), ""},
		{rounds, measured(5, 5e6, 4e6), "reported batches of 5 operations where 10 were asked for"},
		{rounds, measured(10, 9e6, 4e6), "reported batches of 14ms in a command that took 10ms"},
		{rounds, measured(10, 1<<62, 1<<62, 1<<62), "reported batches of 1281023h53m38.427s in a command that took 10ms"},
		{rounds, timed(nil, 12e6, 0), ""},
		{rounds, timed(nil, 1<<62, 1<<62, 1<<62), fmt.Sprintf("reported 1281023h53m38.427s of CPU time in a command that took 10ms on %d CPUs", runtime.NumCPU())},
		{rounds, timed(nil, cpus*8e6, cpus*8e6), fmt.Sprintf("reported %v of CPU time in a command that took 10ms on %d CPUs", time.Duration(cpus*16)*time.Millisecond, runtime.NumCPU())},
		{rounds, timed([]int64{5e6, 7e6}), "reported walks of 12ms in a command that took 10ms"},
		{rounds, bench.Answer{Error: "no"}, ""},
		{bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{}}, bench.Answer{Calibrated: []bench.Calibrated{{N: 1, NS: 9e6}}}, ""},
		{bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{}}, bench.Answer{Calibrated: []bench.Calibrated{{N: 1, NS: 9e7}}}, "reported an operation of 90ms in a command that took 10ms"},
		{bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{}}, bench.Answer{Calibrated: []bench.Calibrated{{N: 1, NS: 1e300}}}, "reported an operation of 1e+294ms in a command that took 10ms"},
		{memory, bench.Answer{Counted: &bench.Counted{Ops: 128}}, ""},
		{memory, bench.Answer{Counted: &bench.Counted{Ops: 99}}, "counted 99 operations where 100 were asked for"},
		{bench.Command{Cmd: "steady", Steady: &bench.Steady{}}, bench.Answer{Steadied: &bench.Steadied{Wall: 2e7}}, "reported work of 20ms in a command that took 10ms"},
	} {
		if got := impossible(test.cmd, test.a, 10*time.Millisecond, false); got != test.want {
			t.Errorf("%s: got %q, want %q", test.cmd.Cmd, got, test.want)
		}
	}
}

// Times in which nothing can be done are rejected for external runners only. The reason names the
// case and the value.
func TestInstant(t *testing.T) {
	of := bench.CaseSpec{Subject: result.Subject{Contender: "py", Mode: "a=b"}, Op: result.Encode, N: 1000}
	rounds := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{of}}}
	calibrate := bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{Cases: []bench.CaseSpec{of}}}
	measured := func(cpu []int64, wall ...int64) bench.Answer {
		return bench.Answer{Measured: &bench.Measured{Series: []result.Series{{N: 1000, Wall: wall, CPU: cpu}}}}
	}
	calibrated := func(ns float64) bench.Answer { return bench.Answer{Calibrated: []bench.Calibrated{{N: 1, NS: ns}}} }
	for _, test := range []struct {
		cmd  bench.Command
		a    bench.Answer
		want string
	}{
		{rounds, measured(nil, 200), ""},
		{rounds, measured([]int64{0}, 200), ""},
		{rounds, measured(nil, 5000, 1), "reported 1 ns for a batch of 1000 operations of py (a=b) encode, and no operation takes less than 0.2 ns"},
		{rounds, measured([]int64{199}, 5000), "reported 199 ns for a batch of 1000 operations of py (a=b) encode, and no operation takes less than 0.2 ns"},
		{calibrate, calibrated(0.2), ""},
		{calibrate, calibrated(0), "reported 0 ns for an operation of py (a=b) encode, and none takes less than 0.2 ns"},
		{calibrate, calibrated(1e-300), "reported 1e-300 ns for an operation of py (a=b) encode, and none takes less than 0.2 ns"},
	} {
		if got := impossible(test.cmd, test.a, 10*time.Millisecond, true); got != test.want {
			t.Errorf("%s: got %q, want %q", test.cmd.Cmd, got, test.want)
		}
		if got := impossible(test.cmd, test.a, 10*time.Millisecond, false); got != "" {
			t.Errorf("%s of ours: got %q", test.cmd.Cmd, got)
		}
	}
}

// A longer command is expected to take no more than half the limit for an answer, also if a
// disturbance hides how long its rounds take.
func TestLengthen(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name        string
		limit       time.Duration
		more        int
		short, long time.Duration
		want        int
	}{
		{"long enough", 15 * time.Second, 4, 33 * ms, 170 * ms, 4},
		{"too short", 15 * time.Second, 4, 100 * ms, 150 * ms, 8},
		{"much too short", 15 * time.Second, 4, 50 * ms, 51 * ms, 321},
		{"the shorter one was disturbed", 15 * time.Second, 4, 200 * ms, 150 * ms, 4 + 245},
		{"no limit", 0, 4, 200 * ms, 150 * ms, mostRounds},
		{"a short limit", time.Second, 4, 200 * ms, 150 * ms, 4 + 11},
		{"no room for a longer one", time.Second, 4, 500 * ms, 510 * ms, 4},
	} {
		tr := &trial{
			worker: Runner{Limits: Limits{Answer: test.limit}}.worker(0, result.Cell{}, func(Event) {}),
			more:   test.more, short: bout{elapsed: test.short, batches: 1}, long: bout{elapsed: test.long, batches: 1 + test.more},
		}
		tr.lengthen()
		if tr.more != test.want {
			t.Errorf("%s: %d more rounds, want %d", test.name, tr.more, test.want)
		}
	}
}

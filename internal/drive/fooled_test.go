//go:build unix

package drive_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
)

// cheatEnv makes the test binary a runner of contenders that would get false numbers, or spoil
// those of others, if nobody checked them while they are timed. They misbehave only in the
// process for which the value of cheatEnv is "launches".
const cheatEnv = "DRIVE_TEST_CHEAT"

// shared is a type of value that contenders do not copy.
type shared struct{ V []uint64 }

func (n *shared) LeafSum() uint64 { return n.V[0] }

// cheaters maps each contender to the beginning of its expected outcome; empty: it has none.
var cheaters = map[string]string{
	"first":    "",
	"stale":    "unverified: rounds: stale encode: seen between timed batches: ",
	"skips":    "unverified: rounds: skips encode: seen between timed batches: ",
	"changes":  "unverified: rounds: changes encode: the contender changed its inputs: input ",
	"collects": "unverified: rounds: collects encode: the garbage collector was run during a timed batch, in which it is off",
	"timer":    "unverified: rounds: timer encode: the garbage collector was run during a timed batch, in which it is off",
	"bomb":     "panic: exited with status 3 before answering",
	"throttle": "unverified: rounds: throttle encode: it sets GOMAXPROCS from ",
	"burns":    "unverified: rounds: burns encode: it leaves 1 goroutine behind, at work when nothing is asked of it",
	"environs": "unverified: rounds: environs encode: while it was timed, it changes the environment of the process: DRIVE_TEST_ENVIRONS",
	"spawns":   "unverified: rounds: spawns encode: while it was timed, it starts other processes",
	"last":     "",
}

func cheating() bench.Program {
	p := bench.Program{Workloads: []*workload.Workload{{
		Name:  "numbers",
		Sizes: []workload.Size{{Key: "n=1", Root: "Number", Bytes: 8}},
		Generate: func(_ workload.Size, seed uint64, n int) (any, error) {
			out := make([]shared, n)
			for i := range out {
				out[i].V = []uint64{workload.Rand(seed, i).Uint64()}
			}
			return out, nil
		},
	}}}
	for name := range cheaters {
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: name, Workload: "numbers", Root: "Number", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*bench.Codec, error) { return cheat(name, values.([]shared)), nil },
		})
	}
	return p
}

// cheat returns a codec that does what its name says in timed batches of the process "launches".
func cheat(name string, values []shared) *bench.Codec {
	numbers := func() []number {
		out := make([]number, len(values))
		for i := range out {
			out[i].V = values[i].V[0]
		}
		return out
	}
	c := newCodec(numbers(), func() {})
	decoded := c.Decoded
	c.Decoded = func() any { return &shared{[]uint64{decoded().(*number).V}} }
	encode, once := c.Encode, false
	at := 0
	seek := c.Seek
	c.Seek = func(i int) { at = i; seek(i) }
	c.Encode = func(n int) (uint64, error) {
		if os.Getenv(cheatEnv) != "launches" || n < 100 {
			return encode(n)
		}
		first := !once
		once = true
		switch name {
		case "skips":
			return 8 * uint64(n), nil
		case "stale":
			sum, err := encode(n)
			clear(c.Encoded())
			return sum, err
		case "changes":
			values[0].V[0]++
		case "collects":
			if first {
				runtime.GC()
			}
		case "timer":
			if first {
				var tick func()
				tick = func() { runtime.GC(); time.AfterFunc(3*time.Millisecond, tick) }
				tick()
			}
		case "bomb":
			if first {
				time.AfterFunc(5*time.Millisecond, func() { os.Exit(3) })
			}
		case "throttle":
			runtime.GOMAXPROCS(runtime.NumCPU() + 1)
		case "environs":
			os.Setenv("DRIVE_TEST_ENVIRONS", "on")
		case "spawns":
			if first {
				if err := exec.Command("sleep", "1000").Start(); err != nil {
					return 0, err
				}
			}
		case "burns":
			if first {
				go func() {
					for {
						at++
					}
				}()
			}
		}
		return encode(n)
	}
	return c
}

// TestCheats measures, beside sound contenders, contenders that behave while they are verified
// and misbehave while they are timed. Each of these loses its rows, with a reason that says what
// it did. The sound contenders keep their rows.
func TestCheats(t *testing.T) {
	stage := func(name string) drive.Runner {
		return drive.Runner{
			Binary: func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{cheatEnv + "=" + name}} },
			Limits: drive.Limits{Answer: time.Minute}, Seed: 1, Inputs: 8,
		}
	}
	var cases []result.Case
	for _, name := range []string{"first", "stale", "skips", "changes", "collects", "timer", "bomb", "throttle", "burns", "environs", "spawns", "last"} {
		cases = append(cases, result.Case{Workload: "numbers", Size: "n=1", Contender: name, Op: result.Encode})
	}
	var n notebook
	verified, err := verify.Run(t.Context(), verify.Config{Runner: stage("verify"), Cases: cases}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	if len(verified.Cases) != len(cases) {
		t.Fatalf("verification left out %+v", verified.Outcomes)
	}
	cell := drive.Cell{Cell: result.Cell{Workload: "numbers", Size: "n=1", Op: result.Encode}, Warmup: 2, Rounds: 10}
	for _, c := range cases {
		cell.Cases = append(cell.Cases, bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: 5000})
	}
	if _, err := drive.Launches(t.Context(), drive.LaunchesConfig{
		Runner: stage("launches"), Pace: drive.Pace{Layouts: []uint64{0, 1}}, Cells: []drive.Cell{cell},
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range n.records {
		if o := r.Outcome; o != nil {
			got[o.Case.Contender] = string(o.Status) + ": " + o.Reason
		}
	}
	for name, want := range cheaters {
		if want == "" && got[name] != "" || !strings.HasPrefix(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	// The samples that were measured before a contender was excluded give it no number.
	run := &result.Run{Plan: result.Plan{Cases: cases, Reference: "first"}}
	sounds := 0
	for _, table := range analysis.Of(run, n.records, analysis.View{}).Tables {
		for _, row := range table.Rows {
			sound := cheaters[row.Case.Contender] == ""
			if sound {
				sounds++
			}
			if sound != (row.Number != nil) {
				t.Errorf("%s %s: number %v, status %s", row.Case.Contender, row.Metric, row.Number, row.Status)
			}
		}
	}
	if sounds == 0 {
		t.Error("no sound contender has a row")
	}
}

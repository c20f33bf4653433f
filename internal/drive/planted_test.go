//go:build unix

package drive_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
)

// plantEnv makes the test binary a runner of planted contenders. Its value is the stage of the
// process: "verify", "calibrate" or "launches".
const plantEnv = "DRIVE_TEST_PLANT"

// armedEnv is the stage at which planted contenders misbehave.
const armedEnv = "DRIVE_TEST_ARMED"

type number struct{ V uint64 }

func (n *number) LeafSum() uint64 { return n.V }

// planted returns a program of two sound contenders and five that misbehave.
func planted() bench.Program {
	p := bench.Program{Workloads: []*workload.Workload{{
		Name:  "numbers",
		Sizes: []workload.Size{{Key: "n=1", Root: "Number", Bytes: 8}},
		Generate: func(_ workload.Size, seed uint64, n int) (any, error) {
			out := make([]number, n)
			for i := range out {
				out[i].V = workload.Rand(seed, i).Uint64()
			}
			return out, nil
		},
	}}}
	armed := os.Getenv(armedEnv) == os.Getenv(plantEnv)
	f := &fake{dir: os.TempDir(), out: os.Stdout}
	for _, name := range plantedNames {
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: name, Workload: "numbers", Root: "Number",
			Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*bench.Codec, error) {
				return newCodec(values.([]number), func() {
					if armed {
						f.misbehave(name, "", 1)
					}
				}), nil
			},
		})
	}
	return p
}

var (
	plantedNames = []string{"sound", "panic", "overflow", "exit", "hang", "alloc", "fine"}
	soundNames   = []string{"sound", "fine"}
)

// newCodec returns a codec that writes a number as eight bytes and calls act in each encode.
func newCodec(values []number, act func()) *bench.Codec {
	var (
		messages [][]byte
		next     int
		encoded  []byte
		decoded  *number
	)
	return &bench.Codec{
		Encode: func(n int) (sum uint64, err error) {
			act()
			for range n {
				encoded = binary.LittleEndian.AppendUint64(nil, values[next].V)
				next = (next + 1) % len(values)
				sum += uint64(len(encoded))
			}
			return sum, nil
		},
		Encoded: func() []byte { return encoded },
		Use:     func(m [][]byte) { messages, next = m, 0 },
		Decode: func(n int) (uint64, error) {
			for range n {
				decoded = &number{binary.LittleEndian.Uint64(messages[next])}
				next = (next + 1) % len(messages)
			}
			return uint64(n), nil
		},
		Decoded: func() any { return decoded },
		Value:   func() any { return decoded },
		Seek:    func(i int) { next = i },
	}
}

// TestPlanted measures sound contenders beside five that end their process, in real runners and
// through all passes. At whatever stage the five begin to misbehave, only they lose their rows.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for contenders that hang")
	}
	if raced {
		t.Skip("one of the five asks for memory, which is that of the race detector")
	}
	ofEncode := map[string]string{
		"panic":    "panic: panic: runtime error: index out of range [3] with length 0",
		"overflow": "panic: stack overflow: goroutine stack exceeds 33554432-byte limit",
		"exit":     "panic: exited with status 0 before answering",
		"hang":     "timeout: no answer in time",
		"alloc":    "oom: grew past 256 MiB",
	}
	for _, armed := range []string{"verify", "calibrate", "launches"} {
		t.Run(armed, func(t *testing.T) {
			t.Parallel()
			stage := func(name string) drive.Runner {
				return drive.Runner{
					Binary: func(uint64) drive.Binary {
						return drive.Binary{Path: os.Args[0], Env: []string{plantEnv + "=" + name, armedEnv + "=" + armed}}
					},
					// The limits are enough for the sound contenders on a busy machine.
					Limits: drive.Limits{Memory: 256 << 20, Answer: 20 * time.Second},
					Seed:   1,
				}
			}
			var n notebook
			cases := plantedCases()
			verified, err := verify.Run(t.Context(), verify.Config{
				Runner: stage("verify"), Cases: cases, Formats: map[string]string{"sound": "f", "fine": "f"},
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			calibrated, _, err := drive.Calibrate(t.Context(), drive.CalibrateConfig{
				Runner: stage("calibrate"), Cases: verified.Cases, BatchNS: 20_000, MinOps: 50, MaxNS: 1e9,
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			_, err = drive.Launches(t.Context(), drive.LaunchesConfig{
				Runner: stage("launches"), Pace: drive.Pace{Layouts: []uint64{0, 1}}, Cells: plantedCells(cases, calibrated),
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			checkPlanted(t, &n, armed, ofEncode)
		})
	}
}

// plantedCases returns encode of all contenders, and decode of the sound ones. Decode reads what
// encode writes, so the decode cases of the others would be lost too.
func plantedCases() []result.Case {
	var out []result.Case
	for _, name := range plantedNames {
		out = append(out, result.Case{Workload: "numbers", Size: "n=1", Contender: name, Op: result.Encode})
	}
	for _, name := range soundNames {
		out = append(out, result.Case{Workload: "numbers", Size: "n=1", Contender: name, Op: result.Decode})
	}
	return out
}

func plantedCells(cases []result.Case, calibrated map[result.Case]result.Calibration) []drive.Cell {
	var out []drive.Cell
	for _, op := range []result.Op{result.Encode, result.Decode} {
		cell := drive.Cell{Cell: result.Cell{Workload: "numbers", Size: "n=1", Op: op}, Warmup: 2, Rounds: 4}
		for _, c := range cases {
			if cal, ok := calibrated[c]; ok && c.Op == op {
				cell.Cases = append(cell.Cases, bench.CaseSpec{Subject: c.Subject(), Op: op, N: cal.N})
			}
		}
		out = append(out, cell)
	}
	return out
}

// checkPlanted checks that the outcomes are right and that the launches of the other cases are
// complete.
func checkPlanted(t *testing.T, n *notebook, armed string, ofEncode map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, r := range n.records {
		if o := r.Outcome; o != nil {
			got[o.Case.Contender] = inTime(fmt.Sprintf("%s: %s", o.Status, o.Reason))
		}
	}
	if diff := cmp.Diff(ofEncode, got); diff != "" {
		t.Errorf("outcomes, armed at %s (-want +got):\n%s", armed, diff)
	}
	series := map[result.Case]int{}
	for _, r := range n.records {
		if r.Launch == nil {
			continue
		}
		for _, s := range r.Launch.Series {
			series[r.Launch.Cell.Case(s.Subject)]++
			if len(s.Wall) != 4 {
				t.Errorf("%s has %d samples in launch %d, want 4", s.Contender, len(s.Wall), r.Launch.Index)
			}
		}
	}
	want := map[result.Case]int{}
	for _, name := range soundNames {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			want[result.Case{Workload: "numbers", Size: "n=1", Contender: name, Op: op}] = 2
		}
	}
	if diff := cmp.Diff(want, series); diff != "" {
		t.Errorf("launches, armed at %s (-want +got):\n%s", armed, diff)
	}
}

//go:build unix

package drive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// relayEnv makes the test binary a runner whose contenders log when one of their batches begins
// and ends. Its value is the directory of the log and the label of the side, separated by a
// space.
const relayEnv = "DRIVE_TEST_RELAY"

// relaying returns the program of a side. On side "new", contender "exit" ends its process in the
// fifth batch, and "wrong" returns an error there.
func relaying(value string) bench.Program {
	dir, label, _ := strings.Cut(value, " ")
	f := &fake{dir: dir, out: os.Stdout}
	p := planted()
	p.Bindings = nil
	for _, name := range []string{"a", "b", "exit", "wrong"} {
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: name, Workload: "numbers", Root: "Number", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*bench.Codec, error) {
				calls := 0
				c := newCodec(values.([]number), func() {})
				encode := c.Encode
				c.Encode = func(n int) (uint64, error) {
					if n == relayBatch {
						f.log(label + " begins " + name)
						defer f.log(label + " ends " + name)
						calls++
					}
					if label == "new" && calls == 5 {
						switch name {
						case "exit":
							os.Exit(0)
						case "wrong":
							return 0, fmt.Errorf("it has had enough")
						}
					}
					return encode(n)
				}
				return c, nil
			},
		})
	}
	return p
}

// relayBatch is the number of operations of a batch. No other call has so many.
const relayBatch = 12345

// relayLaunch runs one launch of three sides with a relay and returns its records and the log.
func relayLaunch(t *testing.T, rounds int, names ...string) (notebook, []string) {
	t.Helper()
	dir := t.TempDir()
	var sides []drive.Side
	for _, label := range []string{"old", "new", "control"} {
		version := label
		if label == "control" {
			version = "old"
		}
		sides = append(sides, drive.Side{Label: version, Control: label == "control", Runner: drive.Runner{
			Binary: func(uint64) drive.Binary {
				return drive.Binary{Path: os.Args[0], Env: []string{relayEnv + "=" + dir + " " + label}}
			},
			Limits: drive.Limits{Memory: 256 << 20, Answer: time.Minute, Hang: 20 * time.Second},
			Seed:   1,
		}})
	}
	c := drive.Cell{Cell: result.Cell{Workload: "numbers", Size: "n=1", Op: result.Encode}, Warmup: 1, Rounds: rounds}
	for _, name := range names {
		c.Cases = append(c.Cases, bench.CaseSpec{Subject: result.Subject{Contender: name}, Op: result.Encode, N: relayBatch})
	}
	var n notebook
	_, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Relay: true, Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{c}, Sides: sides,
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return n, strings.Split(strings.TrimSpace(string(text)), "\n")
}

// TestRelay: no batch begins before the last one has ended. Each case of a round runs its batch
// on all sides before the next case does. The order of the sides is random, and every second
// order is the reverse of the one before.
func TestRelay(t *testing.T) {
	const rounds = 40
	n, log := relayLaunch(t, rounds, "a", "b")
	log = log[len(log)-2*3*2*rounds:] // the lines before are those of the warm-up
	var orders []string
	for step := range 2 * rounds {
		var order, names string
		for turn := range 3 {
			at := 2 * (3*step + turn)
			label, name, _ := strings.Cut(log[at], " begins ")
			if want := label + " ends " + name; log[at+1] != want {
				t.Fatalf("%q is followed by %q", log[at], log[at+1])
			}
			order, names = order+label[:1], names+name
		}
		if names != strings.Repeat(names[:1], 3) {
			t.Errorf("step %d is of %s on the sides %s", step, names, order)
		}
		orders = append(orders, order)
	}
	different := map[string]bool{}
	for i := 0; i+3 < len(orders); i += 2 { // the first order was used by the preparations
		first, second := []byte(orders[i+1]), []byte(orders[i+2])
		slices.Reverse(second)
		different[string(first)] = true
		if string(first) != string(second) {
			t.Errorf("steps %d and %d have the orders %s and %s, want one and its reverse", i+1, i+2, orders[i+1], orders[i+2])
		}
	}
	if len(different) != 6 {
		t.Errorf("%d orders of six", len(different))
	}
	want := []string{"numbers#0: a b a/control b/control", "numbers#0: a b"}
	if diff := cmp.Diff(want, n.launches()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	for _, r := range n.records {
		for _, s := range r.Launch.Series {
			if len(s.Round) != rounds || s.Round[rounds-1] != rounds-1 {
				t.Errorf("%s: rounds %v", s.Subject, s.Round)
			}
		}
	}
}

// TestRelayFails: if a side fails in its turn, the relay stops the others, and the launch is
// measured case by case. Only the case that fails in that mode is lost.
func TestRelayFails(t *testing.T) {
	for name, want := range map[string]string{
		"exit":  "exit/encode: panic: exited with status 0 before answering (again and again, each time in a new process)",
		"wrong": "wrong/encode: unverified: rounds: wrong encode: it has had enough (again and again, each time in a new process)",
	} {
		t.Run(name, func(t *testing.T) {
			n, _ := relayLaunch(t, 40, "a", name, "b")
			if diff := cmp.Diff([]string{want}, n.outcomes()); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			var got []string
			for _, launch := range n.launches() {
				series := strings.Fields(launch)[1:]
				slices.Sort(series)
				got = append(got, strings.Join(series, " "))
			}
			if diff := cmp.Diff([]string{"a a/control b b/control", "a b"}, got); diff != "" {
				t.Errorf("series of the launches (-want +got):\n%s", diff)
			}
			for _, r := range n.records {
				if r.Launch != nil && len(r.Launch.Series[0].Round) < 30 {
					t.Errorf("%d rounds", len(r.Launch.Series[0].Round))
				}
			}
		})
	}
}

package bench

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// numbered returns a program with one contender that logs its calls of decode with the number
// of its codec. Codecs are numbered in the order in which they are bound.
func numbered(log *[]call, bound *int) Program {
	p := program()
	p.Bindings = []Binding{{
		Contender: "a", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
		New: func(values any) (*Codec, error) {
			name := string(rune('0' + *bound))
			*bound++
			c := newFake(values).codec()
			decode := c.Decode
			c.Decode = func(n int) (uint64, error) {
				*log = append(*log, call{name, n})
				return decode(n)
			}
			return c, nil
		},
	}}
	return p
}

// TestControl: a control is a series of its own with its own codec. Later commands use the same
// codec.
func TestControl(t *testing.T) {
	var log []call
	var bound int
	rounds := `{"cmd":"rounds","rounds":{"cases":[{"contender":"a","op":"decode","n":2},{"contender":"a","op":"decode","n":3,"role":"control"}],"rounds":3}}`
	answers := serve(t, numbered(&log, &bound), loadLine, rounds, rounds)
	for _, a := range answers[1:] {
		if a.Measured == nil || len(a.Measured.Series) != 2 {
			t.Fatalf("%+v", a)
		}
		for i, want := range []string{"", result.Control} {
			s := a.Measured.Series[i]
			if s.Role != want || len(s.Wall) != 3 || s.Contender != "a" || s.N != 2+i {
				t.Errorf("series %d: %+v, want the role %q", i, s, want)
			}
		}
	}
	if bound != 2 {
		t.Errorf("%d codecs were bound, want 2", bound)
	}
	calls := map[call]int{}
	for _, c := range log {
		calls[c]++
	}
	if want := (map[call]int{{"0", 1}: 6, {"0", 2}: 6, {"1", 1}: 6, {"1", 3}: 6}); !cmp.Equal(calls, want, cmp.AllowUnexported(call{})) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}

// TestFloorCase: a floor is calibrated and run like any case, and its sums equal those of the
// case's encode.
func TestFloorCase(t *testing.T) {
	spec := CaseSpec{Subject: result.Subject{Contender: "json"}, Op: result.Encode, Role: result.Floor}
	a := ask(t, program(), 8, Command{Cmd: "calibrate", Calibrate: &Calibrate{Cases: []CaseSpec{spec}, BatchNS: 1000}})
	if len(a.Calibrated) != 1 || a.Calibrated[0].N < 1 {
		t.Fatalf("%+v", a)
	}
	spec.N = 21
	a = ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: []CaseSpec{spec}, Rounds: 3}})
	if a.Measured == nil || a.Measured.Series[0].Role != result.Floor || len(a.Measured.Series[0].Wall) != 3 {
		t.Errorf("%+v", a)
	}
	s := &session{program: program()}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Inputs: 5}); err != nil {
		t.Fatal(err)
	}
	var got [2]sums
	for i, role := range []string{"", result.Floor} {
		b, err := s.prepareCase(CaseSpec{Subject: result.Subject{Contender: "json"}, Op: result.Encode, Role: role}, 0)
		if err == nil {
			got[i], err = measureSums(b, result.Encode, func() {})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(got[0].before, got[1].before); diff != "" || got[0].before[5] == 0 {
		t.Errorf("sums of the case and of its floor:\n%s", diff)
	}
}

// TestFloor: the floor copies the messages in turn. It allocates memory for each message unless
// the mode says output=reuse.
func TestFloor(t *testing.T) {
	messages := [][]byte{[]byte(strings.Repeat("a", 100)), []byte("bc"), {}}
	for mode, allocs := range map[string]float64{"": 2, "strings=alias": 2, "output=reuse": 0, "output=reuse,session=stream": 0, "output=reused": 2} {
		c := newFloor(messages, mode)
		c.Seek(0)
		for i := range 7 {
			sum, err := c.Encode(1)
			want := messages[i%3]
			if err != nil || string(c.Encoded()) != string(want) || sum != uint64(len(want)) {
				t.Errorf("mode %q: operation %d copied %q, sum %d: %v", mode, i, c.Encoded(), sum, err)
			}
		}
		c.Seek(1)
		if sum, _ := c.Encode(5); sum != 104 || string(c.Encoded()) != "" {
			t.Errorf("mode %q: five from the second add up to %d", mode, sum)
		}
		// Two of the three messages need memory.
		if got := testing.AllocsPerRun(100, func() { c.Encode(3) }); got != allocs {
			t.Errorf("mode %q: %v allocations in a pass, want %v", mode, got, allocs)
		}
	}
}

// TestSentinel: the walk visits every line once and ends where it began.
func TestSentinel(t *testing.T) {
	s := newSentinel()
	seen := make(map[uint32]bool, sentinelLines)
	for at := s.at; !seen[at]; at = s.lines[at].next {
		seen[at] = true
	}
	if len(seen) != sentinelLines {
		t.Errorf("the cycle has %d lines, want %d", len(seen), sentinelLines)
	}
	if !cmp.Equal(s.lines[100].next, newSentinel().lines[100].next) {
		t.Error("two sentinels differ")
	}
	s.lines[0].next, s.at = 7, 0
	if took := s.walk(); took <= 0 {
		t.Errorf("a walk took %d ns", took)
	}
	s = newSentinel()
	if s.walk(); s.at != 0 {
		t.Errorf("a walk from 0 ended at %d", s.at)
	}
}

// TestRoundsSentinel: every fourth kept round has a walk, which has a place in the random order
// like a case.
func TestRoundsSentinel(t *testing.T) {
	var log []call
	r := &Rounds{Cases: decodes(1, "a", "b", "c"), Warmup: 1, Rounds: 5, Seed: 3, Sentinel: true}
	a := ask(t, logged("a b c", &log, 0), 4, Command{Cmd: "rounds", Rounds: r})
	if a.Measured == nil || len(a.Measured.Sentinel) != 2 { // rounds 0 and 4
		t.Fatalf("%+v", a)
	}
	for _, ns := range a.Measured.Sentinel {
		if ns <= 0 {
			t.Errorf("walks took %v ns", a.Measured.Sentinel)
		}
	}
	var want, got string
	random := rand.New(rand.NewPCG(3, 0))
	for range 2 { // the warm-up and the first kept round
		for _, i := range random.Perm(4) {
			if i < 3 {
				want += "abc"[i : i+1]
			}
		}
	}
	for _, c := range log[:6] {
		got += c.who
	}
	if got != want {
		t.Errorf("the cases ran in the order %s, want %s: that of four places, one of them the sentinel's", got, want)
	}
	r.Sentinel = false
	if a := ask(t, logged("a b c", &log, 0), 4, Command{Cmd: "rounds", Rounds: r}); a.Measured == nil || a.Measured.Sentinel != nil {
		t.Errorf("unasked: %+v", a)
	}
	r.Sentinel, r.Rounds, r.LimitNS = true, 1000, int64(20*time.Millisecond)
	a = ask(t, logged("a b c", &log, time.Millisecond), 4, Command{Cmd: "rounds", Rounds: r})
	if a.Measured == nil || len(a.Measured.Sentinel) != (len(a.Measured.Series[0].Round)+sentinelEvery-1)/sentinelEvery {
		t.Errorf("a limit: %+v", a)
	}
}

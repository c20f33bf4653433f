package bench

import (
	"encoding/json"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"assay/result"
)

// encodings returns a program with one contender that logs its calls of encode. change replaces
// encode.
func encodings(log *[]int, change func(Op) Op) Program {
	p := program()
	p.Bindings = []Binding{{
		Contender: "a", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
		New: func(values any) (*Codec, error) {
			c := newFake(values).codec()
			encode := change(c.Encode)
			c.Encode = func(n int) (uint64, error) {
				*log = append(*log, n)
				return encode(n)
			}
			return c, nil
		},
	}}
	return p
}

// twoRounds returns one command for each garbage, with two rounds of 20 operations of encode.
func twoRounds(garbage ...int64) (lines []string) {
	for _, g := range garbage {
		line, _ := json.Marshal(Command{Cmd: "rounds", Rounds: &Rounds{
			Cases: []CaseSpec{{Subject: result.Subject{Contender: "a"}, Op: result.Encode, N: 20}}, Rounds: 2, Garbage: g,
		}})
		lines = append(lines, string(line))
	}
	return lines
}

const loadItems = `{"cmd":"load","load":{"workload":"items","size":"n=1","seed":7,"inputs":7}}`

// TestStay: consecutive rounds commands collect garbage once and learn sums once. After another
// command, or with another limit of garbage, they do both again.
func TestStay(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	describe := `{"cmd":"describe"}`
	for _, test := range []struct {
		name        string
		lines       []string
		collections uint32
		learned     int
	}{
		{"one", twoRounds(0), 1, 1},
		{"three in a row", twoRounds(0, 0, 0), 1, 1},
		{"another limit", twoRounds(0, 1<<20), 2, 2},
		{"the limit by default and by number", twoRounds(0, GarbageLimit), 1, 1},
		{"another command between", append(append(twoRounds(0), describe), twoRounds(0)...), 2, 2},
		{"another command that fails between", append(append(twoRounds(0), `{"cmd":"cold","cold":{"contender":"nobody","op":"encode"}}`), twoRounds(0)...), 2, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log []int
			p := encodings(&log, func(encode Op) Op { return encode })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			serve(t, p, append([]string{loadItems}, test.lines...)...)
			runtime.ReadMemStats(&after)
			if got := after.NumForcedGC - before.NumForcedGC; got != test.collections {
				t.Errorf("%d collections, want %d", got, test.collections)
			}
			singles := 0
			for _, n := range log {
				if n == 1 {
					singles++
				}
			}
			if got := singles / 7; got != test.learned {
				t.Errorf("the sums of 7 inputs were learned %d times (%d single operations), want %d", got, singles, test.learned)
			}
		})
	}
	if p := debug.SetGCPercent(100); p != 100 {
		t.Errorf("the collector's percentage is %d after all, want 100", p)
	}
}

// TestStayWrong: work that a contender leaves out from the second command on is detected,
// although the sums were learned in the first command.
func TestStayWrong(t *testing.T) {
	var log []int
	batches := 0
	p := encodings(&log, func(encode Op) Op {
		return func(n int) (uint64, error) {
			if n == 20 {
				if batches++; batches > 2 {
					n-- // leaves out one operation of the batch
				}
			}
			return encode(n)
		}
	})
	answers := serve(t, p, append([]string{loadItems}, twoRounds(0, 0)...)...)
	if answers[1].Error != "" {
		t.Fatal(answers[1].Error)
	}
	if a := answers[2]; a.Measured != nil || !strings.Contains(a.Error, "returned the sum") {
		t.Errorf("the second command answers %+v, want that a sum is not the one of its inputs", a)
	}
}

// TestStayLate: a change between two commands is charged to the contender of the second command
// only if no other contender has run in the stay. Otherwise the goroutine of another contender
// may be the cause.
func TestStayLate(t *testing.T) {
	const name = "ASSAY_TEST_STAY"
	for _, test := range []struct {
		first   string
		charged bool
	}{{"a", true}, {"b", false}} {
		p := encodings(new([]int), func(encode Op) Op { return encode })
		other := p.Bindings[0]
		other.Contender = "b"
		p.Bindings = append(p.Bindings, other)
		s := &session{program: p}
		defer s.leave()
		if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 7, Inputs: 7}); err != nil {
			t.Fatal(err)
		}
		rounds := func(contender string) error {
			_, err := s.rounds(Rounds{Cases: []CaseSpec{{Subject: result.Subject{Contender: contender}, Op: result.Encode, N: 20}}, Rounds: 2})
			return err
		}
		if err := rounds(test.first); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, test.first)
		err := rounds("a")
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Fatalf("after %s: %v, want that %s has changed", test.first, err, name)
		}
		var w *wrong
		if charged := errors.As(err, &w); charged != test.charged {
			t.Errorf("after %s: %v; charged to a: %t, want %t", test.first, err, charged, test.charged)
		}
		if s.stay != nil {
			t.Errorf("after %s: a command that failed has left its stay", test.first)
		}
	}
}

package bench

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/result"
)

// TestFewInputs: verify finds batches that do their last operation only for any number of inputs,
// also one, and whether or not the schema has a map, whose order might change lengths.
func TestFewInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("verifying takes seconds")
	}
	for _, maps := range []bool{false, true} {
		for _, inputs := range []int{1, 2, 3, 7} {
			t.Run(fmt.Sprintf("%d, maps %t", inputs, maps), func(t *testing.T) {
				p := cheating()
				if maps {
					p.Workloads[0].Schema = testSchema
				}
				s := &session{program: p}
				if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: inputs}); err != nil {
					t.Fatal(err)
				}
				for name, sound := range map[string]bool{
					"sound": true, "lengths vary": maps,
					"only the last of a batch": false, "reads only the last of a batch": false,
				} {
					for _, long := range []bool{true, false} {
						got, err := s.verify(Verify{Subject: result.Subject{Contender: name}, Long: long})
						switch {
						case err != nil:
							t.Errorf("%s: %v", name, err)
						case name == "lengths vary" && !sound:
						case got.OK != sound:
							t.Errorf("%s, long %t: %+v", name, long, got)
						case !sound && !strings.Contains(got.Reason, errSkips.Error()):
							t.Errorf("%s, long %t: %s", name, long, got.Reason)
						}
					}
				}
			})
		}
	}
}

// TestSkipsWhileOthersMeasure: CPU time and work on several goroutines end with a check that a
// batch does all of its operations.
func TestSkipsWhileOthersMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring takes seconds")
	}
	skip := false
	p := program()
	p.Bindings = []Binding{{
		Contender: "skips later", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
		New: func(values any) (*Codec, error) {
			f := newFake(values)
			c := f.codec()
			fill(f, c)
			decode := c.Decode
			c.Decode = func(n int) (uint64, error) {
				if !skip {
					return decode(n)
				}
				f.next = (f.next + n - 1) % len(f.messages)
				_, err := decode(1)
				return uint64(n), err
			}
			return c, nil
		},
	}}
	who := result.Subject{Contender: "skips later"}
	for name, measure := range map[string]func(*session) error{
		"steady": func(s *session) error {
			_, err := s.steady(Steady{Subject: who, Op: result.Decode, MinNS: 2e8, MaxNS: 4e8})
			return err
		},
		"parallel": func(s *session) error {
			_, err := s.parallel(Parallel{Subject: who, Op: result.Decode, Goroutines: 2, N: 100, Rounds: 4000})
			return err
		},
	} {
		for _, skip = range []bool{false, true} {
			s := &session{program: p}
			if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
				t.Fatal(err)
			}
			err := measure(s)
			var w *wrong
			if skip != (errors.As(err, &w) && strings.Contains(err.Error(), errSkips.Error())) || !skip && err != nil {
				t.Errorf("%s, skips %t: %v", name, skip, err)
			}
		}
	}
}

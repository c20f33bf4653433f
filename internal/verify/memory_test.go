package verify_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
)

// A notebook is a Memory in memory.
type notebook map[string][]byte

var noted = time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)

func (n notebook) key(workload, size string, question any) string {
	text, err := json.Marshal([]any{workload, size, question})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (n notebook) Recall(workload, size string, question, found any) (time.Time, bool) {
	data, ok := n[n.key(workload, size, question)]
	return noted, ok && json.Unmarshal(data, found) == nil
}

func (n notebook) Keep(workload, size string, question, found any) {
	data, err := json.Marshal(found)
	if err != nil {
		panic(err)
	}
	n[n.key(workload, size, question)] = data
}

// Results without a fault are remembered and carry the time of the earlier run. After a fault,
// or with another question, everything is verified again.
func TestMemory(t *testing.T) {
	tests := []struct {
		name    string
		first   []string
		again   []string
		losses  map[string][]string // for the second run
		earlier bool
	}{
		{name: "all right", first: []string{"good-1", "fine-1"}, again: []string{"good-1", "fine-1"}, earlier: true},
		{name: "others", first: []string{"good-1", "fine-1"}, again: []string{"good-1"}},
		{name: "one is wrong", first: []string{"good-1", "wrong-1"}, again: []string{"good-1", "wrong-1"}},
		{name: "two disagree", first: []string{"good-1", "odd-2"}, again: []string{"good-1", "odd-2"}},
		{name: "another loss is forgiven", first: []string{"good-1", "fine-1"}, again: []string{"good-1", "fine-1"}, losses: map[string][]string{"good-1": {"neg-zero"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			memory := notebook{}
			once := func(names []string, losses map[string][]string) (verify.Result, []string) {
				cfg := configOf("s", names...)
				cfg.Memory = memory
				if losses != nil {
					cfg.Losses = losses
				}
				var steps []string
				res, err := verify.Run(t.Context(), cfg, nowhere, func(e drive.Event) {
					if s, ok := e.(drive.StepDone); ok {
						text := s.Case.Contender
						if s.Known {
							text += " known"
						}
						steps = append(steps, text)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				return res, steps
			}
			first, _ := once(test.first, nil)
			second, steps := once(test.again, test.losses)
			for _, v := range first.Verifications {
				if !v.Earlier.IsZero() {
					t.Errorf("%+v is of an earlier run", v)
				}
			}
			want := verify.Result{Cases: second.Cases, Outcomes: second.Outcomes}
			for _, v := range second.Verifications {
				if v.Earlier.Equal(noted) != test.earlier {
					t.Errorf("%+v, want earlier %v", v, test.earlier)
				}
				v.Earlier = time.Time{}
				want.Verifications = append(want.Verifications, v)
			}
			for _, name := range test.again {
				if test.earlier {
					name += " known"
				}
				if len(steps) == 0 || steps[0] != name {
					t.Errorf("steps %q, want %q next", steps, name)
					break
				}
				steps = steps[1:]
			}
			if test.earlier {
				if diff := cmp.Diff(first, want); diff != "" {
					t.Errorf("remembered (-first +again):\n%s", diff)
				}
			}
		})
	}
}

func nowhere(result.Record) error { return nil }

package verify

import (
	"context"
	"slices"
	"time"

	"assay/result"
)

// A Memory keeps results for one program on one machine. It knows the values of each workload
// and size.
type Memory interface {
	// Recall fills found with the value that Keep got for the same workload, size and question,
	// and returns the time of that. It reports false if there is no such value, or if the
	// program, its values or the machine have changed.
	Recall(workload, size string, question, found any) (when time.Time, ok bool)
	// Keep keeps the result of a question about a workload and size.
	Keep(workload, size string, question, found any)
}

// A question is everything that determines the verification at a place, besides the program,
// its values and the machine.
type question struct {
	What     string
	Layout   uint64
	Subjects []result.Subject
	Losses   [][]string // of the subjects
	Formats  []string   // of the subjects' contenders
	// As in Config.
	Habits, Sizes, Brief bool
}

func (v *verifier) question(p Place) question {
	q := question{What: "round trips, and what another process reads", Layout: v.Layout, Subjects: v.subjectsAt(p), Habits: v.Habits, Sizes: v.Sizes, Brief: v.Brief}
	for _, w := range q.Subjects {
		q.Losses = append(q.Losses, slices.Concat(v.Losses[w.Contender], v.ModeLosses[w]))
		q.Formats = append(q.Formats, v.Formats[w.Contender])
	}
	return q
}

// Known returns the places whose round trips are all in the Memory.
func (cfg Config) Known() map[Place]bool {
	out := map[Place]bool{}
	v := &verifier{Config: cfg}
	for _, c := range cfg.Cases {
		p := Place{c.Workload, c.Size}
		if _, asked := out[p]; asked || cfg.Memory == nil {
			continue
		}
		var found []result.Verification
		_, out[p] = cfg.Memory.Recall(p.Workload, p.Size, v.question(p), &found)
	}
	return out
}

// known verifies a place, unless the Memory has its result. Only places without any fault are
// kept: a fault is verified again.
func (v *verifier) known(ctx context.Context, p Place) error {
	if v.Memory == nil {
		return v.place(ctx, p)
	}
	q := v.question(p)
	var found []result.Verification
	if when, ok := v.Memory.Recall(p.Workload, p.Size, q, &found); ok {
		return v.remembered(p, q.Subjects, found, when)
	}
	trips, outcomes := len(v.out.Verifications), len(v.out.Outcomes)
	if err := v.place(ctx, p); err != nil {
		return err
	}
	found = slices.Clone(v.out.Verifications[trips:])
	wrong := slices.ContainsFunc(found, func(r result.Verification) bool { return !r.OK })
	if !wrong && len(v.out.Outcomes) == outcomes {
		v.Memory.Keep(p.Workload, p.Size, q, found)
	}
	return nil
}

// remembered reports the results of an earlier run.
func (v *verifier) remembered(p Place, subjects []result.Subject, found []result.Verification, when time.Time) error {
	for _, r := range found {
		r.Earlier = when
		v.out.Verifications = append(v.out.Verifications, r)
		if err := v.sink(result.Record{Time: time.Now(), Verification: &r}); err != nil {
			return err
		}
	}
	for _, w := range subjects {
		v.step(p, w, 0, true)
	}
	return nil
}

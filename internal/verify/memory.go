package verify

import (
	"context"
	"slices"
	"time"

	"assay/result"
)

// A Memory keeps what was found out of one program on one machine. It knows which
// values a workload and size have.
type Memory interface {
	// Recall fills found with what Keep was given for a question about a workload and
	// size, and returns when that was. It reports false where nothing is known, or where
	// the program, its values or the machine are others now.
	Recall(workload, size string, question, found any) (when time.Time, ok bool)
	// Keep keeps what was found.
	Keep(workload, size string, question, found any)
}

// A question is all that decides what is verified at a place, besides the program, its
// values and the machine.
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

// Known are the places that the Memory knows all round trips of.
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

// known verifies a place, unless it was verified before. Only a place where everything
// was right is remembered: whatever is charged with a fault is tried anew.
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

// remembered hands over what was found before.
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

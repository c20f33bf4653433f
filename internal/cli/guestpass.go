package cli

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"assay/internal/drive"
	"assay/internal/infer/gotype"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// runnerFlag adds --runner.
func runnerFlag(cmd *cobra.Command, dirs *[]string) {
	cmd.Flags().StringArrayVar(dirs, "runner", nil, "with the contender in `DIR`, which brings a runner of its own: DIR/runner.toml, PROTOCOL.md (may be repeated)")
}

// explained is a contender of a run that assay explain knows, if there is one.
func explained(run *result.Run) string {
	for _, c := range run.Plan.Cases {
		from := func(g result.Guest) bool { return g.Name == c.Contender }
		if !slices.ContainsFunc(run.Plan.Guests, from) {
			return c.Contender
		}
	}
	return reference
}

// verifyVisitors verifies the cases of all visitors, each beside the first
// runner of ours.
func (a *app) verifyVisitors(ctx context.Context, guests visitors, runners parties, live []result.Case, seed uint64, p *progress) (verify.Result, error) {
	var out verify.Result
	if len(guests) == 0 {
		return out, nil
	}
	at, err := newExchange()
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(string(at))
	sink := func(r result.Record) error {
		if r.Note != nil {
			p.clear()
			a.warn("%s", r.Note.Text)
		}
		return nil
	}
	for _, v := range guests {
		own := runners.cases(live, v.about.Group)
		res, err := v.verified(ctx, runners[0].runner(seed), runners[0].group, own, at, sink, p.event)
		p.clear()
		if err != nil {
			return out, err
		}
		out.Outcomes = append(out.Outcomes, res.Outcomes...)
		out.Verifications = append(out.Verifications, res.Verifications...)
	}
	return out, nil
}

// measureVisitor verifies a visitor's cases, calibrates and counts them, and
// launches them in lock step with the reference in a runner of ours. Of further
// passes one is taken, of the user's own type: how large its messages are when
// compressed.
func (m *measurement) measureVisitor(ctx context.Context, v *visitor, live []result.Case) error {
	at, err := newExchange()
	if err != nil {
		return err
	}
	defer os.RemoveAll(string(at))
	if m.app.own != nil {
		if live, err = m.verifyOwnType(ctx, v, live, at); err != nil {
			return err
		}
	}
	met, err := v.verified(ctx, m.drive(), m.runners[0].group, live, at, m.sink, m.progress.event)
	if err != nil || len(met.Cases) == 0 {
		return err
	}
	theirs := v.runner(m.run.Seed, at.data)
	calibrations, live, err := m.calibrateIn(ctx, theirs, met.Cases)
	if err != nil {
		return err
	}
	if live, err = m.countVisitor(ctx, theirs, live, met.Sizes, calibrations); err != nil || len(live) == 0 {
		return err
	}
	if err := m.launchVisitor(ctx, v, theirs, live, calibrations); err != nil {
		return err
	}
	if v.Name != gotype.GuestName || !slices.Contains(m.run.Plan.Also, alsoComp) {
		return nil
	}
	// The user's own type reads the files that our runners do, any part of the
	// records.
	live = plan.Without(live, m.stored())
	return m.tally(alsoComp, func() (drive.Tally, error) { return m.compressedIn(ctx, theirs, live) })
}

// countVisitor counts what the cases allocate, if their runner can, and else
// keeps their sizes, which were seen.
func (m *measurement) countVisitor(ctx context.Context, theirs drive.Runner, live []result.Case, sizes map[result.Case]verify.Size, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	if len(live) > 0 && theirs.Counts(ctx, live[0]) {
		return m.countIn(ctx, theirs, live, calibrations)
	}
	done := map[result.Case]bool{}
	for _, r := range m.records {
		if r.Count != nil {
			done[r.Count.Case] = true
		}
	}
	for _, c := range live {
		s := sizes[c]
		if done[c] || s.Messages == 0 {
			continue
		}
		if err := m.sink(result.Record{Count: &result.Count{Case: c, Messages: s.Messages, Encoded: s.Encoded}}); err != nil {
			return nil, err
		}
	}
	return live, nil
}

// launchVisitor takes the launches of a visitor's cases, each beside the
// reference's in the same cell.
func (m *measurement) launchVisitor(ctx context.Context, v *visitor, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	var all []result.Case
	for _, c := range m.beside(live) {
		if c.Contender == reference {
			all = append(all, c)
		}
	}
	all = append(all, live...)
	p := m.run.Plan
	schedule := plan.Of(all, calibrations, m.overheads(all, calibrations), m.share("launches"), len(p.Layouts), p.Rounds)
	var own []result.Outcome
	for _, o := range schedule.Outcomes {
		if o.Case.Contender == v.Name {
			own = append(own, o)
		}
	}
	if err := m.slow(own); err != nil {
		return err
	}
	ours := m.drive()
	cfg := drive.LockstepConfig{
		Runner: ours, Pace: m.pace(), Guest: v.Name,
		Sides: []drive.Side{
			{Binary: ours.Binary, Holds: func(s result.Subject) bool { return s.Contender != v.Name }},
			{Own: &theirs, Holds: func(s result.Subject) bool { return s.Contender == v.Name }},
		},
	}
	for _, c := range schedule.Cells {
		cfg.Cells = append(cfg.Cells, drive.Cell{Cell: c.Cell, Cases: c.Cases, Warmup: c.Warmup, Rounds: c.Rounds})
	}
	m.progress.schedule(schedule)
	_, err := drive.Lockstep(ctx, cfg, m.sink, m.progress.event)
	return err
}

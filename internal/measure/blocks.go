package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// verifyBlocks verifies all values in the default modes of the cases, a block at a
// time. A contender that fails loses its cases.
func (m *Measurement) verifyBlocks(ctx context.Context, cfg verify.Config, live []result.Case) ([]result.Case, error) {
	cfg.Habits, cfg.Sizes, cfg.Formats, cfg.Brief = false, true, nil, true
	all := map[result.Subject]*result.Verification{} // of all blocks together
	m.cfg.end()
	start, values := time.Now(), m.cfg.Input.values()
	err := m.cfg.Input.blocks(func(file string, first, n int64) error {
		cfg.Runner.Data = at(file)
		cfg.Memory = m.memory(cfg.Runner)
		cfg.Cases = slices.DeleteFunc(slices.Clone(live), func(c result.Case) bool { return c.Mode != "" })
		if len(cfg.Cases) == 0 {
			return nil
		}
		m.cfg.doing("verifying records %d to %d of %d", first+1, first+n, values)
		res, err := verify.Run(ctx, cfg, func(r result.Record) error {
			if v := r.Verification; v != nil {
				merge(all, v, first, n)
			}
			return nil
		}, m.cfg.excluded)
		if err != nil {
			return err
		}
		live, err = m.lost(live, res.Outcomes, first, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.cfg.tell(BlocksVerified{values, time.Since(start)})
	m.cfg.tell(PhaseEnded{Verifying, time.Since(start)})
	for _, c := range cfg.Cases {
		if v := all[c.Subject()]; v != nil {
			delete(all, c.Subject())
			if err := m.sink(result.Record{Verification: v}); err != nil {
				return nil, err
			}
		}
	}
	return live, nil
}

// lost stores that contenders fail in a block of records, and returns the cases
// of the others.
func (m *Measurement) lost(live []result.Case, outcomes []result.Outcome, first, n int64) ([]result.Case, error) {
	for _, o := range outcomes {
		reason := fmt.Sprintf("in records %d to %d: %s", first+1, first+n, o.Reason)
		var lost []result.Outcome
		for _, c := range live {
			if c.Contender == o.Case.Contender {
				lost = append(lost, result.Outcome{Case: c, Status: o.Status, Reason: reason})
			}
		}
		if _, err := m.outcome(lost); err != nil {
			return nil, err
		}
		live = plan.Without(live, lost)
	}
	return live, nil
}

// merge adds what was found out of one block.
func merge(all map[result.Subject]*result.Verification, v *result.Verification, first, n int64) {
	sum := all[v.Subject]
	if sum == nil {
		sum = &result.Verification{Workload: v.Workload, Size: v.Size, Subject: v.Subject, OK: true}
		all[v.Subject] = sum
	}
	for _, l := range v.Losses {
		if !slices.Contains(sum.Losses, l) {
			sum.Losses = append(sum.Losses, l)
		}
	}
	sum.Encoded += v.Encoded
	if sum.Earlier.IsZero() || !v.Earlier.IsZero() && v.Earlier.Before(sum.Earlier) {
		sum.Earlier = v.Earlier
	}
	if !v.OK && sum.OK {
		sum.OK, sum.Op, sum.Changed = false, v.Op, v.Changed
		sum.Reason = fmt.Sprintf("in records %d to %d: %s", first+1, first+n, v.Reason)
	}
}

// verifyBlocksOf verifies all values with an external contender, a block at a time,
// and keeps how many bytes they have together. It returns the cases that are left.
func (m *Measurement) verifyBlocksOf(ctx context.Context, x *External, live []result.Case, exchanged exchange) ([]result.Case, error) {
	all := map[result.Subject]*result.Verification{}
	err := m.cfg.Input.blocks(func(file string, first, n int64) error {
		if len(live) == 0 {
			return nil
		}
		m.cfg.doing("verifying %s, records %d to %d of %d", x.Name, first+1, first+n, m.cfg.Input.values())
		ours := m.drive()
		ours.Data = at(file)
		res, err := x.verified(ctx, ours, m.runners[0].group, live, exchanged, func(r result.Record) error {
			if v := r.Verification; v != nil && v.From == nil && v.Contender == x.Name {
				merge(all, v, first, n)
			}
			return nil
		}, m.cfg.excluded)
		if err != nil {
			return err
		}
		for c, s := range res.Sizes {
			if sum := all[c.Subject()]; sum != nil && c.Op == result.Encode {
				sum.Encoded += s.Encoded
			}
		}
		live, err = m.lost(live, res.Outcomes, first, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, sum := range all {
		if err := m.sink(result.Record{Verification: sum}); err != nil {
			return nil, err
		}
	}
	return live, nil
}

package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"assay/internal/plan"
	"assay/internal/userdata"
	"assay/internal/verify"
	"assay/result"
)

// blocksShare is the divisor of the budget that gives the time for verifying values in blocks.
// The values that are timed were verified in every mode before.
const blocksShare = 3

// A passage is a pass over the blocks of an input.
type passage struct {
	values, bytes int64 // of the input
	done, over    int64 // values that the pass covered, and their bytes
}

// all says that the pass covered every value.
func (p passage) all() bool { return p.done == p.values }

// estimate extrapolates the encoded size of the covered values to all values.
func (p passage) estimate(encoded int64) int64 {
	if p.all() || p.over == 0 {
		return encoded
	}
	return int64(math.Round(float64(encoded) * float64(p.bytes) / float64(p.over)))
}

// part returns the number of covered values; 0: all.
func (p passage) part() int64 {
	if p.all() {
		return 0
	}
	return p.done
}

// inBlocks verifies blocks of the input one by one, until all are done or a part of the runner's
// budget is used up. In its order, the blocks that are done are spread over the whole input. A
// block that an earlier run has verified takes almost no time.
func (m *Measurement) inBlocks(verify func(file string, b userdata.Block) error) (passage, error) {
	var p passage
	blocks := m.cfg.Input.blocks()
	for _, b := range blocks {
		p.values, p.bytes = p.values+b.N, p.bytes+b.Bytes
	}
	start, most := time.Now(), cmp.Or(m.whole, m.Run.Plan.Budget)/blocksShare
	var longest time.Duration
	for _, i := range scattered(len(blocks)) {
		began := time.Now()
		if most > 0 && p.done > 0 && began.Sub(start)+longest > most {
			break
		}
		b := blocks[i]
		err := m.cfg.Input.block(b, func(file string) error { return verify(file, b) })
		if errors.Is(err, errNobodyLeft) {
			break
		}
		if err != nil {
			return p, err
		}
		p.done, p.over = p.done+b.N, p.over+b.Bytes
		longest = max(longest, time.Since(began))
	}
	return p, nil
}

// errNobodyLeft ends the verification of blocks when every contender has failed in one.
var errNobodyLeft = errors.New("no contender is left")

// scattered returns the numbers below n in an order whose prefixes are spread over all of them.
// It orders them by their reversed bits, as van der Corput's sequence does.
func scattered(n int) []int {
	width := bits.Len(uint(max(0, n-1)))
	var out []int
	for i := range 1 << width {
		if at := int(bits.Reverse64(uint64(i)) >> (64 - width)); at < n {
			out = append(out, at)
		}
	}
	return out
}

// verifyBlocks verifies the values in the default modes of the cases, block by block. A contender
// that fails in a block loses all of its cases.
func (m *Measurement) verifyBlocks(ctx context.Context, cfg verify.Config, live []result.Case) ([]result.Case, error) {
	cfg.Habits, cfg.Sizes, cfg.Formats, cfg.Brief = false, true, nil, true
	all := map[result.Subject]*result.Verification{} // over all blocks
	first := byDefault(live)
	m.cfg.end()
	start := time.Now()
	p, err := m.inBlocks(func(file string, b userdata.Block) error {
		cfg.Runner.Data = at(file)
		cfg.Memory = m.memory(cfg.Runner)
		if cfg.Cases = byDefault(live); len(cfg.Cases) == 0 {
			return errNobodyLeft
		}
		m.cfg.doing("verifying records %d to %d of %d", b.First+1, b.First+b.N, m.cfg.Input.data().Records)
		res, err := verify.Run(ctx, cfg, func(r result.Record) error {
			if v := r.Verification; v != nil {
				merge(all, v, b)
			}
			return nil
		}, m.cfg.excluded)
		if err != nil {
			return err
		}
		live, err = m.lost(live, res.Outcomes, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.cfg.tell(BlocksVerified{p.done, p.values, time.Since(start)})
	m.cfg.tell(PhaseEnded{Verifying, time.Since(start)})
	for _, c := range first { // includes cases that were lost in a block
		if v := all[c.Subject()]; v != nil {
			delete(all, c.Subject())
			v.Values, v.Encoded = p.part(), p.estimate(v.Encoded)
			if err := m.sink(result.Record{Verification: v}); err != nil {
				return nil, err
			}
		}
	}
	return live, nil
}

// byDefault returns the cases in default modes.
func byDefault(cases []result.Case) []result.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return c.Mode != "" })
}

// lost stores the outcomes of contenders that fail in a block of records, and returns the cases
// of the other contenders.
func (m *Measurement) lost(live []result.Case, outcomes []result.Outcome, b userdata.Block) ([]result.Case, error) {
	for _, o := range outcomes {
		reason := inRecords(b, o.Reason)
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

// merge adds the result of one block.
func merge(all map[result.Subject]*result.Verification, v *result.Verification, b userdata.Block) {
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
		sum.Reason = inRecords(b, v.Reason)
	}
}

// verifyBlocksOf verifies all values with an external contender, block by block, and stores the
// total number of encoded bytes. It returns the cases that did not fail.
func (m *Measurement) verifyBlocksOf(ctx context.Context, x *External, live []result.Case, exchanged exchange) ([]result.Case, error) {
	all, first := map[result.Subject]*result.Verification{}, live
	p, err := m.inBlocks(func(file string, b userdata.Block) error {
		if len(live) == 0 {
			return nil
		}
		m.cfg.doing("verifying %s, records %d to %d of %d", x.Name, b.First+1, b.First+b.N, m.cfg.Input.data().Records)
		ours := m.drive()
		ours.Data = at(file)
		res, err := x.verified(ctx, ours, m.runners[0].group, live, exchanged, func(r result.Record) error {
			if v := r.Verification; v != nil && v.From == nil && v.Contender == x.Name {
				merge(all, v, b)
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
		live, err = m.lost(live, res.Outcomes, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range first { // includes cases that were lost in a block
		sum := all[c.Subject()]
		if sum == nil {
			continue
		}
		delete(all, c.Subject()) // a subject has several cases
		sum.Values, sum.Encoded = p.part(), p.estimate(sum.Encoded)
		if err := m.sink(result.Record{Verification: sum}); err != nil {
			return nil, err
		}
	}
	return live, nil
}

// inRecords adds the records of a block to a reason.
func inRecords(b userdata.Block, what string) string {
	return fmt.Sprintf("in records %d to %d: %s", b.First+1, b.First+b.N, what)
}

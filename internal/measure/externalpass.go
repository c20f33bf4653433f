package measure

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"assay/bench"
	"assay/internal/drive"
	"assay/internal/infer/gotype"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// measureExternal verifies, calibrates, audits, and counts the cases of an external contender,
// and launches them in lockstep with the reference in a runner of ours. For the user's own type,
// it also measures the size of compressed messages, the only further pass that it runs. An
// impossible answer withdraws all results of the contender.
func (m *Measurement) measureExternal(ctx context.Context, x *External, live []result.Case) error {
	all := live
	m.untrue = nil
	if err := m.visit(ctx, x, live); err != nil || m.untrue == nil {
		return err
	}
	var outcomes []result.Outcome
	for _, c := range all {
		outcomes = append(outcomes, result.Outcome{Case: c, Status: result.Unverified, Reason: m.untrue.Case.String() + ": " + m.untrue.Reason})
	}
	m.cfg.warn("%s is not believed: %s: %s", x.Name, m.untrue.Case, m.untrue.Reason)
	_, err := m.outcome(outcomes)
	return err
}

// visit runs the passes of an external contender until it gives an impossible answer.
func (m *Measurement) visit(ctx context.Context, x *External, live []result.Case) error {
	at, err := newExchange()
	if err != nil {
		return err
	}
	defer os.RemoveAll(string(at))
	if live, err = m.verifyBlocksOf(ctx, x, live, at); err != nil {
		return err
	}
	met, err := x.verified(ctx, m.drive(), m.runners[0].group, live, at, m.sink, m.event)
	if err != nil || len(met.Cases) == 0 {
		return err
	}
	theirs := x.runner(m.Run.Seed, m.Run.Plan.Memory, at.data)
	calibrations, live, err := m.calibrateIn(ctx, theirs, met.Cases)
	if err != nil || m.untrue != nil {
		return err
	}
	audited, live, err := m.audit(ctx, theirs, live, calibrations)
	if err != nil || m.untrue != nil {
		return err
	}
	unseen, live, err := m.unseen(ctx, x, theirs, live, calibrations, at)
	if err != nil {
		return err
	}
	if live, err = m.countExternal(ctx, theirs, live, met.Sizes, calibrations); err != nil || len(live) == 0 || m.untrue != nil {
		return err
	}
	if err := m.launchExternal(ctx, x, theirs, live, calibrations, audited); err != nil || m.untrue != nil {
		return err
	}
	for c, t := range unseen { // its launches may take no less than its time on new values
		if a, cal := audited[c], calibrations[c]; cal.Renews() && t.Fresh > a.NS {
			a.NS = t.Fresh
			audited[c] = a
		}
	}
	if err := m.compareAudit(ctx, theirs, live, calibrations, audited); err != nil || m.untrue != nil {
		return err
	}
	if x.Name != gotype.ExternalName || !slices.Contains(m.Run.Plan.Also, AlsoCompressed) {
		return nil
	}
	// The user's own type can read the same files of records as our runners, so it can be
	// measured on any part of them.
	live = plan.Without(live, m.stored())
	return m.tally(AlsoCompressed, func() (drive.Tally, error) { return m.compressedIn(ctx, theirs, live) })
}

// unseen measures the cases of an external contender on values that are new to its process. A
// case that is so much faster on known values that its numbers would not hold for new ones is
// excluded, unless its runner reports that itself and times new values. A case with a smaller
// difference keeps its numbers, and its row shows the difference.
func (m *Measurement) unseen(ctx context.Context, x *External, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, at exchange) (map[result.Case]drive.Times, []result.Case, error) {
	if x.Name == gotype.ExternalName { // it runs in our loops, so its calibration detects this
		return nil, live, nil
	}
	found, outcomes, err := drive.Unseen(ctx, drive.UnseenConfig{
		Ours: m.drive(), Theirs: theirs, Cases: live, File: filepath.Join(string(at), "others.jsonl"),
	}, m.sink, m.event)
	if err != nil {
		return nil, nil, err
	}
	var lost []result.Outcome
	for _, c := range live {
		t, cal := found[c], calibrations[c]
		switch {
		case cal.Renews() || !result.Remembers(t.Fresh, t.Seen):
			continue
		case result.Renews(t.Fresh, t.Seen):
			lost = append(lost, result.Outcome{Case: c, Status: result.Unverified, Reason: fmt.Sprintf(
				"it takes %s on values that it has seen before and %s on new ones, which its runner does not time: see fresh in PROTOCOL.md",
				phrase.Nanoseconds(t.Seen), phrase.Nanoseconds(t.Fresh))})
		default:
			cal.Fresh, cal.Seen = t.Fresh, t.Seen
			calibrations[c] = cal
			if err := m.sink(result.Record{Calibration: &cal}); err != nil {
				return nil, nil, err
			}
		}
	}
	lost, err = m.outcome(lost)
	return found, plan.Without(plan.Without(live, outcomes), lost), err
}

// audit compares the times that an external contender reports with the times that its commands
// take.
func (m *Measurement) audit(ctx context.Context, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration) (map[result.Case]drive.Audited, []result.Case, error) {
	found, outcomes, err := drive.Audit(ctx, drive.AuditConfig{
		Runner: theirs, Cases: live, N: func(c result.Case) int { return calibrations[c].N },
	}, m.sink, m.event)
	for _, c := range live {
		if lie := found[c].Lie; lie != "" && m.untrue == nil {
			m.untrue = &drive.Untrue{Case: c, Reason: lie}
		}
	}
	return found, plan.Without(live, outcomes), err
}

// auditShare is the least time of an operation in a launch, as a fraction of its time in an
// audit, by the median of its samples. The batches of an audit are longer and use more memory:
// 0.6 was seen with honest runners.
const auditShare = 0.5

// audits is how often a case is audited again before its times in launches are rejected.
const audits = 8

// compareAudit compares the times of an external contender's launches with those of its audit. A
// runner that can tell an audit from a launch could have passed the audit. An audit is repeated
// if its times are too long, because it may have been disturbed.
func (m *Measurement) compareAudit(ctx context.Context, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, audited map[result.Case]drive.Audited) error {
	for _, c := range live {
		took, usual := m.launched(c), audited[c].NS
		for range audits {
			if took >= auditShare*usual {
				break
			}
			again, _, err := m.audit(ctx, theirs, []result.Case{c}, calibrations)
			if err != nil || m.untrue != nil {
				return err
			}
			if again[c].NS == 0 { // it failed, which is its outcome
				took = math.Inf(1)
				break
			}
			usual = min(usual, again[c].NS)
		}
		if took < auditShare*usual {
			m.untrue = &drive.Untrue{Case: c, Reason: fmt.Sprintf(
				"it reported %s an operation in its launches and %s in an audit", phrase.Nanoseconds(took), phrase.Nanoseconds(usual))}
			return nil
		}
	}
	return nil
}

// launched returns the least median time of an operation of a case in any launch, in nanoseconds,
// or infinity if there are no launches.
func (m *Measurement) launched(c result.Case) float64 {
	least := math.Inf(1)
	for _, r := range m.Records {
		if r.Launch == nil || r.Launch.Cell != c.Cell() {
			continue
		}
		for _, s := range r.Launch.Series {
			if s.Subject != c.Subject() || s.Role != "" || s.N <= 0 {
				continue
			}
			for _, clock := range [][]int64{s.Wall, s.CPU} {
				var times []float64
				for _, ns := range clock {
					if ns > 0 {
						times = append(times, float64(ns)/float64(s.N))
					}
				}
				if len(times) > 0 {
					least = min(least, slices.Sorted(slices.Values(times))[(len(times)-1)/2])
				}
			}
		}
	}
	return least
}

// countExternal counts the allocations of the cases that their runner can count. Of the others, it
// stores the sizes of messages that were seen.
func (m *Measurement) countExternal(ctx context.Context, theirs drive.Runner, live []result.Case, sizes map[result.Case]verify.Size, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	if len(live) == 0 {
		return live, nil
	}
	counts, err := theirs.Counts(ctx, live[0])
	if err != nil {
		return nil, err
	}
	if counts {
		live, err = m.countIn(ctx, theirs, live, calibrations, func(c result.Case, asked int, n bench.Counted) string {
			return miscounted(n, asked, sizes[c])
		})
		if err != nil || m.untrue != nil {
			return live, err
		}
	}
	return live, m.storeSizes(live, sizes)
}

// storeSizes stores the sizes of the messages of the cases that have no count.
func (m *Measurement) storeSizes(live []result.Case, sizes map[result.Case]verify.Size) error {
	done := map[result.Case]bool{}
	for _, r := range m.Records {
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
			return err
		}
	}
	return nil
}

// miscounted says what is wrong with an external contender's count of so many operations, judged
// by the messages that it wrote. Its allocations cannot be checked.
func miscounted(n bench.Counted, asked int, seen verify.Size) string {
	inputs := seen.Messages
	if inputs == 0 { // this mode only reads
		inputs, seen = n.Messages, verify.Size{Messages: n.Messages, Encoded: n.Encoded}
	}
	whole := 0 // operations, in whole passes
	if inputs > 0 {
		whole = (asked + inputs - 1) / inputs * inputs
	}
	switch {
	case n.Allocs > n.Bytes || n.Bytes > 0 && n.Allocs == 0:
		return fmt.Sprintf("counted %d allocations of %d bytes together", n.Allocs, n.Bytes)
	case n.Messages != inputs:
		return fmt.Sprintf("counted %d messages and wrote %d", n.Messages, inputs)
	case inputs > 0 && n.Ops != whole && n.Ops != whole*bench.MemoryPasses:
		return fmt.Sprintf("counted %d operations where %d were asked for, in whole passes over %d inputs", n.Ops, asked, inputs)
	case math.Abs(float64(n.Encoded-seen.Encoded)) > sizeShare*float64(seen.Encoded):
		return fmt.Sprintf("counted %d bytes in its messages and wrote %d", n.Encoded, seen.Encoded)
	}
	return ""
}

// sizeShare is the fraction by which the bytes of the same messages may differ when they are
// written again, for example because maps are in another order.
const sizeShare = 0.01

// launchExternal runs the launches of an external contender's cases beside the reference's in the
// same cells.
func (m *Measurement) launchExternal(ctx context.Context, x *External, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, audited map[result.Case]drive.Audited) error {
	var all []result.Case
	for _, c := range m.beside(live) {
		if c.Contender == Reference {
			all = append(all, c)
		}
	}
	all = append(all, live...)
	request := m.request(all, calibrations, nil, m.share(launchesPass))
	request.Always = func(result.Case) bool { return true } // they take turns in every launch, so no case is rare
	schedule := plan.Of(request)
	var late []result.Outcome
	for _, o := range schedule.Outcomes {
		if o.Case.Contender == x.Name {
			late = append(late, o)
		}
	}
	if err := m.slow(late); err != nil {
		return err
	}
	ours := m.drive()
	cfg := drive.LockstepConfig{
		Pace: m.pace(), External: x.Name,
		Sides: []drive.Side{
			{Runner: ours, Holds: func(s result.Subject) bool { return s.Contender != x.Name }},
			{Runner: theirs, Holds: func(s result.Subject) bool { return s.Contender == x.Name }},
		},
		Recheck: func(ctx context.Context, cell result.Cell, who result.Subject, ours, external *drive.Session) (*drive.Failure, error) {
			return verify.Again(ctx, verify.ExternalConfig{
				External: x.Name, Offers: x.does, Losses: x.losses(), Files: filepath.Dir(theirs.Data(cell.Workload, cell.Size)),
			}, cell, who, ours, external)
		},
	}
	cfg.Cells = schedule.Cells
	m.scheduled(schedule)
	_, err := drive.Lockstep(ctx, cfg, func(r result.Record) error {
		withoutCPU(r.Launch, x.Name, audited)
		return m.sink(r)
	}, m.event)
	return err
}

// withoutCPU removes the CPU times of an external contender's cases that the audit did not
// confirm.
func withoutCPU(l *result.Launch, name string, audited map[result.Case]drive.Audited) {
	if l == nil {
		return
	}
	for i, s := range l.Series {
		if s.Contender == name && !audited[l.Cell.Case(s.Subject)].CPU {
			l.Series[i].CPU = nil
		}
	}
}

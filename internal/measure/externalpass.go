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

// measureExternal verifies the cases of an external contender, calibrates, audits and
// counts them, and launches them in lock step with the reference in a runner of ours.
// Of the further passes it takes one, for the user's own type: how large messages are
// when compressed. An answer that cannot be true withdraws all its answers.
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

// visit takes the passes of an external contender, until it is found to say what cannot be.
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
	theirs := x.runner(m.Run.Seed, at.data)
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
	for c, t := range unseen { // asked for new values, it must take its time for them
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
	// The user's own type reads the files that our runners do, any part of the
	// records.
	live = plan.Without(live, m.stored())
	return m.tally(AlsoCompressed, func() (drive.Tally, error) { return m.compressedIn(ctx, theirs, live) })
}

// unseen measures an external contender's cases on values that are new to its process. A
// case that gains so much from known ones that its numbers would be those of what it
// remembers has none, unless its runner says so by itself and times new values; of one that
// gains less, the row says it.
func (m *Measurement) unseen(ctx context.Context, x *External, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, at exchange) (map[result.Case]drive.Times, []result.Case, error) {
	if x.Name == gotype.ExternalName { // it is bound to our loops, and measured so as it is calibrated
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

// audit holds the times that an external contender reports against those that its commands
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

// auditShare is the least that an operation takes in a launch, as a share of what
// it takes in an audit, by the median of its samples. Batches of an audit are longer
// and go through more memory: 0.6 was seen of honest runners.
const auditShare = 0.5

// audits is how often a case is audited again before what it takes in launches is
// disbelieved.
const audits = 8

// compareAudit holds the times of an external contender's launches against those of its audit,
// which a runner that tells one from the other could have passed. An audit may
// have been disturbed, and then is made again.
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
			if ns := again[c].NS; ns > 0 {
				usual = min(usual, ns)
			}
		}
		if took < auditShare*usual {
			m.untrue = &drive.Untrue{Case: c, Reason: fmt.Sprintf(
				"it reported %s an operation in its launches and %s in an audit", phrase.Nanoseconds(took), phrase.Nanoseconds(usual))}
			return nil
		}
	}
	return nil
}

// launched is the time of an operation of a case in the launch where its median is the
// least, in nanoseconds; infinite: there are none.
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

// countExternal counts what the cases allocate, if their runner can, and else
// keeps their sizes, which were seen.
func (m *Measurement) countExternal(ctx context.Context, theirs drive.Runner, live []result.Case, sizes map[result.Case]verify.Size, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	if len(live) > 0 && theirs.Counts(ctx, live[0]) {
		return m.countIn(ctx, theirs, live, calibrations, func(c result.Case, asked int, n bench.Counted) string {
			return miscounted(n, asked, sizes[c])
		})
	}
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
			return nil, err
		}
	}
	return live, nil
}

// miscounted says what is wrong with an external contender's count of so many operations, by
// the messages that it was seen to write. What it allocates cannot be seen.
func miscounted(n bench.Counted, asked int, seen verify.Size) string {
	inputs := seen.Messages
	if inputs == 0 { // it only reads in this mode
		inputs, seen = n.Messages, verify.Size{Messages: n.Messages, Encoded: n.Encoded}
	}
	switch {
	case n.Allocs > n.Bytes || n.Bytes > 0 && n.Allocs == 0:
		return fmt.Sprintf("counted %d allocations of %d bytes together", n.Allocs, n.Bytes)
	case n.Messages != inputs:
		return fmt.Sprintf("counted %d messages and wrote %d", n.Messages, inputs)
	case inputs > 0 && n.Ops != (asked+inputs-1)/inputs*inputs:
		return fmt.Sprintf("counted %d operations where %d were asked for, in whole passes over %d inputs", n.Ops, asked, inputs)
	case math.Abs(float64(n.Encoded-seen.Encoded)) > sizeShare*float64(seen.Encoded):
		return fmt.Sprintf("counted %d bytes in its messages and wrote %d", n.Encoded, seen.Encoded)
	}
	return ""
}

// sizeShare is what the bytes of the same messages may differ by when they are
// written again, as maps in another order may.
const sizeShare = 0.01

// launchExternal takes the launches of an external contender's cases, each beside the
// reference's in the same cell.
func (m *Measurement) launchExternal(ctx context.Context, x *External, theirs drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, audited map[result.Case]drive.Audited) error {
	var all []result.Case
	for _, c := range m.beside(live) {
		if c.Contender == Reference {
			all = append(all, c)
		}
	}
	all = append(all, live...)
	request := m.request(all, calibrations, nil, m.share(launchesPass))
	request.Always = func(result.Case) bool { return true } // they take turns, with no launch apart
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

// withoutCPU leaves the CPU times of an external contender's cases out that were not confirmed.
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

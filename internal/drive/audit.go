package drive

import (
	"context"
	"fmt"
	"math"
	"time"

	"assay/bench"
	"assay/result"
)

// AuditConfig is what Audit needs.
type AuditConfig struct {
	// Runner is one that is none of ours, so that what it says is not believed.
	Runner
	Cases []result.Case // calibrated ones
	// N is the size of a batch to begin with.
	N func(result.Case) int
}

// An Audited is what an audit found out about a case.
type Audited struct {
	// NS is the time of an operation in nanoseconds, as the runner reported it: wall
	// time or, with CPU, CPU time if that is less. It is that of the batches which the
	// longer command had besides, all together, as they were held against what was
	// seen: a batch that is reported as too short hides nothing.
	NS float64
	// CPU says that the times it reported are those that its process was seen to
	// use. If not, or where that cannot be seen, its CPU times are to be left out.
	CPU bool
	// Lie is why nothing that the runner says is to be believed; empty: it may be.
	Lie string
}

const (
	// auditBatch is how long a batch of an audit is, as seen from here. A forced
	// collection before it, of which a runner says nothing, is short beside it.
	auditBatch = 30 * time.Millisecond
	// auditRounds is by how many rounds the longer command of an audit is longer,
	// and auditSpan and auditShare, of the shorter, are by how much time at least.
	auditRounds = 4
	auditSpan   = 80 * time.Millisecond
	auditShare  = 0.3
	// mostRounds and auditTries end an audit.
	mostRounds = 1 << 10
	auditTries = 5
	// unreported is how much of a command a runner may leave unreported, as a share
	// of what it reports. An honest one leaves a tenth, which it is asked to run
	// before each batch, and its collections: up to 0.5 was seen. One that reports
	// half of the time leaves 1.2.
	unreported = 0.6
	// busy is the least share of a processor that a process has which works: less
	// is that of one which has others work.
	busy = 0.1
	// mostOps is how many operations a batch may have.
	mostOps = 1 << 30
)

// Audit holds the times that a runner reports against what is seen of it from
// here: how long its commands take, and how much CPU time its process uses. A
// command that has more rounds than another is longer by its batches, and by
// little else. The result is by case; there are outcomes for cases that fail,
// which the sink gets as records.
func Audit(ctx context.Context, cfg AuditConfig, sink func(result.Record) error, event func(Event)) (map[result.Case]Audited, []result.Outcome, error) {
	l := &ledger{sink: sink, event: event}
	found := map[result.Case]Audited{}
	event(PassStarted{Pass: "audit", Total: len(cfg.Cases)})
	for i, c := range cfg.Cases {
		t := &trial{
			worker: cfg.worker(0, c.Cell(), event), more: auditRounds,
			spec: bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: max(1, cfg.N(c))},
		}
		a, f, err := t.run(ctx)
		t.session.Close()
		switch {
		case err != nil:
			return found, l.outcomes, err
		case f != nil:
			if err := l.exclude(c, f); err != nil {
				return found, l.outcomes, err
			}
		default:
			found[c] = a
		}
		event(StepDone{Pass: "audit", Case: c, Done: i + 1, Total: len(cfg.Cases)})
	}
	return found, l.outcomes, nil
}

// A trial is the audit of one case.
type trial struct {
	*worker
	spec bench.CaseSpec
	more int // rounds of the longer command besides the one that the shorter has
	// short and long are the bouts so far that left the least unreported: whatever
	// disturbs one adds to that.
	short, long bout
}

// A bout is one command of a trial.
type bout struct {
	elapsed, used time.Duration // seen; used is CPU time of the process, -1: unknown
	wall, cpu     time.Duration // reported, of all batches together
	batches       int
}

// rest is what the batches leave of the command.
func (b bout) rest() time.Duration { return b.elapsed - b.wall }

// run compares short commands with long ones.
func (t *trial) run(ctx context.Context) (Audited, *Failure, error) {
	if f, err := t.size(ctx); f != nil || err != nil {
		return Audited{}, f, err
	}
	for try := 1; ; try++ {
		for _, rounds := range []int{1, 1 + t.more, 1} {
			b, f, err := t.bout(ctx, rounds)
			if f != nil || err != nil {
				return Audited{}, f, err
			}
			to := &t.long
			if rounds == 1 {
				to = &t.short
			}
			if to.batches == 0 || b.rest() < to.rest() {
				*to = b
			}
		}
		switch {
		case t.confirmed():
			return Audited{NS: t.each(bout.reported), CPU: true}, nil, nil
		case t.accounted():
			return Audited{NS: t.each(func(b bout) time.Duration { return b.wall })}, nil, nil
		case try == auditTries:
			return Audited{Lie: fmt.Sprintf("it reported %v for batches that made its commands %v longer",
				readable(t.long.wall-t.short.wall), readable(t.long.elapsed-t.short.elapsed))}, nil, nil
		}
		t.lengthen()
	}
}

// size makes the batch long enough by the time that it takes here, twice: what
// the runner says of it may be wrong, and what disturbs it makes it longer.
func (t *trial) size(ctx context.Context) (*Failure, error) {
	for looks := 12; looks > 0; looks-- {
		least := time.Duration(math.MaxInt64)
		for range 2 {
			b, f, err := t.bout(ctx, 1)
			if f != nil || err != nil {
				return f, err
			}
			least = min(least, b.elapsed)
		}
		if least >= auditBatch {
			break
		}
		grow := 1.2 * float64(auditBatch) / float64(max(least, time.Microsecond))
		t.spec.N = int(min(float64(t.spec.N)*min(max(grow, 2), 64), mostOps))
	}
	return nil, nil
}

// lengthen makes the longer command longer still where it was hardly longer than
// the shorter one, as with values that take long to prepare.
func (t *trial) lengthen() {
	span := t.long.elapsed - t.short.elapsed
	want := max(auditSpan, time.Duration(auditShare*float64(t.short.elapsed)))
	if span >= want || t.more == mostRounds {
		return
	}
	per := max(span/time.Duration(t.more), want/mostRounds)
	t.more = min(max(2*t.more, int(want/per)+1), mostRounds)
	t.long = bout{}
}

// bout asks for rounds.
func (t *trial) bout(ctx context.Context, rounds int) (b bout, f *Failure, err error) {
	// A process that is new has the case to prepare first: that is dropped.
	for fresh := true; fresh; {
		var a bench.Answer
		a, fresh, f, err = t.ask(ctx, t.spec.Subject, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
			Cases: []bench.CaseSpec{t.spec}, Rounds: rounds,
		}})
		if f != nil || err != nil {
			return b, f, err
		}
		s := a.Measured.Series[0]
		b = bout{elapsed: t.session.proc.took, used: t.session.proc.used, batches: len(s.Wall)}
		for i, wall := range s.Wall {
			b.wall += time.Duration(wall)
			if len(s.CPU) > 0 {
				b.cpu += time.Duration(s.CPU[i])
			}
		}
	}
	return b, nil, nil
}

// reported is the time of the batches by the runner's word: the CPU time if it
// says that.
func (b bout) reported() time.Duration {
	if b.cpu > 0 {
		return min(b.wall, b.cpu)
	}
	return b.wall
}

// each is the time of an operation in the batches that the longer command had besides.
func (t *trial) each(of func(bout) time.Duration) float64 {
	return float64(of(t.long)-of(t.short)) / (float64(t.long.batches-t.short.batches) * float64(t.spec.N))
}

// accounted says whether the batches that the longer command had besides were
// reported to take about as much wall time as it took besides.
func (t *trial) accounted() bool {
	reported := float64(t.long.wall - t.short.wall)
	seen := float64(t.long.elapsed - t.short.elapsed)
	return reported > 0 && seen-reported <= unreported*reported
}

// confirmed says whether the CPU time that was reported for them, or the wall time
// where that is less or all there is, is what the process used. That holds on a
// busy machine too, where processes wait for one another.
func (t *trial) confirmed() bool {
	if t.short.used < 0 || t.long.used < 0 {
		return false
	}
	reported := float64(t.long.reported() - t.short.reported())
	used := float64(t.long.used - t.short.used)
	seen := float64(t.long.elapsed - t.short.elapsed)
	return reported > 0 && math.Abs(used-reported) <= unreported*reported && used >= busy*seen
}

// readable rounds a time for people.
func readable(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

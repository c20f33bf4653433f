package drive

import (
	"context"
	"fmt"
	"math"
	"time"

	"assay/bench"
	"assay/result"
)

// AuditConfig configures Audit.
type AuditConfig struct {
	// Runner is an external runner, whose reports are not trusted.
	Runner
	Cases []result.Case // calibrated cases
	// N returns the number of operations of the first batch of a case.
	N func(result.Case) int
}

// An Audited is the result of the audit of one case.
type Audited struct {
	// NS is the time of an operation in nanoseconds, as the runner reported it: wall time or, if
	// CPU is set, CPU time if that is less. It is the mean over the batches that the longer
	// command has and the shorter lacks. The audit checked these batches as a whole, so a runner
	// gains nothing by reporting one of them as too short.
	NS float64
	// CPU says that the CPU times that the runner reported agree with what its process was seen
	// to use. If CPU is false, because they disagree or because the system does not show them,
	// the runner's CPU times must be left out.
	CPU bool
	// Lie is the reason why nothing that the runner reports can be believed; empty: it can.
	Lie string
}

const (
	// auditBatch is how long a batch of an audit takes, as measured by this process. It is long
	// enough that a forced collection before the batch, which a runner does not report, is short
	// in comparison.
	auditBatch = 30 * time.Millisecond
	// The longer command of an audit has auditRounds more rounds than the shorter one, or fewer if
	// the limit for an answer has no time for them. It takes longer by at least auditSpan and by at
	// least auditShare of the time of the shorter command.
	auditRounds = 4
	auditSpan   = 80 * time.Millisecond
	auditShare  = 0.3
	// An audit makes at most auditTries tries, with at most mostRounds additional rounds.
	mostRounds = 1 << 10
	auditTries = 5
	// unreported is how much of a command's time a runner may leave unreported, as a share of the
	// time it reports. An honest runner leaves out a tenth of a batch, which it is asked to run
	// before each batch, and its collections: up to 0.5 was seen. A runner that reports half of
	// its time leaves out 1.2.
	unreported = 0.6
	// busy is the least share of a processor that a working process uses. A process that uses
	// less has another process do the work.
	busy = 0.1
	// mostOps is the largest number of operations of a batch.
	mostOps = 1 << 30
)

// Audit compares the times that a runner reports with what this process sees of it: how long its
// commands take, and how much CPU time its process uses. A command with more rounds takes longer
// by the time of the additional batches, and by little else. Audit returns the result of each
// case, and outcomes for cases that fail, which the sink also gets as records.
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
	more int // rounds that the longer command has in addition to the one round of the shorter
	// short and long are the bouts with the least unreported time so far: any disturbance adds to
	// that time.
	short, long bout
}

// A bout is one command of a trial.
type bout struct {
	elapsed, used time.Duration // measured here; used is CPU time of the process, -1 if unknown
	wall, cpu     time.Duration // reported, the sum of all batches
	batches       int
}

// rest returns the part of the command's time that is not reported as batches.
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

// size grows the batch until it takes auditBatch. It measures the time here, because the runner
// may report a wrong one. It takes the shorter of two measurements, because any disturbance makes
// a batch longer. If batches are slow, it lowers the number of further rounds.
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
			t.more = min(t.more, t.most(least, 1))
			break
		}
		grow := 1.2 * float64(auditBatch) / float64(max(least, time.Microsecond))
		t.spec.N = int(min(float64(t.spec.N)*min(max(grow, 2), 64), mostOps))
	}
	return nil, nil
}

// lengthen adds rounds to the longer command if it took hardly longer than the shorter one, as
// with values that take long to prepare.
func (t *trial) lengthen() {
	span := t.long.elapsed - t.short.elapsed
	want := max(auditSpan, time.Duration(auditShare*float64(t.short.elapsed)))
	if span >= want {
		return
	}
	per := max(span/time.Duration(t.more), want/mostRounds)
	more := min(max(2*t.more, int(want/per)+1), mostRounds, t.most(t.long.elapsed, 1+t.more))
	if more > t.more {
		t.more, t.long = more, bout{}
	}
}

// most returns how many rounds the longer command may have in addition to one, if a command with
// so many rounds took elapsed. Then a round took at most its share of that, whatever the runner
// reports. The longer command must be expected to take no more than half the limit for an answer,
// because the machine may become slower.
func (t *trial) most(elapsed time.Duration, rounds int) int {
	limit := t.session.runner.Limits.Answer
	if limit <= 0 {
		return mostRounds
	}
	each := max(elapsed/time.Duration(rounds), 1)
	return max(1, rounds-1+int(min(max(0, limit/2-elapsed)/each, mostRounds)))
}

// bout sends a rounds command and returns what was measured and reported.
func (t *trial) bout(ctx context.Context, rounds int) (b bout, f *Failure, err error) {
	// A new process first has to prepare the case, so its first bout is dropped.
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

// reported returns the time of the batches according to the runner: the smaller of wall time and
// CPU time, or the wall time if the runner reports no CPU time.
func (b bout) reported() time.Duration {
	if b.cpu > 0 {
		return min(b.wall, b.cpu)
	}
	return b.wall
}

// each returns the time of an operation, in ns, over the batches that the longer command has and
// the shorter lacks.
func (t *trial) each(of func(bout) time.Duration) float64 {
	return float64(of(t.long)-of(t.short)) / (float64(t.long.batches-t.short.batches) * float64(t.spec.N))
}

// accounted says whether the reported wall time of the additional batches is about the time by
// which they made the longer command longer.
func (t *trial) accounted() bool {
	reported := float64(t.long.wall - t.short.wall)
	seen := float64(t.long.elapsed - t.short.elapsed)
	return reported > 0 && seen-reported <= unreported*reported
}

// confirmed says whether the time reported for the additional batches, see reported, agrees with
// the CPU time that the process used for them. That also holds on a busy machine, where processes
// wait for one another.
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

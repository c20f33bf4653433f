package drive

import (
	"context"
	"fmt"
	"time"

	"assay/bench"
	"assay/result"
)

// ScalingConfig is what Scaling needs.
type ScalingConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified ones
	// N is how many operations a goroutine does in a batch.
	N func(result.Case) int
	// CPUs are the numbers of goroutines to try, each with as many processors.
	CPUs []int
	// Warmup rounds are dropped, and Rounds are kept in each visit of a process.
	Warmup, Rounds int
	// Visits is how often the processes of a case have their turn.
	Visits int
	// Budget is shared between the cases; one that has used its share up ends
	// after the visit. 0: no budget.
	Budget time.Duration
	// Together is a sink of the records of a case, all of which are stored or none; nil: they
	// come one after the other.
	Together func(...result.Record) error
}

// Scaling times batches of each case on several goroutines at once. The numbers
// of goroutines have a process each, with GOMAXPROCS set to it; these are alive
// together and have their turns in random order, so that what changes slowly
// changes for all. Failures are dealt with as in Cold. The sink gets the records
// of a case when that is done.
func Scaling(ctx context.Context, cfg ScalingConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	s := &scaling{ScalingConfig: cfg, ledger: &ledger{sink: sink, all: cfg.Together, event: event}}
	var end func(error) error
	s.now, end = s.budgeted()
	s.event(PassStarted{"scaling", len(s.Cases)})
	missed, err := s.run(ctx)
	return Tally{s.outcomes, missed}, end(err)
}

// run measures all cases, and returns those that the budget leaves no time for.
func (s *scaling) run(ctx context.Context) (missed []result.Case, err error) {
	for i, c := range s.Cases {
		share, ok := shareOf(s.Budget, s.now(), len(s.Cases)-i)
		if !ok {
			missed = append(missed, c)
			continue
		}
		if err := s.scale(ctx, c, share); err != nil {
			return missed, err
		}
		s.event(StepDone{Pass: "scaling", Case: c, Done: i + 1, Total: len(s.Cases)})
	}
	return missed, nil
}

type scaling struct {
	ScalingConfig
	*ledger
	now func() time.Duration
}

// scale measures one case.
func (s *scaling) scale(ctx context.Context, c result.Case, share time.Duration) error {
	workers, records := make([]*worker, len(s.CPUs)), make([]*result.Scaling, len(s.CPUs))
	for i, n := range s.CPUs {
		workers[i] = s.with(fmt.Sprint("GOMAXPROCS=", n)).worker(s.Layout, c.Cell(), s.event)
		defer workers[i].session.Close()
		records[i] = &result.Scaling{Case: c, Goroutines: n, CPUs: n, N: s.N(c)}
	}
	order := newShuffle(orderSeed(s.Seed, c.Cell(), 0), 2)
	begin := s.now()
	for visit := range s.Visits {
		if visit > 0 && share > 0 && s.now() >= begin+share {
			break
		}
		for _, i := range order.next(len(workers)) {
			a, _, f, err := workers[i].ask(ctx, c.Subject(), bench.Command{Cmd: "parallel", Parallel: &bench.Parallel{
				Subject: c.Subject(), Op: c.Op, Goroutines: s.CPUs[i], N: records[i].N, Warmup: s.Warmup, Rounds: s.Rounds,
			}})
			if err != nil {
				return err
			}
			if f != nil {
				_, err := s.spare("scaling", c, f)
				return err
			}
			records[i].Wall = append(records[i].Wall, a.Paralleled.Wall...)
		}
	}
	var all []result.Record
	for _, r := range records {
		all = append(all, result.Record{Time: time.Now(), Scaling: r})
	}
	return s.together(all)
}

package drive

import (
	"context"
	"fmt"
	"time"

	"assay/bench"
	"assay/result"
)

// ScalingConfig configures Scaling.
type ScalingConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases
	// N returns the number of operations that each goroutine does in a batch.
	N func(result.Case) int
	// CPUs are the numbers of goroutines to measure. Each number also sets the number of
	// processors.
	CPUs []int
	// Warmup is the number of rounds to drop, and Rounds the number to keep, in each visit of a
	// process.
	Warmup, Rounds int
	// Visits is the number of turns of each process of a case.
	Visits int
	// Budget is divided among the cases. A case that has used up its share ends after the current
	// round of visits. 0: no budget.
	Budget time.Duration
	// Together stores all records of a case or none of them; nil: the records go to the sink one
	// by one.
	Together func(...result.Record) error
}

// Scaling times batches of each case on several goroutines at the same time. Each number of
// goroutines has a process with GOMAXPROCS set to it. The processes are alive at the same time
// and take turns in random order, so that slow changes of the machine affect all of them. Scaling
// treats failures as Cold does. The sink gets the records of a case when the case is done.
func Scaling(ctx context.Context, cfg ScalingConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	s := &scaling{ScalingConfig: cfg, ledger: &ledger{sink: sink, all: cfg.Together, event: event}}
	var end func(error) error
	s.now, end = s.budgeted()
	s.event(PassStarted{"scaling", len(s.Cases)})
	missed, err := s.run(ctx)
	return Tally{s.outcomes, missed}, end(err)
}

// run measures all cases, and returns those for which the budget left no time.
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

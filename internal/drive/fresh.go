package drive

import (
	"context"
	"errors"
	"time"

	"assay/bench"
	"assay/result"
)

// FreshConfig configures Cold and Peak.
type FreshConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases
	// Times is the number of processes of each case.
	Times int
	// Budget ends the pass at the end of the process that is running when the budget is used up.
	// 0: no budget.
	Budget time.Duration
}

// Cold times the first call of each case in a new process, several times. A case whose process
// dies twice in a row is excluded. A case that answers with an error gets a note and no time. The
// sink gets the records of a cell when the cell is done.
func Cold(ctx context.Context, cfg FreshConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	f := &fresh{
		FreshConfig: cfg, ledger: &ledger{sink: sink, event: event}, pass: "cold",
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "cold", Cold: &bench.Cold{Subject: c.Subject(), Op: c.Op}}
		},
		value:  func(a bench.Answer, _ int64) int64 { return a.First.NS },
		record: func(c result.Case, v []int64) result.Record { return result.Record{Cold: &result.Cold{Case: c, NS: v}} },
	}
	return f.run(ctx)
}

// Peak measures the largest resident set of processes that load the values and work on one case
// for a fixed time with the collector on. There are no records where the system does not show
// resident sets. Peak treats failures as Cold does.
func Peak(ctx context.Context, cfg FreshConfig, work time.Duration, sink func(result.Record) error, event func(Event)) (Tally, error) {
	f := &fresh{
		FreshConfig: cfg, ledger: &ledger{sink: sink, event: event}, pass: "peak",
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "steady", Steady: &bench.Steady{
				Subject: c.Subject(), Op: c.Op, MinNS: int64(work), MaxNS: int64(work),
			}}
		},
		value: func(a bench.Answer, peak int64) int64 {
			if peak > 0 && a.Steadied.Peak > 0 {
				return a.Steadied.Peak
			}
			return peak
		},
		record: func(c result.Case, v []int64) result.Record {
			return result.Record{Peak: &result.Peak{Case: c, RSS: v}}
		},
	}
	return f.run(ctx)
}

// A fresh is a pass that measures each case in several processes that do nothing else.
type fresh struct {
	FreshConfig
	*ledger
	pass    string
	command func(result.Case) bench.Command
	// value extracts the value of a process from its answer and its largest resident set, in
	// bytes, which is 0 if it is unknown. A value of 0 is dropped.
	value  func(a bench.Answer, peak int64) int64
	record func(result.Case, []int64) result.Record

	now         func() time.Duration
	missed      []result.Case
	done, total int
}

func (f *fresh) run(ctx context.Context) (Tally, error) {
	var end func(error) error
	f.now, end = f.budgeted()
	f.total = len(f.Cases)
	f.event(PassStarted{f.pass, f.total})
	var err error
	for _, cases := range cells(f.Cases) {
		if err = f.cell(ctx, cases); err != nil {
			break
		}
	}
	err = end(err)
	return Tally{Outcomes: f.outcomes, Missed: f.missed}, err
}

// cells groups cases by cell, in order of appearance.
func cells(cases []result.Case) [][]result.Case { return grouped(cases, result.Case.Cell) }

// grouped groups elements by key, in the order in which the keys first appear.
func grouped[T any, K comparable](all []T, key func(T) K) [][]T {
	var out [][]T
	index := map[K]int{}
	for _, x := range all {
		i, ok := index[key(x)]
		if !ok {
			i = len(out)
			index[key(x)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], x)
	}
	return out
}

// A place is a workload and size. The cells of a place measure different ops on the same values.
type place struct{ workload, size string }

// A freshCase is the progress of a case.
type freshCase struct {
	result.Case
	values []int64
	asked  bool
	lost   bool // it failed and has no number
}

// cell measures every case of a cell once, then every case again, and so on, so that a temporary
// disturbance of the machine does not hit a single case.
func (f *fresh) cell(ctx context.Context, cases []result.Case) error {
	all := make([]*freshCase, len(cases))
	for i, c := range cases {
		all[i] = &freshCase{Case: c}
	}
	for range f.Times {
		for _, c := range all {
			if c.lost || f.Budget > 0 && f.now() >= f.Budget {
				continue
			}
			if err := f.ask(ctx, c); err != nil {
				return err
			}
		}
	}
	for _, c := range all {
		if err := f.finish(c); err != nil {
			return err
		}
		f.done++
		f.event(StepDone{Pass: f.pass, Case: c.Case, Done: f.done, Total: f.total})
	}
	return nil
}

// ask measures a case once, in a new process.
func (f *fresh) ask(ctx context.Context, c *freshCase) error {
	c.asked = true
	s := f.Session(f.Layout, c.Workload, c.Size, f.event)
	a, err := s.Ask(ctx, f.command(c.Case))
	s.Close()
	var failure *Failure
	if errors.As(err, &failure) {
		c.lost = true
		_, err = f.spare(f.pass, c.Case, failure)
		return err
	}
	if err != nil {
		return err
	}
	if v := f.value(a, s.peak); v != 0 {
		c.values = append(c.values, v)
	}
	return nil
}

// finish records the values of a case.
func (f *fresh) finish(c *freshCase) error {
	if !c.asked {
		f.missed = append(f.missed, c.Case)
	}
	if c.lost || len(c.values) == 0 {
		return nil
	}
	r := f.record(c.Case, c.values)
	r.Time = time.Now()
	return f.sink(r)
}

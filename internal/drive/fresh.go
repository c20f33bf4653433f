package drive

import (
	"context"
	"errors"
	"time"

	"assay/bench"
	"assay/result"
)

// FreshConfig is what Cold and Peak need.
type FreshConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified ones
	// Times is how many processes each case gets.
	Times int
	// Budget ends the pass at the first end of a process after it. 0: no
	// budget.
	Budget time.Duration
}

// Cold times the first call of each case in a process of its own, several times.
// A case whose process dies twice in a row is excluded; one that answers with an
// error has a note and no time. The sink gets the records of a cell when that is
// done.
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

// Peak finds the largest resident set of processes that load the values and work
// on one case for a fixed time with the collector on. Where the system does not
// show it, there are no records. Failures are dealt with as in Cold.
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

// A fresh pass asks about each case in several processes that do nothing else.
type fresh struct {
	FreshConfig
	*ledger
	pass    string
	command func(result.Case) bench.Command
	// value takes what is wanted from the answer and the largest resident set of
	// the process, which is 0 if it is not known. 0 is no value.
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

// grouped returns the groups of those that have one key, in order of appearance.
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

// A place is what the ops of some cells have the same values of.
type place struct{ workload, size string }

// A freshCase is how far a case is.
type freshCase struct {
	result.Case
	values []int64
	asked  bool
	lost   bool // it has no number
}

// cell asks about every case of a cell in turn, then again, so that what
// disturbs the machine for a while does not fall on one of them.
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

// ask asks about a case in a process of its own.
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

// finish records what is known of a case.
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

package drive

import (
	"context"
	"errors"
	"math"
	"time"

	"assay/bench"
	"assay/result"
)

const (
	// unseenTries is the number of sets of new values that an external contender is tried on, and
	// unseenSure the number for one that seems to remember values. A disturbance of the machine
	// only makes times longer, so more tries bring both minimum times closer to their true
	// values. After unseenFor, or after unseenLong if a case would lose its numbers, there are no
	// tries beyond unseenLeast: beside other work a try takes longer and tells less.
	unseenTries = 5
	unseenSure  = 25
	unseenLeast = 3
	unseenFor   = 5 * time.Second
	unseenLong  = 30 * time.Second
	// unseenInputs is the least number of values for which one pass gives a usable time.
	unseenInputs = 8
)

// UnseenConfig configures Unseen.
type UnseenConfig struct {
	// Ours makes values. Theirs is the runner of an external contender; its Data returns the
	// files of the run's values.
	Ours, Theirs Runner
	Cases        []result.Case // calibrated cases
	// File is the file for the other values. It is rewritten for every try.
	File string
}

// Times are the minimum times of an operation in nanoseconds, as the runner reports them: on
// values that were new to its process, and on values that it had loaded before. Both are 0 if
// they are unknown.
type Times struct{ Fresh, Seen float64 }

// Unseen measures an external contender on values that are new to its process. The contender
// loads new values, runs one pass over them, and does the same with values that it knows, in
// turn. Work on the values before a pass, such as writing the messages to read, is the same for
// both. Cases that fail on other values than the user's get an outcome, which the sink gets as a
// record. There is no outcome if the values are the user's, because the contender need not accept
// variants of them.
func Unseen(ctx context.Context, cfg UnseenConfig, sink func(result.Record) error, event func(Event)) (map[result.Case]Times, []result.Outcome, error) {
	l := &ledger{sink: sink, event: event}
	found := map[result.Case]Times{}
	event(PassStarted{Pass: "unseen", Total: len(cfg.Cases)})
	done := 0
	for _, cases := range places(cfg.Cases) {
		c := cases[0]
		u := &unseen{
			cfg: cfg, cases: cases, times: make([]Times, len(cases)),
			ours:   cfg.Ours.Session(0, c.Workload, c.Size, event),
			theirs: cfg.Theirs.Session(0, c.Workload, c.Size, event),
		}
		f, at, err := u.run(ctx)
		u.ours.Close()
		u.theirs.Close()
		switch {
		case err != nil:
			return found, l.outcomes, err
		case f != nil && cfg.Ours.Data == nil:
			lost := []result.Case{at}
			if f.Loading {
				lost = cases
			}
			for _, c := range lost {
				if err := l.exclude(c, f); err != nil {
					return found, l.outcomes, err
				}
			}
		}
		for i, c := range cases {
			if f == nil && !math.IsInf(u.times[i].Fresh, 0) {
				found[c] = u.times[i]
			}
			done++
			event(StepDone{Pass: "unseen", Case: c, Done: done, Total: len(cfg.Cases)})
		}
	}
	return found, l.outcomes, nil
}

// places groups cases by workload and size, in order of appearance.
func places(cases []result.Case) [][]result.Case {
	return grouped(cases, func(c result.Case) place { return place{c.Workload, c.Size} })
}

// An unseen is the work on one workload and size.
type unseen struct {
	cfg          UnseenConfig
	cases        []result.Case
	times        []Times
	ours, theirs *Session
	inputs       int
}

// run tries sets of new values. The failure is that of the returned case.
func (u *unseen) run(ctx context.Context) (*Failure, result.Case, error) {
	for i := range u.times {
		u.times[i] = Times{math.Inf(1), math.Inf(1)}
	}
	start := time.Now()
	for try := range unseenSure {
		if !u.goesOn(try, time.Since(start)) {
			break
		}
		a, err := u.ours.Ask(ctx, bench.Command{Cmd: "export", Export: &bench.Export{File: u.cfg.File, Others: true}})
		var f *Failure
		if errors.As(err, &f) { // there are no other values, so the times stay unknown
			return nil, result.Case{}, nil
		}
		if err != nil {
			return nil, result.Case{}, err
		}
		if u.inputs = a.Exported.Inputs; u.inputs < unseenInputs {
			return nil, result.Case{}, nil
		}
		own := u.theirs.runner.Data(u.cases[0].Workload, u.cases[0].Size)
		for _, of := range []struct {
			file string
			keep func(i int, ns float64)
		}{
			{own, func(i int, ns float64) {
				if try > 0 { // from the second try on, the contender knows the values
					u.times[i].Seen = min(u.times[i].Seen, ns)
				}
			}},
			{u.cfg.File, func(i int, ns float64) { u.times[i].Fresh = min(u.times[i].Fresh, ns) }},
		} {
			if f, c, err := u.pass(ctx, of.file, uint64(try), of.keep); f != nil || err != nil {
				return f, c, err
			}
		}
	}
	return nil, result.Case{}, nil
}

// goesOn reports whether there is another try after so many tries, which took so long in all.
func (u *unseen) goesOn(tries int, took time.Duration) bool {
	limit, most := unseenFor, unseenTries
	for _, t := range u.times {
		if result.Remembers(t.Fresh, t.Seen) {
			most = unseenSure
		}
		if result.Renews(t.Fresh, t.Seen) {
			limit = unseenLong
		}
	}
	return tries < unseenLeast || tries < most && took <= limit
}

// pass loads a file and runs each case once over its values. A pass that fails is not tried again,
// because what the contender does on new values is a finding. But if its process is killed from
// outside, all of the pass is repeated: a new process has loaded the run's own values only.
func (u *unseen) pass(ctx context.Context, file string, seed uint64, keep func(i int, ns float64)) (f *Failure, c result.Case, err error) {
	err = persist(func() (err error) {
		c, err = u.attempt(ctx, file, seed, keep)
		return err
	}, u.theirs.repeated)
	if errors.As(err, &f) {
		return f, c, nil
	}
	return nil, c, err
}

// attempt is one attempt at a pass. Its error, which may be a *Failure, is that of the returned
// case.
func (u *unseen) attempt(ctx context.Context, file string, seed uint64, keep func(i int, ns float64)) (result.Case, error) {
	c := u.cases[0]
	load := bench.Load{Workload: c.Workload, Size: c.Size, Seed: u.theirs.runner.Seed + seed, Data: file, Losses: u.theirs.runner.Losses}
	if u.theirs.proc != nil {
		load.Mark = u.theirs.proc.MarkFile()
	}
	if _, err := u.theirs.try(ctx, bench.Command{Cmd: "load", Load: &load}); err != nil {
		var f *Failure
		if errors.As(err, &f) {
			f.Loading, f.Reason = true, "loading other values: "+f.Reason
		}
		return c, err
	}
	for i, c := range u.cases {
		spec := bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: u.inputs}
		a, err := u.theirs.try(ctx, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{spec}, Rounds: 1}})
		if err != nil {
			return c, err
		}
		s := a.Measured.Series[0]
		for k, ns := range s.Wall {
			if len(s.CPU) > k && s.CPU[k] > 0 {
				ns = min(ns, s.CPU[k])
			}
			keep(i, float64(ns)/float64(u.inputs))
		}
	}
	return c, nil
}

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
	// unseenTries is how many sets of new values an external contender is tried on, and
	// unseenSure how many one that seems to remember values: what disturbs the machine
	// makes times longer, so that more tries bring both least times closer to what they
	// are. After unseenFor there is no more than unseenLeast, after unseenLong if a case
	// would lose its numbers: beside other work a try takes longer and tells less.
	unseenTries = 5
	unseenSure  = 25
	unseenLeast = 3
	unseenFor   = 5 * time.Second
	unseenLong  = 30 * time.Second
	// unseenInputs is how many values there must be for one pass to be a measure.
	unseenInputs = 8
)

// UnseenConfig is what Unseen needs.
type UnseenConfig struct {
	// Ours makes values, and Theirs, whose Data names the files of those of the run, is
	// that of an external contender.
	Ours, Theirs Runner
	Cases        []result.Case // calibrated ones
	// File is for other values, and made anew again and again.
	File string
}

// Times are the least times of an operation, in nanoseconds by the runner's word, on values
// that were new to its process and on those that it had loaded before. Zeros: there is no
// telling.
type Times struct{ Fresh, Seen float64 }

// Unseen measures an external contender on values that are new to its process: it loads
// them, runs one pass over them, and does the same with values that it knows, in turn. What
// its runner does with values before a pass, such as writing the messages that are read, it
// does with both. The sink gets outcomes as records, of cases that fail with values that are
// not the user's own; variants of these need not be values that it takes.
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

// unseen is the work at one place.
type unseen struct {
	cfg          UnseenConfig
	cases        []result.Case
	times        []Times
	ours, theirs *Session
	inputs       int
}

// run tries sets of new values. The failure is that of a case.
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
		if errors.As(err, &f) { // there are no other values: nothing is known
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
				if try > 0 { // by then it knows them
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

// goesOn reports whether there is another try after so many, which took so long.
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

// pass loads a file and runs each case over its values once.
func (u *unseen) pass(ctx context.Context, file string, seed uint64, keep func(i int, ns float64)) (*Failure, result.Case, error) {
	c := u.cases[0]
	load := bench.Load{Workload: c.Workload, Size: c.Size, Seed: u.theirs.runner.Seed + seed, Data: file, Losses: u.theirs.runner.Losses}
	if u.theirs.proc != nil {
		load.Mark = u.theirs.proc.MarkFile()
	}
	if f, err := u.tell(ctx, bench.Command{Cmd: "load", Load: &load}, nil); f != nil || err != nil {
		if f != nil {
			f.Loading, f.Reason = true, "loading other values: "+f.Reason
		}
		return f, c, err
	}
	for i, c := range u.cases {
		spec := bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: u.inputs}
		f, err := u.tell(ctx, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{spec}, Rounds: 1}}, func(a bench.Answer) {
			s := a.Measured.Series[0]
			for k, ns := range s.Wall {
				if len(s.CPU) > k && s.CPU[k] > 0 {
					ns = min(ns, s.CPU[k])
				}
				keep(i, float64(ns)/float64(u.inputs))
			}
		})
		if f != nil || err != nil {
			return f, c, err
		}
	}
	return nil, c, nil
}

// tell sends the external contender's runner a command.
func (u *unseen) tell(ctx context.Context, cmd bench.Command, answer func(bench.Answer)) (*Failure, error) {
	a, err := u.theirs.Ask(ctx, cmd)
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f, nil
	case err != nil:
		return nil, err
	case answer != nil:
		answer(a)
	}
	return nil, nil
}

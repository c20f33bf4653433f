package drive

import (
	"context"
	"errors"
	"time"

	"assay/bench"
	"assay/result"
)

// CalibrateConfig configures Calibrate. BatchNS, MinOps and MaxNS are passed to bench.Calibrate.
type CalibrateConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases
	// Role is the role of the series to calibrate: result.Floor for the floors of cases of op
	// encode, empty for the cases themselves.
	Role    string
	BatchNS int64
	MinOps  int
	MaxNS   int64
}

// Calibrate finds how many operations make a batch of each case. It uses one process for each
// workload and size and one command for each case. It returns the calibrations of the cases that
// work and the outcomes of the others. The sink gets both as records.
func Calibrate(ctx context.Context, cfg CalibrateConfig, sink func(result.Record) error, event func(Event)) (map[result.Case]result.Calibration, []result.Outcome, error) {
	out := map[result.Case]result.Calibration{}
	s := survey{
		ledger: ledger{sink: sink, event: event}, Runner: cfg.Runner,
		pass: "calibrate", layout: cfg.Layout, auxiliary: cfg.Role != "",
		group: func(c result.Case) result.Case { return result.Case{Workload: c.Workload, Size: c.Size} },
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{
				Cases:   []bench.CaseSpec{{Subject: c.Subject(), Op: c.Op, Role: cfg.Role}},
				BatchNS: cfg.BatchNS, MinOps: cfg.MinOps, MaxNS: cfg.MaxNS,
			}}
		},
		answer: func(c result.Case, a bench.Answer) result.Record {
			got := a.Calibrated[0]
			out[c] = result.Calibration{Case: c, Role: cfg.Role, N: got.N, NS: got.NS, Fresh: got.Fresh, Seen: got.Seen}
			calibration := out[c]
			return result.Record{Calibration: &calibration}
		},
	}
	err := s.run(ctx, cfg.Cases)
	return out, s.outcomes, err
}

// CountConfig configures Count.
type CountConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases
	// Ops returns the number of operations to count, which is rounded up to whole passes over the
	// inputs.
	Ops func(result.Case) int
	// Check says what is wrong with a count, given the number of operations that was asked for,
	// or returns "". Nil: there is no check.
	Check func(result.Case, int, bench.Counted) string
	// Apart says which contenders get a process for each workload and size. Nil: none does.
	Apart func(contender string) bool
	// Width is the number of processes that count at the same time; 0: one.
	Width int
}

// Count makes the exact counts of memory and sizes. It uses one process for each contender, so
// that the counts exclude what another library left behind, such as full pools. A process loads
// one workload and size after the other. That gives the same counts as a process for each, except
// for the contenders for which Apart is true. An external contender gets a process for each
// workload and size. Processes that work at the same time give the same counts as processes that
// work one after the other, because no time is measured. Count returns the outcomes of cases that
// fail. An external contender need not count: a case that it answers with an error gets a note, and
// no outcome. The sink gets the outcomes, the notes and the counts as records.
func Count(ctx context.Context, cfg CountConfig, sink func(result.Record) error, event func(Event)) ([]result.Outcome, error) {
	s := survey{
		ledger: ledger{sink: sink, event: event}, Runner: cfg.Runner,
		pass: "count", layout: cfg.Layout, width: cfg.Width, auxiliary: cfg.External,
		group: func(c result.Case) result.Case {
			if cfg.External || cfg.Apart != nil && cfg.Apart(c.Contender) {
				return result.Case{Workload: c.Workload, Size: c.Size, Contender: c.Contender}
			}
			return result.Case{Contender: c.Contender}
		},
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "memory", Memory: &bench.Memory{Subject: c.Subject(), Op: c.Op, Ops: cfg.Ops(c)}}
		},
		check: func(c result.Case, a bench.Answer) string {
			if cfg.Check == nil {
				return ""
			}
			return cfg.Check(c, cfg.Ops(c), *a.Counted)
		},
		answer: func(c result.Case, a bench.Answer) result.Record {
			n := a.Counted
			return result.Record{Count: &result.Count{
				Case: c, Ops: n.Ops, Bytes: n.Bytes, Allocs: n.Allocs, Messages: n.Messages, Encoded: n.Encoded,
				MostBytes: n.MostBytes, MostAllocs: n.MostAllocs,
			}}
		},
	}
	err := s.run(ctx, cfg.Cases)
	return s.outcomes, err
}

// RetainConfig configures Retain.
type RetainConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases of op decode
	// Messages is the number of messages to decode, which is rounded up to whole passes over the
	// inputs.
	Messages int
	// Budget ends the pass at the first answer after it. 0: no budget.
	Budget time.Duration
}

// Retain measures the heap that decoded values keep alive, each case in a process of its own. A
// case whose process dies is excluded. A case that answers with an error gets a note and no
// number.
func Retain(ctx context.Context, cfg RetainConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	s := survey{
		ledger: ledger{sink: sink, event: event}, Runner: cfg.Runner,
		pass: "retain", layout: cfg.Layout, budget: cfg.Budget, auxiliary: true,
		group: func(c result.Case) result.Case { return c },
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "retain", Retain: &bench.Retain{Subject: c.Subject(), Messages: cfg.Messages}}
		},
		answer: func(c result.Case, a bench.Answer) result.Record {
			n := a.Retained
			return result.Record{Retained: &result.Retained{Case: c, Messages: n.Messages, Bytes: n.Bytes, Encoded: n.Encoded}}
		},
	}
	err := s.run(ctx, cfg.Cases)
	return Tally{Outcomes: s.outcomes, Missed: s.missed}, err
}

// A survey asks one question about each case. The cases of a group are asked about in the same
// process.
type survey struct {
	ledger
	Runner
	pass    string
	layout  uint64
	group   func(result.Case) result.Case
	command func(result.Case) bench.Command
	answer  func(result.Case, bench.Answer) result.Record
	budget  time.Duration // 0: none
	// check says what is wrong with an answer, or returns ""; nil: there is no check.
	check func(result.Case, bench.Answer) string
	// auxiliary says that a case whose process answers with an error keeps its other numbers.
	auxiliary bool

	// width is the number of groups that are asked about at the same time; 0: one.
	width int

	now         func() time.Duration
	missed      []result.Case // cases for which the budget left no time
	done, total int
}

func (s *survey) run(ctx context.Context, cases []result.Case) (err error) {
	var groups [][]result.Case
	at := map[result.Case]int{}
	for _, c := range cases {
		g := s.group(c)
		i, ok := at[g]
		if !ok {
			i = len(groups)
			at[g], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	var end func(error) error
	s.now, end = s.budgeted()
	defer func() { err = end(err) }()
	s.total, s.event = len(cases), Serial(s.event)
	s.event(PassStarted{s.pass, s.total})
	return Abreast(s.width, len(groups), func(_, i int, emit func(asked) bool) {
		s.askGroup(ctx, groups[i], emit)
	}, s.take)
}

// An asked is the answer about a case.
type asked struct {
	of      result.Case
	answer  bench.Answer
	failure *Failure
	missed  bool // the budget left no time to ask
	took    time.Duration
	err     error
}

func (s *survey) askGroup(ctx context.Context, cases []result.Case, emit func(asked) bool) {
	session := s.Session(s.layout, cases[0].Workload, cases[0].Size, s.event)
	defer session.Close()
	var lost *Failure // set if the values cannot be made
	last := time.Now()
	for _, c := range cases {
		a := asked{of: c, failure: lost}
		if at := session.cell; c.Workload != at.Workload || c.Size != at.Size {
			a.failure = nil
		}
		if a.missed = s.budget > 0 && s.now() >= s.budget; !a.missed && a.failure == nil {
			session.move(c.Workload, c.Size)
			a.answer, a.failure, a.err = s.ask(ctx, session, c)
			if lost = nil; a.failure != nil && a.failure.Loading {
				lost = a.failure
			}
		}
		a.took = time.Since(last) / time.Duration(max(1, s.width))
		last = time.Now()
		if !emit(a) || a.err != nil {
			return
		}
	}
}

// take records the answer about a case.
func (s *survey) take(a asked) error {
	switch {
	case a.err != nil:
		return a.err
	case a.missed:
		s.missed = append(s.missed, a.of)
		return nil
	case a.failure != nil:
		if err := s.refuse(a.of, a.failure); err != nil {
			return err
		}
	default:
		r := s.answer(a.of, a.answer)
		r.Time = time.Now()
		if err := s.sink(r); err != nil {
			return err
		}
	}
	s.done++
	s.event(StepDone{Pass: s.pass, Case: a.of, Done: s.done, Total: s.total, Took: a.took})
	return nil
}

// refuse records that a case has no answer.
func (s *survey) refuse(c result.Case, f *Failure) error {
	if s.auxiliary {
		_, err := s.spare(s.pass, c, f)
		return err
	}
	return s.exclude(c, f)
}

// ask asks about one case. The command is about that case only, so a failure is charged to it
// whatever the mark file says.
func (s *survey) ask(ctx context.Context, session *Session, c result.Case) (bench.Answer, *Failure, error) {
	a, err := session.Ask(ctx, s.command(c))
	var f *Failure
	if errors.As(err, &f) {
		return a, f, nil
	}
	if err == nil && s.check != nil {
		if why := s.check(c, a); why != "" {
			f = &Failure{Status: result.Unverified, Reason: why, Untrue: true}
		}
	}
	return a, f, err
}

package drive

import (
	"context"
	"errors"
	"time"

	"assay/bench"
	"assay/result"
)

// CalibrateConfig is what Calibrate needs. BatchNS, MinOps and MaxNS are those
// of bench.Calibrate.
type CalibrateConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified ones
	// Role is that of the series to calibrate: result.Floor for the floors of
	// cases of op encode, empty for the cases themselves.
	Role    string
	BatchNS int64
	MinOps  int
	MaxNS   int64
}

// Calibrate finds how many operations make a batch of each case, in one process
// for each workload and size and with one command for each case. It returns the
// calibrations of the cases that work, and outcomes for the others; the sink
// gets both as records.
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

// CountConfig is what Count needs.
type CountConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified ones
	// Ops is how many operations are counted, rounded up to whole passes over
	// the inputs.
	Ops func(result.Case) int
	// Check says what is wrong with a count of so many operations; nil or empty:
	// nothing.
	Check func(result.Case, int, bench.Counted) string
	// Apart says which contenders have a process for each workload and size. Nil:
	// none.
	Apart func(contender string) bool
}

// Count makes the exact counts of memory and sizes, in one process for each
// contender: what another library left behind, such as full pools, must not be in
// them. A process loads one workload and size after the other, which counts the same
// as a process for each but for those that are to be Apart; an External has a process
// for each. It returns
// the outcomes of cases that fail; the sink gets them and the counts as records.
func Count(ctx context.Context, cfg CountConfig, sink func(result.Record) error, event func(Event)) ([]result.Outcome, error) {
	s := survey{
		ledger: ledger{sink: sink, event: event}, Runner: cfg.Runner,
		pass: "count", layout: cfg.Layout,
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
			}}
		},
	}
	err := s.run(ctx, cfg.Cases)
	return s.outcomes, err
}

// RetainConfig is what Retain needs.
type RetainConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified ones of op decode
	// Messages is how many messages are decoded, rounded up to whole passes over
	// the inputs.
	Messages int
	// Budget ends the pass at the first answer after it. 0: no budget.
	Budget time.Duration
}

// Retain measures the heap that decoded values keep alive, each case in a
// process of its own. A case whose process dies is excluded; one that answers
// with an error has a note and no number.
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

// A survey asks one question about each case. Cases of one group are asked
// about in one process.
type survey struct {
	ledger
	Runner
	pass    string
	layout  uint64
	group   func(result.Case) result.Case
	command func(result.Case) bench.Command
	answer  func(result.Case, bench.Answer) result.Record
	budget  time.Duration // 0: none
	// check says what is wrong with an answer; nil or empty: nothing.
	check func(result.Case, bench.Answer) string
	// auxiliary says that cases can do without an answer.
	auxiliary bool

	now         func() time.Duration
	missed      []result.Case // for which the budget left no time
	done, total int
}

func (s *survey) run(ctx context.Context, cases []result.Case) (err error) {
	var order []result.Case
	groups := map[result.Case][]result.Case{}
	for _, c := range cases {
		g := s.group(c)
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], c)
	}
	var end func(error) error
	s.now, end = s.budgeted()
	defer func() { err = end(err) }()
	s.total = len(cases)
	s.event(PassStarted{s.pass, s.total})
	for _, g := range order {
		if err := s.askGroup(ctx, groups[g]); err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) askGroup(ctx context.Context, cases []result.Case) error {
	session := s.Session(s.layout, cases[0].Workload, cases[0].Size, s.event)
	defer session.Close()
	var lost *Failure // the values cannot be made
	for _, c := range cases {
		if s.budget > 0 && s.now() >= s.budget {
			s.missed = append(s.missed, c)
			continue
		}
		if at := session.cell; c.Workload != at.Workload || c.Size != at.Size {
			session.move(c.Workload, c.Size)
			lost = nil
		}
		f := lost
		if f == nil {
			var err error
			if f, err = s.ask(ctx, session, c); err != nil {
				return err
			}
		}
		if f != nil {
			if err := s.refuse(c, f); err != nil {
				return err
			}
			if f.Loading {
				lost = f
			}
		}
		s.done++
		s.event(StepDone{s.pass, c, s.done, s.total})
	}
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

// ask asks about one case and records the answer, or returns its failure. The
// command is about the case alone, so it is charged whatever the mark says.
func (s *survey) ask(ctx context.Context, session *Session, c result.Case) (*Failure, error) {
	a, err := session.Ask(ctx, s.command(c))
	var f *Failure
	if errors.As(err, &f) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	if s.check != nil {
		if why := s.check(c, a); why != "" {
			return &Failure{Status: result.Unverified, Reason: why, Untrue: true}, nil
		}
	}
	r := s.answer(c, a)
	r.Time = time.Now()
	return nil, s.sink(r)
}

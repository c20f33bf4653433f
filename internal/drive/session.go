package drive

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// strikes is how often a case must fail to be excluded: once may be an
// accident of the machine, and each time is in a process of its own.
const strikes = 2

// outsideTries is how often a command whose process was killed from outside is
// tried. Whoever was killed that often in a row is taken to be what the system
// kills for want of memory, because there the kernel does not always say so.
const outsideTries = 3

// A Runner is how runner processes are started and what they load.
type Runner struct {
	// Binary returns the runner of a layout. 0 is the ordinary layout.
	Binary func(layout uint64) Binary
	// Ready, unless it is nil, has the runner of a layout made if it is not there yet.
	// It is called before a process is started, when nothing is being timed.
	Ready  func(ctx context.Context, layout uint64) error
	Limits Limits
	// Seed is that of the values, the same for all processes of a run.
	Seed uint64
	// Inputs is the number of distinct values; 0: the size's own number.
	Inputs int
	// Losses are the declared losses of each contender, as of bench.Load.
	Losses map[string][]string
	// Garbage is how many bytes launches may allocate before the garbage collector
	// runs between two batches; 0: as bench.Rounds.
	Garbage int64
	// Data returns the file with the values of a workload and size, for a runner
	// that cannot make them itself. Nil: it makes them.
	Data func(workload, size string) string
	// External says that the program is none of ours. One that cannot be started is
	// then a Failure like one that dies, which costs its cases and not the run. Nor
	// may it report times in which nothing can be done.
	External bool
}

// with returns a Runner whose processes have one more variable, as name=value.
func (r Runner) with(variable string) Runner {
	return r.changed(func(b *Binary) { b.Env = append(slices.Clone(b.Env), variable) })
}

// handing returns a Runner whose processes inherit files.
func (r Runner) handing(files []*os.File) Runner {
	return r.changed(func(b *Binary) { b.Files = files })
}

// changed returns a Runner whose binaries are started otherwise.
func (r Runner) changed(change func(*Binary)) Runner {
	binary := r.Binary
	r.Binary = func(layout uint64) Binary {
		b := binary(layout)
		change(&b)
		return b
	}
	return r
}

// start starts a process and loads the values.
func (r Runner) start(ctx context.Context, layout uint64, workload, size string) (*Process, error) {
	if err := r.ready(ctx, layout); err != nil {
		return nil, err
	}
	p, err := Start(ctx, r.Binary(layout), r.Limits)
	if err != nil {
		return nil, r.unstarted(ctx, err)
	}
	p.external = r.External
	answer, err := p.Do(bench.Command{Cmd: "load", Load: r.load(p, workload, size)})
	var f *Failure
	switch {
	case errors.As(err, &f):
		f.Reason = "while the values were made: " + f.Reason
		f.Loading, f.Case = true, nil
		// To wait again takes as long again, and making values is part of its work.
		f.Certain = f.Certain || r.External && f.Status == result.Timeout
	case err == nil && answer.Error != "":
		err = &Failure{Status: result.Unsupported, Reason: answer.Error, Loading: true, Answered: true}
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// ready has the runner of a layout made.
func (r Runner) ready(ctx context.Context, layout uint64) error {
	if r.Ready == nil {
		return nil
	}
	return r.Ready(ctx, layout)
}

// load is the argument of the command that has a process make the values.
func (r Runner) load(p *Process, workload, size string) *bench.Load {
	load := bench.Load{Workload: workload, Size: size, Seed: r.Seed, Inputs: r.Inputs, Mark: p.MarkFile(), Losses: r.Losses}
	if r.Data != nil {
		load.Data = r.Data(workload, size)
	}
	return &load
}

// unstarted is why no process could be started.
func (r Runner) unstarted(ctx context.Context, err error) error {
	if !r.External || context.Cause(ctx) != nil {
		return err
	}
	return &Failure{Status: result.BuildFailed, Reason: err.Error(), Loading: true}
}

// Describe starts a runner and asks what it is. The error is a *Failure when it
// does not say.
func (r Runner) Describe(ctx context.Context) (*bench.Described, error) {
	var out *bench.Described
	err := persist(func() error {
		p, err := Start(ctx, r.Binary(0), r.Limits)
		if err != nil {
			return r.unstarted(ctx, err)
		}
		defer p.Close()
		p.external = r.External
		answer, err := do(p, bench.Command{Cmd: "describe"})
		out = answer.Described
		return err
	}, func(*Failure) {})
	return out, err
}

// Counts says whether the runner counts memory at all, which one in a language
// whose allocations cannot be counted does not. It is asked about one case.
func (r Runner) Counts(ctx context.Context, c result.Case) bool {
	p, err := r.start(ctx, 0, c.Workload, c.Size)
	if err != nil {
		return false
	}
	defer p.Close()
	_, err = do(p, bench.Command{Cmd: "memory", Memory: &bench.Memory{Subject: c.Subject(), Op: c.Op, Ops: 1}})
	var f *Failure
	return err == nil || !errors.As(err, &f) || !f.Answered
}

// persist calls try again while its process is killed from outside.
func persist(try func() error, repeated func(*Failure)) error {
	for tries := 1; ; tries++ {
		err := try()
		var f *Failure
		if !errors.As(err, &f) || !f.Outside {
			return err
		}
		if tries == outsideTries {
			f.Status = result.OOM
			f.Reason = "killed from outside three times in a row, as a system out of memory does: " + f.Reason
			return f
		}
		repeated(f)
	}
}

// A Session asks a runner about one workload and size, and starts the runner
// again when it dies. Its methods are for one goroutine.
type Session struct {
	runner Runner
	layout uint64
	cell   result.Cell // without an op
	event  func(Event)
	proc   *Process // nil: none is running
	starts int      // of processes
	peak   int64    // largest resident set of the last process that ended
}

// Session returns a session that has started nothing yet.
func (r Runner) Session(layout uint64, workload, size string, event func(Event)) *Session {
	return &Session{runner: r, layout: layout, cell: result.Cell{Workload: workload, Size: size}, event: event}
}

// Ask sends a command about a single subject and returns the answer, whose
// Error is empty. A command that fails is tried once more in a new process,
// where nothing came before it, unless the failure is certain or the time is up. Its error is a *Failure
// when it failed there as well; the session goes on with yet another process. Any other error is the
// context's, or that of a runner that cannot be started.
func (s *Session) Ask(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
	var answer bench.Answer
	try := func() (err error) {
		answer, err = s.try(ctx, cmd)
		return err
	}
	for strike := 1; ; strike++ {
		err := persist(try, s.repeated)
		if err == nil {
			return answer, nil
		}
		s.Close()
		var f *Failure
		if !errors.As(err, &f) || strike == strikes || f.once() {
			return bench.Answer{}, err
		}
		s.repeated(f)
	}
}

func (s *Session) repeated(f *Failure) { s.event(Repeated{s.cell, f}) }

func (s *Session) try(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
	if s.proc == nil {
		p, err := s.runner.start(ctx, s.layout, s.cell.Workload, s.cell.Size)
		if err != nil {
			return bench.Answer{}, err
		}
		s.proc = p
		s.starts++
	}
	answer, err := do(s.proc, cmd)
	if err != nil {
		s.Close()
	}
	return answer, err
}

// do is Do with an answered error made a Failure. The mark still says which
// case it was about.
func do(p *Process, cmd bench.Command) (bench.Answer, error) {
	answer, err := p.Do(cmd)
	if err == nil && answer.Error != "" {
		f := &Failure{Status: result.Unverified, Reason: answer.Error, Case: p.Marked(), Answered: true}
		if w := answer.Wrong; w != nil {
			f.Case, f.Certain = &bench.CaseSpec{Subject: w.Subject, Op: w.Op}, true
		}
		err = f
	}
	return answer, err
}

// move has the session ask about another workload and size from now on, in the same
// process if that can load them. If it cannot, the next command has a new one.
func (s *Session) move(workload, size string) {
	if s.cell.Workload == workload && s.cell.Size == size {
		return
	}
	s.cell.Workload, s.cell.Size = workload, size
	if s.proc == nil {
		return
	}
	if _, err := do(s.proc, bench.Command{Cmd: "load", Load: s.runner.load(s.proc, workload, size)}); err != nil {
		s.Close()
	}
}

// Close ends the session's process. The session can be used again.
func (s *Session) Close() {
	if s.proc != nil {
		s.proc.Close()
		s.peak = s.proc.Peak()
		s.proc = nil
	}
}

// A ledger records what a pass finds out.
type ledger struct {
	sink     func(result.Record) error
	all      func(...result.Record) error // sink for several at once; nil: there is none
	event    func(Event)
	outcomes []result.Outcome
	noted    map[string]bool
}

// together records what belongs together, where that can be done at once.
func (l *ledger) together(records []result.Record) error {
	if l.all != nil {
		return l.all(records...)
	}
	for _, r := range records {
		if err := l.sink(r); err != nil {
			return err
		}
	}
	return nil
}

// exclude records that a case has no number.
func (l *ledger) exclude(c result.Case, f *Failure) error {
	return l.excludeSide(c, f, "")
}

// excludeSide records that a case has no number on one side.
func (l *ledger) excludeSide(c result.Case, f *Failure, side string) error {
	o := f.Outcome(c)
	o.Side = side
	l.outcomes = append(l.outcomes, o)
	l.event(CaseExcluded{o})
	if f.Untrue {
		l.event(Untrue{c, f.Reason})
	}
	return l.sink(result.Record{Time: time.Now(), Outcome: &o})
}

// spare records that a case has no number of one pass. It keeps those of the
// others, unless its process died or a result of it was seen to be wrong: an answered
// error says no more than that this is not to be had, for example how much memory
// values keep that are decoded into one another.
func (l *ledger) spare(pass string, c result.Case, f *Failure) (excluded bool, err error) {
	if f.Answered && !f.Loading && !f.Certain {
		return false, l.note(c.String() + ": no " + pass + ": " + f.Reason)
	}
	return true, l.exclude(c, f)
}

// note records a text, once.
func (l *ledger) note(text string) error {
	if l.noted[text] {
		return nil
	}
	if l.noted == nil {
		l.noted = map[string]bool{}
	}
	l.noted[text] = true
	return l.sink(result.Record{Time: time.Now(), Note: &result.Note{Text: text}})
}

// noteVarying records that the work of some cases could not be checked.
func (l *ledger) noteVarying(cell result.Cell, specs []bench.CaseSpec, varying []int) error {
	for _, i := range varying {
		c := cell.Case(specs[i].Subject)
		if err := l.note(c.String() + ": what its operations return changes from call to call, so its batches were not checked"); err != nil {
			return err
		}
	}
	return nil
}

// notePinning records that a process which should run on one CPU does not.
func (l *ledger) notePinning(p *Process) error {
	if p == nil || p.Unpinned() == nil {
		return nil
	}
	return l.note("processes that are compared with one another were not kept on one CPU: " + p.Unpinned().Error())
}

// turn returns the CPU that set k of processes runs on, one after another. Where
// there is no choosing, it is none, and that is noted.
func (l *ledger) turn(cpus []int, k int) ([]int, error) {
	if len(cpus) == 0 {
		return nil, l.note("processes that are compared with one another were not kept on one CPU, which this system has no call for; where it has no CPU clock of processes either, CPU times are wall times")
	}
	return cpus[k%len(cpus) : k%len(cpus)+1], nil
}

// A Tally is how a pass ended.
type Tally struct {
	// Outcomes are those of the cases that were excluded.
	Outcomes []result.Outcome
	// Missed are the cases for which the budget left no time.
	Missed []result.Case
}

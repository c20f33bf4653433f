package drive

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// strikes is the number of failures after which a case is excluded. A single failure may be an
// accident of the machine. Each try is in a new process.
const strikes = 2

// outsideTries is how often a command is tried whose process is killed from outside. A process
// that is killed so often in a row is assumed to be killed by the system because memory ran out,
// which the kernel does not always report.
const outsideTries = 3

// A Runner says how runner processes are started and what they load.
type Runner struct {
	// Binary returns the runner of a layout. Layout 0 is the ordinary layout.
	Binary func(layout uint64) Binary
	// Ready, unless it is nil, builds the runner of a layout if it does not exist yet. It is
	// called before a process is started, when nothing is being timed.
	Ready  func(ctx context.Context, layout uint64) error
	Limits Limits
	// Seed is the seed of the values, the same for all processes of a run.
	Seed uint64
	// Inputs is the number of distinct values; 0: the default of the size.
	Inputs int
	// Losses are the declared losses of each contender, as in bench.Load.
	Losses map[string][]string
	// Garbage is the number of bytes that launches may allocate before the garbage collector runs
	// between two batches; 0: the default of bench.Rounds.
	Garbage int64
	// Data returns the file with the values of a workload and size, for a runner that cannot make
	// them. Nil: the runner makes them.
	Data func(workload, size string) string
	// External says that the program is not a runner of ours. If the system cannot run it, that
	// is a Failure, which costs its cases and not the run. Other errors before it runs are those
	// of this program. It may not report times in which nothing can be done.
	External bool
}

// with returns a Runner whose processes have one more environment variable, as name=value.
func (r Runner) with(variable string) Runner {
	return r.changed(func(b *Binary) { b.Env = append(slices.Clone(b.Env), variable) })
}

// handing returns a Runner whose processes inherit files.
func (r Runner) handing(files []*os.File) Runner {
	return r.changed(func(b *Binary) { b.Files = files })
}

// changed returns a Runner whose Binary is changed by change.
func (r Runner) changed(change func(*Binary)) Runner {
	binary := r.Binary
	r.Binary = func(layout uint64) Binary {
		b := binary(layout)
		change(&b)
		return b
	}
	return r
}

// start starts a process and has it load the values.
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
		// Another try would take as long again, and making the values is the external contender's
		// own work.
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

// ready builds the runner of a layout.
func (r Runner) ready(ctx context.Context, layout uint64) error {
	if r.Ready == nil {
		return nil
	}
	return r.Ready(ctx, layout)
}

// load returns the argument of the load command.
func (r Runner) load(p *Process, workload, size string) *bench.Load {
	load := bench.Load{Workload: workload, Size: size, Seed: r.Seed, Inputs: r.Inputs, Mark: p.MarkFile(), Losses: r.Losses}
	if r.Data != nil {
		load.Data = r.Data(workload, size)
	}
	return &load
}

// unstarted returns the error of a process that could not be started. It is a Failure if the system
// cannot run the program of an external contender. If the system lacks what any program needs, or a
// file of ours cannot be written, it is no Failure.
func (r Runner) unstarted(ctx context.Context, err error) error {
	var n *notRun
	if !r.External || context.Cause(ctx) != nil || !errors.As(err, &n) || short(err) {
		return err
	}
	return &Failure{Status: result.BuildFailed, Reason: err.Error(), Loading: true}
}

// Describe starts a runner and asks it to describe itself. The error is a *Failure if the runner
// does not answer.
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

// Counts says whether the runner counts memory, which a runner in a language without countable
// allocations does not. It asks about one case. If the runner fails without an answer, Counts says
// that it counts: counting the case shows the failure and charges it. The error is the context's, or
// that of a runner that cannot be started.
func (r Runner) Counts(ctx context.Context, c result.Case) (bool, error) {
	err := persist(func() error {
		p, err := r.start(ctx, 0, c.Workload, c.Size)
		if err != nil {
			return err
		}
		defer p.Close()
		_, err = do(p, bench.Command{Cmd: "memory", Memory: &bench.Memory{Subject: c.Subject(), Op: c.Op, Ops: 1}})
		return err
	}, func(*Failure) {})
	var f *Failure
	if err != nil && !errors.As(err, &f) {
		return false, err
	}
	return err == nil || !f.Answered, nil
}

// persist calls try, and again as long as its process is killed from outside, outsideTries times
// at most.
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

// A Session asks a runner about one workload and size. It starts a new process when the process
// dies. Its methods are for one goroutine.
type Session struct {
	runner Runner
	layout uint64
	cell   result.Cell // without an op
	event  func(Event)
	proc   *Process // nil: none is running
	starts int      // number of processes started
	peak   int64    // largest resident set of the last process that ended, in bytes
}

// Session returns a session that has not started a process yet.
func (r Runner) Session(layout uint64, workload, size string, event func(Event)) *Session {
	return &Session{runner: r, layout: layout, cell: result.Cell{Workload: workload, Size: size}, event: event}
}

// Ask sends a command about a single subject and returns the answer, whose Error is empty. If the
// command fails, Ask tries it once more in a new process, where nothing came before it, unless
// the failure is certain or a timeout. The error is a *Failure if the command failed for good;
// the session then uses a new process. Any other error is the context's, that of a runner that
// cannot be started, or a *TempError.
func (s *Session) Ask(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
	return s.ask(ctx, cmd, strikes)
}

// AskOnce is like Ask, but tries a command again only if its process was killed from outside. It is
// for a check whose failure is a finding that a second try in a new process would hide.
func (s *Session) AskOnce(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
	return s.ask(ctx, cmd, 1)
}

// ask tries a command until it has failed most times.
func (s *Session) ask(ctx context.Context, cmd bench.Command, most int) (bench.Answer, error) {
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
		if !errors.As(err, &f) || strike == most || f.once() {
			return bench.Answer{}, err
		}
		s.repeated(f)
	}
}

func (s *Session) repeated(f *Failure) { s.event(Repeated{s.cell, f}) }

// try sends a command once. If it fails and there is no room for temporary files, the error is a
// *TempError: neither the export of a runner of ours nor an external contender can work then.
func (s *Session) try(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
	answer, err := s.send(ctx, cmd)
	var f *Failure
	if errors.As(err, &f) && (s.runner.External || cmd.Export != nil) {
		err = cmp.Or(writable(), err)
	}
	return answer, err
}

// send sends a command to the session's process, which it starts if there is none.
func (s *Session) send(ctx context.Context, cmd bench.Command) (bench.Answer, error) {
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

// do is Process.Do, except that it returns an error that the process answered as a *Failure. The
// mark file still names the case.
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

// move makes the session ask about another workload and size. It keeps the process if the process
// can load them. Otherwise the next command starts a new one.
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

// Close ends the session's process. The session can still be used.
func (s *Session) Close() {
	if s.proc != nil {
		s.proc.Close()
		s.peak = s.proc.Peak()
		s.proc = nil
	}
}

// A ledger records the results of a pass.
type ledger struct {
	sink     func(result.Record) error
	all      func(...result.Record) error // sink for several records at once; nil: there is none
	event    func(Event)
	outcomes []result.Outcome
	noted    map[string]bool
}

// together records several records at once if the ledger has a sink for that, and otherwise one
// by one.
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

// spare records that a case has no number of one pass. The case keeps the numbers of the other
// passes, unless its process died or a result of it was seen to be wrong. An answered error only
// says that this number cannot be had, for example the memory of values that are decoded into one
// another. spare reports whether it excluded the case.
func (l *ledger) spare(pass string, c result.Case, f *Failure) (excluded bool, err error) {
	if f.Answered && !f.Loading && !f.Certain {
		return false, l.note(c.String() + ": no " + pass + ": " + f.Reason)
	}
	return true, l.exclude(c, f)
}

// note records a text, unless it was recorded before.
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

// noteVarying records that the results of some cases could not be checked.
func (l *ledger) noteVarying(cell result.Cell, specs []bench.CaseSpec, varying []int) error {
	for _, i := range varying {
		c := cell.Case(specs[i].Subject)
		if err := l.note(c.String() + ": what its operations return changes from call to call, so its batches were not checked"); err != nil {
			return err
		}
	}
	return nil
}

// notePinning records that a process which should run on one CPU is not pinned.
func (l *ledger) notePinning(p *Process) error {
	if p == nil || p.Unpinned() == nil {
		return nil
	}
	return l.note("processes that are compared with one another were not kept on one CPU: " + p.Unpinned().Error())
}

// turn returns the CPU on which set k of processes runs. The sets use the CPUs in turn. If
// processes cannot be pinned, turn returns none and records a note.
func (l *ledger) turn(cpus []int, k int) ([]int, error) {
	if len(cpus) == 0 {
		return nil, l.note("processes that are compared with one another were not kept on one CPU, which this system has no call for; where it has no CPU clock of processes either, CPU times are wall times")
	}
	return cpus[k%len(cpus) : k%len(cpus)+1], nil
}

// A Tally is the result of a pass.
type Tally struct {
	// Outcomes are the outcomes of the excluded cases.
	Outcomes []result.Outcome
	// Missed are the cases for which the budget left no time.
	Missed []result.Case
}

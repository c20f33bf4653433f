package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"assay/bench"
	"assay/contender"
	"assay/result"
)

const (
	// streamHang is how long one message may take.
	streamHang = 10 * time.Minute
	// streamRepeats is how often a stream is written and read if that takes less than streamShort
	// each time.
	streamRepeats = 3
	streamShort   = 10 * time.Second
	// softShare is the share of the memory limit from which on the collector of a runner works
	// harder.
	softShare = 0.9
	// progressTick is the interval between progress events.
	progressTick = time.Second
)

// StreamConfig configures Streams.
type StreamConfig struct {
	// Runner links streams, or bindings if the cases are whole values.
	Runner
	// Cases are cases of the ops encode and decode and, for whole values, also of convert. The
	// cases of a contender and size are adjacent.
	Cases []result.Case
	// Dir is the directory for the streams. Room returns the number of bytes that they may take;
	// 0: unknown.
	Dir  string
	Room func() int64
	// Data is the file of a user's values; empty: runners make the values.
	Data string
	// Messages returns the number of messages of a case's stream.
	Messages func(result.Case) int64
	// Values returns the number of bytes of a case's values; nil if the cases are streams.
	Values func(result.Case) int64
	// Repeats is the number of processes in which each op is done; 0: streamRepeats if that is
	// quick, and otherwise one. Stored are the streams of an earlier attempt at the run, which
	// are not done again.
	Repeats int
	Stored  []result.Stream
	// Together stores all records of a stream or none of them; nil: the records go to the sink one
	// by one.
	Together func(...result.Record) error
	// Losses are the declared losses of each contender.
	Losses map[string][]string
}

// StreamProgress says how far a stream, or an op on a whole value, is. There is one about every
// second while the runner works.
type StreamProgress struct {
	Case result.Case
	// Done is the number of cases that are done, of Total cases of the pass.
	Done, Total int
	// Messages of All messages are done, and Bytes of the file are written or read. For a whole
	// value they stay 0 until the end.
	Messages, All, Bytes int64
	Elapsed              time.Duration
	// Left is about how long this stream still takes; 0: unknown.
	Left time.Duration
	// Memory is the resident set of the runner in bytes; 0: unknown.
	Memory int64
}

func (StreamProgress) event() {}

// Streams has each contender write its stream to a file and read it back, or encode a whole value
// and decode it from the file. Each op is done in a process of its own. A contender that fails
// gets no number. A file is removed when its contender is done. Whole values are measured in the
// order of their size in bytes.
func Streams(ctx context.Context, cfg StreamConfig, sink func(result.Record) error, event func(Event)) ([]result.Outcome, error) {
	cfg.Runner = cfg.Runner.with(fmt.Sprintf("GOMEMLIMIT=%d", int64(softShare*float64(cfg.Limits.Memory))))
	cfg.Limits.Answer, cfg.Limits.Hang = 0, streamHang
	s := &streams{StreamConfig: cfg, ledger: ledger{sink: sink, all: cfg.Together, event: event}, name: "stream"}
	if cfg.Values != nil {
		s.name, s.Limits.Hang = "whole", wholeHang
	}
	s.ordered()
	s.Cases = s.unstored()
	if len(s.Cases) == 0 {
		return nil, nil
	}
	event(PassStarted{Pass: s.name, Total: len(s.Cases)})
	for len(s.Cases) > 0 {
		n := paired(s.Cases)
		if err := s.both(ctx, s.Cases[:n]); err != nil {
			return s.outcomes, err
		}
		s.Cases = s.Cases[n:]
	}
	return s.outcomes, nil
}

// pair returns a key that the two ops of a stream share. Op convert has a key of its own.
func pair(c result.Case) result.Case {
	if c.Op != result.Convert {
		c.Op = ""
	}
	return c
}

// paired returns how many of the first cases belong to one stream.
func paired(cases []result.Case) int {
	n := 1
	for n < len(cases) && pair(cases[n]) == pair(cases[0]) {
		n++
	}
	return n
}

// streams is the pass.
type streams struct {
	StreamConfig
	ledger
	name string // of the pass
	done int
	took []took // of the whole values so far
}

// both writes and reads the stream of the wanted cases, of which there are one or two, or
// converts a whole value.
func (s *streams) both(ctx context.Context, wanted []result.Case) (err error) {
	way, _ := contender.StreamWayOf(wanted[0].Mode)
	files, remove, err := s.files(way.CPUs)
	defer func() { err = errors.Join(err, remove()) }()
	if err != nil {
		return err
	}
	for try := s.repeated(wanted); try < s.most(); try++ {
		start := time.Now()
		if going, err := s.once(ctx, wanted, files, try == 0); err != nil || !going {
			s.step(wanted)
			return err
		}
		if s.Repeats == 0 && time.Since(start) > streamShort {
			break
		}
	}
	s.step(wanted)
	return nil
}

// files makes so many empty files. The function remove removes them.
func (s *streams) files(n int) (names []string, remove func() error, err error) {
	remove = func() error {
		var errs []error
		for _, name := range names {
			errs = append(errs, os.Remove(name))
		}
		return errors.Join(errs...)
	}
	for range max(1, n) {
		f, err := os.CreateTemp(s.Dir, "assay-stream-")
		if err != nil {
			return nil, remove, fmt.Errorf("a stream cannot be written to %s: %w", s.Dir, err)
		}
		names = append(names, f.Name())
		if err := f.Close(); err != nil {
			return nil, remove, err
		}
	}
	return names, remove, nil
}

// step reports that the wanted cases are done.
func (s *streams) step(wanted []result.Case) {
	total := s.done + len(s.Cases)
	for _, c := range wanted {
		s.done++
		s.event(StepDone{Pass: s.name, Case: c, Done: s.done, Total: total})
	}
}

// once writes and reads a stream once. It reports false if that fails.
func (s *streams) once(ctx context.Context, wanted []result.Case, files []string, first bool) (bool, error) {
	if wanted[0].Op == result.Convert {
		return s.converted(ctx, wanted, files)
	}
	write, read := pair(wanted[0]), pair(wanted[0])
	write.Op, read.Op = result.Encode, result.Decode
	wrote, err := s.pass(ctx, write, files, "")
	if err != nil {
		return false, s.failed(wanted, write, err)
	}
	got, err := s.pass(ctx, read, files, wrote.Sum)
	if err != nil {
		return false, errors.Join(s.unread(wanted, wrote, err), s.failed(s.lost(wanted, wrote), read, err))
	}
	if first {
		v := &result.Verification{Workload: read.Workload, Size: read.Size, Subject: read.Subject(), OK: true, Losses: got.Losses}
		if err := s.sink(result.Record{Verification: v}); err != nil {
			return false, err
		}
	}
	// A stream is stored only after it was read back as it was written.
	var all []result.Record
	for _, c := range wanted {
		one := wrote
		if c.Op == result.Decode {
			one = got
		}
		s.kept(one)
		all = append(all, result.Record{Stream: one})
	}
	return true, s.together(all)
}

// converted converts a whole value once. The conversion is the only wanted case. converted
// reports false if that fails.
func (s *streams) converted(ctx context.Context, wanted []result.Case, files []string) (bool, error) {
	one, err := s.pass(ctx, wanted[0], files, "")
	if err != nil {
		return false, s.failed(wanted, wanted[0], err)
	}
	s.kept(one)
	return true, s.sink(result.Record{Stream: one})
}

// lost returns the wanted cases that get no number because what was written could not be read
// back.
func (s *streams) lost(wanted []result.Case, wrote *result.Stream) []result.Case {
	if wrote.Unread == "" {
		return wanted
	}
	return slices.DeleteFunc(slices.Clone(wanted), func(c result.Case) bool { return c == wrote.Case })
}

// failed records that none of the wanted cases gets a number, because the op of at failed.
func (s *streams) failed(wanted []result.Case, at result.Case, err error) error {
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	switch {
	case !f.Answered:
	case strings.Contains(f.Reason, "cannot allocate memory"):
		f.Status = result.OOM
	case strings.Contains(f.Reason, "does not fit on the disk"), strings.Contains(f.Reason, "no space left on device"), at.Op == result.Encode && !f.Certain:
		f.Status = result.Unsupported
	}
	if s.Values != nil {
		s.limited(at, f)
	}
	if f.Status == result.OOM {
		f.Reason += s.budget(f)
		if s.Values != nil {
			f.Reason += s.needText(at, f)
		}
	}
	for _, c := range wanted {
		one := *f
		if c.Op != at.Op {
			one.Reason = string(at.Op) + ": " + one.Reason + s.alsoNeeds(c, f)
		}
		if err := s.exclude(c, &one); err != nil {
			return err
		}
	}
	return nil
}

// budget says which limit a process outgrew.
func (s *streams) budget(f *Failure) string {
	if f.Limit > 0 {
		return fmt.Sprintf(", which is the limit of one process (--memory %s)", byteText(f.Limit))
	}
	if strings.HasPrefix(f.Reason, "killed ") {
		return fmt.Sprintf(", before it reached the limit of one process (--memory %s)", byteText(s.Limits.Memory))
	}
	return fmt.Sprintf(", by a limit from outside, as of ulimit or a container, below that of one process (--memory %s)", byteText(s.Limits.Memory))
}

// pass runs one op on a stream in a process of its own. It is tried again only if the process was
// killed from outside, because a stream may take an hour.
func (s *streams) pass(ctx context.Context, c result.Case, files []string, sum string) (out *result.Stream, err error) {
	err = persist(func() error {
		out, err = s.alone(ctx, c, files, sum)
		return err
	}, func(f *Failure) { s.event(Repeated{c.Cell(), f}) })
	return out, err
}

func (s *streams) alone(ctx context.Context, c result.Case, files []string, sum string) (*result.Stream, error) {
	said, err := os.CreateTemp("", "assay-progress-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(said.Name())
	defer said.Close()
	p, err := Start(ctx, s.Binary(0), s.Limits)
	if err != nil {
		return nil, s.unstarted(ctx, err)
	}
	way, _ := contender.StreamWayOf(c.Mode)
	cmd := &bench.Stream{
		Subject: c.Subject(), Whole: contender.Whole(c.Mode), Workload: c.Workload, Size: c.Size, Seed: s.Seed, Data: s.Data, Op: c.Op,
		File: files[0], More: files[1:], Codec: way.Codec,
		Mark: p.MarkFile(), Progress: said.Name(), Sum: sum, Losses: s.Losses[c.Contender],
	}
	if c.Op == result.Encode {
		cmd.Room = s.Room()
	}
	if cmd.Whole {
		cmd.Mode = "" // the mode of the binding
	}
	stop := s.watch(c, said, p)
	answer, err := do(p, bench.Command{Cmd: "stream", Stream: cmd})
	stop()
	p.Close()
	if err != nil {
		return nil, err
	}
	a := answer.Streamed
	return &result.Stream{
		Root: a.Root, AllocBytes: a.AllocBytes, Allocs: a.Allocs,
		Case: c, Messages: a.Messages, Items: a.Items, Bytes: a.Bytes, Plain: a.Plain, Wall: a.Wall, CPU: a.CPU, Sum: a.Sum, Losses: a.Losses,
		Elapsed: a.Elapsed, TotalCPU: a.TotalCPU, Cycles: a.Cycles, GCCPU: a.GCCPU, Busy: a.Busy, PauseMax: a.PauseMax, Pause99: a.Pause99,
		Late: a.Late, Minor: a.Minor, Major: a.Major, Sentinel: a.Sentinel, Peak: cmp.Or(a.Peak, p.Peak()), Limit: s.Limits.Memory,
	}, nil
}

// watch reports the progress of a process every progressTick, until stop is called.
func (s *streams) watch(c result.Case, said *os.File, p *Process) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	e := StreamProgress{Case: c, Done: s.done, Total: s.done + len(s.Cases), All: s.Messages(c)}
	go func() {
		defer close(ended)
		tick := time.NewTicker(progressTick)
		defer tick.Stop()
		for start := time.Now(); ; {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			if !e.read(said) {
				continue
			}
			e.Elapsed, e.Left = time.Since(start), 0
			if e.Messages > 0 {
				e.Left = time.Duration(float64(e.Elapsed) / float64(e.Messages) * float64(max(0, e.All-e.Messages)))
			}
			e.Memory, _ = residentSet(p.cmd.Process.Pid)
			s.event(e)
		}
	}()
	return func() { close(quit); <-ended }
}

// read reads the progress file of a stream. It reports false if there is no progress to report
// yet. For a whole value it always reports true.
func (e *StreamProgress) read(said *os.File) bool {
	if contender.Whole(e.Case.Mode) {
		return true
	}
	var text [bench.ProgressSize]byte
	if n, _ := said.ReadAt(text[:], 0); n == 0 {
		return false
	}
	_, err := fmt.Sscan(string(text[:]), &e.Messages, &e.Bytes)
	return err == nil
}

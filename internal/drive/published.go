package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/published/protocol"
	"assay/result"
)

// A PublishedRequest names benchmarks of one set that take turns in one process. Each runs once
// in a round. The order is reversed in every second round.
type PublishedRequest struct {
	Layout uint64
	Set    string
	// Names are names of the set's benchmarks, each once; empty: all.
	Names  []string
	Rounds int
	// Benchtime is how long each benchmark runs in a round, as for go test: 100ms or 10x. A
	// benchmark with its own time keeps that unless Override is set.
	Benchtime string
	Override  bool
}

// A PublishedConfig says which published benchmarks to run, and in which program.
type PublishedConfig struct {
	// Binary returns the program of a layout: assay/published/program.
	Binary func(layout uint64) Binary
	// Limits apply to each process. Answer is the longest time that one benchmark may take in one
	// round. A benchmark that says that it needs more than Memory is not started.
	Limits   Limits
	Requests []PublishedRequest
}

// ListPublished returns the sets that a program of published benchmarks has.
func ListPublished(ctx context.Context, b Binary, limits Limits) ([]protocol.Set, error) {
	c, err := startChild(ctx, b, limits)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.send(protocol.Request{Cmd: "list"}); err != nil {
		return nil, err
	}
	a, err := c.answer()
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil {
		return nil, fmt.Errorf("asking %s what it has: %w", b.Path, err)
	}
	return a.Sets, nil
}

// answer reads the next line of a program of published benchmarks within the time limit. The
// error is a *Failure or the context's.
func (c *child) answer() (protocol.Answer, error) {
	var a protocol.Answer
	onTime := c.within(c.limits.Answer)
	err := c.receive(&a)
	if !onTime() || err != nil {
		return protocol.Answer{}, c.failure()
	}
	return a, nil
}

// Published runs published benchmarks, each request in a process of its own, and records each
// round of each benchmark as a Bench. A benchmark that fails, dies or takes too long gets one
// Bench that says so and takes no further part in its request. The other benchmarks continue in
// another process. Published returns an error of the sink or of the context, and an error if a
// program cannot be started or lacks a benchmark that was asked for.
func Published(ctx context.Context, cfg PublishedConfig, sink func(result.Record) error, event func(Event)) error {
	if len(cfg.Requests) == 0 {
		return nil
	}
	sets, err := ListPublished(ctx, cfg.Binary(cfg.Requests[0].Layout), cfg.Limits)
	if err != nil {
		return err
	}
	p := publishedPass{cfg: cfg, sink: sink, event: event}
	var all []*turns
	for _, r := range cfg.Requests {
		t, err := newTurns(r, sets)
		if err != nil {
			return err
		}
		all = append(all, t)
		p.total += t.left()
	}
	event(PassStarted{Pass: "published", Total: p.total})
	for _, t := range all {
		if err := p.serve(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// turns is the part of a request that is still to be done.
type turns struct {
	PublishedRequest // Names are the names that still take part
	benchmarks       map[string]protocol.Benchmark
	// first is the next round, and have are the names that have had that round already.
	first int
	have  map[string]bool
	// current is the benchmark that is running; empty: none.
	current string
}

// newTurns checks the request against the sets of the program.
func newTurns(r PublishedRequest, sets []protocol.Set) (*turns, error) {
	i := slices.IndexFunc(sets, func(s protocol.Set) bool { return s.Name == r.Set })
	if i < 0 {
		return nil, fmt.Errorf("the program has no benchmarks %s", r.Set)
	}
	t := &turns{PublishedRequest: r, benchmarks: map[string]protocol.Benchmark{}, have: map[string]bool{}}
	t.Names = slices.Clone(r.Names)
	for _, b := range sets[i].Benchmarks {
		t.benchmarks[b.Name] = b
		if len(r.Names) == 0 {
			t.Names = append(t.Names, b.Name)
		}
	}
	for _, name := range t.Names {
		if _, ok := t.benchmarks[name]; !ok {
			return nil, fmt.Errorf("%s has no benchmark %s", r.Set, name)
		}
	}
	return t, nil
}

// left returns the number of readings to come.
func (t *turns) left() int { return max(0, len(t.Names)*(t.Rounds-t.first)-len(t.have)) }

// drop removes a benchmark from the request.
func (t *turns) drop(name string) {
	t.Names = slices.DeleteFunc(t.Names, func(n string) bool { return n == name })
	delete(t.have, name)
}

// A publishedPass is one call of Published.
type publishedPass struct {
	cfg         PublishedConfig
	sink        func(result.Record) error
	event       func(Event)
	done, total int
}

// serve runs a request, in as many processes as it takes.
func (p *publishedPass) serve(ctx context.Context, t *turns) error {
	for _, name := range slices.Clone(t.Names) {
		need, may := t.benchmarks[name].Memory, p.cfg.Limits.Memory
		if may > 0 && need > may {
			f := &Failure{Status: result.Unsupported, Reason: fmt.Sprintf("needs about %s of memory, of which it may use %s", byteText(need), byteText(may))}
			if err := p.fail(t, name, f); err != nil {
				return err
			}
		}
	}
	for t.left() > 0 {
		try := func() error { return p.try(ctx, t) }
		err := persist(try, func(f *Failure) { p.event(Repeated{Failure: f}) })
		var f *Failure
		switch {
		case err == nil:
		case !errors.As(err, &f):
			return err
		default:
			if err := p.fail(t, t.current, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// try runs the rest of a request in one process. The error is a *Failure if the process died
// while the current benchmark ran.
func (p *publishedPass) try(ctx context.Context, t *turns) error {
	c, err := startChild(ctx, p.cfg.Binary(t.Layout), p.cfg.Limits)
	if err != nil {
		return err
	}
	defer c.Close()
	names, first := slices.Clone(t.Names), t.first
	if err := c.send(protocol.Request{Cmd: "run", Set: t.Set, Names: names, Rounds: t.Rounds - first, Benchtime: t.Benchtime, Override: t.Override}); err != nil {
		return err
	}
	for t.first < t.Rounds {
		for _, i := range protocol.Order(len(names), t.first-first) {
			if !slices.Contains(t.Names, names[i]) {
				continue // it failed in an earlier round
			}
			t.current = names[i]
			if err := p.read(c, t, t.first-first); err != nil {
				return err
			}
		}
		t.first++
		clear(t.have)
	}
	return nil
}

// read reads and records the current benchmark's line for a round, which is counted from the
// start of this process. A round that the benchmark already had in an earlier process is not
// recorded again.
func (p *publishedPass) read(c *child, t *turns, round int) error {
	a, err := c.answer()
	switch {
	case err != nil:
		return err
	case a.Reading == nil && a.Error != "":
		return fmt.Errorf("%s cannot be run: %s", t.Set, a.Error)
	case a.Reading == nil || a.Name != t.current || a.Round != round:
		c.kill(garbled, fmt.Sprintf("answered something else than round %d of %s", round, t.current))
		return c.failure()
	case a.Error != "":
		return p.fail(t, t.current, answered(a))
	case t.have[t.current]:
		return nil
	}
	t.have[t.current] = true
	p.done++
	return p.record(result.Bench{
		Set: t.Set, Name: a.Name, Layout: t.Layout, Round: t.first, Benchtime: a.Benchtime,
		N: a.N, NS: a.NS, Bytes: a.Bytes, Allocs: a.Allocs, Extra: a.Extra,
	})
}

// answered returns the failure that an answer reports.
func answered(a protocol.Answer) *Failure {
	f := &Failure{Status: result.Unverified, Reason: a.Error, Answered: true}
	switch {
	case a.Panicked:
		f.Status = result.Panic
	case a.Skipped:
		f.Status = result.Unsupported
	}
	return f
}

// fail records why a benchmark has no number and removes it from the request.
func (p *publishedPass) fail(t *turns, name string, f *Failure) error {
	before := t.left()
	b := result.Bench{
		Set: t.Set, Name: name, Layout: t.Layout, Round: t.first, Status: f.Status, Reason: f.Reason,
		Benchtime: cmp.Or(t.benchmarks[name].Benchtime, t.Benchtime),
	}
	if t.Override {
		b.Benchtime = t.Benchtime
	}
	t.drop(name)
	p.done += before - t.left()
	return p.record(b)
}

func (p *publishedPass) record(b result.Bench) error {
	p.event(BenchDone{Bench: b, Done: p.done, Total: p.total})
	return p.sink(result.Record{Time: time.Now(), Bench: &b})
}

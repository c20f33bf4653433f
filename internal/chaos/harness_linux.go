package chaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/result"
)

// A harness is the state that all runs of a report share.
type harness struct {
	Options
	launched launched
	sample   string // the file of records for assay try
	warm     string // a cache that holds all programs
	// plans are the undisturbed runs, by command.
	plans map[string]*undisturbed

	mu     sync.Mutex
	report Report
}

// undisturbed holds the undisturbed runs of one command.
type undisturbed struct {
	run     *result.Run
	records [][]result.Record
	keys    map[string]int
	// usual is the duration of each phase. The key says whether the cache was cold.
	usual map[bool]map[Phase]time.Duration
}

// Run makes disturbed runs and reports their results. A fault of assay is a violation in the
// report; the error is a fault of the harness. Run leaves all files that it wrote in Options.Dir,
// and unmounts its small disks.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	h := &harness{Options: o, warm: filepath.Join(o.Dir, "warm"), sample: filepath.Join(o.Dir, "orders.ndjson"), plans: map[string]*undisturbed{}}
	if err := os.WriteFile(h.sample, orders(), 0o600); err != nil {
		return nil, err
	}
	for _, command := range o.Commands {
		if err := h.undisturbed(ctx, command); err != nil {
			return nil, fmt.Errorf("an undisturbed assay %s: %w", command, err)
		}
	}
	pairs := schedule(o.Seed, o.N, o.Commands)
	for i, pair := range pairs {
		if err := h.pair(ctx, i, pair); err != nil {
			return nil, err
		}
	}
	judge(h.report.Ratios, o.Layouts)
	return &h.report, nil
}

// orders returns records that take some tenths of a second to read.
func orders() []byte {
	var b strings.Builder
	for i := range 8_000 {
		fmt.Fprintf(&b, `{"id":%d,"customer":"customer %d","paid":%t,"lines":[{"sku":"s-%d","count":%d,"price":%d.25},{"sku":"t-%d","count":1,"price":19.5}],"tags":["new","gift"]}`+"\n",
			i, i*7919%10_000, i%3 == 0, i%977, 1+i%9, i%50, i%13)
	}
	return []byte(b.String())
}

// args returns the arguments of a new run, or of a resumed run if resume is not empty.
func (h *harness) args(command string, at place, budget, resume string) []string {
	args := []string{command}
	switch {
	case resume != "":
		args = append(args, "--resume", resume)
	case command == "try":
		args = append(args, h.sample, "-o", "encode", "-c", "^(encoding/json|msgp|vtprotobuf)$", "-m", "default")
	default:
		args = append(args, "-w", "tick", "--size", "payload=published", "-o", "encode", "-c", "^(encoding/json|msgp|vtprotobuf)$", "-m", "default")
	}
	if resume == "" {
		args = append(args, "--budget", budget, "--also", "cpu,cold,rss", "--layouts", strconv.Itoa(h.Layouts), "--rounds", strconv.Itoa(h.Rounds))
	}
	return append(args, "--results", at.results, "--cache", at.cache)
}

// budget returns a budget that no other run has, so that it identifies the run's directory.
func (h *harness) budget() string {
	return fmt.Sprintf("%dms", 90_000+h.launched.n.Add(1))
}

// undisturbed makes the runs that the disturbed runs are compared with, and measures how long
// each phase takes. The first run has a cold cache.
func (h *harness) undisturbed(ctx context.Context, name string) error {
	u := &undisturbed{usual: map[bool]map[Phase]time.Duration{}}
	at := place{results: filepath.Join(h.Dir, "undisturbed-"+name), cache: h.warm, tmp: filepath.Join(h.Dir, "tmp-"+name)}
	if err := os.MkdirAll(at.tmp, 0o700); err != nil {
		return err
	}
	for i := range h.Undisturbed + 1 { // the first one only warms the cache
		budget := h.budget()
		c, err := h.start(name, at, budget, h.args(name, at, budget, "")...)
		if err != nil {
			return err
		}
		if _, err := c.until(ctx, Over); err != nil {
			c.destroy()
			return err
		}
		exit, err := c.wait(ctx, patience)
		if err == nil && exit != "0" {
			err = fmt.Errorf("exit code %s: %s", exit, tail(c.said()))
		}
		if err != nil {
			c.destroy()
			return err
		}
		u.usual[i == 0] = durations(c.first)
		if i == 0 {
			continue
		}
		run, records, wrong := whatIs(c.dir())
		wrong = append(wrong, left(at.tmp)...)
		got := keys(records)
		if u.keys != nil {
			wrong = append(wrong, complete(u.keys, got)...)
		}
		if len(wrong) > 0 {
			return errors.New(strings.Join(wrong, "; "))
		}
		u.run, u.keys, u.records = run, got, append(u.records, records)
		h.Log("undisturbed assay %s: %v", name, time.Since(c.began).Round(100*time.Millisecond))
	}
	h.plans[name] = u
	return nil
}

// durations returns the duration of each phase, from the times when the phases were first seen.
func durations(first map[Phase]time.Duration) map[Phase]time.Duration {
	out := map[Phase]time.Duration{}
	order := slices.Concat(Phases, []Phase{Over})
	for i, p := range order[:len(order)-1] {
		begin, ok := first[p]
		if !ok {
			continue
		}
		for _, next := range order[i+1:] {
			if end, ok := first[next]; ok {
				out[p] = end - begin
				break
			}
		}
	}
	return out
}

// pair disturbs two runs at the same time. They share their results directory and, if both are
// cold or both are warm, their cache.
func (h *harness) pair(ctx context.Context, number int, pair []Planned) (err error) {
	base := filepath.Join(h.Dir, fmt.Sprintf("pair-%d", number))
	shared := place{results: filepath.Join(base, "results"), cache: h.warm}
	outcomes := make([]Outcome, len(pair))
	places := make([]place, len(pair))
	for i, p := range pair {
		places[i] = shared
		places[i].tmp = filepath.Join(base, fmt.Sprintf("tmp-%d", i))
		if p.Cold {
			places[i].cache = filepath.Join(base, "cache")
		}
	}
	for _, at := range places {
		for _, dir := range []string{at.results, at.cache, at.tmp} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		}
	}
	unmount, err := h.disks(pair, places)
	defer func() { err = errors.Join(err, unmount()) }()
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(pair))
	for i, p := range pair {
		wg.Go(func() {
			one := &disturbed{harness: h, at: places[i], budget: h.budget(), outcome: Outcome{Planned: p}, shared: starving(pair)}
			errs[i] = one.run(ctx)
			outcomes[i] = one.outcome
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	wrong := strays(shared.results)
	for i, at := range places {
		if i == 0 || at.cache != places[0].cache {
			wrong = append(wrong, unfinished(at.cache)...)
		}
	}
	for _, w := range wrong {
		h.report.Rounds = append(h.report.Rounds, fmt.Sprintf("runs %d and after: %s", pair[0].Number, w))
	}
	h.report.Runs = append(h.report.Runs, outcomes...)
	for _, o := range outcomes {
		h.Log("%d of %d: %s", o.Number, h.N, o.Planned)
		wrong = append(wrong, o.Violations...)
	}
	for _, w := range wrong {
		h.Log("violation: %s", w)
	}
	return nil
}

// starving returns the disturbances of a pair that affect both of its runs.
func starving(pair []Planned) []Disturbance {
	var all []Disturbance
	for _, p := range pair {
		for _, d := range p.Disturbances {
			if d.Kind == ResultsFull || d.Kind == CacheFull {
				all = append(all, d)
			}
		}
	}
	return all
}

// disks mounts the small disks that a pair is to fill. If mounting is not permitted, it replaces
// the disturbance by FileSize.
func (h *harness) disks(pair []Planned, places []place) (unmount func() error, err error) {
	var mounted []func() error
	unmount = func() error {
		var errs []error
		for _, u := range mounted {
			errs = append(errs, u())
		}
		return errors.Join(errs...)
	}
	for i, p := range pair {
		for j, d := range p.Disturbances {
			dir := d.Kind.disk(places[i])
			if dir == "" || slices.ContainsFunc(starving(pair[:i]), func(e Disturbance) bool { return e.Kind == d.Kind }) {
				continue
			}
			u, err := mount(dir, diskSizes[d.Kind])
			if err != nil {
				p.Disturbances[j].Kind = FileSize
				note := fmt.Sprintf("no small disks here (%v): %s stands in for them", err, FileSize)
				if !slices.Contains(h.report.Notes, note) {
					h.report.Notes = append(h.report.Notes, note)
				}
				continue
			}
			mounted = append(mounted, u)
		}
	}
	return unmount, nil
}

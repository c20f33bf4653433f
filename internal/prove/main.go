// Command prove repeats the experiments that show whether assay's numbers can be trusted. For
// each experiment it writes two files to docs/evidence: a page, and the numbers behind the page.
// Run it in the root of the repository, on a machine that does nothing else:
//
//	go run ./internal/prove            all but alarms, source and wait: about an hour
//	go run ./internal/prove aa power   some of them
//	go run ./internal/prove -n 20 -seed 7 chaos
//	go run ./internal/prove -n 20 alarms
//
// The experiments use the same packages as assay run. An experiment that needs a true value
// to compare with makes one: a slow-down of exactly 1% is 101 operations that are counted
// as 100.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/internal/analysis"
	"assay/internal/host"
	"assay/result"
)

// An experiment answers one question about assay's measurements.
type experiment struct {
	name string
	// asks is the experiment's question, and bar the criterion that its result must meet.
	asks, bar string
	run       func(*lab) (*finding, error)
	// alone replaces run in experiments that need no lab.
	alone func(context.Context, disturbing) (*finding, error)
}

// experiments are the experiments that run by default, in this order.
var experiments = []experiment{
	{name: "counts", asks: "are B/op and allocs/op the same in every run?", bar: "allocs/op and B/op are the same in ten runs", run: counts},
	{name: "aa", asks: "how often is a case called different from itself?", bar: "a case compared with itself under a load that comes and goes, in three workloads, both ops: at most 5% of at least 300 tests call it different, at most 1% by more than 1%", run: aa},
	{name: "layouts", asks: "how often is the same source called different when it is linked otherwise?", bar: "the same source in other layouts, 4 a side, no layout in two tests: at most 7% of at least 150 pairs are called different", run: layouts},
	{name: "power", asks: "are slow-downs of 1 and 3% found?", bar: "a slow-down under that load, in at most 2 s a pair, in three workloads, both ops: 3% is found in at least 98%, 1% in at least 90%, none with the wrong sign", run: power},
	{name: "settle", asks: "how long does an answer of ±1% take, against go test?", bar: "eight contenders within ±1% of the reference in at most a tenth of the time of go test -count=10, at no worse error", run: settle},
	{name: "coverage", asks: "do intervals cover what they are intervals of?", bar: "95% intervals of at least 20 runs cover the long-run value in at least 93% and at most 97%, and intervals over 8 layouts agree with those over 8 others in at least 90%", run: coverage},
	{name: "batches", asks: "do batches of 200 µs say what batches of 10 ms say in the same memory?", bar: "batches of 200 µs say what batches of 10 ms say at the same footprint, within ±1.5%", run: batches},
	{name: "lengths", asks: "why do batches have 50 operations where few take 200 µs?", bar: "batches of 4 operations or more of 20 to 400 µs are shown to say something else than batches of 50, by more than 1.5% in a row or more", run: lengths},
	{name: "footprint", asks: "how much longer do contenders take in memory that is no longer in the caches?", bar: "the time of every default contender in 32 MiB of memory over that in 3 MiB, encode and decode", alone: footprint},
	{name: "grade", asks: "does the grade tell a run under load from one without?", bar: "of ten runs made wholly under load and ten without one, in turn, each under load has what other programs used as a reason why it is not A, and none without has", run: grade},
	{name: "steady", asks: "how well do ratios of CPU time repeat, against go test?", bar: "ratios of CPU time with the collector on: the error and the time of go test -benchtime=100ms -count=10 or less, a third of its error under load", run: steady},
	{name: "overhead", asks: "what does the measuring loop add?", bar: "at most 0.5 ns in the median of 25 runs, on operations of about 1 and 40 ns", run: overhead},
	{name: "chaos", asks: "what becomes of runs that are killed, stopped, and starved of disk and memory?", bar: "runs that are killed, interrupted, stopped and starved at random moments: no line lost or doubled, nothing left behind, complete when they are gone on with, and no ratio apart from undisturbed runs", alone: disturb},
}

// timings are experiments about the commands themselves, which need a quiet machine. They run
// only if they are named, and their findings need not be stored.
var timings = []experiment{
	{name: "alarms", asks: "is anything said against contenders that are sound, and what do the checks cost?", bar: "all contenders and workloads, verified and measured -n times: no false alarm, and checks take less than 3% of a run's launches", alone: alarms},
	{name: "source", asks: "does assay compare --source find slow-downs of 1 and 3% in a library, and none in an equal copy?", bar: "assay compare --source of a library and a copy, with its defaults: a slow-down of 3% is found in at least 95%, none with the wrong sign, and of an equal copy at most 2% of at least 200 rows are called different", alone: source},
	{name: "wait", asks: "how long do commands take, cold and warm, until the first number and the last line?", bar: "on two cores: cold run shows a number within 100 s of its start and ends within 5.5 min, warm run within 15 s and 3 min 20 s, warm run --quick ends within 45 s, try --quick within 50 s, and 30 s where the schema is known; at most 60 lines each", alone: wait},
}

// A finding is the result of an experiment.
type finding struct {
	Name    string `json:"name"`
	Bar     string `json:"bar"`
	Met     bool   `json:"met"`
	Summary string `json:"summary"`
	// Machine describes the machine and its load at the start.
	Machine string `json:"machine"`
	When    string `json:"when"`
	Took    string `json:"took"`
	// Rows are the rows of the finding's table, and Head is its header.
	Head []string   `json:"head"`
	Rows [][]string `json:"rows"`
	// Notes explain the method to the reader.
	Notes []string `json:"notes,omitempty"`
	// Engine is the fingerprint of the code that measured and analysed. Commit is the commit of
	// the repository, followed by + if files had changed since.
	Engine string `json:"engine"`
	Commit string `json:"commit"`
	// Earlier reports whether the engine has changed since.
	Earlier bool `json:"earlier,omitempty"`
	// Tests are the single ratios that the shares and differences in Rows summarize.
	Tests []test `json:"tests,omitempty"`
}

// A test is one ratio with its interval, and the true value that it was compared with. If Truth
// is 0, the ratio was compared with those of the other repetitions.
type test struct {
	Place  string  `json:"place"` // workload and op, or the method of measurement
	Row    string  `json:"row"`
	Repeat int     `json:"repeat"`
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Truth  float64 `json:"truth,omitempty"`
}

// test appends one test to the finding, with five decimal digits.
func (f *finding) test(at *site, row result.Subject, repeat int, i analysis.Interval, truth float64) {
	f.Tests = append(f.Tests, test{at.String(), row.String(), repeat, five(i.Value), five(i.Lo), five(i.Hi), five(truth)})
}

// repeated appends the ratios of one repetition, in the order of the lab's rows.
func (f *finding) repeated(l *lab, how string, repeat int, ratios map[[2]result.Subject]analysis.Interval) {
	for _, pair := range l.referencePairs() {
		i := ratios[pair]
		f.Tests = append(f.Tests, test{Place: how, Row: pair[1].String(), Repeat: repeat, Value: five(i.Value), Lo: five(i.Lo), Hi: five(i.Hi)})
	}
}

func five(v float64) float64 { return math.Round(v*1e5) / 1e5 }

func main() {
	log.SetFlags(0)
	log.SetPrefix("prove: ")
	if len(os.Args) == 2 && os.Args[1] == hogArgument {
		hogMain()
		return
	}
	out := flag.String("out", "docs/evidence", "write to `DIR`")
	mark := flag.Bool("mark", false, "measure nothing; mark the findings of DIR that another engine made")
	plantIn := flag.String("plant", "", "measure nothing; write copies of a library to the new `DIR`, two of which are slowed down by 1% and 3%")
	var d disturbing
	flag.IntVar(&d.n, "n", chaosRuns, "chaos: disturb `N` runs; alarms: make N passes")
	flag.Uint64Var(&d.seed, "seed", 1, "chaos: choose what is done to them by `SEED`")
	flag.DurationVar(&d.budget, "budget", 0, "wait, footprint: give every command a budget of `DURATION`, to see that the experiment works")
	flag.Usage = usage
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *mark {
		now, err := engine(".")
		if err != nil {
			log.Fatal(err)
		}
		names, err := marked(*out, now)
		if err != nil {
			log.Fatal(err)
		}
		if err := index(*out); err != nil {
			log.Fatal(err)
		}
		log.Printf("the engine is %s; %d findings are of an earlier one: %s", now, len(names), strings.Join(names, ", "))
		return
	}
	if *plantIn != "" {
		if err := plantAll(ctx, *plantIn); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := prove(ctx, *out, flag.Args(), d); err != nil {
		log.Fatal(err)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: go run ./internal/prove [-out DIR] [-mark] [-plant DIR] [-n N] [-seed SEED] [-budget DURATION] [EXPERIMENT…]")
	for _, e := range slices.Concat(experiments, timings) {
		fmt.Fprintf(os.Stderr, "  %-9s %s\n", e.name, e.bar)
	}
}

// prove runs the named experiments, or all of experiments if names is empty.
func prove(ctx context.Context, out string, names []string, d disturbing) error {
	for _, n := range names {
		if !slices.ContainsFunc(slices.Concat(experiments, timings), func(e experiment) bool { return e.name == n }) {
			if strings.HasPrefix(n, "-") {
				return fmt.Errorf("%s comes after the name of an experiment; flags come first", n)
			}
			return fmt.Errorf("there is no experiment %q; -help lists them", n)
		}
	}
	now, err := engine(".")
	if err != nil {
		return err
	}
	var l *lab
	for _, e := range slices.Concat(experiments, timings) {
		byName := slices.Contains(names, e.name)
		if !byName && (len(names) > 0 || slices.ContainsFunc(timings, func(t experiment) bool { return t.name == e.name })) {
			continue
		}
		log.Printf("%s …", e.name)
		if e.run != nil && l == nil {
			if l, err = newLab(ctx); err != nil {
				return err
			}
		}
		facts := host.Facts()
		start := time.Now()
		f, err := e.do(ctx, l, d)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		f.Name, f.Bar, f.Machine = e.name, e.bar, machine(facts)
		if err := f.judge(); err != nil {
			return err
		}
		f.Engine, f.Commit = now, commit()
		f.When, f.Took = start.UTC().Format(time.DateOnly), time.Since(start).Round(time.Second).String()
		if err := f.write(out); err != nil {
			return err
		}
		log.Printf("%s: %s (%s)", e.name, f.Summary, f.Took)
	}
	return index(out)
}

// do runs the experiment.
func (e experiment) do(ctx context.Context, l *lab, d disturbing) (*finding, error) {
	if e.alone != nil {
		return e.alone(ctx, d)
	}
	return e.run(l)
}

// machine describes the machine in a phrase.
func machine(h result.Host) string {
	kind := ""
	if h.Virtual {
		kind = "virtual, "
	}
	return fmt.Sprintf("%s (%s%d CPUs), %s, load %.1f when it began", h.CPU, kind, h.CPUs, runtime.Version(), h.Load)
}

// met describes whether the finding meets its bar.
func (f *finding) met() string {
	if f.Met {
		return "met"
	}
	return "not met"
}

func (f *finding) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nAsked: %s.\n\nFound: **%s** (%s).\n\n", f.Name, f.Bar, f.Summary, f.met())
	fmt.Fprintf(&b, "Repeat with `go run ./internal/prove %s`. This one took %s on %s, %s.\n\n", f.Name, f.Took, f.When, f.Machine)
	if f.Earlier {
		b.WriteString("The engine has changed since: this is what an earlier one showed.\n\n")
	}
	if f.Engine != "" {
		fmt.Fprintf(&b, "Engine %s, commit %s. ", f.Engine, f.Commit)
		if len(f.Tests) > 0 {
			fmt.Fprintf(&b, "All %d ratios are in [%s.json](%s.json).", len(f.Tests), f.Name, f.Name)
		}
		b.WriteString("\n\n")
	}
	row := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(f.Head)
	row(slices.Repeat([]string{"---"}, len(f.Head)))
	for _, r := range f.Rows {
		row(r)
	}
	if len(f.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range f.Notes {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	return b.Bytes()
}

package result

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// mostName is the length, in bytes, of the longest name that a stored run may have. Reports
// show names in columns.
const mostName = 1000

// mostIndex is the largest index or round that a stored run may have. mostCount is the
// largest number of operations or messages.
const (
	mostIndex = 1 << 20
	mostCount = 1 << 50
)

// A checker keeps the first error found in a stored run or record.
type checker struct{ err error }

func (c *checker) wrong(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// name checks a name. Reports print names in a column of their own or in a sentence, so
// control characters and bidirectional controls are errors.
func (c *checker) name(what, name string) {
	switch {
	case len(name) > mostName:
		c.wrong("%s is a name of %d bytes, and at most %d can be", what, len(name), mostName)
	case !utf8.ValidString(name):
		c.wrong("%s is no text: %q", what, name)
	default:
		for _, r := range name {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				c.wrong("%s has the character %U, which no name has: %q", what, r, name)
				return
			}
		}
	}
}

// within checks that n is from 0 to most.
func within[N int | int64](c *checker, what string, n N, most int64) {
	if n < 0 || int64(n) > most {
		c.wrong("%s is %d, which is not between 0 and %d", what, n, most)
	}
}

// finite checks that a number is not NaN, not infinite and not negative.
func (c *checker) finite(what string, v float64) {
	if !(v >= 0) || math.IsInf(v, 0) {
		c.wrong("%s is %v, which cannot be", what, v)
	}
}

// notNegative checks that no number is negative.
func (c *checker) notNegative(what string, all []int64) {
	for _, v := range all {
		if v < 0 {
			c.wrong("%s is %d, which cannot be", what, v)
		}
	}
}

// samples checks the rounds of a series and the times measured in them.
func (c *checker) samples(rounds []int, wall, cpu []int64) {
	for _, r := range rounds {
		within(c, "the round", r, mostIndex)
	}
	c.notNegative("a wall time", wall)
	c.notNegative("a CPU time", cpu)
}

func (c *checker) cell(cell Cell) {
	c.name("the workload", cell.Workload)
	c.name("the size", cell.Size)
	c.name("the op", string(cell.Op))
	if cell.Workload == "" || cell.Op == "" {
		c.wrong("a cell without a workload or an op")
	}
}

func (c *checker) subject(s Subject) {
	c.name("the contender", s.Contender)
	c.name("the mode", s.Mode)
	if s.Contender == "" {
		c.wrong("a case without a contender")
	}
}

func (c *checker) of(one Case) {
	c.cell(one.Cell())
	c.subject(one.Subject())
}

// status checks that a status is one of Statuses.
func (c *checker) status(s Status) {
	if s.Rank() < 0 {
		c.name("the status", string(s))
		c.wrong("there is no status %q", s)
	}
}

func (c *checker) outcome(o Outcome) {
	c.of(o.Case)
	c.name("the side", o.Side)
	c.status(o.Status)
}

// lengths checks that slices are parallel.
func (c *checker) lengths(what string, n int, others ...int) {
	for _, other := range others {
		if other != n {
			c.wrong("%s has slices of %d and %d elements", what, n, other)
		}
	}
}

func (c *checker) modules(all []Module) {
	for _, m := range all {
		c.name("a module", m.Path)
		c.name("the version of a module", m.Version)
	}
}

// check returns an error if a stored record has values that assay never writes and that no
// result can be computed from.
func (r *Record) check() error {
	c := &checker{}
	switch {
	case r.Launch != nil:
		r.Launch.check(c)
	case r.Count != nil:
		c.of(r.Count.Case)
		within(c, "the number of operations", r.Count.Ops, mostCount)
		within(c, "the number of messages", r.Count.Messages, mostCount)
		within(c, "the encoded bytes", r.Count.Encoded, math.MaxInt64)
	case r.Verification != nil:
		r.Verification.check(c)
	case r.Calibration != nil:
		c.of(r.Calibration.Case)
		c.name("the role", r.Calibration.Role)
		within(c, "the batch", r.Calibration.N, mostCount)
		for _, ns := range []float64{r.Calibration.NS, r.Calibration.Fresh, r.Calibration.Seen} {
			c.finite("the time of an operation", ns)
		}
	case r.Outcome != nil:
		c.outcome(*r.Outcome)
	case r.Steady != nil:
		r.Steady.check(c)
	case r.Cold != nil:
		c.of(r.Cold.Case)
		c.notNegative("a first call", r.Cold.NS)
	case r.Retained != nil:
		c.of(r.Retained.Case)
		within(c, "the number of messages", r.Retained.Messages, mostCount)
		within(c, "the encoded bytes", r.Retained.Encoded, math.MaxInt64)
	case r.Peak != nil:
		c.of(r.Peak.Case)
		c.notNegative("a resident set", r.Peak.RSS)
	case r.Scaling != nil:
		c.of(r.Scaling.Case)
		within(c, "the number of goroutines", r.Scaling.Goroutines, mostIndex)
		within(c, "the number of CPUs", r.Scaling.CPUs, mostIndex)
		within(c, "the batch", r.Scaling.N, mostCount)
		c.notNegative("a time", r.Scaling.Wall)
	case r.Footprint != nil:
		c.of(r.Footprint.Case)
		within(c, "the footprint", r.Footprint.Bytes, mostCount)
		within(c, "the batch", r.Footprint.N, mostCount)
		c.notNegative("a time", r.Footprint.Wall)
		c.notNegative("a time", r.Footprint.CPU)
	case r.Compressed != nil:
		c.of(r.Compressed.Case)
		within(c, "the number of messages", r.Compressed.Messages, mostCount)
		within(c, "the encoded bytes", r.Compressed.Encoded, math.MaxInt64)
		within(c, "the size of the batch", r.Compressed.Batch, math.MaxInt64)
		c.modules(r.Compressed.Libraries)
		for _, s := range r.Compressed.Codecs {
			c.name("the codec", s.Codec)
			c.notNegative("a compressed size", []int64{s.Bytes, s.Batch})
		}
	case r.Stream != nil:
		r.Stream.check(c)
	case r.BuildCost != nil:
		r.BuildCost.check(c)
	case r.Bench != nil:
		r.Bench.check(c)
	}
	return c.err
}

func (l *Launch) check(c *checker) {
	c.cell(l.Cell)
	c.name("the side", l.Side)
	c.name("the group", l.Group)
	c.name("the external contender", l.External)
	within(c, "the index", l.Index, mostIndex)
	within(c, "the warm-up", l.Warmup, mostIndex)
	c.finite("the load", l.Load)
	c.notNegative("the time of the launch", []int64{l.Elapsed})
	c.notNegative("the time that the host took", []int64{l.Steal})
	c.notNegative("a time of the sentinel", l.Sentinel)
	for _, s := range l.Series {
		c.subject(s.Subject)
		c.name("the role", s.Role)
		within(c, "the batch", s.N, mostCount)
		if len(s.Wall) != len(s.Round) || len(s.CPU) != 0 && len(s.CPU) != len(s.Round) {
			c.wrong("series of %s: %d rounds, %d wall times, %d CPU times", s.Subject, len(s.Round), len(s.Wall), len(s.CPU))
		}
		c.samples(s.Round, s.Wall, s.CPU)
		c.notNegative("a count of the process's threads", []int64{s.Others, s.Waits, int64(s.Left)})
	}
}

func (v *Verification) check(c *checker) {
	c.of(Case{Workload: v.Workload, Size: v.Size, Contender: v.Contender, Mode: v.Mode, Op: Encode})
	c.name("the side", v.Side)
	if v.From != nil {
		c.subject(*v.From)
	}
	c.name("the op", string(v.Op))
	for _, l := range v.Losses {
		c.name("a loss", l)
	}
	within(c, "the verified values", v.Values, math.MaxInt64)
	within(c, "the encoded bytes", v.Encoded, math.MaxInt64)
	if v.Habits != nil {
		within(c, "the encoded bytes", v.Habits.Encoded, math.MaxInt64)
		for _, a := range v.Habits.Aliases {
			c.name("an alias", a)
		}
	}
}

func (s *Steady) check(c *checker) {
	c.of(s.Case)
	c.name("the group", s.Group)
	within(c, "the index", s.Index, mostIndex)
	within(c, "the live heap", s.LiveMB, mostIndex)
	c.lengths("a series of counts", len(s.Round), len(s.Ops), len(s.Wall), len(s.CPU), len(s.Cycles), len(s.GCCPU))
	c.samples(s.Round, s.Wall, s.CPU)
	for _, n := range s.Ops {
		within(c, "the number of operations", n, mostCount)
	}
	for _, n := range s.Cycles {
		within(c, "the number of collections", n, mostCount)
	}
	c.notNegative("a CPU time of the collector", s.GCCPU)
}

// check checks a pass over a stream. Every number that analysis divides by must be at least
// 1.
func (s *Stream) check(c *checker) {
	c.of(s.Case)
	c.name("the checksum", s.Sum)
	c.name("the message", s.Root)
	for _, l := range s.Losses {
		c.name("a loss", l)
	}
	within(c, "the number of messages", s.Messages, mostCount)
	within(c, "the number of elements", s.Items, mostCount)
	if s.Messages == 0 || s.Items == 0 || s.Wall <= 0 {
		c.wrong("a stream of %d messages and %d elements in %d ns, which cannot be", s.Messages, s.Items, s.Wall)
	}
	c.notNegative("a number of a stream", []int64{
		s.Bytes, s.Plain, s.CPU, s.Elapsed, s.TotalCPU, s.GCCPU, s.Busy, int64(s.Cycles), s.PauseMax, s.Pause99, s.Late, s.Minor, s.Major, s.Sentinel, s.Peak, s.Limit, s.AllocBytes, s.Allocs,
	})
}

func (b *BuildCost) check(c *checker) {
	c.of(b.Case)
	c.name("the base", b.Base)
	c.modules(b.Modules)
	within(c, "the lines", b.Lines, mostCount)
	c.notNegative("a size of a program", []int64{b.Bytes, b.BaseBytes})
	for _, t := range slices.Concat(b.Cold, b.Warm) {
		c.notNegative("a time of a build", []int64{t.Wall, t.CPU})
	}
	c.finite("the load", b.Load)
	if b.Status != "" {
		c.status(b.Status)
	}
}

func (b *Bench) check(c *checker) {
	c.name("the set", b.Set)
	c.name("the benchmark", b.Name)
	c.name("the time to run", b.Benchtime)
	within(c, "the round", b.Round, mostIndex)
	within(c, "the number of operations", b.N, mostCount)
	c.finite("the time of an operation", b.NS)
	c.notNegative("an allocation", []int64{b.Bytes, b.Allocs})
	for _, unit := range slices.Sorted(maps.Keys(b.Extra)) {
		c.name("a unit", unit)
		if v := b.Extra[unit]; math.IsNaN(v) || math.IsInf(v, 0) {
			c.wrong("%s is %v, which cannot be", unit, v)
		}
	}
	if b.Status != "" {
		c.status(b.Status)
	}
}

// mostLayouts is the largest number of layouts of a run.
const mostLayouts = 10_000

// check returns the first error found in a stored run.
func (r *Run) check() error {
	c := &checker{}
	p := r.Plan
	for _, one := range p.Cases {
		c.of(one)
	}
	for _, o := range p.Untimed {
		c.outcome(o)
		if o.Status == OK || o.Status == Noisy {
			c.wrong("%s was not timed and has the status %s", o.Case, o.Status)
		}
	}
	for _, g := range p.Externals {
		c.name("the contender", g.Name)
		c.name("the format", g.Format)
	}
	for _, of := range []struct {
		what  string
		names []string
	}{{"a source", p.Sources}, {"a pass", p.Also}, {"a side", p.Sides}} {
		for _, n := range of.names {
			c.name(of.what, n)
		}
	}
	c.name("the reference", p.Reference)
	within(c, "the budget", int64(p.Budget), math.MaxInt64)
	within(c, "the number of rounds", p.Rounds, mostCount)
	within(c, "the number of layouts", len(p.Layouts), mostLayouts)
	within(c, "the number of CPUs", r.Host.CPUs, mostIndex)
	c.finite("the precision", p.Precision)
	c.finite("the load", r.Host.Load)
	if n := len(p.Sides); n != 0 && n != 2 {
		c.wrong("%d versions are compared, and not two", n)
	}
	if d := p.Data; d != nil {
		within(c, "the number of records", d.Records, mostCount)
		within(c, "the number of timed records", d.Measured, mostCount)
		within(c, "the bytes of the records", d.Bytes, math.MaxInt64)
		c.finite("the mean size of the timed records", d.MeasuredMean)
	}
	return c.err
}

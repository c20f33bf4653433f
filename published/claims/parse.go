package claims

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// Parse reads a claims file. name is the name of the file for errors. The error is an errors.Join
// of *tomldoc.Error in the order of the text: everything that is wrong, or only the first place
// that is not valid TOML.
func Parse(name string, data []byte) (*Ledger, error) {
	root, err := tomldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	root.Only("source", "claim")
	l := &Ledger{}
	for _, t := range root.Tables("source") {
		l.Sources = append(l.Sources, source(t, l))
	}
	for _, t := range root.Tables("claim") {
		r := &reader{Table: t, claim: &Claim{File: name, Line: t.Place(t.Offset(), "").Line}}
		r.claim.at = *t.Place(t.At("id"), "")
		r.read(l)
		l.Claims = append(l.Claims, r.claim)
	}
	if !root.Failed() && len(l.Claims) == 0 {
		root.Fail(0, "there are no claims here: each begins with [[claim]]")
	}
	if root.Failed() {
		return nil, root.Err()
	}
	return l, nil
}

var identifier = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// IsID reports whether text has the form of a claim's or a source's ID, which a claim's number has too.
// No name of a claims file has it.
func IsID(text string) bool { return identifier.MatchString(text) }

// id reads a table's id. It reports an id that is taken or has wrong characters.
func id(t tomldoc.Table, what string, taken bool) string {
	v := t.String("id")
	switch {
	case !t.Has("id"):
	case !IsID(v):
		t.Wrong("id", "lower-case letters, digits and single hyphens between them")
	case taken:
		t.Fail(t.At("id"), "there is another %s %q", what, v)
	}
	return v
}

func source(t tomldoc.Table, l *Ledger) Source {
	t.Only("id", "title", "text")
	t.Need("id", "title")
	_, taken := l.Source(t.String("id"))
	return Source{ID: id(t, "source", taken), Title: t.Text("title"), Text: t.Text("text")}
}

// A reader reads one claim.
type reader struct {
	tomldoc.Table
	claim *Claim
	load  *workload.Workload
	sizes []string
	ops   []result.Op
}

var claimKeys = []string{
	"id", "source", "statement", "published", "unit", "at",
	"workload", "sizes", "ops", "metric", "predicate", "of", "to", "order", "only",
	"says", "every", "most", "at_least", "at_most", "above", "below", "tolerance", "per_item", "also", "benchmarks",
	"same", "differs", "from", "settled", "exhibits", "untested", "expect", "note",
}

// predicateKeys are the keys that say what a predicate is about.
var predicateKeys = []string{
	"sizes", "ops", "metric", "of", "to", "order", "only", "says", "at_least", "at_most", "above", "below", "tolerance",
	"per_item", "at", "also", "benchmarks",
}

func (r *reader) read(l *Ledger) {
	r.Only(claimKeys...)
	r.Need("id", "source", "statement")
	c := r.claim
	c.ID = id(r.Table, "claim", l.Claim(r.String("id")) != nil)
	c.Source = r.source(l)
	c.Statement, c.Unit, c.Note = r.Text("statement"), r.Text("unit"), r.Text("note")
	c.Untested = r.Text("untested")
	c.Same, c.Differs, c.From = r.Text("same"), r.Text("differs"), r.Text("from")
	c.Every, c.Most = r.Bool("every"), r.Bool("most")
	if c.Every && c.Most {
		r.Fail(r.At("most"), "a claim is of every condition or of most, not both")
	}
	if t, ok := r.Table.Table("settled"); ok {
		c.Settled = r.settled(t, "elsewhere")
	}
	c.Exhibits = r.Strings("exhibits")
	c.Published = r.published()
	c.Expect = Verdict(r.OneOf("expect", "verdict", string(Holds), string(Refuted), string(Depends)))
	if c.Untested != "" && c.Expect != "" {
		r.Fail(r.At("expect"), "a claim that is not tested cannot be expected to be found so; leave out expect or untested")
	}
	if (c.Untested != "" || c.Settled != nil) && !r.Has("predicate") {
		for _, key := range predicateKeys {
			if r.Has(key) {
				r.Fail(r.At(key), "%s says nothing without a predicate: add predicate, or leave it out", key)
				return
			}
		}
		return
	}
	r.Need("workload", "ops", "predicate")
	c.Predicate = Predicate(r.OneOf("predicate", "predicate", names(Predicates)...))
	c.Metric, c.WithGC = analysis.Time, !r.Has("metric")
	if r.Has("metric") {
		c.Metric = r.OneOf("metric", "metric", metricNames()...)
		if c.Metric == analysis.ColdTime || c.Metric == analysis.PeakRSS {
			r.Fail(r.At("metric"), "the bounds of %s are those of a few processes, and no 95%% interval: no claim can rest on it", c.Metric)
		}
		if slices.Contains(analysis.StreamMetrics(), c.Metric) && !slices.Contains(ofWholes, c.Metric) {
			r.Fail(r.At("metric"), "no claim can rest on %s: of streams and whole values it can rest on %s", c.Metric, joined(ofWholes))
			c.Metric = ""
		}
	}
	if r.Has("workload") {
		c.Workload = r.OneOf("workload", "workload", workloadNames()...)
	}
	r.load = workloadNamed(c.Workload)
	r.sizes = r.sizesOf(r.Table)
	r.ops = r.opsOf(r.Table)
	if c.Predicate == "" {
		return // the rest would be misread
	}
	if c.Metric != "" {
		r.unit()
		r.bounds()
		r.place()
	}
	r.conditions()
	r.at()
	r.benchmarks()
}

// benchmarks reads the names of the source's own benchmarks.
func (r *reader) benchmarks() {
	t, ok := r.Table.Table("benchmarks")
	if !ok {
		return
	}
	c := r.claim
	keys := []string{"of"}
	if c.Predicate == Ratio {
		keys = append(keys, "to")
	}
	published := publishedBenchmarks()
	own := published[c.Source]
	switch {
	case c.Predicate != Exact && c.Predicate != Ratio:
		r.Fail(r.At("benchmarks"), "benchmarks are for the predicates %s and %s", Exact, Ratio)
	case !c.WithGC:
		r.Fail(r.At("benchmarks"), "benchmarks are for published times: leave out metric, or benchmarks")
	case c.Untested != "" || c.Settled != nil:
		r.Fail(r.At("benchmarks"), "benchmarks rule on what is measured as published; this claim is untested or settled")
	case len(r.ops) > 1:
		r.Fail(r.At("benchmarks"), "benchmarks are of one op; this claim has %d", len(r.ops))
	case own == nil:
		r.Fail(r.At("benchmarks"), "source %s has no benchmarks that assay reproduce runs; these have: %s", c.Source, joined(slices.Sorted(maps.Keys(published))))
	}
	t.Only(keys...)
	t.Need(keys...)
	c.Benchmarks = &Benchmarks{Of: t.Text("of"), To: t.Text("to")}
	for _, key := range keys {
		switch name := t.Text(key); {
		case name == "": // reported already
		case len(r.sizes) > 1 && !strings.Contains(name, SizeWord):
			t.Wrong(key, "a name with "+SizeWord+" in place of the size, because the claim has several")
		case own != nil:
			r.exists(t, key, own)
		}
	}
}

// exists reports an error if the source does not have the benchmark of a key at each of the claim's sizes.
func (r *reader) exists(t tomldoc.Table, key string, own []string) {
	for _, size := range r.sizes {
		name := benchmarkAt(t.Text(key), size)
		if slices.Contains(own, name) {
			continue
		}
		hint := tomldoc.Suggest(name, own)
		if hint == "" {
			hint = "; the rows of its tables name them in published/sources/" + r.claim.Source + "/source.toml"
		}
		t.Fail(t.At(key), "source %s has no benchmark %q%s", r.claim.Source, name, hint)
		return
	}
}

// settled reads the verdict that a test or reading decides. The table may have the key elsewhere, a
// table of the same form; "" if it may not.
func (r *reader) settled(t tomldoc.Table, elsewhere string) *Settled {
	keys := []string{"verdict", "test", "why"}
	t.Need(keys...)
	if elsewhere != "" {
		keys = append(keys, elsewhere)
	}
	t.Only(keys...)
	if r.claim.Untested != "" {
		r.Fail(r.At("settled"), "a claim is settled or untested, not both")
	}
	test := t.Text("test")
	if t.Has("test") && !settledBy.MatchString(test) {
		t.Wrong("test", `a package's directory and a test, such as "published/claims TestRule"`)
	}
	s := &Settled{
		Verdict: Verdict(t.OneOf("verdict", "verdict", string(Holds), string(Refuted), string(Depends))),
		Test:    test, Why: t.Text("why"),
	}
	if in, ok := t.Table(elsewhere); ok {
		if r.Has("predicate") {
			t.Fail(t.At(elsewhere), "the conditions decide the verdict elsewhere: leave out predicate, or elsewhere")
		}
		s.Elsewhere = r.settled(in, "")
	}
	return s
}

// settledBy is the format of Settled.Test.
var settledBy = regexp.MustCompile(`^[A-Za-z0-9_./-]+ Test[A-Za-z0-9_]*$`)

// unitWords are the words for each unit of published figures.
var unitWords = map[string][]string{Times: {Times}, "ns": {"ns"}, "B": {"B", "bytes"}, "B/s": {"B/s"}}

// unit checks that the published figure and the bounds have the unit of the measured figure.
func (r *reader) unit() {
	c := r.claim
	m, _ := analysis.MetricNamed(c.Metric)
	want := Times
	if c.Predicate == Exact || c.Predicate == Constant {
		want = m.Unit
	}
	words := unitWords[want]
	switch {
	case !r.Has("unit"):
		if want != "1" {
			c.Unit = want
		}
	case c.Unit == "", len(words) == 0, slices.Contains(words, c.Unit): // a unit that is no text is reported
	case len(c.Published) > 0:
		r.Fail(r.At("unit"), "the published figure stands beside one in %s: give it in %s", words[0], words[0])
	default:
		r.Fail(r.At("unit"), "unit is %q, but figures and bounds of this claim are in %s: convert them, and leave unit out", c.Unit, words[0])
	}
}

func (r *reader) source(l *Ledger) string {
	name := r.String("source")
	if _, ok := l.Source(name); r.Has("source") && !ok {
		var known []string
		for _, s := range l.Sources {
			known = append(known, s.ID)
		}
		r.OneOf("source", "source", known...)
		if len(known) == 0 {
			r.Fail(r.At("source"), "there are no sources here: each begins with [[source]]")
		}
	}
	return name
}

// published reads a number, or a list of two.
func (r *reader) published() []float64 {
	if _, list := r.Value("published").([]any); !list {
		if v := r.OptionalNumber("published", 0, maxFigure); v != nil {
			return []float64{*v}
		}
		return nil
	}
	var figures []float64
	for _, e := range r.List("published") {
		switch v := e.Value.(type) {
		case int64:
			figures = append(figures, float64(v))
		case float64:
			figures = append(figures, v)
		}
	}
	if len(figures) != 2 || len(r.List("published")) != 2 || !(0 <= figures[0] && figures[0] < figures[1] && figures[1] <= maxFigure) {
		r.Wrong("published", "a number, or a list of two, the less one first")
		return nil
	}
	return figures
}

// sizesOf reads the sizes of the claim, or of one of its alsos.
func (r *reader) sizesOf(t tomldoc.Table) []string {
	if r.load == nil {
		return nil
	}
	if !t.Has("sizes") {
		if len(r.load.Sizes) == 1 {
			return []string{r.load.Sizes[0].Key}
		}
		t.Need("sizes")
		return nil
	}
	var sizes []string
	list := t.List("sizes")
	for _, e := range list {
		key, ok := e.Value.(string)
		switch {
		case !ok:
			t.Fail(e.Offset, "an element of sizes must be a string")
		case slices.Contains(sizes, key):
			t.Fail(e.Offset, "the size %q is there twice", key)
		case r.size(t, key, e.Offset):
			sizes = append(sizes, key)
		}
	}
	if _, ok := t.Value("sizes").([]any); ok && len(list) == 0 {
		t.Wrong("sizes", "a list of at least one size")
	}
	return sizes
}

// size returns whether the workload has the size, and reports an error if not.
func (r *reader) size(t tomldoc.Table, key string, offset int) bool {
	if r.load == nil {
		return true // reported already
	}
	if _, err := r.load.Size(key); err == nil {
		return true
	}
	var known []string
	for _, s := range r.load.Sizes {
		known = append(known, s.Key)
	}
	hint := tomldoc.Suggest(key, known)
	if hint == "" {
		hint = "; assay list sizes shows them"
	}
	t.Fail(offset, "workload %s has no size %q%s", r.load.Name, key, hint)
	return false
}

// opsOf reads the ops of the claim, or of one of its alsos.
func (r *reader) opsOf(t tomldoc.Table) []result.Op {
	var ops []result.Op
	for _, e := range t.List("ops") {
		name, ok := e.Value.(string)
		switch {
		case !ok:
			t.Fail(e.Offset, "an element of ops must be a string")
		case slices.Contains(ops, result.Op(name)):
			t.Fail(e.Offset, "the op %q is there twice", name)
		case r.op(t, name, e.Offset):
			ops = append(ops, result.Op(name))
		}
	}
	if list, ok := t.Value("ops").([]any); ok && len(list) == 0 {
		t.Wrong("ops", "a list of at least one op")
	}
	return ops
}

// op returns whether the op exists and the metric has it, and reports an error if not.
func (r *reader) op(t tomldoc.Table, name string, offset int) bool {
	known := append(names(result.Ops), string(RoundTrip))
	if !slices.Contains(known, name) {
		hint := tomldoc.Suggest(name, known)
		if hint == "" {
			hint = fmt.Sprintf("; it is one of %s", joined(known))
		}
		t.Fail(offset, "there is no op %q%s", name, hint)
		return false
	}
	m, ok := analysis.MetricNamed(r.claim.Metric)
	switch {
	case !ok: // reported already
	case result.Op(name) == RoundTrip && !slices.Contains(sums, m.Name):
		t.Fail(offset, "%s of encode and decode do not add up: op round-trip is for %s", m.Name, joined(sums))
		return false
	case result.Op(name) != RoundTrip && m.Ops != nil && !slices.Contains(m.Ops, result.Op(name)):
		t.Fail(offset, "op %s has no %s; it is a metric of %s", name, m.Name, joined(names(m.Ops)))
		return false
	case slices.Contains(unmetered[m.Name].ops, result.Op(name)):
		t.Fail(offset, "op %s has no %s: %s", name, m.Name, unmetered[m.Name].why)
		return false
	}
	return true
}

// unmetered has, for metrics of any op, the ops that have no such figure, and why. Conversion has CPU
// time of whole values.
var unmetered = map[string]struct {
	ops []result.Op
	why string
}{
	analysis.EncodedSize: {[]result.Op{result.Convert}, "it writes no bytes"},
	analysis.FloorRatio:  {[]result.Op{result.Convert, result.Compress, result.Decompress}, "it has no floor"},
	analysis.CPUTime:     {[]result.Op{result.Open, result.Scan, result.Compress, result.Decompress}, collecting},
	analysis.CPUTimeLive: {[]result.Op{result.Open, result.Scan, result.Convert, result.Compress, result.Decompress}, collecting},
	analysis.GCShare:     {[]result.Op{result.Open, result.Scan, result.Convert, result.Compress, result.Decompress}, collecting},
}

const collecting = "only encode and decode are measured with the collector on"

// sums are the metrics that add up over ops.
var sums = []string{analysis.Time, analysis.CPUTime, analysis.CPUTimeLive, analysis.AllocBytes, analysis.Allocs}

// at reads the condition of the published figure.
func (r *reader) at() {
	t, ok := r.Table.Table("at")
	if !ok {
		return
	}
	t.Only("size", "op", "also")
	want := Condition{Size: t.String("size"), Op: result.Op(t.String("op")), Also: t.String("also")}
	var found []Condition
	for _, c := range r.claim.Conditions {
		if (want.Size == "" || c.Size == want.Size) && (want.Op == "" || c.Op == want.Op) && c.Also == want.Also {
			found = append(found, c)
		}
	}
	switch {
	case len(r.claim.Conditions) == 0: // something else is wrong
	case len(found) == 0:
		r.Fail(r.At("at"), "the claim has no such condition: at names one of its own sizes, ops and alsos")
	case len(found) > 1:
		r.Fail(r.At("at"), "%d conditions are like this: name its size and op", len(found))
	default:
		r.claim.At = &found[0]
	}
}

func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

func metricNames() []string {
	var names []string
	for _, m := range analysis.Metrics {
		names = append(names, m.Name)
	}
	return names
}

func workloadNames() []string {
	var names []string
	for _, w := range builtin.All() {
		names = append(names, w.Name)
	}
	return names
}

func workloadNamed(name string) *workload.Workload {
	for _, w := range builtin.All() {
		if w.Name == name {
			return w
		}
	}
	return nil
}

func contenderNames() []string {
	var names []string
	for _, c := range contenders.All() {
		names = append(names, c.Name)
	}
	return names
}

func contenderNamed(name string) *contender.Contender {
	for _, c := range contenders.All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

package claims

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/tomldoc"
	"assay/result"
)

// joined lists words for an error.
func joined(words []string) string { return strings.Join(words, ", ") }

// place reads per_item and only.
func (r *reader) place() {
	c := r.claim
	if r.Has("per_item") && (c.Predicate == Ratio || c.Predicate == Order || c.Predicate == Trend) {
		r.Fail(r.At("per_item"), "per_item is for exact, constant and grows: the items of two cases of one size are the same")
	}
	if r.Has("only") {
		c.Only = r.OneOf("only", "place", "first", "last")
		if c.Predicate != Order {
			r.Fail(r.At("only"), "only is for predicate order")
		}
	}
}

// A use is a way of use: the cases as they are written. Conditions make their terms from them.
type use struct {
	name   string
	sizes  []string
	ops    []result.Op
	of, to *spec
	order  []spec
}

// A spec is a case as it is written.
type spec struct {
	Term
	offset int
	mode   int // offset of the mode
}

// conditions reads the ways of use and makes the conditions.
func (r *reader) conditions() {
	first := use{sizes: r.sizes, ops: r.ops}
	if !r.cases(r.Table, &first) {
		return
	}
	for _, key := range []string{"of", "to", "order"} {
		if want := slices.Contains(keysOf[r.claim.Predicate], key); want && !r.Has(key) {
			r.Need(key)
			return
		}
	}
	uses := []use{first}
	for _, t := range r.Tables("also") {
		t.Only("name", "sizes", "ops", "of", "to", "order")
		t.Need("name")
		if !slices.ContainsFunc([]string{"sizes", "ops", "of", "to", "order"}, t.Has) {
			t.Fail(t.Offset(), "this also is the claim itself: say what is different (sizes, ops, of, to or order)")
		}
		next := first
		next.name = t.Text("name")
		if slices.ContainsFunc(uses, func(u use) bool { return u.name == next.name }) {
			t.Fail(t.At("name"), "there is another also %q", next.name)
		}
		if t.Has("sizes") {
			next.sizes = r.sizesOf(t)
		}
		if t.Has("ops") {
			next.ops = r.opsOf(t)
		}
		if !r.cases(t, &next) {
			return
		}
		uses = append(uses, next)
	}
	if r.load == nil || r.claim.Metric == "" {
		return // reported already
	}
	for _, u := range uses {
		if !r.expand(u) {
			return // the others would say the same
		}
	}
}

// keysOf are the keys for the cases of each predicate.
var keysOf = map[Predicate][]string{
	Ratio: {"of", "to"}, Order: {"order"}, Exact: {"of"}, Constant: {"of"}, Grows: {"of"}, Trend: {"of", "to"},
}

// cases reads the cases of a table into a use; false if it cannot read one.
func (r *reader) cases(t tomldoc.Table, u *use) bool {
	good := true
	read := func(key string, to **spec) {
		if !t.Has(key) {
			return
		}
		item := tomldoc.Item{Value: t.Value(key), Offset: t.At(key)}
		table, _ := value(t, key)
		s, ok := r.spec(t, key, item, table)
		*to, good = &s, good && ok
	}
	read("of", &u.of)
	read("to", &u.to)
	if t.Has("order") {
		u.order = nil
		for _, e := range t.List("order") {
			table, _ := t.TableAt(e)
			s, ok := r.spec(t, "order", e, table)
			u.order, good = append(u.order, s), good && ok
		}
		if len(t.List("order")) < 2 {
			t.Wrong("order", "a list of at least two cases")
			return false
		}
	}
	for _, key := range []string{"of", "to", "order"} {
		if t.Has(key) && !slices.Contains(keysOf[r.claim.Predicate], key) {
			t.Fail(t.At(key), "predicate %s has no %s; it is about %s", r.claim.Predicate, key, joined(keysOf[r.claim.Predicate]))
			good = false
		}
	}
	return good
}

// value returns the table of a key, or an empty table if the value is not a table.
func value(t tomldoc.Table, key string) (tomldoc.Table, bool) {
	if _, ok := t.Value(key).(map[string]any); !ok {
		return tomldoc.Table{}, false
	}
	return t.Table(key)
}

// spec reads one case: a contender's name, or a table.
func (r *reader) spec(t tomldoc.Table, key string, e tomldoc.Item, in tomldoc.Table) (spec, bool) {
	s := spec{offset: e.Offset, mode: e.Offset}
	switch v := e.Value.(type) {
	case string:
		s.Contender = v
		return s, r.contender(t, v, e.Offset) != nil && r.wholes(t, s)
	case map[string]any:
	default:
		t.Fail(e.Offset, "%s must be the name of a contender, or { contender = … }", key)
		return s, false
	}
	in.Only("contender", "mode", "op", "size", "with_convert")
	in.Need("contender")
	s.Contender, s.Mode, s.WithConvert = in.String("contender"), in.String("mode"), in.Bool("with_convert")
	s.Size, s.Op = in.String("size"), result.Op(in.String("op"))
	if !in.Has("contender") {
		return s, false
	}
	c := r.contender(in, s.Contender, in.At("contender"))
	if c == nil {
		return s, false
	}
	good := true
	if in.Has("mode") {
		s.mode = in.At("mode")
		if s.Mode == analysis.DefaultMode {
			s.Mode = ""
		}
		good = r.mode(in, c, s.Mode)
	}
	if in.Has("size") {
		good = r.size(in, s.Size, in.At("size")) && good
		if overSizes(r.claim.Predicate) {
			in.Fail(in.At("size"), "predicate %s is about all of the sizes; a case of its own size has no place in it", r.claim.Predicate)
			good = false
		}
	}
	if in.Has("op") {
		good = r.op(in, string(s.Op), in.At("op")) && good
	}
	if s.WithConvert && !slices.Contains(sums, r.claim.Metric) {
		in.Fail(in.At("with_convert"), "conversion has no %s to count in: with_convert is for %s", r.claim.Metric, joined(sums))
		good = false
	}
	return s, r.wholes(in, s) && good
}

// wholes returns whether a case has the mode of whole values just if the claim's metric is one of theirs,
// and reports an error if not.
func (r *reader) wholes(t tomldoc.Table, s spec) bool {
	switch metric := r.claim.Metric; {
	case metric == "": // reported already
	case contender.Whole(s.Mode) && !slices.Contains(ofWholes, metric):
		t.Fail(s.mode, "whole values have no %s: name a metric of theirs, one of %s", metric, joined(ofWholes))
		return false
	case !contender.Whole(s.Mode) && slices.Contains(ofWholes, metric):
		t.Fail(s.offset, "%s is of whole values: write { contender = %q, mode = %q }", metric, s.Contender, contender.WholeMode)
		return false
	}
	return true
}

// contender returns the contender with that name. If there is none, it reports an error and returns
// nil.
func (r *reader) contender(t tomldoc.Table, name string, offset int) *contender.Contender {
	c := contenderNamed(name)
	if c == nil {
		// A word that is an element of a name means that name, and is not a misspelling of another
		// one: json is encoding/json, not bson.
		hint := suggestElement(name)
		if hint == "" {
			hint = tomldoc.Suggest(name, contenderNames())
		}
		if hint == "" {
			hint = "; assay list shows them"
		}
		t.Fail(offset, "there is no contender %q%s", name, hint)
	}
	return c
}

// suggestElement suggests the first contender whose last or first element is the word, such as
// encoding/gob for gob. It returns an empty string if there is none.
func suggestElement(word string) string {
	for _, c := range contenderNames() {
		if strings.HasSuffix(c, "/"+word) || strings.HasPrefix(c, word+"/") {
			return `; did you mean "` + c + `"?`
		}
	}
	return ""
}

// mode returns whether the contender has the mode, and reports an error if not.
func (r *reader) mode(t tomldoc.Table, c *contender.Contender, mode string) bool {
	if contender.Whole(mode) && c.HasWhole() {
		return true
	}
	var known []string
	for _, m := range c.Modes {
		if m.Key == mode {
			return true
		}
		known = append(known, m.Key)
	}
	if mode == "" {
		return true
	}
	hint := tomldoc.Suggest(mode, known)
	if hint == "" {
		hint = "; it has the default mode, without a name"
		if len(known) > 0 {
			hint = "; besides the default it has " + joined(known)
		}
	}
	t.Fail(t.At("mode"), "%s has no mode %q%s", c.Name, mode, hint)
	return false
}

// expand makes the conditions of a use; false if it cannot make one.
func (r *reader) expand(u use) bool {
	c := r.claim
	sizes := u.sizes
	if len(sizes) == 0 || len(u.ops) == 0 {
		return false // reported already
	}
	if overSizes(c.Predicate) {
		if !r.enoughSizes(u) {
			return false
		}
		sizes = []string{""}
	}
	for _, op := range u.ops {
		for _, size := range sizes {
			terms, ok := r.terms(u, size, op)
			if !ok {
				return false
			}
			if i := twice(terms); i > 0 {
				r.itself(u, i)
				return false
			}
			if !slices.ContainsFunc(c.Conditions, func(x Condition) bool { return slices.Equal(x.Terms, terms) }) {
				c.Conditions = append(c.Conditions, Condition{Size: size, Op: op, Also: u.name, Terms: terms})
			}
		}
	}
	return true
}

// enoughSizes checks that a use has as many sizes as a predicate over sizes needs.
func (r *reader) enoughSizes(u use) bool {
	least, word := 2, "two"
	trend := r.claim.Predicate == Trend
	if trend {
		least, word = 3, "three"
	}
	switch {
	case len(u.sizes) < least:
		r.Fail(r.At("sizes"), "predicate %s needs %s sizes or more", r.claim.Predicate, word)
	case trend && r.alike(u.sizes):
		r.Fail(r.At("sizes"), "predicate trend is over the number of items, which is the same at all of these sizes")
	default:
		return true
	}
	return false
}

// terms returns the terms of a condition: those of one size, or of all sizes of the use if the
// predicate is over sizes. It returns false if one cannot be made.
func (r *reader) terms(u use, size string, op result.Op) (terms []Term, ok bool) {
	ok = true
	add := func(size string, specs ...spec) {
		for _, s := range specs {
			t, good := r.term(s, size, op)
			terms, ok = append(terms, t), ok && good
		}
	}
	switch r.claim.Predicate {
	case Ratio:
		add(size, *u.of, *u.to)
	case Order:
		add(size, u.order...)
	case Exact:
		add(size, *u.of)
	case Constant, Grows:
		for _, s := range u.sizes {
			add(s, *u.of)
		}
	case Trend:
		for _, s := range u.sizes {
			add(s, *u.of, *u.to)
		}
	}
	return terms, ok
}

// alike reports whether all sizes have the same number of items.
func (r *reader) alike(sizes []string) bool {
	items := map[int]bool{}
	for _, key := range sizes {
		if s, err := r.load.Size(key); err == nil {
			items[max(1, s.Items)] = true
		}
	}
	return len(items) < 2
}

// overSizes reports whether one condition of the predicate uses several sizes.
func overSizes(p Predicate) bool { return p == Constant || p == Grows || p == Trend }

// twice returns the index of a term that is a repetition of an earlier one, or 0.
func twice(terms []Term) int {
	for i, t := range terms {
		if slices.Contains(terms[:i], t) {
			return i
		}
	}
	return 0
}

// itself reports a comparison of a case with itself.
func (r *reader) itself(u use, i int) {
	what := ""
	if u.name != "" {
		what = ", where " + u.name
	}
	if r.claim.Predicate == Ratio || r.claim.Predicate == Trend {
		r.Fail(u.to.offset, "of and to are the same case%s: its ratio to itself says nothing", what)
		return
	}
	r.Fail(u.order[i].offset, "%s is there twice%s", u.order[i].Subject, what)
}

// term makes the term of a case in a condition. If the op does not have the mode, the row of the
// default mode measures it.
func (r *reader) term(s spec, size string, op result.Op) (Term, bool) {
	t := s.Term
	if t.Size == "" {
		t.Size = size
	}
	if t.Op == "" {
		t.Op = op
	}
	c := contenderNamed(t.Contender)
	for _, part := range parts(t.Op) {
		if !slices.Contains(c.Ops, part) {
			r.Fail(s.offset, "%s has no op %s; it has %s", c.Name, part, joined(names(c.Ops)))
			return t, false
		}
	}
	if t.WithConvert {
		switch {
		case t.Op != RoundTrip:
			r.Fail(s.offset, "with_convert is for round-trip, not for %s, because conversion is measured there and back; encode and decode have it in mode = \"types=program\"", t.Op)
			return t, false
		case !slices.Contains(c.Ops, result.Convert):
			r.Fail(s.offset, "%s has no op convert: it has no type of its own to convert to", c.Name)
			return t, false
		}
	}
	if !slices.ContainsFunc(parts(t.Op), func(part result.Op) bool { return hasMode(c, t.Mode, part) }) {
		t.Mode = ""
	}
	return t, true
}

// parts returns the ops of which an op is made.
func parts(op result.Op) []result.Op {
	if op == RoundTrip {
		return []result.Op{result.Encode, result.Decode}
	}
	return []result.Op{op}
}

// hasMode reports whether the op has rows of its own in the mode.
func hasMode(c *contender.Contender, mode string, op result.Op) bool {
	if contender.Whole(mode) {
		return c.HasWhole() && contender.WholeOp(op) && slices.Contains(c.Ops, op)
	}
	return slices.ContainsFunc(c.Modes, func(m contender.Mode) bool { return m.Key == mode && slices.Contains(m.Ops, op) })
}

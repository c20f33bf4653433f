package infer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/nearest"
	"assay/internal/phrase"
)

// An inference is the making of one schema.
type inference struct {
	options  Options
	result   *Result
	observer *observer
	pass     *pass

	// header is the first record of the first source when it is a list of
	// different texts: it may be the names of the columns. It is held back until
	// the others are known.
	header []string
	held   Record

	settled int // how many notes are of the reading, not of the schema

	unions   []*union        // that were found so far, outer ones first
	surveyed map[string]bool // paths of which it is decided whether they are unions
	rounds   int             // how often the sample was read
	grammar  *grammar        // that was found; nil: none
	learned  bool            // it was looked for
}

// observeAll merges all records.
func (in *inference) observeAll() error {
	r := in.result
	if err := r.place(nil); err != nil {
		return err
	}
	for {
		r.kind, in.header = "", nil
		var err error
		if in.observer, err = newObserver(in.options, in.unions); err != nil {
			return err
		}
		if g := in.grammar; g != nil {
			in.grammar = &grammar{union: g.union, kinds: make([]*node, len(g.union.how.Fields))}
			in.observer.grammar = in.grammar
		}
		in.pass, err = r.each(in.visit)
		if errors.Is(err, errWhole) {
			r.records = path{}
			continue
		}
		if err == nil {
			err = in.settleHeader()
		}
		return err
	}
}

func newObserver(o Options, unions []*union) (*observer, error) {
	out := &observer{decoder: jsontext.NewDecoder(new(bytes.Buffer)), depth: o.MaxDepth, used: map[*Overrule]bool{}}
	root := &node{distinct: &texts{}}
	for i := range o.Overrules {
		of := &o.Overrules[i]
		p, err := of.rule()
		if err != nil {
			return nil, err
		}
		switch {
		case of.Type == "html":
			out.html.forced = of
			out.used[of] = true
		case len(p) == 0 && of.keeps():
			return nil, fmt.Errorf("%s: a record is never absent; name a field of it", *of)
		case len(p) == 0:
			root.force = of
			out.used[of] = true
		default:
			root.rules = append(root.rules, rule{of: of, path: p})
		}
	}
	for _, u := range unions {
		if len(u.path) == 0 {
			root.union = u
		} else {
			root.rules = append(root.rules, rule{union: u, path: u.path})
		}
	}
	out.root = root
	return out, nil
}

// visit merges a record.
func (in *inference) visit(rec Record) error {
	if rec.First {
		names := columns(rec.Raw)
		switch {
		case names != nil && in.result.kind == "":
			in.header, in.held = names, rec
			in.held.Raw = bytes.Clone(rec.Raw)
			in.result.kind, in.result.first = "a list", rec.String()
			return errHeader
		case names != nil && slices.Equal(names, in.header):
			return errHeader
		}
	}
	return in.merge(rec)
}

func (in *inference) merge(rec Record) error {
	o := in.observer
	if o.root.force == nil || o.root.force.Type != "json" {
		if err := in.result.sameKind(rec); err != nil {
			return err
		}
	}
	if in.options.SkipBad {
		// A bad record must leave nothing behind.
		if err := o.sound(rec.Raw); err != nil {
			return o.failure(rec, err)
		}
	}
	return o.failure(rec, o.record(rec.Raw))
}

// sameKind returns an error when a record is of another kind than the first, of
// a sample whose schema is inferred.
func (r *Result) sameKind(rec Record) error {
	kind := kindName(jsontext.Value(rec.Raw).Kind())
	if r.kind == "" {
		r.kind, r.first = kind, rec.String()
	}
	if kind == r.kind {
		return nil
	}
	return rec.fail(0, "this record is %s, and the one at %s is %s; --type .=json keeps each as a text",
		kind, r.first, r.kind).Or(", and --skip-bad leaves out what is not as the first")
}

// settleHeader decides whether the record that was held back has the names of
// the columns: when all others are rows of its length, and a column has no text
// in it.
func (in *inference) settleHeader() error {
	if in.header == nil {
		return nil
	}
	if l := in.observer.root.list; l.fits(len(in.header)) && in.observer.rowsWanted() {
		in.result.columns = in.header
		return nil
	}
	in.header = nil
	for range in.pass.headers {
		if err := in.merge(in.held); err != nil {
			return err
		}
	}
	in.pass.headers, in.pass.headerBytes = 0, 0
	return nil
}

// fits reports whether lists are rows of n columns of which one is without text.
func (l *list) fits(n int) bool {
	return l != nil && len(l.row) == n && l.empty == 0 && slices.ContainsFunc(l.row, func(c *node) bool {
		return find(c).strings == 0 && find(c).values() > 0
	})
}

// rowsWanted reports whether records may be rows.
func (o *observer) rowsWanted() bool { return o.root.force == nil || o.root.force.Type == "row" }

// columns returns the texts of a list of at least two that all differ, or nil.
func columns(raw []byte) []string {
	if len(raw) == 0 || raw[0] != '[' || len(raw) > 1<<16 {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil || t.String() == "" || seen[t.String()] {
			return nil
		}
		seen[t.String()] = true
		out = append(out, t.String())
	}
	if d.PeekKind() != ']' || len(out) < 2 {
		return nil
	}
	return out
}

// record merges a record.
func (o *observer) record(raw []byte) error {
	o.begin(raw)
	return o.value(o.root, 0)
}

func (o *observer) begin(raw []byte) {
	o.raw, o.buffer = raw, *bytes.NewBuffer(raw)
	o.decoder.Reset(&o.buffer)
}

// sound returns the error that record would, unless it is of the sample as a
// whole.
func (o *observer) sound(raw []byte) error {
	o.begin(raw)
	for {
		if kind := o.decoder.PeekKind(); (kind == '{' || kind == '[') && o.decoder.StackDepth() == o.depth {
			return errDeep
		}
		if _, err := o.decoder.ReadToken(); err != nil {
			return err
		}
		if o.decoder.StackDepth() == 0 {
			return nil
		}
	}
}

// failure says what an error of record means.
func (o *observer) failure(rec Record, err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errDeep):
		return rec.fail(rec.next(o.decoder.InputOffset()), "the record is nested more than %d deep here, which several of the libraries could not read back", o.depth).Or(leftOut)
	case errors.Is(err, errNodes):
		return fmt.Errorf("%s: by this record there are more than %s different fields; if the keys of an object are data, say --map and its path, or read less with --records", rec, phrase.Grouped(maxNodes))
	case errors.As(err, &syntax):
		why, skip := syntaxReason(syntax, nextLine)
		return rec.fail(syntax.ByteOffset, "%s", why).Or(skip)
	}
	return fmt.Errorf("%s: %w", rec, err)
}

// lead gives answers to the places of a row, whose names are known when all lists
// were read, and to what is in them. They are used when it is decided that the lists
// are rows.
func (o *observer) lead(n *node, rules []rule, s step, used bool) {
	on, end, keep := follow(rules, s)
	if end != nil && o.settled(find(n), end) {
		o.late, end = append(o.late, lateAnswer{end, find(n)}), nil
	}
	for _, of := range []*Overrule{end, keep} {
		if of != nil && used {
			o.used[of] = true
		}
	}
	if keep != nil {
		n.keep = keep
	}
	n = find(n)
	if end != nil {
		n.force = end
	}
	o.leadOn(n, on, used)
}

// leadOn gives answers to what is in a node.
func (o *observer) leadOn(n *node, on []rule, used bool) {
	if len(on) == 0 {
		return
	}
	if o.grammar != nil && n.union == o.grammar.union {
		for _, m := range n.object.members {
			o.leadOn(find(m.node), on, used)
		}
	}
	n.rules = append(slices.Clip(n.rules), on...)
	if n.list != nil {
		for _, e := range n.list.elems() {
			o.lead(e, on, step{kind: inList}, used)
		}
		o.leadRow(n, on, used)
	}
	if n.object == nil || n.union != nil {
		return
	}
	if v := n.object.value; v != nil {
		o.lead(v, on, step{kind: inValue}, used)
	}
	for _, m := range n.object.members {
		o.lead(m.node, on, step{kind: inKey, key: m.key}, used)
	}
}

// leadRow gives answers to the places of lists that may be a row.
func (o *observer) leadRow(n *node, rules []rule, used bool) {
	if n.list == nil || len(rules) == 0 {
		return
	}
	for i, r := range n.list.row {
		o.lead(r, rules, step{kind: inKey, key: placeName(i)}, used)
	}
}

// placeName is the name of a place of a row without names of columns.
func placeName(i int) string { return fmt.Sprintf("f%d", i+1) }

// spare takes an answer about objects, or about lists, from values of its path that
// are none when others are: of the kinds of a union one may have an object there, and
// another only nulls.
func (o *observer) spare() {
	o.root.each(map[*node]bool{}, func(n *node) { o.leadRow(n, n.rules, false) })
	fits := map[*Overrule]bool{}
	var others []*node
	o.root.each(map[*node]bool{}, func(n *node) {
		if n.force == nil || !structural(n.force.Type) {
			return
		}
		if slices.Contains(n.kinds(), kindOf(n.force.Type)) {
			fits[n.force] = true
		} else {
			others = append(others, n)
		}
	})
	for _, n := range others {
		if fits[n.force] {
			n.force = nil
		}
	}
}

// each visits a node and those in it, once each. met are those that were visited.
func (n *node) each(met map[*node]bool, visit func(*node)) {
	if n == nil {
		return
	}
	if n = find(n); met[n] {
		return
	}
	met[n] = true
	visit(n)
	if n.list != nil {
		for _, e := range n.list.elems() {
			e.each(met, visit)
		}
	}
	if n.object != nil {
		n.object.value.each(met, visit)
		for _, m := range n.object.members {
			m.node.each(met, visit)
		}
	}
}

// unused returns an error for the first overrule that is about nothing.
func (o *observer) unused(overrules []Overrule, places map[*node]place) error {
	for i := range overrules {
		of := &overrules[i]
		if o.used[of] {
			continue
		}
		var known []string
		for _, p := range places {
			known = append(known, p.path.String())
		}
		slices.Sort(known)
		hint := "give a path as the guesses show them, in the sample's own keys"
		if near := nearest.Name(of.Path, known); near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		} else if len(known) > 1 && len(known) <= 12 {
			hint = "the paths are " + strings.Join(known, ", ")
		}
		return fmt.Errorf("%s: no record has anything at %s; %s", *of, of.Path, hint)
	}
	return nil
}

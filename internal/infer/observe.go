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

// An inference makes one schema.
type inference struct {
	options  Options
	result   *Result
	observer *observer
	pass     *pass

	// header has the texts of the first record of the first source if it is a list of different
	// texts, which may be the names of the columns. It is not merged, and if it turns out to be a
	// record like others, the sample is read again.
	header []string

	settled int // how many notes are about the reading, not about the schema

	unions   []*union        // found so far, outer ones first
	surveyed map[string]bool // paths for which it is decided whether they are unions
	rounds   int             // how often the sample was surveyed for unions
	grammar  *grammar        // nil: none was found
	learned  bool            // a grammar was looked for
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
		switch {
		case errors.Is(err, errWhole):
			r.records = path{}
			continue
		case in.header != nil && (err != nil || !in.namesColumns()):
			r.noNames = true
			continue
		}
		r.columns = in.header
		return err
	}
}

func newObserver(o Options, unions []*union) (*observer, error) {
	out := &observer{decoder: jsontext.NewDecoder(new(bytes.Buffer)), depth: o.MaxDepth, used: map[*Overrule]bool{}, mapped: map[*Overrule]path{}}
	if slices.ContainsFunc(o.Overrules, func(of Overrule) bool { return of.Type == "enum" }) {
		out.most = enumMax
	}
	root := &node{distinct: out.texts()}
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
		case names != nil && in.result.kind == "" && !in.result.noNames:
			in.header = names
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
		// A bad record must not change the nodes, so check it before merging.
		if err := o.sound(rec.Raw); err != nil {
			return o.failure(rec, err)
		}
	}
	return o.failure(rec, o.record(rec.Raw))
}

// sameKind returns an error if a record is of another kind of value than the first record. It is
// used only if the schema is inferred.
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

// namesColumns reports whether the first record has the names of the columns: all other records are
// rows of its length, and some column has no texts.
func (in *inference) namesColumns() bool {
	return in.observer.root.list.fits(len(in.header)) && in.observer.rowsWanted()
}

// fits reports whether all lists have n elements, and some column has values but no texts.
func (l *list) fits(n int) bool {
	return l != nil && len(l.row) == n && l.empty == 0 && slices.ContainsFunc(l.row, func(c *node) bool {
		return find(c).strings == 0 && find(c).values() > 0
	})
}

// rowsWanted reports whether records may be rows.
func (o *observer) rowsWanted() bool { return o.root.force == nil || o.root.force.Type == "row" }

// columns returns the elements of a list of two or more different texts, none of them empty;
// otherwise nil.
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

// sound returns the error that record would return, except for errors about the sample as a whole.
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

// failure returns the error for the user that corresponds to an error of record or sound.
func (o *observer) failure(rec Record, err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errDeep):
		return rec.fail(rec.next(o.decoder.InputOffset()), "the record is nested more than %d deep here, which several of the libraries could not read back", o.depth).Or(leftOut)
	case errors.Is(err, errNodes):
		return fmt.Errorf("%s: up to this record there are more than %s different fields; if the keys of an object are data, say --map and its path, or read less with --records", rec, phrase.Grouped(maxNodes))
	case errors.As(err, &syntax):
		why, skip := syntaxReason(syntax, nil, nextLine)
		return rec.fail(syntax.ByteOffset, "%s", why).Or(skip)
	}
	return fmt.Errorf("%s: %w", rec, err)
}

// lead applies the answers in rules to a node that is reached by the step s, and to the nodes below
// it, after their values were read: the names of the places of a row, for example, are known only
// then. used says whether the answers count as used.
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

// leadOn applies the answers in on to the nodes within a node.
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

// leadRow applies answers to the places of lists that may be rows.
func (o *observer) leadRow(n *node, rules []rule, used bool) {
	if n.list == nil || len(rules) == 0 {
		return
	}
	for i, r := range n.list.row {
		o.lead(r, rules, step{kind: inKey, key: placeName(i)}, used)
	}
}

// placeName returns the name of the i-th place of a row if no names of columns are known.
func placeName(i int) string { return fmt.Sprintf("f%d", i+1) }

// spare removes an answer about objects or about lists from nodes that have no such values, if
// another node to which the answer applies has some. With a union, one kind may have an object at
// the path and another kind only nulls.
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

// each visits a node and the nodes within it, once each. met has the nodes that were visited.
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

// unused returns an error for the first overrule that applies to no value, or to a single key of a map.
func (o *observer) unused(overrules []Overrule, places map[*node]place) error {
	applied := map[*Overrule]bool{}
	for n := range places {
		applied[n.force], applied[n.keep] = true, true
	}
	for i := range overrules {
		of := &overrules[i]
		if values := o.mapped[of]; values != nil && !applied[of] {
			return fmt.Errorf("%s: the objects there are a map, whose values have one type; name all of them, %s, or keep the keys apart with --struct %s",
				*of, phrase.ShellLine(values.String()), phrase.ShellLine(values[:len(values)-1].String()))
		}
		if o.used[of] {
			continue
		}
		var known []string
		for _, p := range places {
			known = append(known, p.path.String())
		}
		slices.Sort(known)
		known = slices.Compact(known) // the kinds of a union have one path
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

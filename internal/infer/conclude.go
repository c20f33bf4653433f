package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/schema"
	"assay/schema/text"
)

// conclude makes the schema from the merged records. The error is errAgain if the sample must be
// read again because of its unions.
func (in *inference) conclude() error {
	r, o := in.result, in.observer
	if err := r.settle(in.pass); err != nil {
		return err
	}
	if err := in.learn(true); err != nil {
		return err
	}
	o.spare()
	o.count(o.root, "")
	o.shaping = true
	s := &shaper{observer: o, header: r.columns, shared: map[*node]bool{}}
	if err := s.shape(o.root); err != nil {
		return err
	}
	if g := in.grammar; g != nil {
		if g.broken {
			return in.unlearn()
		}
		if err := o.check(s.places); err != nil {
			return err
		}
		g.collect(s.order)
	}
	if err := in.unite(s); err != nil {
		return err
	}
	if err := o.unused(in.options.Overrules, s.places); err != nil {
		return err
	}
	b := &builder{observer: o, result: r, places: s.places, made: map[role]int{}, inRows: map[string]bool{}, columns: numberColumns(s.places)}
	b.fill()
	root := b.root(o.root)
	b.refuseUntold()
	if err := in.refuse(b); err != nil {
		return err
	}
	switch {
	case b.err != nil:
		return b.err
	case root.Kind == schema.Invalid:
		return r.empty()
	}
	b.shareEqual()
	if err := r.assemble(b, root, in.name()); err != nil {
		return err
	}
	if o.html.unescaped() {
		r.Schema.Unescaped = true
		b.guess(guess.Type, nil, "html", "written without escapes for HTML", "its texts have <, > or & as they are, which encoding/json writes with SetEscapeHTML(false)")
	}
	r.Guesses = append(r.Guesses, b.suggestions()...)
	b.weigh()
	in.notes(b)
	if len(in.options.Overrules) == 0 {
		return nil
	}
	return in.fit()
}

// empty returns the error for records without a value.
func (r *Result) empty() error {
	where := "the only record"
	if r.Records > 1 {
		where = "any of " + plural(r.Records, "record")
	}
	return fmt.Errorf("%s: there is no value in %s, only nulls and what is empty", r.sources[0].Name, where)
}

// fit checks that every value fits the user's answers, which only a conversion shows.
func (in *inference) fit() error {
	r := in.result
	c, err := r.convert(discard)
	if err != nil {
		return err
	}
	notes := r.Notes
	r.Notes = nil
	if err := r.settle(c.pass); err != nil {
		return err
	}
	r.Notes = append(r.Notes, notes[in.settled:]...)
	return nil
}

// name returns what the schema is called after: Options.Name, the last key on the way to the
// records, or the name of the first source. The result need not be a valid name.
func (in *inference) name() string {
	if in.options.Name != "" {
		return in.options.Name
	}
	if p := in.result.records; len(p) > 0 {
		for i := len(p) - 1; i >= 0; i-- {
			if p[i].kind == inKey && p[i].key != "" {
				return p[i].key
			}
		}
	}
	if name := in.result.sources[0]; name.Name != stdin {
		return name.base()
	}
	return "data"
}

// shareEqual replaces messages that differ only in their name by one message, and unions by one
// that has their kinds. A message with a single field is shared only if it is Bare or Wraps.
func (b *builder) shareEqual() {
	for changed := true; changed; {
		changed = b.shareKinds()
		first := map[string]int{}
		for i, m := range b.list {
			if m.same != i || m.own || len(m.Fields) < 2 && !m.Bare && !m.Wraps {
				continue
			}
			s := b.signature(m)
			if j, ok := first[s]; ok {
				changed = true
				b.one(j, m)
			} else {
				first[s] = i
			}
		}
	}
}

// one replaces a message by the one with index to.
func (b *builder) one(to int, m *message) {
	m.same = to
	of := b.list[to]
	of.users = append(of.users, m.users...)
	if m.union != nil && of.union != nil {
		m.union.kinds = max(m.union.kinds, of.union.kinds)
	}
	if !m.Bare && !m.Wraps && !m.ByKind() && len(m.users) > 0 {
		b.shareLate(of, m)
	}
}

// shareKinds replaces each union by the smallest other union that has all of its kinds, in whatever
// order, and reports whether it replaced any. A place of a union has only objects of the union's
// messages, so the rule that tells the kinds apart in one place also works in the other.
func (b *builder) shareKinds() (any bool) {
	unions := func(i int) bool { m := b.list[i]; return m.same == i && m.union != nil && !m.own }
	for i, m := range b.list {
		if !unions(i) {
			continue
		}
		best := -1
		for j, of := range b.list {
			if larger := len(of.Fields) > len(m.Fields); unions(j) && (larger || j < i) && b.hasKinds(of, m) && (best < 0 || len(of.Fields) < len(b.list[best].Fields)) {
				best = j
			}
		}
		if best >= 0 {
			b.addTexts(b.list[best], m)
			b.one(best, m)
			any = true
		}
	}
	return any
}

// hasKinds reports whether the first union has all kinds of the second one, and both tell their kinds
// by the texts of the same key, or both by keys. A kind may have different texts in the two unions,
// unless a text of the second union stands for another kind in the first.
func (b *builder) hasKinds(of, m *message) bool {
	return of.Tag == m.Tag && !slices.ContainsFunc(m.Fields, func(f *schema.Field) bool {
		i := b.kindOf(of, f)
		return i < 0 || of.Tag != "" && slices.ContainsFunc(of.Fields, func(g *schema.Field) bool {
			return g != of.Fields[i] && slices.ContainsFunc(f.When, func(text string) bool { return slices.Contains(g.When, text) })
		})
	})
}

// kindOf returns the index of the variant of a union that has the same message as the variant f of
// another union, or -1.
func (b *builder) kindOf(of *message, f *schema.Field) int {
	return slices.IndexFunc(of.Fields, func(g *schema.Field) bool { return b.at(f.Type.Ref) == b.at(g.Type.Ref) })
}

// addTexts adds the texts that tell the kinds of the union m to another union that has all kinds of m.
func (b *builder) addTexts(of, m *message) {
	if m.Tag == "" {
		return
	}
	for _, f := range m.Fields {
		g := of.Fields[b.kindOf(of, f)]
		for _, text := range f.When {
			if !slices.Contains(g.When, text) {
				g.When = append(g.When, text)
			}
		}
	}
}

// signature returns a text that is equal for messages that differ only in their name. For unions
// with a tag, the order of the variants does not matter either: it is just the order in which the
// sample has them.
func (b *builder) signature(m *message) string {
	lines := make([]string, len(m.Fields))
	for i, f := range m.Fields {
		t := b.resolve(f.Type, func(m *message) string { return m.Name }, func(i int) string { return fmt.Sprintf("=%d", i) })
		lines[i] = fmt.Sprintln(f.OmitEmpty, f.OmitZero, f.Null, f.OneOrMany, f.JSONText) + fmt.Sprintf("%q %s %s %q\n", m.keys[i], text.FormatType(t), f.As, f.When)
	}
	if m.Tag != "" {
		slices.Sort(lines)
	}
	return fmt.Sprintln(m.Row, m.Bare, m.Wraps, m.apart, m.Union, m.Tag) + strings.Join(lines, "")
}

// resolve returns a type with each reference replaced by what message or enum returns for it.
func (b *builder) resolve(t schema.Type, message func(*message) string, enum func(int) string) schema.Type {
	if t.Elem != nil {
		elem := b.resolve(*t.Elem, message, enum)
		t.Elem = &elem
	}
	switch t.Kind {
	case schema.MessageKind:
		t.Ref = message(b.at(t.Ref))
	case schema.EnumKind:
		i, _ := strconv.Atoi(t.Ref[1:])
		t.Ref = enum(i)
	}
	return t
}

// at returns the message that a reference leads to, after replacements by one.
func (b *builder) at(ref string) *message {
	i, _ := strconv.Atoi(ref[1:])
	for b.list[i].same != i {
		i = b.list[i].same
	}
	return b.list[i]
}

// assemble names all messages and enums and puts them in the order in which a walk from the root
// meets them.
func (r *Result) assemble(b *builder, root schema.Type, name string) error {
	s := &schema.Schema{Name: SchemaName(name), Doc: plaintext.Line("Inferred from the records of " + baseNames(r.sources) + ".")}
	a := assembly{builder: b, schema: s, types: newTypeNames(), messages: map[*message]string{}, rootKey: singular(name)}
	a.visit(root, "")
	b.nameShared(a.messages)
	for i, m := range a.order {
		for _, f := range m.Fields {
			f.Type = b.resolve(f.Type, func(m *message) string { return a.messages[m] }, func(i int) string { return b.enums[i].name })
		}
		s.Messages[i].Name = a.messages[m]
	}
	r.Schema, r.Root, r.Name = s, s.Messages[0].Name, name
	s.Roots = []string{r.Root}
	r.keys = map[string][]string{}
	for _, m := range a.order {
		r.keys[m.Name] = m.keys
	}
	if err := s.Validate(); err != nil {
		return fmt.Errorf("the schema that was inferred breaks a rule, which is a mistake of this program: %w", err)
	}
	return nil
}

func baseNames(sources []Source) string {
	name := sources[0].base()
	if more := len(sources) - 1; more > 0 {
		name += " and " + plural(int64(more), "other file")
	}
	return name
}

// An assembly names the types of a schema.
type assembly struct {
	*builder
	schema   *schema.Schema
	types    *typeNames
	messages map[*message]string
	order    []*message
	values   map[string]bool // names of enum values
	rootKey  string
}

// visit names the messages and enums that a type refers to. parent is the name of the message that
// contains the type.
func (a *assembly) visit(t schema.Type, parent string) {
	if t.Elem != nil {
		a.visit(*t.Elem, parent)
	}
	switch t.Kind {
	case schema.EnumKind:
		i, _ := strconv.Atoi(t.Ref[1:])
		a.enum(a.enums[i], parent)
	case schema.MessageKind:
		m := a.at(t.Ref)
		if _, ok := a.messages[m]; ok {
			return
		}
		name := a.nameOf(m, parent)
		a.messages[m] = name
		a.order = append(a.order, m)
		a.schema.Messages = append(a.schema.Messages, m.Message)
		if m.ByKind() {
			name = parent // the names of the variants do not depend on the kinds beside them
		}
		for _, f := range m.Fields {
			a.visit(f.Type, name)
		}
	}
}

// enum names an enum and its values. The names of values are unique in the schema.
func (a *assembly) enum(e *enum, parent string) {
	if e.name != "" {
		return
	}
	if a.values == nil {
		a.values = map[string]bool{}
	}
	last, _ := enumWords(e.texts)
next:
	for {
		e.name = a.types.name(camel(e.key), schema.GoName(parent+camel(e.key)))
		out := &schema.Enum{Name: e.name}
		for i, w := range last {
			name := enumPrefix(e.name) + w
			if a.values[name] {
				continue next
			}
			out.Values = append(out.Values, schema.EnumValue{Name: name, Number: int32(i)})
		}
		for _, v := range out.Values {
			a.values[v.Name] = true
		}
		a.schema.Enums = append(a.schema.Enums, out)
		return
	}
}

// enumPrefix returns the prefix of the names of an enum's values.
func enumPrefix(name string) string { return strings.ToUpper(strings.Join(words(name), "_")) + "_" }

// notes adds the notes on the schema and on how else the sample could be read.
func (in *inference) notes(b *builder) {
	r := in.result
	in.settled = len(r.Notes)
	for _, m := range r.Schema.Messages {
		r.Notes = append(r.Notes, keyNotes(m, r.keys[m.Name])...)
	}
	if in.grammar != nil && in.grammar.union.kinds > 0 {
		r.Notes = append(r.Notes, in.notesOf(in.grammar.union)...)
	}
	for _, u := range in.unions {
		if u.beside != nil {
			r.tags = append(r.tags, u)
		}
		r.Notes = append(r.Notes, in.notesOf(u)...)
	}
	root := find(in.observer.root)
	ob := root.object
	if l := root.list; l != nil && ob == nil && r.Records == 1 && len(r.records) == 0 && !l.isRow && l.items >= fewRecords {
		what := "value"
		if l.elem != nil && find(l.elem).list != nil {
			what = "list"
		}
		r.Notes = append(r.Notes, fmt.Sprintf("the sample is one record, a list of %ss; --records %s takes its %s as records instead",
			what, phrase.ShellLine(path{{kind: inList}}.String()), plural(l.items, what)))
	}
	if root.union != nil || ob == nil || root.lists() > 0 {
		return
	}
	var at path // of the record
	if in.pass.elements {
		at = path{{kind: inList}}
	}
	one := r.Records == 1 && len(r.records) == 0
	if ob.value != nil {
		if one && ob.filled >= fewRecords {
			r.Notes = append(r.Notes, fmt.Sprintf("the sample is one record, a map; --records %s takes its %s as records instead",
				phrase.ShellLine(append(at, step{kind: inValue}).String()), plural(ob.filled, "value")))
		}
		return
	}
	if one && len(ob.members) >= fewAlike && ob.objects() && ob.alike(0.5) && root.force == nil {
		r.Notes = append(r.Notes, fmt.Sprintf("the record has %d keys, and their values are objects that are alike: if the keys are data, --map %s makes one type of them",
			len(ob.members), phrase.ShellLine(at.String())))
	}
	if one {
		for _, l := range largest(recordLists(root, at, map[*node]bool{})) {
			r.Notes = append(r.Notes, fmt.Sprintf("the sample is one record; --records %s takes the %s of %s as records instead",
				phrase.ShellLine(append(l.at, step{kind: inList}).String()), plural(l.items, "element"), l.at))
		}
	}
	if n := len(ob.members); ob.seen >= 10 && n >= 8 && float64(ob.filled) < 0.4*float64(ob.seen)*float64(n) {
		r.Notes = append(r.Notes, fmt.Sprintf("the records have %d different fields, and one of them has %.1f on average: they seem to be of several kinds; a file for each kind would show what that kind costs",
			n, float64(ob.filled)/float64(ob.seen)))
	}
}

// rows reports whether the elements of lists are rows.
func (l *list) rows() bool {
	if l.isRow || l.elem == nil {
		return false
	}
	e := find(l.elem)
	return e.list != nil && e.list.isRow && len(e.kinds()) == 1
}

// A recordList is a list of objects or of rows in a sample that is one record. Its elements may be
// the records that the user means.
type recordList struct {
	at    path
	items int64
}

// fewAlike is the least number of keys with objects that are alike from which on they may be data.
const fewAlike = 16

// fewRecords is the least number of elements of a list of records. mostLists is how many such lists
// the notes name at most.
const fewRecords, mostLists = 10, 3

// recordLists returns the lists of records in the values of n, which is at path at. It leaves out
// lists that are in the elements of another such list.
func recordLists(n *node, at path, met map[*node]bool) (all []recordList) {
	n = find(n)
	if met[n] || inTree(n) { // a tree's lists are at many paths, with few elements at each
		return nil
	}
	met[n] = true
	if l := n.list; l != nil && l.rows() && l.items >= fewRecords {
		return []recordList{{at, l.items}}
	}
	if l := n.list; l != nil && !l.isRow && l.elem != nil && find(l.elem).objects() >= l.items && !met[find(l.elem)] { // no tree
		if l.items >= fewRecords {
			return []recordList{{at, l.items}}
		}
		all = recordLists(l.elem, append(slices.Clip(at), step{kind: inList}), met)
	}
	if ob := n.structs(); ob != nil && ob.value == nil {
		for _, m := range ob.members {
			all = append(all, recordLists(m.node, append(slices.Clip(at), step{kind: inKey, key: m.key}), met)...)
		}
	}
	return all
}

// largest returns the mostLists lists with the most elements.
func largest(lists []recordList) []recordList {
	slices.SortStableFunc(lists, func(a, b recordList) int { return cmp.Compare(b.items, a.items) })
	return lists[:min(len(lists), mostLists)]
}

// fewKeys is how many keys a note names at most.
const fewKeys = 12

// keyNotes returns notes on the keys of a message that are written differently than in the sample,
// or that a library may confuse with one another.
func keyNotes(m *schema.Message, keys []string) (notes []string) {
	if m.Union {
		return nil // the names of its fields are not in the sample
	}
	folded := map[string][]int{}
	var order, otherwise []string
	for i, key := range keys {
		if t := m.Fields[i].TextName(); t != key && !m.Bare && !m.Wraps {
			otherwise = append(otherwise, fmt.Sprintf("%q as %q", shorten(key), shorten(t)))
		}
		f := strings.Join(words(key), "")
		if len(folded[f]) == 0 {
			order = append(order, f)
		}
		folded[f] = append(folded[f], i)
	}
	if len(otherwise) > 0 {
		notes = append(notes, fmt.Sprintf("keys of %s that a Go struct tag cannot hold are written otherwise: %s", m.Name, phrase.Some(otherwise, fewKeys)))
	}
	for _, f := range order {
		if f == "" || len(folded[f]) < 2 {
			continue
		}
		var same, fields []string
		for _, i := range folded[f] {
			same = append(same, strconv.Quote(shorten(keys[i])))
			fields = append(fields, m.Fields[i].Name)
		}
		notes = append(notes, fmt.Sprintf("the keys %s of %s differ only in case and punctuation; their fields are %s, and a library that ignores case may mix them up",
			strings.Join(same, " and "), m.Name, strings.Join(fields, " and ")))
	}
	return notes
}

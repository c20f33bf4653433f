package infer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
	"assay/schema/text"
)

// A builder makes a schema from nodes after a shaper has decided their shapes.
type builder struct {
	*observer
	result *Result
	places map[*node]place
	voidAt map[string]bool // the paths of voids; nil until it is asked for
	// columns has the nodes whose whole numbers belong to a column that has fractions elsewhere.
	columns map[*node]column
	full    map[*node]bool // the node has values to keep
	made    map[role]int   // index in list of the message made for a role
	list    []*message
	shared  []sharing
	enums   []*enum
	// suggested has the types that the user may ask for.
	suggested []suggestion
	err       error // the first overrule that cannot be followed
	// refused has the unions that do not fit the messages of their variants, with the reason.
	refused map[*union]string
	inRows  map[string]bool // paths of the places of rows
	enumAt  map[string]bool // paths for which a guess already says that the texts may be an enum
	byPath  map[string][]*node
}

// A role identifies one of the messages made for a node: the node's own message (""), a message
// that holds a list or map so that it can be an element ("items"), a wrapper for an element that
// may be null ("null"), and others, such as a union by kind ("kinds").
type role struct {
	node *node
	what string
}

// A message is an unfinished message. Until all messages have names, types refer to a message as
// #index, and to an enum as =index.
type message struct {
	*schema.Message
	keys   []string // the key in the sample of each field; for a row, the names of its places
	own    bool     // it is not shared: the user asked for its type, or it is of a grammar
	union  *union   // the union whose kinds are its fields; nil: it is no union
	users  []path   // the paths that use it, in the order of the schema
	called []string // the key at each of its places; see node
	suffix string
	apart  bool // it distinguishes null from absent
	same   int  // the index of the message that replaces it; its own index if none does
}

// An enum is an unfinished enum.
type enum struct {
	texts []string
	key   string
	name  string
}

// root makes the message of the records.
func (b *builder) root(n *node) schema.Type {
	n = find(n)
	if !b.full[n] {
		return schema.Type{}
	}
	t, json, ok := b.decide(n, nil)
	switch {
	case !ok:
		return schema.Type{}
	case t.Kind == schema.MessageKind:
		return t
	}
	return b.wrap(n, t, json, "items")
}

// decide returns the type of a node's values. json says that the type is a string that holds the
// text of their JSON. ok is false if the values are left out of the schema.
func (b *builder) decide(n *node, at path) (t schema.Type, json, ok bool) {
	n = find(n)
	asText := schema.Type{Kind: schema.String}
	if f := n.force; f != nil && !structural(f.Type) {
		return b.forced(n, at)
	}
	kinds := n.kinds()
	if f := n.force; f != nil && !slices.Equal(kinds, []valueKind{kindOf(f.Type)}) {
		if len(kinds) == 0 {
			b.fail(f, at, "there are only nulls")
		}
		b.fail(f, at, "it has %s", n.mixture())
	}
	switch {
	case len(kinds) == 0, n.hollow():
		return b.hollow(n, at), false, true
	case len(kinds) == 1 && n.force == nil && n.ragged() != "":
		b.guess(guess.Text, at, "list", "a string with the value's JSON", "%s", n.ragged())
		return asText, true, true
	case len(kinds) > 1 && n.byKind():
		return b.unionByKind(n, at), false, true
	case len(kinds) > 1:
		b.guessMixed(n, at)
		return asText, true, true
	case n.aside != nil: // the values beside the objects are empty texts or lists
		b.guessEmptyMap(n, at)
		return b.decide(n.aside, n.aside.origin())
	case n.bools > 0:
		return schema.Type{Kind: schema.Bool}, false, true
	case n.numbers() > 0:
		t, json = b.number(n, at)
		return t, json, true
	case n.object != nil && n.object.seen > 0:
		b.guessEmptyMap(n, at)
		t, json = b.object(n, at)
		return t, json, true
	case n.list != nil && n.list.seen > 0:
		if n.list.isRow {
			return b.row(n, at), false, true
		}
		b.guessOneOrMany(n, at)
		elem, json := b.element(n.list.elem, n.list.nulls)
		return schema.Type{Kind: schema.List, Elem: &elem}, json, true
	case n.times == n.strings:
		b.guessTime(n, at)
		return schema.Type{Kind: schema.Timestamp}, false, true
	}
	if !b.suggestText(n, at) {
		b.guessText(n, at)
	}
	return asText, false, true
}

// guessMixed reports that values of several kinds become texts of JSON, and how to overrule that:
// by a string if they are scalars, by a list if single values and lists of them are meant, and
// otherwise by leaving out the field.
func (b *builder) guessMixed(n *node, at path) {
	where, other := at, "none"
	if n.objects() == 0 && n.list == nil {
		other = "string"
	}
	for other == "none" && len(where) > 0 && (where[len(where)-1].kind != inKey || b.inRows[where.String()]) {
		where = where[:len(where)-1] // only fields can be left out
	}
	switch {
	case len(where) == 0:
		other = "json"
	case n.listable(at) != "" && n.force == nil:
		where, other = at, "list"
	}
	mixture := n.mixture()
	if n.list != nil && !n.list.even(n) {
		mixture += ", and lists like these are no variant of a union"
	}
	b.guessAt(guess.Text, at, Overrule{where.String(), other}, "a string with the value's JSON", "it has %s", mixture)
}

// structural reports whether the type of an overrule is for objects or lists.
func structural(t string) bool {
	return t == "struct" || t == "union" || t == "list" || t == "row" || isMapType(t)
}

// kindOf returns the kind of value that a structural overrule is for.
func kindOf(t string) valueKind {
	if t == "list" || t == "row" {
		return listKind
	}
	return objectKind
}

// fail records that an overrule's type cannot be had, and why. Only the first error is kept.
func (b *builder) fail(f *Overrule, at path, why string, args ...any) {
	b.cannot(f, at, "made "+article(f.Type), fmt.Sprintf(why, args...))
}

// failAbsent records that the values of an overrule are never absent, so that it has no effect.
func (b *builder) failAbsent(f *Overrule, at path, why string) {
	if f.Type == "null" {
		b.cannot(f, at, "absent", why)
		return
	}
	b.cannot(f, at, "left out", why)
}

func (b *builder) cannot(f *Overrule, at path, what, why string) {
	if b.err == nil {
		b.err = fmt.Errorf("%s: %s cannot be %s: %s", *f, at, what, why)
	}
}

func article(t string) string {
	if strings.ContainsRune("aeiou", rune(t[0])) && !strings.HasPrefix(t, "uint") && t != "union" {
		return "an " + t
	}
	return "a " + t
}

// scalars has the scalar kinds by their names in the text form of a schema.
var scalars = map[string]schema.Kind{
	"bool": schema.Bool, "int32": schema.Int32, "int64": schema.Int64, "uint32": schema.Uint32, "uint64": schema.Uint64,
	"float32": schema.Float32, "float64": schema.Float64, "string": schema.String, "bytes": schema.Bytes,
	"timestamp": schema.Timestamp, "duration": schema.Duration,
}

// forced returns the type that the user asked for. Whether every value fits shows only when the
// records are converted.
func (b *builder) forced(n *node, at path) (t schema.Type, json, ok bool) {
	f := n.force
	switch f.Type {
	case "none":
		return t, false, false
	case "json":
		return schema.Type{Kind: schema.String}, true, true
	case "number":
		if kinds := n.kinds(); len(kinds) != 1 || kinds[0] != numberKind {
			b.fail(f, at, "it has %s", n.mixture())
		}
		return schema.Type{Kind: schema.String}, true, true
	case "enum":
		switch {
		case n.distinct == nil:
			b.fail(f, at, "there are more than %s different texts, or some that are longer than %d bytes", phrase.Grouped(enumMax), maxChoice)
		case len(n.distinct.order) == 0:
			b.fail(f, at, "there are no texts")
		default:
			if _, err := enumWords(n.distinct.order); err != nil {
				b.fail(f, at, "%v", err)
			}
			b.enums = append(b.enums, &enum{texts: n.distinct.order, key: b.places[n].key})
		}
		return schema.Type{Kind: schema.EnumKind, Ref: fmt.Sprintf("=%d", len(b.enums)-1)}, false, true
	}
	if asksSpelling(f.Type) {
		as := n.asked(f.Type)
		return schema.Type{Kind: as.Kind(), Ref: string(as)}, false, true // field takes the spelling over
	}
	return schema.Type{Kind: scalars[f.Type]}, false, true
}

func (b *builder) number(n *node, at path) (t schema.Type, json bool) {
	switch {
	case n.vast():
		why := "there are numbers that neither 64 bits nor float64 hold"
		if n.beyond == 0 {
			why = "there are negative numbers and others that are too large for int64, which no whole number of 64 bits holds together"
		}
		b.guess(guess.Text, at, "string", "a string with the value's JSON", "%s", why)
		return schema.Type{Kind: schema.String}, true
	case n.floats > 0 || b.columns[n].other != nil:
		if n.floats == 0 {
			b.guessColumn(n, at)
		}
		if n.inexact > 0 {
			b.guess(guess.Presence, at, "json", "float64", "%s with a fraction and %s without; float64 rounds %s of the latter, above 2^53",
				plural(n.floats, "number"), phrase.Grouped(n.ints), phrase.Grouped(n.inexact))
		}
		return schema.Type{Kind: schema.Float64}, false
	case n.high > math.MaxInt64:
		b.guess(guess.Type, at, "string", "uint64", "the largest is %d, which is too large for int64", n.high)
		return schema.Type{Kind: schema.Uint64}, false
	}
	b.suggestTime(n, at)
	return schema.Type{Kind: schema.Int64}, false
}

// element returns the type of a list's elements or a map's values. nulls is how many of these are
// null in this list or map: n may be shared with places that have nulls where this one has none.
func (b *builder) element(n *node, nulls int64) (t schema.Type, json bool) {
	if n == nil {
		return schema.Type{Kind: schema.String}, false // there are no elements
	}
	at := n.origin()
	if n.keep != nil {
		b.failAbsent(n.keep, at, "only fields are left out, not elements of lists or values of maps")
	}
	n = find(n)
	if n.force != nil && n.force.Type == "none" {
		b.failAbsent(n.force, at, "only fields are left out, not elements of lists or values of maps")
	}
	t, json, _ = b.decide(n, at)
	if n.blank() {
		b.guessBlank(n, at, n.blanks(), "null")
	}
	switch {
	case t.Kind == schema.List || t.Kind == schema.Map:
		return b.wrap(n, t, json, "items"), false
	case nulls+n.none() > 0 && !json:
		return b.wrap(n, t, false, "null"), false
	}
	return t, json
}

// absent returns how many values are null or stand for null.
func (n *node) absent() int64 {
	return n.nulls + n.none()
}

// none returns how many values stand for null: blank values, and empty lists beside rows.
func (n *node) none() int64 {
	none := n.blanks()
	if n.list != nil && n.list.isRow {
		none += n.list.empty
	}
	return none
}

// wrap makes a message with one field: a Bare one for a list or a map, and one with Wraps for
// other values. what is the role: "items" for an element, "null" for an element that may be null,
// or the variant of a union by kind.
func (b *builder) wrap(n *node, t schema.Type, json bool, what string) schema.Type {
	m, isNew := b.make(role{n, what}, b.places[n].path)
	if !isNew {
		return b.ref(m)
	}
	f := &schema.Field{Name: "value", Number: 1, Type: t, JSONText: json}
	spelling(f)
	oneOrMany(f, n)
	m.Fields = []*schema.Field{f}
	m.keys = []string{""}
	switch {
	case t.Kind == schema.List:
		f.Name, m.Bare, m.suffix = "items", true, "Items"
		f.Null = what == "items" && n.absent() > 0 // in a union it is the union that may be null
	case t.Kind == schema.Map:
		f.Name, m.Bare, m.suffix = "entries", true, "Map"
		f.Null = what == "items" && n.absent() > 0
	case what == "null":
		f.Null = nilable(f)
		f.Type.Optional = !f.Null
		m.Wraps, m.suffix = true, "OrNull"
	default:
		m.Wraps = true
	}
	return b.ref(m)
}

// make returns the message of a role. isNew is false if it was made before.
func (b *builder) make(r role, at path) (m *message, isNew bool) {
	if i, ok := b.made[r]; ok {
		b.list[i].users = append(b.list[i].users, at)
		return b.list[i], false
	}
	i := len(b.list)
	b.made[r] = i
	m = &message{Message: &schema.Message{Name: fmt.Sprintf("#%d", i)}, users: []path{at}, same: i}
	b.list = append(b.list, m)
	return m, true
}

func (b *builder) ref(m *message) schema.Type {
	return schema.Type{Kind: schema.MessageKind, Ref: m.Name}
}

// object returns the type of a map or of a struct.
func (b *builder) object(n *node, at path) (t schema.Type, json bool) {
	if v := n.object.value; v != nil {
		return b.mapOf(n, v, at)
	}
	if n.union != nil {
		return b.unionOf(n, at), false
	}
	m, isNew := b.make(role{n, ""}, at)
	if !isNew {
		if first := m.users[0]; !n.isKind && first.String() != at.String() {
			b.guessShared(m, first, at)
		}
		return b.ref(m), false
	}
	m.own, m.called = n.force != nil || n.isKind, n.called
	names := newNamer()
	all, _ := n.object.keyList()
	names.keep(all)
	for _, member := range n.object.members {
		there := member.node.origin()
		v := find(member.node)
		t, json, ok := b.decide(v, there)
		if !ok {
			names.text(member.key) // a reader of the schema numbers this key too
			continue
		}
		f := b.field(m, names, member.key, t, json)
		p := n.object.presence(member)
		if v.list != nil && v.list.isRow {
			p.nulls += p.empty // an empty list stands for an absent row
		}
		b.keep(f, v, member.node.keep, there, p)
	}
	return b.ref(m), false
}

// mapOf returns the type of a map.
func (b *builder) mapOf(n, value *node, at path) (t schema.Type, json bool) {
	key := schema.String
	guessed := len(b.result.Guesses) // the index of this guess
	switch f := n.force; {
	case f != nil:
		key = keyKind(f.Type)
	default:
		b.guess(guess.Structure, at, "struct", "a map", "%s", n.object.why)
		if n.object.wholes {
			b.guess(guess.Structure, at, "map[int64]", "keys of a map as text", "all keys are whole numbers, which JSON writes as texts")
		}
	}
	elem, json := b.element(value, n.object.nulls)
	t = schema.Type{Kind: schema.Map, Key: key, Elem: &elem}
	if n.force == nil && elem.Kind != schema.MessageKind && elem.Kind != schema.EnumKind {
		shown, plain := t, elem
		shown.Elem, plain.Ref = &plain, "" // Ref may hold a spelling, which is not shown
		b.result.Guesses[guessed].Decision = text.FormatType(shown)
	}
	return t, json
}

// keyKind returns the kind of the keys of a map that an overrule asks for.
func keyKind(overrule string) schema.Kind {
	if k, ok := strings.CutPrefix(overrule, "map["); ok {
		return scalars[strings.TrimSuffix(k, "]")]
	}
	return schema.String
}

// row returns the type of lists whose places are fields.
func (b *builder) row(n *node, at path) schema.Type {
	l := n.list
	m, isNew := b.make(role{n, ""}, at)
	if !isNew {
		return b.ref(m)
	}
	m.Row, m.own = true, n.force != nil
	why := l.why
	if len(at) == 0 && b.result.columns != nil {
		why += ", and the first record has names for them"
	}
	if l.empty > 0 {
		why += fmt.Sprintf("; %s written as absent or null", be(l.empty, "empty list"))
	}
	if n.force == nil {
		b.guess(guess.Structure, at, "list", "a message of "+plural(int64(len(l.row)), "field"), "%s", why)
	}
	m.Doc = fmt.Sprintf("In the sample this is a list of %d elements.", len(l.row))
	names := newNamer()
	for i, r := range l.row {
		there := r.origin()
		b.inRows[there.String()] = true
		if r.keep != nil {
			b.failAbsent(r.keep, there, "a row keeps all of its places")
		}
		r = find(r)
		if r.force != nil && r.force.Type == "none" {
			b.failAbsent(r.force, there, "a row keeps all of its places")
		}
		t, json, _ := b.decide(r, there)
		if r.blank() {
			b.guessBlank(r, there, r.blanks(), "null")
		}
		b.keep(b.field(m, names, l.names[i], t, json), r, nil, there, presence{nulls: r.absent()})
	}
	return b.ref(m)
}

// field adds a field to a message.
func (b *builder) field(m *message, names *namer, key string, t schema.Type, json bool) *schema.Field {
	f := &schema.Field{Name: names.name(key), Number: number(len(m.Fields)), Type: t, JSONText: json}
	spelling(f)
	if t := names.text(key); t != f.Name {
		f.Text = t
	}
	m.Fields = append(m.Fields, f)
	m.keys = append(m.keys, key)
	return f
}

// number returns the number of the i-th field. It skips 19000 to 19999, which protobuf reserves.
func number(i int) int {
	if i+1 >= 19000 {
		return i + 1 + 1000
	}
	return i + 1
}

// hollow reports whether all values of a node are empty lists or all are empty objects, so that
// the types of their elements or fields are unknown.
func (n *node) hollow() bool {
	if n.bools+n.numbers()+n.strings > 0 || n.objects() > 0 && n.lists() > 0 || n.force != nil && n.force.Type == "struct" {
		return false
	}
	return n.list != nil && n.list.items == 0 && n.list.seen > 0 || n.object != nil && n.object.filled == 0 && n.object.seen > 0
}

// fill finds the nodes that have values to keep: all except those that were always null or empty.
func (b *builder) fill() {
	b.full = map[*node]bool{}
	for changed := true; changed; {
		changed = false
		for n := range b.places {
			if !b.full[n] && b.holds(n) {
				b.full[n], changed = true, true
			}
		}
	}
}

func (b *builder) holds(n *node) bool {
	full := func(n *node) bool { return n != nil && b.full[find(n)] }
	if f := n.force; f != nil && !structural(f.Type) {
		return f.Type != "none"
	}
	if n.bools+n.numbers()+n.strings > 0 || n.objects() > 0 && n.lists() > 0 {
		return true
	}
	if ob := n.object; ob != nil {
		return full(ob.value) || slices.ContainsFunc(ob.members, func(m *member) bool { return full(m.node) })
	}
	if l := n.list; l != nil {
		return full(l.elem) || l.isRow && slices.ContainsFunc(l.row, full)
	}
	return false
}

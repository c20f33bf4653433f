package infer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/schema"
)

// errAgain says that the sample is to be read again, because it is known now that
// it has unions, or that it has not.
var errAgain = errors.New("again")

const (
	// fewestOptional is from how many optional fields on a struct may rather be a
	// union, and fewestObjects how many objects have to speak for it.
	fewestOptional, fewestObjects = 6, 8
	// maxTags is how many texts in the objects, and as many beside them, are looked at;
	// maxTexts how many different ones a tag may have, and maxText how long one may be;
	// maxSignatures how many different sets of keys are told apart, and maxSurveyed
	// how many keys a place may have. They bound the memory that a survey takes.
	maxTags, maxTexts, maxText, maxSignatures, maxSurveyed = 32, 64, 64, 512, 512
	// wellFilled is the share of the fields of the variants that have to be there on
	// average, and muchBetter how much of that a struct may have at most.
	wellFilled, muchBetter = 0.6, 0.75
)

// unite looks for unions among the messages of a shape. The error is errAgain when
// there are some: the sample is to be read again then, with a message for each of
// their variants. Those around others are found first, since what is in a variant
// is known when its objects are read apart.
func (in *inference) unite(s *shaper) error {
	if in.result.columns != nil || in.rounds >= maxRounds {
		return nil
	}
	all := in.suspects(s)
	if len(all) == 0 {
		return nil
	}
	in.rounds++
	if err := in.survey(all); err != nil {
		return err
	}
	found := false
	for _, x := range all {
		in.surveyed[x.at.String()] = true
		u, err := x.decide()
		if err != nil {
			return err
		}
		if u != nil {
			in.unions, found = append(in.unions, u), true
		}
	}
	if found {
		return errAgain
	}
	return in.unite(s) // what is within those that are none
}

// refuse takes back unions that do not fit what their variants became. The error is
// errAgain when there are some, and one of the user's when he asked for it.
func (in *inference) refuse(b *builder) error {
	if len(b.refused) == 0 {
		return nil
	}
	for _, u := range in.unions {
		if why, ok := b.refused[u]; ok && u.forced != nil {
			return fmt.Errorf("%s: %s cannot be made a union: %s", *u.forced, u.path, why)
		}
	}
	in.unions = slices.DeleteFunc(in.unions, func(u *union) bool { _, ok := b.refused[u]; return ok })
	return errAgain
}

// suspects are the places of a shape that may be unions, none within another.
func (in *inference) suspects(s *shaper) (all []*suspect) {
	at := map[string]*suspect{}
	for n, place := range s.places {
		forced := n.force != nil && n.force.Type == "union"
		if n.object == nil || n.object.value != nil || n.union != nil || len(n.kinds()) != 1 || n.force != nil && !forced {
			continue
		}
		name := place.path.String()
		if in.surveyed[name] || !forced && (s.shared[n] || !n.object.scattered()) {
			continue
		}
		if at[name] == nil {
			at[name] = &suspect{at: place.path}
		}
		if forced {
			at[name].forced = n.force
		}
	}
	for n, place := range s.places { // there is one for each variant that the place is in
		if x := at[place.path.String()]; x != nil && n.object != nil {
			x.nodes = append(x.nodes, n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[name])
	}
	outer := slices.Clone(all)
	return slices.DeleteFunc(all, func(x *suspect) bool {
		return slices.ContainsFunc(outer, func(o *suspect) bool { return len(o.at) < len(x.at) && slices.Equal(o.at, x.at[:len(o.at)]) })
	})
}

// scattered reports whether so many members are absent from some of the objects
// that these may be of several kinds.
func (ob *object) scattered() bool {
	optional := 0
	for _, m := range ob.members {
		if m.count < ob.seen {
			optional++
		}
	}
	return ob.seen >= fewestObjects && optional >= fewestOptional && 2*optional >= len(ob.members) && len(ob.members) <= maxSurveyed
}

// survey reads the sample once more, for the places that may be unions.
func (in *inference) survey(all []*suspect) error {
	o := in.observer
	var from []pending
	for _, x := range all {
		x.start()
		from = append(from, pending{x, x.at})
	}
	p, err := in.result.each(func(rec Record) error {
		if rec.First && in.header == nil && columns(rec.Raw) != nil {
			return nil
		}
		if err := in.result.sameKind(rec); err != nil {
			return err
		}
		if in.options.SkipBad {
			if err := o.sound(rec.Raw); err != nil {
				return o.failure(rec, err)
			}
		}
		return visit(rec.Raw, from, nil)
	})
	if err == nil && p.seen != in.pass.seen {
		err = fmt.Errorf("%s has %s now and had %s before; it must not change while it is read", in.result.sources[0].Name, plural(p.seen, "record"), plural(in.pass.seen, "record"))
	}
	return err
}

// pending is a place that may be a union, and what is left of the way to it.
type pending struct {
	of   *suspect
	rest path
}

// A pair is a key of an object and its value, as JSON.
type pair struct {
	key   string
	value []byte
}

// visit finds the objects at the places in a value. beside are the members of the
// object that the value is a member of.
func visit(raw []byte, want []pending, beside []pair) error {
	list := raw[0] == '['
	if !list && raw[0] != '{' {
		return nil
	}
	var pairs []pair
	err := inside(raw, func(key string, value []byte) bool {
		pairs = append(pairs, pair{key, slices.Clone(value)})
		return true
	}, list)
	if err != nil {
		return err
	}
	for _, w := range want {
		if len(w.rest) == 0 && !list {
			w.of.add(pairs, beside)
		}
	}
	for _, p := range pairs {
		to := step{kind: inKey, key: p.key}
		if list {
			to = step{kind: inList}
		}
		var next []pending
		for _, w := range want {
			if len(w.rest) > 0 && w.rest[0].leads(to) {
				next = append(next, pending{w.of, w.rest[1:]})
			}
		}
		if len(next) == 0 {
			continue
		}
		around := pairs
		if list {
			around = nil
		}
		if err := visit(p.value, next, around); err != nil {
			return err
		}
	}
	return nil
}

// A suspect is a place that may be a union.
type suspect struct {
	at     path
	nodes  []*node
	forced *Overrule

	objects int64
	filled  int64
	keys    []string
	index   map[string]int
	tags    []*tag // that may tell variants apart
	byTag   map[tagAt]*tag
	places  map[bool]int     // how many of tags are beside the objects, and how many in them
	shapes  map[string]*kind // by the set of keys; nil: there are too many
}

// A tagAt is the key of a text in the objects or, when beside is true, in those
// that they are members of.
type tagAt struct {
	beside bool
	key    string
}

// A tag is a text that objects may be told apart by.
type tag struct {
	tagAt
	objects int64 // that have it
	kinds   []*kind
	byText  map[string]*kind
	bad     bool // too many texts, or not texts only
}

// A kind is a group of objects.
type kind struct {
	texts []string // of the tag
	count int64
	keys  map[int]int64 // how many objects have a key
}

func (x *suspect) start() {
	x.index, x.byTag, x.shapes = map[string]int{}, map[tagAt]*tag{}, map[string]*kind{}
	x.places = map[bool]int{}
}

// add counts an object.
func (x *suspect) add(pairs, beside []pair) {
	if len(x.keys) > maxSurveyed {
		return // it was asked for, and is refused
	}
	x.objects++
	x.filled += int64(len(pairs))
	set := make([]int, len(pairs))
	for i, p := range pairs {
		k, ok := x.index[p.key]
		if !ok {
			k = len(x.keys)
			x.index[p.key] = k
			x.keys = append(x.keys, p.key)
		}
		set[i] = k
	}
	for _, p := range pairs {
		x.tagged(tagAt{false, p.key}, p.value, set)
	}
	for _, p := range beside {
		x.tagged(tagAt{true, p.key}, p.value, set)
	}
	if x.shapes == nil {
		return
	}
	sorted := slices.Sorted(slices.Values(set))
	name := fmt.Sprint(sorted)
	if x.shapes[name] == nil {
		if len(x.shapes) == maxSignatures {
			x.shapes = nil
			return
		}
		x.shapes[name] = &kind{keys: map[int]int64{}}
	}
	x.shapes[name].add(set)
}

func (k *kind) add(set []int) {
	k.count++
	for _, i := range set {
		k.keys[i]++
	}
}

// tagged counts an object for a text that may be a tag. Only what every object has
// may be one.
func (x *suspect) tagged(at tagAt, value []byte, set []int) {
	t := x.byTag[at]
	if t == nil {
		if x.objects > 1 || x.places[at.beside] == maxTags {
			return
		}
		x.places[at.beside]++
		t = &tag{tagAt: at, byText: map[string]*kind{}}
		x.byTag[at] = t
		x.tags = append(x.tags, t)
	}
	if t.bad {
		return
	}
	if t.bad = value[0] != '"' || len(value) > maxText || len(value) == 2; t.bad {
		t.kinds, t.byText = nil, nil
		return
	}
	t.objects++
	text := unquote(value)
	k := t.byText[text]
	if k == nil {
		if t.bad = len(t.kinds) == maxTexts; t.bad {
			t.kinds, t.byText = nil, nil
			return
		}
		k = &kind{texts: []string{text}, keys: map[int]int64{}}
		t.byText[text] = k
		t.kinds = append(t.kinds, k)
	}
	k.add(set)
}

// A partition is the objects of a place, by kind.
type partition struct {
	*suspect
	tag   *tag // nil: by shape
	kinds []*kind
	when  []string // the keys by which kinds are told; nil: by a tag in the objects
}

// fill is the share of the fields of the kinds that are there.
func (p *partition) fill() float64 {
	places := int64(0)
	for _, k := range p.kinds {
		places += k.count * int64(len(k.keys))
	}
	return float64(p.filled) / float64(max(places, 1))
}

// steady is the share of the fields that all objects of their kind have.
func (p *partition) steady() float64 {
	always, all := 0, 0
	for _, k := range p.kinds {
		for _, n := range k.keys {
			all++
			if n == k.count {
				always++
			}
		}
	}
	return float64(always) / float64(max(all, 1))
}

// rare is how many kinds have one object.
func (p *partition) rare() (n int) {
	for _, k := range p.kinds {
		if k.count == 1 {
			n++
		}
	}
	return n
}

// good reports whether most objects are explained: fields that are optional in one
// struct are there in nearly all objects of their kind.
func (p *partition) good() bool {
	n := len(p.kinds)
	if n < 2 || n > maxVariants {
		return false
	}
	struct1 := float64(p.filled) / float64(p.objects*int64(len(p.keys)))
	fill := p.fill()
	return p.forced != nil || fill >= wellFilled && struct1 <= muchBetter*fill && p.steady() >= 0.5 && 2*p.rare() <= n
}

// score is larger for the better of two partitions: a kind more has to be worth it.
func (p *partition) score() float64 {
	s := p.fill() - 0.005*float64(len(p.kinds))
	switch {
	case p.tag == nil:
		s -= 0.02
	case p.tag.beside:
		s -= 0.01
	}
	return s
}

// decide returns the union that a place is, or nil. The error is that of a user who
// asks for one that cannot be.
func (x *suspect) decide() (*union, error) {
	if len(x.keys) > maxSurveyed {
		return nil, fmt.Errorf("%s: the objects at %s have more than %s different keys, which is too many for a union; if the keys are data, say --map %s",
			*x.forced, x.at, group(maxSurveyed), shellWord(x.at.String()))
	}
	var best *partition
	try := func(p *partition) {
		if p != nil && p.good() && (best == nil || p.score() > best.score()) {
			best = p
		}
	}
	for _, t := range x.tags {
		if t.bad || t.objects != x.objects || len(t.kinds) < 2 {
			continue
		}
		p := &partition{suspect: x, tag: t, kinds: alike(t.kinds)}
		if t.beside || !x.tagKey(t.key) {
			p = p.keyed()
		}
		try(p)
	}
	try(x.byShape())
	if best == nil && x.forced != nil {
		return nil, fmt.Errorf("%s: the objects at %s cannot be told apart: there is no text in or beside each of them that has from 2 to %d values and goes with different keys, and no keys are such that each object has those of one kind only",
			*x.forced, x.at, maxTexts)
	}
	if best == nil {
		return nil, nil
	}
	return best.union(), nil
}

// alike joins kinds whose keys are the same, or nearly. The result is of copies.
func alike(kinds []*kind) (out []*kind) {
next:
	for _, k := range kinds {
		for _, o := range out {
			shared := 0
			for i := range k.keys {
				if o.keys[i] > 0 {
					shared++
				}
			}
			if all := len(k.keys) + len(o.keys) - shared; 5*shared >= 4*all {
				o.join(k)
				continue next
			}
		}
		c := &kind{keys: map[int]int64{}}
		c.join(k)
		out = append(out, c)
	}
	return out
}

func (k *kind) join(o *kind) {
	k.texts = append(k.texts, o.texts...)
	k.count += o.count
	for i, n := range o.keys {
		k.keys[i] += n
	}
}

// tagKey reports whether a key can be a tag: generated code reads it, and none that
// libraries which ignore case take for it is there.
func (x *suspect) tagKey(key string) bool {
	return tagText(key) == key && !slices.ContainsFunc(x.keys, func(k string) bool { return k != key && strings.EqualFold(tagText(k), key) })
}

// maxSpanning is how many keys may be in several kinds that only their keys tell.
const maxSpanning = 8

// byShape is the partition in which each object has keys of exactly one kind, but
// for keys that all objects have, and for as few others as possible: those that are
// there together with the most others. It is nil when there is none.
func (x *suspect) byShape() *partition {
	if x.shapes == nil {
		return nil
	}
	spread := make([]int64, len(x.keys))
	with := make([]map[int]bool, len(x.keys))
	for _, s := range x.shapes {
		for k, n := range s.keys {
			spread[k] += n
			if with[k] == nil {
				with[k] = map[int]bool{}
			}
			for other := range s.keys {
				with[k][other] = true
			}
		}
	}
	var own []int // keys that may be of one kind, those that are with few others first
	for k := range x.keys {
		if spread[k] < x.objects {
			own = append(own, k)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return len(with[a]) - len(with[b]) })
	for range maxSpanning {
		if p := x.exclusive(own); p != nil && p.good() {
			return p
		}
		if len(own) < 2 {
			break
		}
		own = own[:len(own)-1]
	}
	return nil
}

// exclusive is the partition by keys of which each object has those of one kind
// only, keys that are there together being of one kind.
func (x *suspect) exclusive(keys []int) *partition {
	of := make([]int, len(x.keys)) // the key that stands for those that are there together; -1: of no kind
	for i := range of {
		of[i] = -1
	}
	for _, k := range keys {
		of[k] = k
	}
	root := func(i int) int {
		for of[i] != i {
			i = of[i]
		}
		return i
	}
	first := func(s *kind) int {
		at := -1
		for k := range s.keys {
			if of[k] < 0 {
				continue
			}
			if at < 0 {
				at = root(k)
			}
			a, b := root(at), root(k)
			of[max(a, b)] = min(a, b)
			at = min(a, b)
		}
		return at
	}
	for _, s := range x.shapes {
		if first(s) < 0 && x.forced == nil {
			return nil // it is of no kind, and what others have may be merely optional
		}
	}
	kinds := map[int]*kind{}
	for _, name := range slices.Sorted(maps.Keys(x.shapes)) {
		s := x.shapes[name]
		at := first(s)
		if kinds[at] == nil {
			kinds[at] = &kind{keys: map[int]int64{}}
		}
		kinds[at].join(s)
	}
	p := &partition{suspect: x}
	for _, at := range slices.Sorted(maps.Keys(kinds)) {
		p.kinds = append(p.kinds, kinds[at])
	}
	return p.keyed()
}

// keyed orders kinds so that each can be told by a key which no later one has, and
// the last is what is left. Those that cannot be told from another are joined with
// it. It is nil when all become one.
func (p *partition) keyed() *partition {
	var left []*kind
	empty := int64(0) // objects without keys, which are of the last kind
	for _, k := range p.kinds {
		if len(k.keys) == 0 {
			empty += k.count
		} else {
			left = append(left, k)
		}
	}
	out := &partition{suspect: p.suspect, tag: p.tag, when: []string{}}
	for len(left) > 1 {
		found := false
		for i, k := range left {
			if key := p.toldBy(k, left); key != "" {
				out.kinds, out.when = append(out.kinds, k), append(out.when, key)
				left, found = slices.Delete(left, i, i+1), true
				break
			}
		}
		if !found {
			c := &kind{keys: map[int]int64{}}
			c.join(left[0])
			c.join(left[1])
			left = append([]*kind{c}, left[2:]...)
		}
	}
	if len(out.kinds) == 0 {
		return nil
	}
	last := &kind{keys: map[int]int64{}}
	last.join(left[0])
	last.count += empty
	out.kinds = append(out.kinds, last)
	return out
}

// toldBy returns a key that all objects of a kind have, with a value that is never
// null or empty, and no others.
func (p *partition) toldBy(k *kind, all []*kind) string {
	for i, key := range p.keys {
		if k.keys[i] != k.count || !p.tagKey(key) || !p.telling(key) {
			continue
		}
		if !slices.ContainsFunc(all, func(o *kind) bool { return o != k && o.keys[i] > 0 }) {
			return key
		}
	}
	return ""
}

// telling reports whether a key tells of every object that it is in what it is.
func (x *suspect) telling(key string) bool {
	return !slices.ContainsFunc(x.nodes, func(n *node) bool {
		m := n.object.member(key)
		return m != nil && !telling(find(m.node))
	})
}

// telling reports whether values are of one kind, and neither null nor lists nor
// maps, whose absence libraries write in several ways.
func telling(n *node) bool {
	if n.nulls > 0 || n.beyond > 0 || len(n.kinds()) != 1 || n.lists() > 0 || n.force != nil || n.keep != nil {
		return false
	}
	return n.object == nil || n.object.value == nil && n.object.filled > 0
}

// union returns what was decided.
func (p *partition) union() *union {
	u := &union{path: p.at, how: &schema.Message{Union: true}, forced: p.forced}
	taken := map[string]bool{}
	var names []string
	for i, k := range p.kinds {
		f := &schema.Field{}
		switch {
		case p.when == nil:
			f.Name, f.When = k.texts[0], k.texts
		case len(k.texts) > 0:
			f.Name = k.texts[0]
		case i < len(p.when):
			f.Name = p.when[i]
		default:
			f.Name = p.ownKey(k)
		}
		if p.when != nil && i < len(p.when) {
			f.When = []string{p.when[i]}
		}
		for taken[f.Name] {
			f.Name += " 2"
		}
		taken[f.Name] = true
		names = append(names, shorten(f.Name))
		u.how.Fields = append(u.how.Fields, f)
	}
	some := strings.Join(names[:min(len(names), 3)], ", ")
	if more := len(names) - 3; more > 0 {
		some += fmt.Sprintf(" and %d more", more)
	}
	by := "the keys that are there"
	switch {
	case p.tag != nil && p.tag.beside:
		by = fmt.Sprintf("%q beside them", shorten(p.tag.key))
	case p.tag != nil:
		by = fmt.Sprintf("their %q", shorten(p.tag.key))
	}
	u.why = fmt.Sprintf("the fields of the %s go by %s: %s; of its fields a kind has %.0f%% on average, and one struct %.0f%%",
		plural(p.objects, "object"), by, some, 100*p.fill(), 100*float64(p.filled)/float64(p.objects*int64(len(p.keys))))
	if p.tag != nil && p.tag.beside {
		u.beside = p.tagPath()
	}
	if p.when == nil {
		u.how.Tag = p.tag.key
	}
	u.splits = p.splits()
	return u
}

// ownKey is the key that most objects of a kind have and no others, or "other".
func (p *partition) ownKey(k *kind) string {
	name, most := "other", int64(0)
	for i, key := range p.keys {
		if k.keys[i] > most && !slices.ContainsFunc(p.kinds, func(o *kind) bool { return o != k && o.keys[i] > 0 }) {
			name, most = key, k.keys[i]
		}
	}
	return name
}

// tagPath is where the text is that goes with the kinds.
func (p *partition) tagPath() path {
	at := p.at
	if p.tag.beside {
		at = at[:len(at)-1]
	}
	return at.plus(step{kind: inKey, key: p.tag.key})
}

// splits are the conditions by which records of one kind are taken. There are none
// where a record may have objects of several kinds.
func (p *partition) splits() (all []split) {
	if slices.ContainsFunc(p.at, func(s step) bool { return s.kind != inKey }) {
		return nil
	}
	if p.tag == nil {
		for i, key := range p.when {
			all = append(all, split{Only{path: p.at.plus(step{kind: inKey, key: key}), any: true}, p.kinds[i].count})
		}
		return all
	}
	at := p.tagPath()
	for _, k := range p.tag.kinds {
		all = append(all, split{Only{path: at, value: k.texts[0]}, k.count})
	}
	return all
}

// variants says where what is in the variants of a union is: where the union is.
func (s *shaper) variants(n *node, at place) {
	if n.union == nil {
		return
	}
	for _, m := range n.object.members {
		s.strays[m.node] = at.path
	}
}

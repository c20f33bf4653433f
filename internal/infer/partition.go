package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/internal/phrase"
	"assay/schema"
)

// A partition divides the objects of a place into kinds.
type partition struct {
	*suspect
	tag   *tag // the text that goes with the kinds; nil: only their keys tell them
	kinds []*kind
	when  []string // the keys that tell the kinds except the last; nil: the tag in the objects does
}

// fill returns the average share of its kind's fields that an object has.
func (p *partition) fill() float64 {
	places := int64(0)
	for _, k := range p.kinds {
		places += k.count * int64(len(k.keys))
	}
	return float64(p.filled) / float64(max(places, 1))
}

// steady returns the share of all fields that are in every object of their kind.
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

// rare returns how many kinds have only one object.
func (p *partition) rare() (n int) {
	for _, k := range p.kinds {
		if k.count == 1 {
			n++
		}
	}
	return n
}

// good reports whether a partition explains most absent fields: fields that would be optional in one
// struct are in nearly all objects of their kind. It is also good if the tag explains the types of
// values, or if the user asked for a union.
func (p *partition) good() bool {
	n := len(p.kinds)
	if n < 2 || n > maxVariants {
		return false
	}
	struct1 := float64(p.filled) / float64(p.objects*int64(len(p.keys)))
	fill := p.fill()
	if len(p.explained()) > 0 && p.tag.tells() {
		return true
	}
	filled := fill >= wellFilled && struct1 <= muchBetter*fill
	if p.tag != nil && ofKinds(p.tag.key) {
		filled = filled || fill >= halfFilled && struct1 <= halfBetter*fill
	}
	return p.forced != nil || p.scattered && filled && p.steady() >= 0.5 && 2*p.rare() <= n
}

// score rates a partition; the larger score is better. Each kind lowers it, so that more kinds must
// pay for themselves.
func (p *partition) score() float64 {
	s := p.fill() - 0.005*float64(len(p.kinds))
	switch {
	case p.tag == nil:
		s -= 0.02
	case p.tag.beside:
		s -= 0.01
	}
	if p.tag != nil && ofKinds(p.tag.key) {
		s += 0.002 // prefer this text over another one that tells the same kinds
	}
	return s
}

// decide returns the union at a place, or nil if there is none. The error says that the user asked
// for a union that is not possible.
func (x *suspect) decide() (*union, error) {
	if len(x.keys) > maxSurveyed {
		if x.forced == nil {
			return nil, nil
		}
		return nil, fmt.Errorf("%s: the objects at %s have more than %s different keys, which is too many for a union; if the keys are data, say --map %s",
			*x.forced, x.at, phrase.Grouped(maxSurveyed), phrase.ShellLine(x.at.String()))
	}
	few := x.forced == nil && x.objects < fewestObjects
	if few && !x.ragged {
		return nil, nil
	}
	var best *partition
	try := func(p *partition) {
		if p != nil && p.good() && (best == nil || p.score() > best.score()) {
			best = p
		}
	}
	for _, t := range x.tags {
		typed := x.ragged && !t.beside && ofKinds(t.key)
		if t.bad || t.objects != x.objects || len(t.kinds) < 2 || x.forced == nil && (t.identifies() && !typed || t.random()) || few && !typed {
			continue
		}
		p := &partition{suspect: x, tag: t, kinds: alike(t.kinds)}
		if t.beside || !x.tagKey(t.key) {
			p = p.keyed()
		}
		if !few && !(t.identifies() && x.forced == nil) || p != nil && len(p.explained()) > 0 {
			try(p)
		}
	}
	if !few {
		try(x.byShape())
	}
	if best == nil && x.forced != nil {
		return nil, fmt.Errorf("%s: the objects at %s cannot be told apart: no text in or beside each of them has 2 to %d values that go with different keys, no text in each goes with different types, and their keys do not divide them into kinds",
			*x.forced, x.at, maxTexts)
	}
	if best == nil {
		return nil, nil
	}
	return best.union(), nil
}

// identifies reports whether a text seems to identify single objects, as an id does, so that the
// next object would have a text of no known kind.
func (t *tag) identifies() bool { return 2*int64(len(t.kinds)) > t.objects }

// random reports whether the texts are generated ids, judged by the key or by how most of them look,
// or sentences. Such texts tell the objects of this sample apart, but will not recur in others.
func (t *tag) random() bool {
	if w := words(t.key); len(w) > 1 && slices.Contains([]string{"id", "uuid", "guid"}, w[len(w)-1]) && !slices.Contains([]string{"type", "kind", "class", "category"}, w[len(w)-2]) {
		return true
	}
	n := 0
	for _, k := range t.kinds {
		text := k.texts[0]
		if ofKinds(t.key) { // names of kinds may be image/png, or Microsoft.Network/loadBalancers
			text = strings.ReplaceAll(text, "/", "")
		}
		if dataKey(text) || scrambled(text) || strings.Count(text, " ") >= fewSpaces {
			n++
		}
	}
	return 2*n > len(t.kinds)
}

// whyFilled returns the reason for a union whose kinds differ in their fields. kind is the average
// share of its kind's fields that an object has, and one the same share for one struct of all kinds.
// by is what tells the kinds apart; if it is empty, the keys do.
func whyFilled(objects, by, some string, kind, one float64) string {
	how := "their keys divide the " + objects + " into kinds"
	if by != "" {
		how = "which fields the " + objects + " have depends on " + by
	}
	return fmt.Sprintf("%s: %s; on average an object has %.0f%% of the fields of its kind, and would have %.0f%% of those of one struct", how, some, 100*kind, 100*one)
}

// fewSpaces is the number of spaces from which on a text is a sentence; names of kinds have fewer.
const fewSpaces = 3

// scrambled reports whether a text looks like base64: it has digits and letters of both cases, and
// no characters that base64 does not use.
func scrambled(text string) bool {
	var has [3]bool
	for _, r := range text {
		switch {
		case lower(r):
			has[0] = true
		case upper(r):
			has[1] = true
		case digit(r):
			has[2] = true
		case r != '+' && r != '/' && r != '=':
			return false
		}
	}
	return len(text) >= 16 && has[0] && has[1] && has[2]
}

// alike joins kinds whose keys are the same or nearly the same. It returns copies.
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
			if all := len(k.keys) + len(o.keys) - shared; 5*shared >= 4*all && !o.differs(k) {
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
	for i, class := range o.class {
		k.see(i, class)
		k.torn[i] = k.torn[i] || o.torn[i]
	}
}

// tagKey reports whether a key can be a tag: generated code can read it, and the objects have no key
// that differs from it only in case, which some libraries would confuse with it.
func (x *suspect) tagKey(key string) bool {
	return TextName(key) == key && !slices.ContainsFunc(x.keys, func(k string) bool { return k != key && strings.EqualFold(TextName(k), key) })
}

// maxSpanning is how many partitions byShape tries. Each one lets one more key be in several kinds.
const maxSpanning = 8

// byShape returns a partition by keys alone, or nil. Each object has keys of exactly one kind, apart
// from keys that all objects have and as few other keys as possible. These other keys are the ones
// that occur together with the most different keys.
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
	var own []int // keys that may belong to one kind, those with the fewest companions first
	for k := range x.keys {
		if spread[k] < x.objects {
			own = append(own, k)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return len(with[a]) - len(with[b]) })
	var best *partition // not the first good one: a key of two kinds may have joined them
	for range maxSpanning {
		if p := x.exclusive(own); p != nil && p.good() && !p.single() && (best == nil || p.score() > best.score()) {
			best = p
		}
		if len(own) < 2 {
			break
		}
		own = own[:len(own)-1]
	}
	return best
}

// single reports whether each kind has only one field, and all fields are scalars of one kind of
// value. The keys are then more likely data, or optional fields of one struct.
func (p *partition) single() bool {
	return p.forced == nil && !slices.ContainsFunc(p.kinds, func(k *kind) bool { return len(k.keys) > 1 }) &&
		!slices.ContainsFunc(p.nodes, func(n *node) bool { return n.object == nil || n.object.scalar() == "" })
}

// exclusive returns the partition in which each object has only those of the given keys that belong
// to its kind. Keys that occur together belong to one kind. It returns nil if there is only one kind,
// or if an object has none of the keys and the user did not ask for a union.
func (x *suspect) exclusive(keys []int) *partition {
	of := make([]int, len(x.keys)) // the parent in a union-find of keys; -1: of no kind
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
			return nil // the object has no kind: the keys of the others may just be optional
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

// keyed orders the kinds so that a key tells each kind except the last from all later ones. It joins
// kinds that no key tells apart, and returns nil if all become one.
func (p *partition) keyed() *partition {
	var left []*kind
	empty := int64(0) // objects without keys, which belong to the last kind
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

// toldBy returns a key that tells a kind from all others: every object of the kind has it, no other
// kind has it, and telling holds for its values. It returns "" if there is none.
func (p *partition) toldBy(k *kind, all []*kind) string {
	for i, key := range p.keys {
		if k.keys[i] != k.count || !p.telling(key) || !p.tagKey(key) {
			continue
		}
		if !slices.ContainsFunc(all, func(o *kind) bool { return o != k && o.keys[i] > 0 }) {
			return key
		}
	}
	return ""
}

// telling reports whether telling holds for all values of a key.
func (x *suspect) telling(key string) bool {
	return !slices.ContainsFunc(x.nodes, func(n *node) bool {
		m := n.object.member(key)
		return m != nil && (m.node.keep != nil || !telling(find(m.node)))
	})
}

// telling reports whether the presence of a value can tell kinds apart. The values must be of one
// kind and not null. They must not be lists, maps or empty objects, because libraries write absent
// ones in several ways.
func telling(n *node) bool {
	if n.nulls > 0 || n.beyond > 0 || len(n.kinds()) != 1 || n.lists() > 0 || n.force != nil {
		return false
	}
	return n.object == nil || n.object.value == nil && n.object.filled > 0
}

// union returns the union for the partition.
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
	some := phrase.Some(names, 3)
	by := ""
	switch {
	case p.tag != nil && p.tag.beside:
		by = fmt.Sprintf("%q beside them", shorten(p.tag.key))
	case p.tag != nil:
		by = fmt.Sprintf("their %q", shorten(p.tag.key))
	}
	u.why = whyFilled(plural(p.objects, "object"), by, some, p.fill(), float64(p.filled)/float64(p.objects*int64(len(p.keys))))
	if keys := p.explained(); len(keys) > 0 {
		u.why = p.whyTyped(keys, some)
	}
	if p.tag != nil && p.tag.beside {
		u.beside = p.tagPath()
	}
	if p.when == nil {
		u.how.Tag = p.tag.key
	}
	u.splits, u.untold = p.splits()
	return u
}

// ownKey returns the most frequent key of a kind that no other kind has, or "other".
func (p *partition) ownKey(k *kind) string {
	name, most := "other", int64(0)
	for i, key := range p.keys {
		if k.keys[i] > most && p.alone(k, i) {
			name, most = key, k.keys[i]
		}
	}
	return name
}

// alone reports whether no other kind has the i-th key.
func (p *partition) alone(k *kind, i int) bool {
	return !slices.ContainsFunc(p.kinds, func(o *kind) bool { return o != k && o.keys[i] > 0 })
}

// onlyKey returns a key that all objects of the i-th kind have, never with null, and that no other
// kind has, or "". It prefers the key in p.when that tells the kind.
func (p *partition) onlyKey(i int) string {
	keys := p.keys
	if i < len(p.when) {
		keys = append([]string{p.when[i]}, keys...)
	}
	k := p.kinds[i]
	for _, key := range keys {
		at := p.index[key]
		if k.keys[at] == k.count && p.alone(k, at) && !p.nulls(key) {
			return key
		}
	}
	return ""
}

// nulls reports whether a key has values that are null.
func (p *partition) nulls(key string) bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool {
		m := n.object.member(key)
		return m != nil && m.nulls > 0
	})
}

// tagPath returns the path of the text that goes with the kinds.
func (p *partition) tagPath() path {
	at := p.at
	if p.tag.beside {
		at = at[:len(at)-1]
	}
	return at.plus(step{kind: inKey, key: p.tag.key})
}

// splits returns conditions that each select the records of one kind, and the number of records
// whose kind has no such condition. It returns none if one record may have objects of several kinds.
func (p *partition) splits() (all []split, untold int64) {
	if slices.ContainsFunc(p.at, func(s step) bool { return s.kind != inKey }) {
		return nil, 0
	}
	if p.tag == nil {
		for i, k := range p.kinds {
			if key := p.onlyKey(i); key != "" {
				all = append(all, split{Only{path: p.at.plus(step{kind: inKey, key: key}), any: true}, k.count})
			} else {
				untold += k.count
			}
		}
		return all, untold
	}
	at := p.tagPath()
	for _, k := range p.tag.kinds {
		all = append(all, split{Only{path: at, value: k.texts[0]}, k.count})
	}
	return all, 0
}

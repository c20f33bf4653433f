package infer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// errAgain says that the sample must be read again, because unions or a grammar were found in it or
// were refused.
var errAgain = errors.New("again")

const (
	// fewestOptional is the least number of optional fields, and fewestObjects the least number
	// of objects, for which objects of one struct may instead be a union.
	fewestOptional, fewestObjects = 6, 8
	// These bound the memory that a survey takes. maxTags is how many keys of texts in the
	// objects, and as many beside them, it considers as tags; maxTexts how many different texts a
	// tag may have, and maxText how many bytes a text may have in JSON; maxSignatures how many
	// different sets of keys it distinguishes; maxSurveyed how many keys a place may have.
	maxTags, maxTexts, maxText, maxSignatures, maxSurveyed = 32, 64, 64, 512, 512
	// wellFilled is the least average share of its variant's fields that an object must have.
	// muchBetter bounds the same share for one struct, relative to that of the variants.
	wellFilled, muchBetter = 0.6, 0.75
	// halfFilled and halfBetter are the same if the tag's key, such as type, is one of kinds.
	halfFilled, halfBetter = 0.4, 0.5
)

// unite looks for unions among the messages of a shape. The error is errAgain if it finds some: the
// sample must then be read again, with a message for each of their variants. It finds outer unions
// first, because the contents of a variant are known only when its objects are read separately.
func (in *inference) unite(s *shaper) error {
	if in.result.columns != nil {
		for _, of := range in.options.Overrules {
			if of.Type == "union" {
				return fmt.Errorf("%s: assay looks for no unions in records under names of columns", of)
			}
		}
		return nil
	}
	if in.rounds >= maxRounds {
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
	return in.unite(s) // look within the suspects that are no unions
}

// refuse drops unions that do not fit the messages of their variants. The error is errAgain if there
// are any, or an error for the user who asked for such a union.
func (in *inference) refuse(b *builder) error {
	if len(b.refused) == 0 {
		return nil
	}
	if g := in.grammar; g != nil && b.refused[g.union] != "" {
		return in.unlearn()
	}
	for _, u := range in.unions {
		if why, ok := b.refused[u]; ok && u.forced != nil {
			return fmt.Errorf("%s: %s cannot be made a union: %s", *u.forced, u.path, why)
		}
	}
	in.unions = slices.DeleteFunc(in.unions, func(u *union) bool { _, ok := b.refused[u]; return ok })
	return errAgain
}

// suspects returns the places of a shape that may be unions. None of them is within another.
func (in *inference) suspects(s *shaper) (all []*suspect) {
	at := map[string]*suspect{}
	for n := range s.places {
		forced := n.force != nil && n.force.Type == "union"
		if n.isAside || n.inKind || n.object == nil || n.object.value != nil || n.union != nil || len(n.kinds()) != 1 || n.force != nil && !forced {
			continue
		}
		paths := s.paths(n)
		torn, scattered := n.object.torn(), n.object.scattered()
		tree := !forced && s.shared[n] && nested(paths)
		if !forced && (tree && !n.object.ragged() || !torn && !scattered) {
			continue
		}
		if forced || tree { // look at the inner places when the kinds are known
			paths = paths[:1]
		}
		for _, p := range paths {
			name := p.String()
			if in.surveyed[name] {
				continue
			}
			if at[name] == nil {
				at[name] = &suspect{at: p}
			}
			if forced {
				at[name].forced = n.force
			}
			at[name].torn = at[name].torn || torn || forced
			at[name].ragged = at[name].ragged || n.object.ragged()
			at[name].scattered = at[name].scattered || scattered
		}
	}
	for n := range s.places { // a place has a node for each variant around it
		for _, p := range s.paths(n) {
			if x := at[p.String()]; x != nil && n.object != nil {
				x.nodes = append(x.nodes, n)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[name])
	}
	outer := slices.Clone(all)
	return slices.DeleteFunc(all, func(x *suspect) bool {
		return slices.ContainsFunc(outer, func(o *suspect) bool { return o.at.holds(x.at) })
	})
}

// paths returns the paths at which the walk met a node, the first one first.
func (s *shaper) paths(n *node) []path { return append([]path{s.places[n].path}, s.again[n]...) }

// nested reports whether one of the paths is a prefix of another, as in a tree.
func nested(paths []path) bool {
	return slices.ContainsFunc(paths, func(p path) bool {
		return slices.ContainsFunc(paths, p.holds)
	})
}

// scattered reports whether so many members are optional that the objects may be of several kinds.
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
	var from []pending
	for _, x := range all {
		x.start()
		from = append(from, pending{x, x.at})
	}
	p, err := in.again(func(rec Record) error { return visit(rec.Raw, from, nil) })
	if err == nil {
		err = in.unchanged(p)
	}
	return err
}

// again visits the records once more, with the same checks as when they were merged.
func (in *inference) again(visit func(Record) error) (*pass, error) {
	o := in.observer
	return in.result.each(func(rec Record) error {
		if rec.First && in.header != nil && slices.Equal(columns(rec.Raw), in.header) {
			return errHeader
		}
		if err := in.result.sameKind(rec); err != nil {
			return err
		}
		if in.options.SkipBad {
			if err := o.sound(rec.Raw); err != nil {
				return o.failure(rec, err)
			}
		}
		return visit(rec)
	})
}

// unchanged returns an error if a pass saw another number of records than the pass that merged them.
func (in *inference) unchanged(p *pass) error {
	if p.seen == in.pass.seen {
		return nil
	}
	return fmt.Errorf("%s has %s now and had %s before; it must not change while it is read", in.result.sources[0].Name, plural(p.seen, "record"), plural(in.pass.seen, "record"))
}

// pending is a suspect and the remaining path to it.
type pending struct {
	of   *suspect
	rest path
}

// A pair is a key of an object and its value as JSON.
type pair struct {
	key   string
	value []byte
}

// visit finds the objects at the places of want in a value, and adds them to their suspects. beside
// has the members of the object that contains the value.
func visit(raw []byte, want []pending, beside []pair) error {
	list := raw[0] == '['
	if !list && raw[0] != '{' {
		return nil
	}
	var pairs []pair
	err := inside(raw, func(key string, value []byte) bool {
		pairs = append(pairs, pair{key, value})
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
	torn   bool // the values of some key are of several classes: see classOf
	// ragged says that one struct would keep the JSON of lists that are nested to several depths.
	// Two objects are then enough for a tag whose key is one of kinds: a collection may have just
	// two features.
	ragged bool
	// scattered says that enough fields are optional for the keys to tell kinds.
	scattered bool

	objects int64
	filled  int64
	keys    []string
	index   map[string]int
	tags    []*tag // texts that may tell variants apart
	byTag   map[tagAt]*tag
	places  map[bool]int     // the number of tags beside the objects (true) and in them (false)
	shapes  map[string]*kind // by the set of keys; nil: there are too many
}

// A tagAt is the key of a text in the objects or, if beside is true, in the objects around them.
type tagAt struct {
	beside bool
	key    string
}

// A tag is a key whose texts may tell the kinds of objects apart.
type tag struct {
	tagAt
	objects int64 // how many objects have it
	kinds   []*kind
	byText  map[string]*kind
	bad     bool // it is no tag: there are too many texts, or values that are no short texts
}

// A kind is a group of objects.
type kind struct {
	texts []string // the texts of the tag
	count int64
	keys  map[int]int64  // how many objects have each key
	class map[int]string // the class of the values of each key; nil: unknown
	torn  map[int]bool   // the keys whose values are of several classes
}

func (x *suspect) start() {
	x.index, x.byTag, x.shapes = map[string]int{}, map[tagAt]*tag{}, map[string]*kind{}
	x.places = map[bool]int{}
}

// add counts an object.
func (x *suspect) add(pairs, beside []pair) {
	if len(x.keys) > maxSurveyed {
		return // decide will refuse the union
	}
	if len(beside) > maxSurveyed {
		beside = nil // the keys of a map, which are data, and as many as there are objects
	}
	x.objects++
	x.filled += int64(len(pairs))
	set := make([]int, len(pairs))
	var classes []string
	if x.torn {
		classes = make([]string, len(pairs))
	}
	for i, p := range pairs {
		if x.torn {
			classes[i] = classOf(p.value)
		}
		k, ok := x.index[p.key]
		if !ok {
			k = len(x.keys)
			x.index[p.key] = k
			x.keys = append(x.keys, p.key)
		}
		set[i] = k
	}
	for _, p := range pairs {
		x.tagged(tagAt{false, p.key}, p.value, set, classes)
	}
	for _, p := range beside {
		x.tagged(tagAt{true, p.key}, p.value, set, classes)
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
	x.shapes[name].add(set, classes)
}

// add counts an object with a set of keys and the classes of their values.
func (k *kind) add(set []int, classes []string) {
	k.count++
	for i, key := range set {
		k.keys[key]++
		if classes != nil {
			k.see(key, classes[i])
		}
	}
}

// tagged counts an object for a text that may be a tag. Only keys of the first object are considered,
// because every object must have the tag.
func (x *suspect) tagged(at tagAt, value []byte, set []int, classes []string) {
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
	k.add(set, classes)
}

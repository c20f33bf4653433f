package infer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
	// halfFilled and halfBetter are the same where a key of kinds, such as type, tells them.
	halfFilled, halfBetter = 0.4, 0.5
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

// suspects are the places of a shape that may be unions, none within another.
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
		if forced || tree { // what is within it is looked at when its kinds are known
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
	for n := range s.places { // there is one for each variant that the place is in
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

// paths are those at which a node is met, the first one first.
func (s *shaper) paths(n *node) []path { return append([]path{s.places[n].path}, s.again[n]...) }

// nested reports whether one of several paths leads on from another, as those of a tree do.
func nested(paths []path) bool {
	return slices.ContainsFunc(paths, func(p path) bool {
		return slices.ContainsFunc(paths, p.holds)
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

// again visits the records once more, in the way in which they were merged.
func (in *inference) again(visit func(Record) error) (*pass, error) {
	o := in.observer
	return in.result.each(func(rec Record) error {
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
		return visit(rec)
	})
}

// unchanged returns an error when a pass saw other records than the one that merged them.
func (in *inference) unchanged(p *pass) error {
	if p.seen == in.pass.seen {
		return nil
	}
	return fmt.Errorf("%s has %s now and had %s before; it must not change while it is read", in.result.sources[0].Name, plural(p.seen, "record"), plural(in.pass.seen, "record"))
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
	torn   bool // values of a key are of several classes: see classOf
	// ragged says that one struct would have the text of lists that are nested to several
	// depths. Two objects are then enough for a text whose key says that it is of kinds, as a
	// collection may have two features.
	ragged bool
	// scattered says that enough fields are absent for the keys to tell kinds.
	scattered bool

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
	keys  map[int]int64  // how many objects have a key
	class map[int]string // of the values of a key; nil: they were not looked at
	torn  map[int]bool   // the keys whose values are of several classes
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

// add counts an object with a set of keys, whose values are of classes.
func (k *kind) add(set []int, classes []string) {
	k.count++
	for i, key := range set {
		k.keys[key]++
		if classes != nil {
			k.see(key, classes[i])
		}
	}
}

// tagged counts an object for a text that may be a tag. Only what every object has
// may be one.
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

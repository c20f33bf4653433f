package infer

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/phrase"
	"assay/schema"
)

// kindKey returns the key of the texts that may tell the kinds of a grammar, or "". The key must be
// in objects that are nested in one another.
func (o *observer) kindKey() string {
	type seen struct{ objects, deep int64 }
	all := map[string]*seen{}
	var keys []string
	met := map[*node]bool{}
	var visit func(n *node, around map[string]int64)
	visit = func(n *node, around map[string]int64) {
		if n == nil {
			return
		}
		if n = find(n); met[n] {
			return
		}
		met[n] = true
		if l := n.list; l != nil {
			for _, e := range l.elems() {
				visit(e, around)
			}
		}
		ob := n.object
		if ob == nil {
			return
		}
		visit(ob.value, around)
		within := maps.Clone(around)
		for _, m := range ob.members {
			v := find(m.node)
			if !ofKinds(m.key) || TextName(m.key) != m.key || v.strings == v.empty || v.force != nil {
				continue
			}
			if all[m.key] == nil {
				all[m.key] = &seen{}
				keys = append(keys, m.key)
			}
			within[m.key]++
			all[m.key].objects += v.strings
			all[m.key].deep = max(all[m.key].deep, within[m.key])
		}
		for _, m := range ob.members {
			visit(m.node, within)
		}
	}
	visit(o.root, map[string]int64{})
	best, most := "", int64(leastKinds*fewestOfKind-1)
	for _, key := range keys {
		if s := all[key]; s.deep >= deepest && s.objects > most {
			best, most = key, s.objects
		}
	}
	return best
}

// A kindSurvey reads a sample to find a grammar in it.
type kindSurvey struct {
	key     string
	heads   heads
	decoder *jsontext.Decoder
	text    []byte // the record
	root    spot
	kinds   map[string]*kindSeen // by text
	order   []*kindSeen
	keys    map[string]bool // all keys of objects that have a kind
	spots   int
	objects int64 // that have a kind
}

// A kindSeen describes the objects of one kind.
type kindSeen struct {
	text  string
	count int64
	keys  map[string]int64
	spot
}

// A spot describes the values at one place in the records or in the objects of a kind.
type spot struct {
	within          map[string]*spot // by key; "[" stands for the elements of lists
	kinds           map[string]int64 // how many objects there are of each kind
	unnamed, others int64            // objects without a kind; texts, numbers, truth values and lists
}

// record reads a record. The error is errAgain if there is no grammar.
func (s *kindSurvey) record(rec Record) error {
	s.text = rec.Raw
	s.decoder = jsontext.NewDecoder(bytes.NewReader(rec.Raw))
	return s.value(&s.root)
}

// value reads the next value, whose spot is at.
func (s *kindSurvey) value(at *spot) error {
	d := s.decoder
	switch kind := d.PeekKind(); kind {
	case '{':
		return s.object(at)
	case '[':
		at.others++
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			if err := s.into(at, "["); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	default:
		if kind != 'n' {
			at.others++
		}
		return d.SkipValue()
	}
}

// into reads the next value, which is under a key, or in a list, of the spot at.
func (s *kindSurvey) into(at *spot, key string) error {
	next := at.within[key]
	if next == nil {
		if s.spots++; s.spots > maxNodes {
			return errAgain
		}
		if at.within == nil {
			at.within = map[string]*spot{}
		}
		next = &spot{}
		at.within[key] = next
	}
	return s.value(next)
}

// object reads an object.
func (s *kindSurvey) object(at *spot) error {
	d := s.decoder
	text := s.heads.text(s.key, Record{Raw: s.text}.After(d.InputOffset()))
	var of *kindSeen
	switch {
	case text == "":
		at.unnamed++
	default:
		if of = s.kinds[text]; of == nil {
			if len(s.kinds) == mostKinds || len(text) > maxText {
				return errAgain
			}
			of = &kindSeen{text: text, keys: map[string]int64{}}
			s.kinds[text], s.order = of, append(s.order, of)
		}
		if at.kinds == nil {
			at.kinds = map[string]int64{}
		}
		at.kinds[text]++
		s.objects++
		of.count++
		at = &of.spot
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		key := t.String()
		if of != nil {
			of.keys[key]++
			s.keys[key] = true
		}
		if key == "[" {
			return errAgain
		}
		if err := s.into(at, key); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// decide returns the grammar, or nil. In a grammar, the objects of a kind nearly always have the
// same fields, while one struct for all kinds would have few of its fields; kinds contain one
// another; and at each place either all objects or none have the text that says their kind. The
// texts must look like names.
func (s *kindSurvey) decide() *grammar {
	n := len(s.order)
	if n < leastKinds || s.objects < int64(fewestOfKind*n) {
		return nil
	}
	names := &tag{tagAt: tagAt{key: s.key}}
	for _, k := range s.order {
		names.kinds = append(names.kinds, &kind{texts: []string{k.text}})
	}
	fill, one := s.fills(s.keys)
	sure := better(fill, one) && s.nested() >= fewestNested
	if n < fewestKinds {
		sure = s.apart()
	}
	if !sure || names.random() || s.mistaken() {
		return nil
	}
	kept, even := int64(0), true
	s.visit(func(at *spot) {
		even = even && (len(at.kinds) == 0 || at.unnamed == 0)
		if at.others > 0 && len(at.kinds) > 1 {
			for _, n := range at.kinds {
				kept += n
			}
		}
	})
	if !even || float64(kept) > fewKept*float64(s.objects) {
		return nil
	}
	u := &union{how: &schema.Message{Union: true, Tag: s.key}}
	var texts []string
	for _, k := range s.order {
		u.how.Fields = append(u.how.Fields, &schema.Field{Name: k.text, When: []string{k.text}})
		texts = append(texts, shorten(k.text))
	}
	u.why = whyFilled(plural(s.objects, "object")+" of a tree", fmt.Sprintf("their %q", shorten(s.key)), phrase.Some(texts, 3), fill, one)
	return &grammar{union: u}
}

// apart reports whether a small number of kinds is a grammar, and not the containers and leaves of
// a tree that is one struct, such as folders and files, or paragraphs and texts. Leaving aside the
// keys that all kinds have, each kind has a key that is in all of its objects, and one struct would
// have few of these keys. At least leastNested kinds contain themselves. The kinds that contain
// others do not all hold them under the same key.
func (s *kindSurvey) apart() bool {
	own := maps.Clone(s.keys)
	maps.DeleteFunc(own, func(key string, _ bool) bool {
		return !slices.ContainsFunc(s.order, func(k *kindSeen) bool { return k.keys[key] == 0 })
	})
	holders, most := 0, 0
	holding := map[string]int{}
	for _, k := range s.order {
		telling := false
		for key, n := range k.keys {
			telling = telling || own[key] && n == k.count
		}
		if !telling {
			return false
		}
		keys := k.holding()
		holders += min(len(keys), 1)
		for _, key := range keys {
			holding[key]++
			most = max(most, holding[key])
		}
	}
	return better(s.fills(own)) && most < holders && s.nested() >= leastNested
}

// fills returns the average share of the fields with these keys that an object has: fill of the
// fields of its kind, and one of the fields of one struct for all kinds.
func (s *kindSurvey) fills(keys map[string]bool) (fill, one float64) {
	var places, filled int64
	for _, k := range s.order {
		for key, n := range k.keys {
			if keys[key] {
				places, filled = places+k.count, filled+n
			}
		}
	}
	return float64(filled) / float64(places), float64(filled) / float64(s.objects*int64(len(keys)))
}

// better reports whether objects have nearly all fields of their kind, and far fewer of the fields
// of one struct: see wellKnown and farBetter.
func better(fill, one float64) bool { return fill >= wellKnown && one <= farBetter*fill }

// holding returns the keys of a kind that lead to objects with a kind.
func (k *kindSeen) holding() (keys []string) {
	for key, in := range k.within {
		found := false
		in.visit(func(at *spot) { found = found || len(at.kinds) > 0 })
		if found {
			keys = append(keys, key)
		}
	}
	return keys
}

// mistaken reports whether a library that ignores case would take another key for the key of the
// kinds.
func (s *kindSurvey) mistaken() bool {
	for key := range s.keys {
		if key != s.key && strings.EqualFold(TextName(key), s.key) {
			return true
		}
	}
	return false
}

// visit visits the spots of the records and of all kinds.
func (s *kindSurvey) visit(visit func(*spot)) {
	s.root.visit(visit)
	for _, k := range s.order {
		k.spot.visit(visit)
	}
}

func (at *spot) visit(visit func(*spot)) {
	visit(at)
	for _, in := range at.within {
		in.visit(visit)
	}
}

// nested returns how many kinds contain themselves, directly or in other kinds.
func (s *kindSurvey) nested() (count int) {
	for _, k := range s.order {
		met := map[*kindSeen]bool{}
		next := []*kindSeen{k}
		for len(next) > 0 && !met[k] {
			of := next[len(next)-1]
			next = next[:len(next)-1]
			of.spot.visit(func(at *spot) {
				for text := range at.kinds {
					if in := s.kinds[text]; !met[in] {
						met[in] = true
						next = append(next, in)
					}
				}
			})
		}
		if met[k] {
			count++
		}
	}
	return count
}

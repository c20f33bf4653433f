package infer

import (
	"bytes"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// blank reports whether the values are objects or lists, mixed with blank values that stand for
// an absent one: empty texts, as in replies that are "" or an object, or empty lists beside
// objects, as PHP writes an object without keys. The builder decides what the empty lists become:
// see noneOrOne and guessEmptyMap.
func (n *node) blank() bool {
	if n.strings != n.empty || n.bools+n.numbers() > 0 || n.force != nil && !structural(n.force.Type) {
		return false
	}
	if n.objects() > 0 {
		return n.strings+n.lists() > 0 && n.lists() == n.hollowLists()
	}
	return n.strings > 0 && n.lists() > 0
}

// hollowLists returns how many lists stand for an absent object: all of them if no list has an
// element, some object has a key, and the user did not ask for lists. Otherwise it returns 0.
func (n *node) hollowLists() int64 {
	ob := n.structs()
	if n.list == nil || n.list.items > 0 || ob == nil || ob.filled == 0 || n.force != nil && kindOf(n.force.Type) == listKind {
		return 0
	}
	return n.list.seen
}

// blanks returns how many values stand for an absent one. An empty list beside maps does not
// count: it is an empty map.
func (n *node) blanks() int64 {
	switch {
	case !n.blank():
		return 0
	case n.isMap():
		return n.empty
	}
	return n.empty + n.hollowLists()
}

// isMap reports whether the objects of a node are maps.
func (n *node) isMap() bool {
	ob := n.structs()
	return ob != nil && ob.value != nil
}

// blankWords describes the values that stand for an absent one, in the singular and the plural.
func (n *node) blankWords() (one, many string) {
	switch lists := n.hollowLists(); {
	case lists == 0:
		return "an empty text", "empty texts"
	case n.strings == 0:
		return "an empty list", "empty lists"
	}
	return "an empty text or list", "empty texts or lists"
}

// blankBeside reports whether all values of n stand for an absent value of other: empty texts and
// lists if the values of other are objects, or empty texts if they are lists.
func (n *node) blankBeside(other *node) bool {
	if n.strings != n.empty || n.strings+n.lists() == 0 || n.bools+n.numbers()+n.objects() > 0 || n.force != nil {
		return false
	}
	if ob := other.structs(); n.list != nil && (n.list.items > 0 || ob == nil || ob.filled == 0) {
		return false
	}
	return other.lone() == 0 && len(other.kinds()) == 1 && other.bools+other.numbers() == 0 && other.strings == other.empty && other.objects()+other.lists() > 0
}

// guessBlank records the guess that blank values are written as null or left out. It marks the
// result as loose, because encoding/json alone does not read such values.
func (b *builder) guessBlank(n *node, at path, blanks int64, how string) {
	b.result.loose = true
	one, many := n.blankWords()
	if n.isMap() {
		one, many = "an empty text", "empty texts"
	}
	said, other := "left out where it is "+one, "json"
	if how == "null" {
		said = "null where it is " + one
	}
	if n.listableAt(at) {
		other = "list" // a list of one element is written without brackets
	}
	others, name := n.objects(), "objects"
	if others == 0 {
		others, name = n.lists(), "lists"
	}
	b.guess(guess.Presence, at, other, said, "%s %s, and the others are %s", ofValues(blanks, others), isOrAre(blanks, one, many), name)
}

// listableAt reports whether the user can ask for lists at a path whose values are objects and
// empty lists.
func (n *node) listableAt(at path) bool {
	return n.strings == 0 && len(at) > 0 && at[len(at)-1].kind != inList
}

// guessEmptyMap records the guess that an empty list is an empty map.
func (b *builder) guessEmptyMap(n *node, at path) {
	lists := n.hollowLists()
	if lists == 0 || !n.isMap() {
		return
	}
	b.result.loose = true
	other := "json"
	if n.listableAt(at) {
		other = "list"
	}
	b.guess(guess.Presence, at, other, "an empty map where it is an empty list", "%s %s, and the others are objects",
		ofValues(lists, n.objects()), isOrAre(lists, "an empty list", "empty lists"))
}

// noneOrOne turns a field whose values are objects and empty lists into a list of at most one
// object. JSON then has the object without brackets, as in the sample. An element of a list or a
// place of a row becomes null instead, because a list without brackets cannot stand there.
func (b *builder) noneOrOne(f *schema.Field, n *node, at path, lists int64) {
	elem := f.Type
	elem.Optional = false
	f.Type, f.OneOrMany = schema.Type{Kind: schema.List, Elem: &elem}, true
	b.guess(guess.Structure, at, "null", unbracketed, "%s %s, and the others are objects",
		ofValues(lists, n.objects()), isOrAre(lists, "an empty list", "empty lists"))
}

// ofValues formats a count and its total: "2 of 3 values". others is the rest of the total.
func ofValues(some, others int64) string {
	return phrase.Grouped(some) + " of " + plural(some+others, "value")
}

func isOrAre(n int64, one, many string) string {
	if n == 1 {
		return "is " + one
	}
	return "are " + many
}

// standsForNone reports whether an empty text may stand for an absent value, because the target
// holds objects or lists.
func (t *target) standsForNone() bool {
	switch t.kind {
	case schema.MessageKind:
		return t.optional && !t.message.wraps && t.message.kinds == nil
	case schema.List:
		return !t.many
	case schema.Map:
		return true
	}
	return false
}

// listForNone reports whether an empty list may stand for an absent value or an empty map, because
// the target holds objects that are not rows.
func (t *target) listForNone() bool {
	if t.kind == schema.MessageKind {
		return t.standsForNone() && !t.message.bare && !t.message.row
	}
	return t.kind == schema.Map
}

// blank converts an empty text or list: to {} if it is a list and the target is a map, otherwise to
// null. A text or list that is not empty is an error.
func (c *converter) blank(t *target) error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if len(raw) != len(`""`) && (raw.Kind() == '"' || len(bytes.TrimSpace(raw[1:len(raw)-1])) > 0) {
		return c.fail(raw, "%s is %s here, and in the schema it is %s", c.where(t, false), kindName(raw.Kind()), t.what())
	}
	c.result.loose = true
	if raw.Kind() == '[' && t.kind == schema.Map {
		c.out = append(c.out, "{}"...)
		return nil
	}
	c.out = append(c.out, "null"...)
	return nil
}

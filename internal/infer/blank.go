package infer

import (
	"bytes"

	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// blank reports whether the values are objects, or lists, and others which stand for none
// there: empty texts, as in replies that are "" or an object, and empty lists beside
// objects, as PHP writes an object without keys.
func (n *node) blank() bool {
	if n.strings != n.empty || n.bools+n.numbers() > 0 || n.force != nil && !structural(n.force.Type) {
		return false
	}
	if n.objects() > 0 {
		return n.strings+n.lists() > 0 && n.lists() == n.hollowLists()
	}
	return n.strings > 0 && n.lists() > 0
}

// hollowLists is how many lists stand for no object: all, where none has an element, some
// object has a key, and the user wants no lists.
func (n *node) hollowLists() int64 {
	ob := n.structs()
	if n.list == nil || n.list.items > 0 || ob == nil || ob.filled == 0 || n.force != nil && kindOf(n.force.Type) == "list" {
		return 0
	}
	return n.list.seen
}

// blanks is how many values stand for none.
func (n *node) blanks() int64 {
	if !n.blank() {
		return 0
	}
	return n.empty + n.hollowLists()
}

// blankWords are the words for what stands for none, of one value and of several.
func (n *node) blankWords() (one, many string) {
	switch lists := n.hollowLists(); {
	case lists == 0:
		return "an empty text", "empty texts"
	case n.strings == 0:
		return "an empty list", "empty lists"
	}
	return "an empty text or list", "empty texts or lists"
}

// blankBeside reports whether the values are empty texts and lists only, which stand for
// none where the other's values are objects; or empty texts, where they are lists.
func (n *node) blankBeside(other *node) bool {
	if n.strings != n.empty || n.strings+n.lists() == 0 || n.bools+n.numbers()+n.objects() > 0 || n.force != nil {
		return false
	}
	if ob := other.structs(); n.list != nil && (n.list.items > 0 || ob == nil || ob.filled == 0) {
		return false
	}
	return other.lone() == 0 && len(other.kinds()) == 1 && other.bools+other.numbers() == 0 && other.strings == other.empty && other.objects()+other.lists() > 0
}

// guessBlank notes that what stands for none is written as null, or left out, and that
// encoding/json alone does not read it.
func (b *builder) guessBlank(n *node, at path, blanks int64, how string) {
	b.result.loose = true
	one, many := n.blankWords()
	said, is, other := "left out where it is "+one, "are "+many, "json"
	if how == "null" {
		said = "null where it is " + one
	}
	if blanks == 1 {
		is = "is " + one
	}
	if n.strings == 0 && at[len(at)-1].kind != inList {
		other = "list" // without brackets where it has one element
	}
	others, name := n.objects(), "objects"
	if others == 0 {
		others, name = n.lists(), "lists"
	}
	b.guess(guess.Presence, at, other, said, "%s of %s %s, and the others are %s", phrase.Grouped(blanks), plural(blanks+others, "value"), is, name)
}

// standsForNone reports whether an empty text may stand for none of the values: they
// are objects or lists.
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

// listForNone reports whether an empty list may stand for none of the values: they are
// objects, and no lists by place.
func (t *target) listForNone() bool {
	if t.kind == schema.MessageKind {
		return t.standsForNone() && !t.message.bare && !t.message.row
	}
	return t.kind == schema.Map
}

// blank converts an empty text or list that stands for none. Any other is an error.
func (c *converter) blank(t *target) error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if len(raw) != len(`""`) && (raw.Kind() == '"' || len(bytes.TrimSpace(raw[1:len(raw)-1])) > 0) {
		return c.fail(raw, "%s is %s here, and in the schema it is %s", t.name, kindName(raw.Kind()), t.what())
	}
	c.result.loose = true
	c.out = append(c.out, "null"...)
	return nil
}

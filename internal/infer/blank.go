package infer

import (
	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/schema"
)

// blank reports whether the values are objects, or lists, and texts of which each
// is empty: "" stands for none there, as in replies that are "" or an object.
func (n *node) blank() bool {
	if n.strings == 0 || n.strings != n.empty || n.bools+n.numbers() > 0 || n.force != nil && !structural(n.force.Type) {
		return false
	}
	return n.objects() > 0 && n.lists() == 0 || n.lists() > 0 && n.objects() == 0
}

// blankBeside reports whether the values are empty texts only, which stand for none
// where the other's values are objects, or are lists.
func (n *node) blankBeside(other *node) bool {
	if n.strings == 0 || n.strings != n.empty || n.bools+n.numbers()+n.objects()+n.lists() > 0 || n.force != nil {
		return false
	}
	return len(other.kinds()) == 1 && other.bools+other.numbers() == 0 && other.strings == other.empty && other.objects()+other.lists() > 0
}

// guessBlank notes that empty texts are written as null, or left out, and that
// encoding/json alone does not read them.
func (b *builder) guessBlank(n *node, at path, blanks int64, how string) {
	b.result.loose = true
	said := "left out where it is an empty text"
	if how == "null" {
		said = "null where it is an empty text"
	}
	is, others := "are empty texts", "objects"
	if blanks == 1 {
		is = "is an empty text"
	}
	if n.lists() > 0 {
		others = "lists"
	}
	b.guess(guess.Presence, at, "json", said, "%s of %s %s, and the others are %s", phrase.Grouped(blanks), plural(blanks+n.objects()+n.lists(), "value"), is, others)
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

// blank converts an empty text that stands for none. Any other text is an error.
func (c *converter) blank(t *target) error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if string(raw) != `""` {
		return c.fail(raw, "%s is %s here, and in the schema it is %s", t.name, kindName('"'), t.what())
	}
	c.result.loose = true
	c.out = append(c.out, "null"...)
	return nil
}

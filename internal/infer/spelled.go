package infer

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"time"

	"assay/schema"
)

// A candidate is a set of bits. Each bit is a spelling that all texts of a node may have.
type candidate uint16

const (
	maybeUUID candidate = 1 << iota
	maybeUpperUUID
	maybeHex
	maybeUpperHex
	maybePrefixed
	maybeUpperPrefixed
	maybeDate
	maybeLocal
	maybeDecimal
	maybeBase64

	maybeAny = 1<<iota - 1
)

// plainSpellings has the candidates whose spelling has no number of digits.
var plainSpellings = []struct {
	bit candidate
	as  schema.Spelling
}{
	{maybeUUID, schema.AsUUID}, {maybeUpperUUID, schema.AsUpperUUID},
	{maybePrefixed, schema.AsPrefixed}, {maybeUpperPrefixed, schema.AsUpperPref},
	{maybeHex, schema.AsHex}, {maybeUpperHex, schema.AsUpperHex}, {maybeDate, schema.AsDate},
}

// A spelt records how the texts and whole numbers of a node are written.
type spelt struct {
	texts, size int64  // the number of texts, and their bytes
	shortest    int    // bytes of the shortest text
	first       string // the first text, if it has at most 40 bytes
	fits        candidate
	mixed       bool // some text has one of the signs + / = of base64
	// local and decimal are the spellings of the first text. Their bits in fits stay set only
	// while all other texts have the same spelling.
	local, decimal schema.Spelling
	// numbers counts the whole numbers that are not negative, and least is the smallest of them.
	least   uint64
	numbers int64
}

// text merges a text.
func (s *spelt) text(text []byte) {
	if s.texts == 0 {
		s.fits, s.shortest = maybeAny, len(text)
		s.local, s.decimal = localOf(text), decimalOf(text)
		if len(text) <= 40 {
			s.first = string(text)
		}
	}
	s.texts++
	s.size += int64(len(text))
	s.shortest = min(s.shortest, len(text))
	s.mixed = s.mixed || s.fits&maybeBase64 != 0 && bytes.ContainsAny(text, "=+/")
	for _, p := range plainSpellings {
		if s.fits&p.bit != 0 && p.as.Check(text) != nil {
			s.fits &^= p.bit
		}
	}
	if s.fits&maybeLocal != 0 && (s.local == "" || s.local.Check(text) != nil) {
		s.fits &^= maybeLocal
	}
	if s.fits&maybeDecimal != 0 && (s.decimal == "" || s.decimal.Check(text) != nil) {
		s.fits &^= maybeDecimal
	}
	if s.fits&maybeBase64 != 0 && !isBase64(text) {
		s.fits &^= maybeBase64
	}
}

// number merges a whole number that is not negative.
func (s *spelt) number(v uint64) {
	if s.numbers == 0 || v < s.least {
		s.least = v
	}
	s.numbers++
}

// join merges the texts and numbers of another node.
func (s *spelt) join(o *spelt) {
	if o.numbers > 0 && (s.numbers == 0 || o.least < s.least) {
		s.least = o.least
	}
	numbers := s.numbers + o.numbers
	switch {
	case o.texts == 0:
	case s.texts == 0:
		least := s.least
		*s = *o
		s.least = least
	default:
		s.fits &= o.fits
		s.mixed = s.mixed || o.mixed
		if s.local != o.local {
			s.fits &^= maybeLocal
		}
		if s.decimal != o.decimal {
			s.fits &^= maybeDecimal
		}
		s.texts += o.texts
		s.size += o.size
		s.shortest = min(s.shortest, o.shortest)
	}
	s.numbers = numbers
}

// localOf returns the spelling of a text that is a time without a zone, otherwise "".
func localOf(text []byte) schema.Spelling {
	const whole = len("2006-01-02T15:04:05")
	if len(text) < whole || len(text) == whole+1 || len(text) > whole+len(".000000000") {
		return ""
	}
	as := schema.AsLocal
	if text[10] == ' ' {
		as = schema.AsLocalSpace
	}
	as = as.WithDigits(max(len(text)-whole-1, 0))
	if as.Check(text) != nil {
		return ""
	}
	return as
}

// decimalOf returns the spelling of a text that is a decimal number, otherwise "".
func decimalOf(text []byte) schema.Spelling {
	digits := 0
	if point := bytes.IndexByte(text, '.'); point >= 0 {
		if digits = len(text) - point - 1; digits == 0 {
			return ""
		}
	}
	as := schema.AsDecimal.WithDigits(digits)
	if as.Check(text) != nil {
		return ""
	}
	return as
}

// isBase64 reports whether a text is likely base64: it has 20 bytes or more, and is valid.
func isBase64(text []byte) bool {
	if len(text) < 20 || len(text)%4 != 0 {
		return false
	}
	v, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	return err == nil && bytes.Equal(base64.StdEncoding.AppendEncode(nil, v), text)
}

// asksSpelling reports whether a type that a user asks for is a spelling. Spellings of decimal numbers
// and local times may lack their digits; they then have the digits of the first text.
func asksSpelling(t string) bool {
	return schema.Spelling(t).Kind() != schema.Invalid || t == string(schema.AsDecimal)
}

// asked returns the spelling that the user asks for with the type t.
func (n *node) asked(t string) schema.Spelling {
	seen := schema.Spelling("")
	switch as := schema.Spelling(t); as {
	case schema.AsDecimal:
		if seen = decimalOf([]byte(n.spelt.first)); seen == "" {
			seen = as.WithDigits(2) // no text has this spelling: the converter will report that
		}
	case schema.AsLocal, schema.AsLocalSpace:
		seen = localOf([]byte(n.spelt.first))
		if as == schema.AsLocalSpace && seen.Base() != as {
			seen = ""
		}
	}
	if seen != "" {
		return seen
	}
	return schema.Spelling(t)
}

// spelling moves the spelling of a field's unfinished type from the Ref of its leaf type to the
// field.
func spelling(f *schema.Field) {
	leaf := &f.Type
	if leaf.Elem != nil {
		elem := *leaf.Elem
		leaf.Elem = &elem
		leaf = leaf.Elem
	}
	if leaf.Kind == schema.Bytes || leaf.Kind == schema.Timestamp || leaf.Kind == schema.Int64 {
		f.As, leaf.Ref = schema.Spelling(leaf.Ref), ""
	}
}

// nilable reports whether a field that is not optional can still hold an absent value.
func nilable(f *schema.Field) bool {
	return f.Type.Kind == schema.List || f.Type.Kind == schema.Map || f.Type.Kind == schema.Bytes && f.As == ""
}

// spell sets the spelling of a field's target, or of the target of its elements.
func (t *target) spell(as schema.Spelling) {
	for t.elem != nil {
		t = t.elem
	}
	t.as = as
}

// spelled converts a value that has a spelling.
func (c *converter) spelled(t *target, raw []byte) error {
	text := raw
	why := ""
	switch quoted := raw[0] == '"'; {
	case quoted && t.as.Number():
		why = "it is a text, and not a number"
	case !quoted && !t.as.Number():
		why = "it is not a text"
	case quoted:
		text = []byte(unquote(raw))
	}
	if why == "" {
		err := c.appendSpelled(t.as, text)
		if err == nil {
			return nil
		}
		why = err.Error()
	}
	return c.fail(raw, "%s is %s here and should be %s: %s; make its type another one",
		c.where(t, false), shorten(string(raw)), t.as.Text(), why).Or(", or leave the record out with --skip-bad")
}

// appendSpelled appends the neutral form of a text or a number.
func (c *converter) appendSpelled(as schema.Spelling, text []byte) error {
	switch as.Kind() {
	case schema.Bytes:
		v, err := as.ParseBytes(text)
		c.out = append(c.out, '"')
		c.out = append(base64.StdEncoding.AppendEncode(c.out, v), '"')
		return err
	case schema.Timestamp:
		v, err := as.ParseTime(text)
		if err != nil {
			return err
		}
		c.out = append(v.AppendFormat(append(c.out, '"'), time.RFC3339Nano), '"')
		return nil
	}
	v, err := as.ParseInt(text)
	c.out = strconv.AppendInt(c.out, v, 10)
	return err
}

// spellingNames returns the names of the spellings, as the types of overrules.
func spellingNames() []string {
	var names []string
	for _, s := range schema.Spellings {
		names = append(names, string(s))
	}
	return names
}

// overruleTypes returns all types of overrules except maps with a kind of key.
func overruleTypes() []string { return slices.Concat(types, spellingNames()) }

// Spelling returns the spelling of the values of the place, or "".
func (p Place) Spelling() schema.Spelling {
	if p = p.value(); p.target == nil {
		return ""
	}
	return p.target.as
}

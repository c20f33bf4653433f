package infer

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// Visit visits the records of the sample as they are in it, those that were left
// out excepted. header says that a record has the names of the columns of the
// others; it is none of Result.Records.
func (r *Result) Visit(visit func(rec Record, header bool) error) error {
	c := r.newConverter()
	_, err := r.each(func(rec Record) error {
		header, err := c.accept(rec)
		if err != nil {
			return err
		}
		if err := visit(rec, header); err != nil {
			return err
		}
		if header {
			return errHeader
		}
		return nil
	})
	return err
}

// newConverter returns a converter of the records of the result.
func (r *Result) newConverter() *converter {
	c := &converter{result: r, decoder: jsontext.NewDecoder(new(bytes.Buffer)), messages: map[string]*shape{}, dropped: map[drop]int64{}}
	c.root = &target{kind: schema.MessageKind, message: c.shape(r.Root), name: r.Root}
	for _, s := range c.messages {
		r.markTags(s)
	}
	for _, u := range r.tags {
		r.markBeside(c.root, u.beside, u)
	}
	return c
}

// accept converts a record, unless it has the names of columns.
func (c *converter) accept(rec Record) (header bool, err error) {
	r := c.result
	if rec.First && r.isHeader(rec.Raw) {
		return true, nil
	}
	if r.kind != "" {
		if err := r.sameKind(rec); err != nil {
			return false, err
		}
	}
	return false, c.convert(rec)
}

// A Place is what the schema says of the values at one place of the sample. Two
// are equal when they are of one field. The zero Place is that of values of
// which the schema says nothing, and so is every place within it.
type Place struct {
	target *target
	given  bool
}

// Place returns that of the records.
func (r *Result) Place() Place { return Place{r.newConverter().root, r.keys == nil} }

// value skips messages that the sample does not show.
func (p Place) value() Place {
	for p.target != nil && p.target.kind == schema.MessageKind && (p.target.message.bare || p.target.message.wraps) {
		p.target = p.target.message.fields[0].target
	}
	return p
}

// Kind is the kind of the values, MessageKind only when their keys are fields.
// It is Invalid when the schema says nothing of them, or keeps the text of their
// JSON.
func (p Place) Kind() schema.Kind {
	if p = p.value(); p.target == nil || p.target.json {
		return schema.Invalid
	}
	return p.target.kind
}

// Foreign says that a key of an object is none that a given schema has.
func (p Place) Foreign(key string) bool {
	p = p.value()
	return p.given && p.Kind() == schema.MessageKind && p.target.message.fieldOf(key, p.given) < 0
}

// Member returns the place of the member of an object.
func (p Place) Member(key string) Place {
	p = p.value()
	switch p.Kind() {
	case schema.Map:
		return Place{p.target.elem, p.given}
	case schema.MessageKind:
		if i := p.target.message.fieldOf(key, p.given); i >= 0 {
			return Place{p.target.message.fields[i].target, p.given}
		}
		return Place{}
	}
	return p.within()
}

// Alone returns the place of the elements when the values are lists of which one element
// may stand alone; otherwise the place as it is.
func (p Place) Alone() Place {
	if in := p.value(); in.target != nil && in.target.many {
		return Place{in.target.elem, p.given}
	}
	return p
}

// Elem returns the place of the i-th element of a list.
func (p Place) Elem(i int) Place {
	p = p.value()
	switch p.Kind() {
	case schema.List:
		return Place{p.target.elem, p.given}
	case schema.MessageKind:
		if f := p.target.message.fields; i < len(f) {
			return Place{f[i].target, p.given}
		}
		return Place{}
	}
	return p.within()
}

// within is the place of what is in a value that is kept as a text, which is
// the value's own.
func (p Place) within() Place {
	if p.target == nil || !p.target.json {
		return Place{}
	}
	return p
}

// A Look is all by which inference tells one text from another, as a value and as
// a key, other than what it says. Texts of one length and with signs at the same
// places are alike to it when their looks are equal.
type Look struct {
	Time   bool // it is a time by RFC 3339
	Number bool // it is a number in JSON
	Hex    bool // it is an id in hexadecimal digits
	Stamp  bool // it has digits, and no letters but the T and Z of times
	data   bool
	odd    bool
	fits   [4]bool // int32, uint32, int64, uint64
}

// LookOf returns the look of a text.
func LookOf(text string) Look {
	b := []byte(text)
	l := Look{
		Time: isTime(b), Number: len(b) > 0 && isNumeric(b), Hex: len(b) <= 64 && (uuid.Match(b) || hash.Match(b)),
		Stamp: stamp(text), data: dataKey(text), odd: oddKey(text),
	}
	for i, k := range []schema.Kind{schema.Int32, schema.Uint32, schema.Int64, schema.Uint64} {
		l.fits[i] = wholeFits(text, k)
	}
	return l
}

// A Form is what a number is to inference.
type Form byte

// The forms of numbers: whole ones that 64 bits hold, those for float64, and
// those that neither holds.
const (
	Whole Form = iota
	Float
	Beyond
)

// FormOf returns the form of a number in JSON and, when it is whole, its
// magnitude.
func FormOf(raw []byte) (f Form, magnitude uint64) {
	if w, ok := parseWhole(raw); ok {
		return Whole, w.magnitude
	}
	if fitsFloat(raw) {
		return Float, 0
	}
	return Beyond, 0
}

// IsTime reports whether a text is a time by RFC 3339 that timestamps hold.
func IsTime(text string) bool { return isTime([]byte(text)) }

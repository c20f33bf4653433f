package infer

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// Visit visits the records as written in the sample, except those that were left out. header says
// that a record has the names of the columns; Result.Records does not count such a record.
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

// newConverter returns a converter for the records of the result.
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

// accept converts a record. It returns header without converting it if it has the names of the
// columns.
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

// A Place describes what the schema says about the values at one place of the sample. Two places
// are equal if they belong to the same field. The zero Place is for values that the schema does not
// describe; every place within it is zero too.
type Place struct {
	target *target
	given  bool
}

// Place returns the place of the records.
func (r *Result) Place() Place { return Place{r.newConverter().root, r.keys == nil} }

// value skips messages that are not visible in the sample: those with Bare or Wraps.
func (p Place) value() Place {
	for p.target != nil && p.target.kind == schema.MessageKind && (p.target.message.bare || p.target.message.wraps) {
		p.target = p.target.message.fields[0].target
	}
	return p
}

// Kind returns the kind of the values. It is MessageKind only if their keys are fields, and Invalid
// if the schema does not describe them or keeps the text of their JSON.
func (p Place) Kind() schema.Kind {
	if p = p.value(); p.target == nil || p.target.json {
		return schema.Invalid
	}
	return p.target.kind
}

// Foreign reports whether the user gave the schema and it has no field for a key of an object here.
func (p Place) Foreign(key string) bool {
	p = p.value()
	return p.given && p.Kind() == schema.MessageKind && p.target.message.fieldOf(key) < 0
}

// Member returns the place of the member of an object.
func (p Place) Member(key string) Place {
	p = p.value()
	switch p.Kind() {
	case schema.Map:
		return Place{p.target.elem, p.given}
	case schema.MessageKind:
		if i := p.target.message.fieldOf(key); i >= 0 {
			return Place{p.target.message.fields[i].target, p.given}
		}
		return Place{}
	}
	return p.within()
}

// Alone returns the place of the elements if the values are lists and a single value may stand for
// a list of one element; otherwise it returns p.
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

// within returns the place of the contents of a value: p itself if the value is kept as the text of
// its JSON, otherwise the zero Place.
func (p Place) within() Place {
	if p.target == nil || !p.target.json {
		return Place{}
	}
	return p
}

// A Look has the properties of a text, as a value or a key, that matter to inference. Inference
// treats two texts alike if their looks are equal, their lengths are equal, and they have the same
// signs at the same places.
type Look struct {
	Time   bool // it is a time by RFC 3339
	Number bool // it is a number in JSON
	Hex    bool // it is an id in hexadecimal digits
	Stamp  bool // it has digits, and otherwise only the signs, T and Z of times
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

// A Form is the class of a number that matters to inference.
type Form byte

// The forms of numbers: whole numbers that 64 bits hold, other numbers that float64 holds, and
// numbers that neither holds.
const (
	Whole Form = iota
	Float
	Beyond
)

// FormOf returns the form of a number in JSON and, if it is Whole, its absolute value.
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

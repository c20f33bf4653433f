package jsonsize

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/infer"
	"assay/schema"
)

// A place describes the values at one path by their type in the schema. The zero place
// describes values that are not in the schema.
type place struct {
	schema *shapes
	typ    schema.Type
	many   bool // an element may stand alone for a list of it
}

// value skips messages that do not appear in JSON.
func (p place) value() place {
	for p.typ.Kind == schema.MessageKind {
		m := p.schema.Message(p.typ.Ref)
		if !m.Bare && !m.Wraps {
			break
		}
		p.typ, p.many = m.Fields[0].Type, m.Fields[0].OneOrMany
	}
	return p
}

// alone returns the place of the elements if both values are elements that stand for a list
// of one; otherwise it returns p.
func (p place) alone(at *step, values ...jsontext.Value) (place, *step) {
	in := p.value()
	if !in.many || slices.ContainsFunc(values, func(v jsontext.Value) bool { return v.Kind() == '[' }) {
		return p, at
	}
	return place{schema: p.schema, typ: *in.typ.Elem}, &step{at, infer.AnyElement()}
}

// byKind returns the union at the place if the kind of the value selects its variant;
// otherwise nil.
func (p place) byKind() *schema.Message {
	in := p.value()
	if in.typ.Kind != schema.MessageKind {
		return nil
	}
	if m := p.schema.Message(in.typ.Ref); m.ByKind() {
		return m
	}
	return nil
}

// ofKind returns the place of the variant that the kind of a value selects. It returns p if p
// is not a union by kind.
func (p place) ofKind(value jsontext.Value) place {
	m := p.byKind()
	if m == nil {
		return p
	}
	if i := p.schema.VariantOf(m, value[0]); i >= 0 {
		return place{schema: p.schema, typ: m.Fields[i].Type}
	}
	return place{}
}

// variant returns the place of the variant that the keys or the tag of an object select. It
// returns p if p is not a union.
func (p place) variant(object []pair) place {
	p = p.value()
	if p.typ.Kind != schema.MessageKind {
		return p
	}
	m := p.schema.Message(p.typ.Ref)
	if !m.Union {
		return p
	}
	has := func(key string) bool {
		return slices.ContainsFunc(object, func(o pair) bool { return infer.TextName(o.key) == key })
	}
	tag, tagged := "", false
	for _, o := range object {
		if infer.TextName(o.key) == m.Tag && len(o.value) > 0 && o.value[0] == '"' {
			text, err := jsontext.AppendUnquote(nil, o.value)
			tag, tagged = string(text), err == nil
		}
	}
	if i := m.Variant(has, tag, tagged); i >= 0 {
		return place{schema: p.schema, typ: m.Fields[i].Type}
	}
	return place{}
}

// member returns the place of the member of an object, and the step to it.
func (p place) member(key string) (place, infer.Step) {
	p = p.value()
	switch p.typ.Kind {
	case schema.Map:
		return place{schema: p.schema, typ: *p.typ.Elem}, infer.AnyValue()
	case schema.MessageKind:
		if f := p.schema.field(p.schema.Message(p.typ.Ref), infer.TextName(key)); f != nil {
			return place{p.schema, f.Type, f.OneOrMany}, infer.Key(key)
		}
		return place{}, infer.Key(key)
	}
	return place{}, infer.AnyValue() // within the text of a JSON value, keys are data
}

// elem returns the place of the i-th element of a list, and the step to it.
func (p place) elem(i int) (place, infer.Step) {
	p = p.value()
	switch p.typ.Kind {
	case schema.List:
		return place{schema: p.schema, typ: *p.typ.Elem}, infer.AnyElement()
	case schema.MessageKind:
		if f := p.schema.Message(p.typ.Ref).Fields; i < len(f) {
			return place{p.schema, f[i].Type, f[i].OneOrMany}, infer.Key(f[i].TextName())
		}
	}
	return place{}, infer.AnyElement()
}

// A step is a path, as its last part and the path before it; nil is the record.
type step struct {
	up *step
	infer.Step
}

// String returns the path in the form that guesses have.
func (s *step) String() string {
	var steps []infer.Step
	for at := s; at != nil; at = at.up {
		steps = append(steps, at.Step)
	}
	slices.Reverse(steps)
	return infer.PathText(steps)
}

// A pair is a member of an object: the key as written and unquoted, and the value as written.
type pair struct {
	raw   []byte
	key   string
	value []byte
}

// size returns the bytes of the pair with a colon and a comma.
func (p pair) size() int { return len(p.raw) + len(p.value) + 2 }

// value compares a value of the sample with the written value.
func (a *Account) value(p place, sample, written []byte, at *step) error {
	if bytes.Equal(sample, written) {
		return nil
	}
	p, at = p.alone(at, sample, written)
	union := p.byKind() != nil
	p = p.ofKind(sample)
	switch s, w := jsontext.Value(sample).Kind(), jsontext.Value(written).Kind(); {
	case s == '{' && w == '{':
		return a.object(p, sample, written, at)
	case s == '[' && w == '[':
		return a.list(p, sample, written, at)
	case s == '"' && w == '"':
		a.text(sample, written, at)
	case s == '0' && w == '0':
		cause := Rounded
		if sameNumber(sample, written) {
			cause = Numbers
		}
		a.add(cause, len(written)-len(sample), at)
		if union {
			a.unions[at.String()] = true
		}
	case (s == 'n' || w == 'n') && (hollow(sample) && hollow(written)):
		cause := EmptyNull
		if s == 'n' {
			cause = NullEmpty
		}
		a.add(cause, len(written)-len(sample), at)
	case s == '[' && w == '{' && hollow(sample) && hollow(written):
		a.add(EmptyMap, 0, at)
	default:
		a.add(Types, len(written)-len(sample), at)
	}
	return nil
}

// hollow reports whether a value is null, empty, 0 in any spelling, or false.
func hollow(v []byte) bool {
	switch string(v) {
	case "null", "[]", "{}", `""`, "false":
		return true
	}
	digits, _, _ := strings.Cut(strings.ToLower(string(v)), "e")
	return strings.Contains(digits, "0") && strings.Trim(digits, "-0.") == ""
}

// object compares an object of a sample with the one that is written for it.
func (a *Account) object(p place, sample, written []byte, at *step) error {
	mine, err := pairs(sample)
	if err != nil {
		return err
	}
	p = p.variant(mine)
	theirs, err := pairs(written)
	if err != nil {
		return err
	}
	partners, others := matched(mine, theirs)
	commas := max(len(theirs), 1) - max(len(mine), 1) // commas that the sizes of pairs do not count
	var last Cause
	alone := func(cause Cause, m pair, sign int) {
		_, to := p.member(m.key)
		a.add(cause, sign*m.size(), &step{at, to})
		commas -= sign
		last = cause
	}
	for i, s := range mine {
		switch w := partners[i]; {
		case w != nil:
			if err := a.both(p, s, *w, at); err != nil {
				return err
			}
		case string(s.value) == "null":
			alone(NullLeftOut, s, -1)
		case hollow(s.value):
			alone(EmptyLeftOut, s, -1)
		default:
			alone(LeftOut, s, -1)
		}
	}
	for _, w := range others {
		if string(w.value) == "null" {
			alone(AbsentNull, w, 1)
		} else {
			alone(Added, w, 1)
		}
	}
	if commas != 0 && last != "" {
		a.changes[last].bytes += int64(commas) // objects with no member and with one member both have no comma
	}
	return nil
}

// matched returns for each member of an object of a sample the written member that corresponds to
// it, or nil, and the written members that correspond to none. Members with the same key come before
// those whose key no struct tag can hold.
func matched(mine, theirs []pair) (partners []*pair, others []pair) {
	found := map[string]int{}
	for i, w := range theirs {
		found[w.key] = i
	}
	partners, taken := make([]*pair, len(mine)), make([]bool, len(theirs))
	next := 0 // usually both objects have their keys in the same order
	for i, s := range mine {
		at, ok := next, next < len(theirs) && theirs[next].key == s.key
		if !ok {
			at, ok = found[s.key]
		}
		if ok && !taken[at] {
			partners[i], taken[at], next = &theirs[at], true, at+1
		}
	}
	for i, s := range mine {
		if partners[i] != nil {
			continue
		}
		if at := renamed(s.key, found, taken); at >= 0 {
			partners[i], taken[at] = &theirs[at], true
		}
	}
	for i, w := range theirs {
		if !taken[i] {
			others = append(others, w)
		}
	}
	return partners, others
}

// renamed returns the index of the member that is written for a key which no struct tag can
// hold, or -1. found holds the members by key; renamed ignores members that are taken. Keys
// with the same name have a number appended, in their order: the smallest that is left is meant.
func renamed(key string, found map[string]int, taken []bool) int {
	name := infer.TextName(key)
	if name == key {
		return -1
	}
	if i, ok := found[name]; ok && !taken[i] {
		return i
	}
	at, least := -1, 0
	for text, i := range found {
		digits, ok := strings.CutPrefix(text, name+"_")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n < 2 || strconv.Itoa(n) != digits || taken[i] {
			continue
		}
		if at < 0 || n < least {
			at, least = i, n
		}
	}
	return at
}

// both compares two members that correspond.
func (a *Account) both(p place, s, w pair, at *step) error {
	inner, to := p.member(s.key)
	there := &step{at, to}
	if !bytes.Equal(s.raw, w.raw) {
		if s.key == w.key {
			a.text(s.raw, w.raw, there)
		} else {
			a.add(Keys, len(w.raw)-len(s.raw), there)
		}
	}
	return a.value(inner, s.value, w.value, there)
}

func (a *Account) list(p place, sample, written []byte, at *step) error {
	mine, err := elements(sample)
	if err != nil {
		return err
	}
	theirs, err := elements(written)
	if err != nil {
		return err
	}
	if len(mine) != len(theirs) {
		a.add(Types, len(written)-len(sample), at)
		return nil
	}
	for i := range mine {
		inner, to := p.elem(i)
		if err := a.value(inner, mine[i], theirs[i], &step{at, to}); err != nil {
			return err
		}
	}
	return nil
}

// text compares two texts that differ at least in their spelling.
func (a *Account) text(sample, written []byte, at *step) {
	bytes := len(written) - len(sample)
	s, broken := jsontext.AppendUnquote(nil, sample) // an error if it has half of a surrogate pair
	w, _ := jsontext.AppendUnquote(nil, written)
	if broken != nil || string(s) != string(w) {
		cause := Texts
		if sameTime(string(s), string(w)) {
			cause = Times
		}
		a.add(cause, bytes, at)
		return
	}
	// Bytes for characters that are escaped in the written text and not in the sample.
	escaped := 0
	for _, of := range []struct {
		cause Cause
		chars []string
	}{{HTML, []string{"<", ">", "&"}}, {Separators, []string{"\u2028", "\u2029"}}} {
		n := 0
		for _, c := range of.chars {
			if strings.Count(string(written), c) == 0 {
				n += strings.Count(string(sample), c) * (len(`\u0000`) - len(c))
			}
		}
		if n > 0 {
			a.add(of.cause, n, at)
		}
		escaped += n
	}
	if escaped == 0 || bytes != escaped {
		a.add(Escapes, bytes-escaped, at)
	}
}

func sameTime(a, b string) bool {
	x, err := time.Parse(time.RFC3339Nano, a)
	if err != nil {
		return false
	}
	y, err := time.Parse(time.RFC3339Nano, b)
	_, one := x.Zone()
	_, other := y.Zone()
	return err == nil && x.Equal(y) && one == other
}

// sameNumber reports whether two spellings are the same number. It ignores digits after the
// point that a float64 does not distinguish, because nobody means them.
func sameNumber(sample, written []byte) bool {
	if decimalOf(string(sample)) == decimalOf(string(written)) {
		return true
	}
	a, err := strconv.ParseFloat(string(sample), 64)
	b, other := strconv.ParseFloat(string(written), 64)
	if !bytes.ContainsAny(sample, ".eE") || err != nil || other != nil || a != b {
		return false
	}
	// From 2⁵³ on, a float64 is a whole number, and digits before the point may differ.
	return math.Abs(a) < 1<<53 || decimalOf(string(sample)) == decimalOf(strconv.FormatFloat(a, 'f', 0, 64))
}

// A decimal is a number: its digits without zeros at either end, and the power of ten of the
// last digit.
type decimal struct {
	negative bool
	digits   string
	power    int
}

// decimalOf parses a JSON number. It ignores the digits of an exponent after the tenth.
func decimalOf(text string) (d decimal) {
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa := text
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		sign := 1
		for _, c := range text[i+1:] {
			switch {
			case c == '-':
				sign = -1
			case c != '+' && d.power < 1e9:
				d.power = 10*d.power + int(c-'0')
			}
		}
		d.power *= sign
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.power -= len(fraction)
	d.digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(d.digits, "0")
	d.power += len(d.digits) - len(short)
	if d.digits = short; d.digits == "" {
		d.power = 0
	}
	return d
}

// reading returns a decoder of a value. It reads invalid text, such as half of a surrogate
// pair, as U+FFFD. encoding/json, which reads a user's own types, does the same.
func reading(value []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// took returns the part of value that the decoder has just read as v. Like value it lasts, and
// unlike a copy it costs no memory, of which nested values would take as many copies as there are levels.
func took(d *jsontext.Decoder, value, v []byte) []byte {
	end := int(d.InputOffset())
	return value[end-len(v) : end : end]
}

// pairs returns the members of an object, which are parts of it.
func pairs(object []byte) (all []pair, err error) {
	d := reading(object)
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != '}' {
		var p pair
		for _, to := range []*[]byte{&p.raw, &p.value} {
			v, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			*to = took(d, object, v)
		}
		key, _ := jsontext.AppendUnquote(nil, p.raw)
		p.key = string(key)
		all = append(all, p)
	}
	return all, nil
}

// elements returns the elements of a list, which are parts of it.
func elements(list []byte) (all [][]byte, err error) {
	d := reading(list)
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		all = append(all, took(d, list, v))
	}
	return all, nil
}

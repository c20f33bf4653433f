package infer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// keyNames has the kinds of number that a map's key can have.
var keyNames = map[schema.Kind]string{schema.Int32: "int32", schema.Int64: "int64", schema.Uint32: "uint32", schema.Uint64: "uint64"}

// what describes the values of a target in an error.
func (t *target) what() string {
	switch t.kind {
	case schema.MessageKind:
		switch {
		case t.message.bare:
			return t.message.fields[0].what()
		case t.message.only:
			return "a list, " + t.message.name
		case t.message.kinds != nil:
			return "one of the values of " + t.message.name
		}
		return "an object, " + t.message.name
	case schema.List:
		return "a list"
	case schema.Map:
		return "an object, a map"
	case schema.EnumKind:
		return "one of the texts of " + t.enum.name
	}
	for name, k := range scalars {
		if k == t.kind {
			return article(name)
		}
	}
	return "nothing"
}

// scalar converts a value that is neither an object nor a list nor null. It converts a number or a
// truth value to a string, and a text to a number or truth value, because the user may have asked
// for that.
func (c *converter) scalar(t *target, raw []byte) error {
	if t.as != "" {
		return c.spelled(t, raw)
	}
	c.result.loose = c.result.loose || t.coerces(raw[0] == '"')
	if t.kind == schema.String {
		if raw[0] == '"' {
			c.out = append(c.out, raw...)
		} else {
			c.out = append(append(append(c.out, '"'), raw...), '"')
		}
		return nil
	}
	plain := raw
	if raw[0] == '"' {
		plain = []byte(unquote(raw))
	}
	ok := false
	switch t.kind {
	case schema.Bool:
		ok = string(plain) == "true" || string(plain) == "false"
		c.out = append(c.out, plain...)
	case schema.Int32, schema.Int64, schema.Uint32, schema.Uint64:
		ok = wholeFits(string(plain), t.kind)
		c.out = append(c.out, plain...)
	case schema.Float32, schema.Float64:
		ok = c.float(plain, t.kind)
	case schema.Bytes:
		_, err := base64.StdEncoding.Strict().DecodeString(string(plain))
		ok = err == nil && raw[0] == '"'
		c.out = append(c.out, raw...)
	case schema.Timestamp:
		ok = raw[0] == '"' && c.time(plain)
	case schema.Duration:
		ok = c.duration(plain, raw[0] == '"')
	case schema.EnumKind:
		ok = c.choice(t.enum, plain, raw[0] == '"')
	}
	if !ok {
		return c.fail(raw, "%s is %s here, and in the schema it is %s", c.where(t, false), shorten(string(raw)), t.what())
	}
	return nil
}

// coerces reports whether a value, quoted in JSON or not, is of another kind of value than the
// target, so that only the user's answer allows it.
func (t *target) coerces(quoted bool) bool {
	switch t.kind {
	case schema.String:
		return !quoted
	case schema.Bytes, schema.Timestamp:
		return false
	}
	return quoted
}

// wholeFits reports whether a text is a whole number of a kind, written as strconv would.
func wholeFits(s string, kind schema.Kind) bool {
	if len(s) > 1 && s[0] == '0' {
		return false
	}
	w, ok := parseWhole([]byte(s))
	if !ok || w.negative && len(s) > 2 && s[1] == '0' {
		return false
	}
	limit := uint64(math.MaxUint64)
	switch kind {
	case schema.Int32:
		limit = math.MaxInt32
	case schema.Int64:
		limit = math.MaxInt64
	case schema.Uint32:
		limit = math.MaxUint32
	}
	if w.negative {
		return (kind == schema.Int32 || kind == schema.Int64) && w.magnitude <= limit+1
	}
	return w.magnitude <= limit
}

// float appends a number in a form that no reader takes for a whole number.
func (c *converter) float(plain []byte, kind schema.Kind) bool {
	if !jsontext.Value(plain).IsValid() || jsontext.Value(plain).Kind() != '0' {
		return false
	}
	bits := 64
	if kind == schema.Float32 {
		bits = 32
	}
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(plain)), bits)
	if err != nil {
		return false
	}
	start := len(c.out)
	c.out = strconv.AppendFloat(c.out, v, 'g', -1, bits)
	if bytes.IndexByte(c.out[start:], '.') < 0 && bytes.IndexByte(c.out[start:], 'e') < 0 {
		c.out = append(c.out, ".0"...)
	}
	return true
}

func (c *converter) time(plain []byte) bool {
	v, ok := timeOf(plain)
	if !ok {
		return false
	}
	if v.Year() < 1 {
		_, offset := v.Zone()
		c.out = append(c.out, `{"unix":`...)
		c.out = strconv.AppendInt(c.out, v.Unix(), 10)
		c.out = append(c.out, `,"nanos":`...)
		c.out = strconv.AppendInt(c.out, int64(v.Nanosecond()), 10)
		c.out = append(c.out, `,"offset":`...)
		c.out = append(strconv.AppendInt(c.out, int64(offset), 10), '}')
		return true
	}
	c.out = append(v.AppendFormat(append(c.out, '"'), time.RFC3339Nano), '"')
	return true
}

// duration appends nanoseconds. The value is a number of nanoseconds, or a text such as 1m30s.
func (c *converter) duration(plain []byte, quoted bool) bool {
	if !quoted {
		c.out = append(c.out, plain...)
		return wholeFits(string(plain), schema.Int64)
	}
	v, err := time.ParseDuration(string(plain))
	c.out = strconv.AppendInt(c.out, int64(v), 10)
	return err == nil
}

func (c *converter) choice(e *enumTarget, plain []byte, quoted bool) bool {
	if quoted {
		n, ok := e.numbers[foldText(string(plain))]
		c.out = strconv.AppendInt(c.out, int64(n), 10)
		return ok
	}
	n, err := strconv.ParseInt(string(plain), 10, 32)
	c.out = append(c.out, plain...)
	return err == nil && e.known[int32(n)]
}

// enumOf returns the target for an enum.
func enumOf(e *schema.Enum) *enumTarget {
	out := &enumTarget{name: e.Name, numbers: map[string]int32{}, known: map[int32]bool{}}
	for _, v := range e.Values {
		out.known[v.Number] = true
	}
	for _, t := range EnumTexts(e) {
		out.numbers[t.Name] = t.Number
	}
	return out
}

// EnumTexts returns, for each text that may stand for a value of an enum, the folded text as Name
// and the value's Number. A value's name stands for it, with or without the enum's name before it;
// case and signs do not matter, see foldText.
func EnumTexts(e *schema.Enum) []schema.EnumValue {
	var all []schema.EnumValue
	seen := map[string]bool{}
	add := func(text string, number int32) {
		if !seen[text] {
			seen[text] = true
			all = append(all, schema.EnumValue{Name: text, Number: number})
		}
	}
	for _, v := range e.Values {
		if rest, ok := strings.CutPrefix(foldText(v.Name), foldText(e.Name)); ok && rest != "" {
			add(rest, v.Number)
		}
	}
	for _, v := range e.Values {
		add(foldText(v.Name), v.Number)
	}
	return all
}

// foldText returns a text in the form in which enumWords distinguishes texts. A text and the name
// that is made from it have the same form. Package reader of exported code folds texts the same way.
func foldText(s string) string {
	var b []byte
	for _, r := range s {
		switch {
		case upper(r):
			b = append(b, byte(r)+'a'-'A')
		case lower(r), digit(r):
			b = append(b, byte(r))
		case r > 127 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b = fmt.Appendf(b, "u%x", r)
		}
	}
	if len(b) == 0 {
		return "empty"
	}
	return string(b)
}

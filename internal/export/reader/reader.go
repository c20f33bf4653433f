// Package reader reads JSON into Go types in cases that encoding/json does not support: lists
// that stand for structs, empty strings that stand for nothing, values that are kept as the text
// of their JSON, keys that no struct tag can hold, and strings that stand for numbers, bytes and
// times. The file is copied into modules for users, so the package is a single file and uses only
// the standard library.
package reader

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A spelling says how JSON writes the values of one type.
type spelling struct {
	// keys are the keys of the fields, in order. A struct is an object with these keys, or a list
	// of the values of all fields.
	keys []string
	// texts are the indices of fields whose strings hold the JSON of any value.
	texts []int
	// forms maps the indices of fields to their spelling: uuid, hex or 0x, or these in upper
	// case; unix, unix-ms, unix-us or unix-ns; decimal; or a layout of times.
	forms map[int]string
	// ones are the indices of fields whose lists of one element are written without brackets.
	ones []int
	// wraps says that the JSON of the struct is the JSON of its only field.
	wraps bool
	// when is for a struct with exactly one field set: the JSON of the struct is the JSON of that
	// field. With a tag, the field is the one whose texts contain the text at the key tag.
	// Without a tag, it is the first field that has no texts or whose texts contain a key of the
	// JSON.
	when [][]string
	tag  string
	// kinds is for a struct with exactly one field set: the JSON of the struct is the JSON of
	// that field. The byte for each field is the first byte of its JSON: n, t, 0, ", { or [. Here
	// t also stands for f, and 0 for all numbers.
	kinds string
	// values maps the names of an enum to their numbers.
	values map[string]int32
}

// spellings maps types to their spelling.
type spellings map[reflect.Type]spelling

// read sets the zero value that v points to from the JSON.
func (s spellings) read(data []byte, v any) error {
	return s.value(data, reflect.ValueOf(v).Elem(), leaf{})
}

// holdsNull reports whether a value of the type can itself be null, in addition to being absent.
func (s spellings) holdsNull(t reflect.Type) bool {
	if !s[t].wraps {
		return false
	}
	switch t.Field(0).Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

// A leaf says how the values of a field are read.
type leaf struct {
	text bool   // a string is the JSON of any value
	form string // an entry of forms, or empty
	one  bool   // a value that is no list is a list of one element
}

// value reads one value.
func (s spellings) value(data json.RawMessage, v reflect.Value, as leaf) error {
	data = bytes.TrimSpace(data)
	if v.Kind() == reflect.Pointer {
		elem := v.Type().Elem()
		// An empty list or an empty string is no struct, so it stands for an absent value.
		isStruct := elem.Kind() == reflect.Struct && !s[elem].wraps && s[elem].kinds == ""
		if _, ours := s[elem]; string(data) == "null" && !s.holdsNull(elem) || isStruct && (hollow(data) || ours && string(data) == `""`) {
			return nil
		}
		v.Set(reflect.New(elem))
		v = v.Elem()
	}
	if x, ok := s[v.Type()]; ok {
		switch {
		case x.values != nil:
			return x.enum(data, v)
		case v.Kind() == reflect.Struct:
			return s.fields(data, x, v)
		}
		as = leaf{len(x.texts) > 0, x.forms[0], len(x.ones) > 0} // a named list or map
	}
	if as.form != "" && (v.Type() == reflect.TypeFor[[]byte]() || v.Kind() != reflect.Slice && v.Kind() != reflect.Map) {
		return as.read(unquoted(data), v)
	}
	switch v.Interface().(type) {
	case time.Time, []byte:
		return json.Unmarshal(data, v.Addr().Interface())
	case time.Duration:
		if d, err := time.ParseDuration(unquoted(data)); err == nil {
			v.SetInt(int64(d))
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		if string(data) == `""` && !as.one {
			return nil // an empty string stands for an absent list or map
		}
		if v.Kind() == reflect.Map && hollow(data) {
			v.Set(reflect.MakeMap(v.Type())) // PHP writes an empty map as an empty list
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Slice:
		return s.list(data, v, as)
	case reflect.Map:
		return s.entries(data, v, as)
	case reflect.String:
		if as.text {
			text, err := compact(data)
			v.SetString(text)
			return err
		}
		if len(data) > 0 && strings.IndexByte(`"{[n`, data[0]) < 0 {
			v.SetString(string(data))
			return nil
		}
		return json.Unmarshal(data, v.Addr().Interface())
	}
	return json.Unmarshal([]byte(unquoted(data)), v.Addr().Interface())
}

// compact returns the JSON without white space, and with no character escaped that JSON allows as it
// is. Libraries may write the same text with other escapes.
func compact(data []byte) (string, error) {
	var b bytes.Buffer
	err := json.Compact(&b, data)
	var out strings.Builder
	for rest := b.Bytes(); len(rest) > 0; {
		start := bytes.IndexByte(rest, '"')
		if start < 0 {
			out.Write(rest)
			break
		}
		end := start + 1
		for ; rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		out.Write(rest[:start])
		quote(&out, unquoted(rest[start:end+1]))
		rest = rest[end+1:]
	}
	return out.String(), err
}

// short has the escapes of one letter that JSON needs.
var short = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// quote writes a string in JSON.
func quote(out *strings.Builder, text string) {
	out.WriteByte('"')
	for _, r := range short.Replace(text) {
		if r < ' ' {
			fmt.Fprintf(out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
}

// hollow reports whether a value is an empty list.
func hollow(data []byte) bool {
	return len(data) > 1 && data[0] == '[' && len(bytes.TrimSpace(data[1:len(data)-1])) == 0
}

// read sets v from a string or a number.
func (as leaf) read(text string, v reflect.Value) error {
	switch x := v.Addr().Interface().(type) {
	case *[]byte:
		digits := strings.TrimPrefix(text, "0x")
		if strings.EqualFold(as.form, "uuid") {
			digits = strings.ReplaceAll(text, "-", "")
		}
		b, err := hex.DecodeString(digits)
		*x = b
		return err
	case *time.Time:
		units := map[string]time.Duration{"unix": time.Second, "unix-ms": time.Millisecond, "unix-us": time.Microsecond, "unix-ns": time.Nanosecond}
		unit, ok := units[as.form]
		if !ok {
			t, err := time.Parse(as.form, text)
			*x = t
			return err
		}
		n, err := strconv.ParseInt(text, 10, 64)
		perSecond := int64(time.Second / unit)
		*x = time.Unix(n/perSecond, n%perSecond*int64(unit)).UTC()
		return err
	}
	n, err := strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
	v.SetInt(n)
	return err
}

// unquoted returns the text of a JSON string. It returns other JSON unchanged.
func unquoted(data []byte) string {
	var s string
	if json.Unmarshal(data, &s) == nil && len(data) > 0 && data[0] == '"' {
		return s
	}
	return string(data)
}

// fields reads a struct.
func (s spellings) fields(data json.RawMessage, x spelling, v reflect.Value) error {
	leafOf := func(i int) leaf {
		return leaf{slices.Contains(x.texts, i), x.forms[i], slices.Contains(x.ones, i)}
	}
	if x.wraps {
		return s.value(data, v.Field(0), leafOf(0))
	}
	if x.kinds != "" {
		i := strings.IndexByte(x.kinds, kindOf(data))
		if i < 0 {
			return fmt.Errorf("%s is of no kind of %s", data, v.Type().Name())
		}
		return s.value(data, v.Field(i), leaf{})
	}
	if len(data) > 0 && data[0] == '[' {
		var items []json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return err
		}
		if len(items) != v.NumField() {
			return fmt.Errorf("a list of %d for the %d fields of %s", len(items), v.NumField(), v.Type().Name())
		}
		for i, item := range items {
			if err := s.value(item, v.Field(i), leafOf(i)); err != nil {
				return fmt.Errorf("%s[%d]: %w", v.Type().Name(), i, err)
			}
		}
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	if x.when != nil {
		i := x.variant(object)
		if i < 0 {
			return fmt.Errorf("this object is of no kind of %s", v.Type().Name())
		}
		return s.value(data, v.Field(i), leaf{})
	}
	for i, key := range x.keys {
		if item, ok := object[key]; ok {
			if err := s.value(item, v.Field(i), leafOf(i)); err != nil {
				return fmt.Errorf("%s.%s: %w", v.Type().Name(), key, err)
			}
		}
	}
	return nil
}

// kindOf returns the byte for a JSON value that spelling.kinds uses.
func kindOf(data []byte) byte {
	if len(data) == 0 {
		return 0
	}
	switch c := data[0]; {
	case c == 'f':
		return 't'
	case c == '-' || '0' <= c && c <= '9':
		return '0'
	default:
		return c
	}
}

// variant returns the index of the field for an object, or -1.
func (x spelling) variant(object map[string]json.RawMessage) int {
	var tag string
	if x.tag != "" && json.Unmarshal(object[x.tag], &tag) != nil {
		return -1
	}
	for i, texts := range x.when {
		if x.tag == "" && len(texts) == 0 {
			return i
		}
		for _, text := range texts {
			if _, there := object[text]; x.tag != "" && text == tag || x.tag == "" && there {
				return i
			}
		}
	}
	return -1
}

// list reads a list.
func (s spellings) list(data json.RawMessage, v reflect.Value, as leaf) error {
	items := []json.RawMessage{data}
	if !as.one || len(data) == 0 || data[0] == '[' || string(data) == "null" {
		if err := json.Unmarshal(data, &items); err != nil || string(data) == "null" {
			return err
		}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := s.value(item, v.Index(i), as); err != nil {
			return err
		}
	}
	return nil
}

// entries reads a map.
func (s spellings) entries(data json.RawMessage, v reflect.Value, as leaf) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return err
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
	for name, item := range object {
		key := reflect.New(v.Type().Key()).Elem()
		if key.Kind() == reflect.String {
			key.SetString(name)
		} else if err := json.Unmarshal([]byte(name), key.Addr().Interface()); err != nil {
			return fmt.Errorf("the key %q: %w", name, err)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := s.value(item, elem, as); err != nil {
			return err
		}
		v.SetMapIndex(key, elem)
	}
	return nil
}

// enum reads a value from its name or its number. Names are compared without case and
// punctuation. A string of digits is a name if there is such a name.
func (x spelling) enum(data json.RawMessage, v reflect.Value) error {
	text := unquoted(data)
	name, named := x.values[folded(text)]
	number, err := strconv.ParseInt(text, 10, 32)
	switch quoted := text != string(data); {
	case err == nil && !(quoted && named):
		v.SetInt(number)
	case named:
		v.SetInt(int64(name))
	default:
		return fmt.Errorf("%s is no %s", data, v.Type().Name())
	}
	return nil
}

// folded returns the letters and digits of a text. ASCII letters are in lower case, and other
// characters are replaced by their code points. If nothing is left, it returns "empty".
func folded(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			b.WriteRune(r + 'a' - 'A')
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case r > 127 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			fmt.Fprintf(&b, "u%x", r)
		}
	}
	if b.Len() == 0 {
		return "empty"
	}
	return b.String()
}

// Package reader reads JSON into Go types where encoding/json alone would not:
// lists that stand for structs, empty texts that stand for none, values that are
// kept as the text of their JSON, keys that no struct tag can hold, texts that stand
// for numbers, bytes and times. It is copied
// into modules that are written for users, and so it uses the standard library
// alone and is one file.
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

// A spelling is how JSON writes the values of one type.
type spelling struct {
	// keys are the keys of the fields, in order. One struct has them all, or is a
	// list of its fields' values.
	keys []string
	// texts are the fields, by their places, whose strings are the JSON of any value.
	texts []int
	// forms are how fields, by their places, are spelled: uuid, hex or 0x, or these in
	// upper case; unix, unix-ms, unix-us or unix-ns; decimal; or a layout of times.
	forms map[int]string
	// ones are the fields, by their places, whose lists of one element are written as
	// that element.
	ones []int
	// wraps says that the JSON is that of the only field.
	wraps bool
	// when says of a struct of which one field is set that the JSON is that of this
	// field, and which it is: the one among whose texts the text at the key tag is or,
	// without a tag, the first of which the JSON has the key, or which has none.
	when [][]string
	tag  string
	// kinds says of a struct of which one field is set that the JSON is that of this
	// field, and what the JSON of each field begins with: n, t, 0, ", { or [, where t
	// stands for f too and 0 for numbers.
	kinds string
	// values are the names of an enum's values.
	values map[string]int32
}

// spellings are by the type they are of.
type spellings map[reflect.Type]spelling

// read sets what v points to, a zero value, to what the JSON says.
func (s spellings) read(data []byte, v any) error {
	return s.value(data, reflect.ValueOf(v).Elem(), leaf{})
}

// holdsNull reports whether a value of the type may be null, beside that there may be
// none.
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

// A leaf says how the leaves of a field are read.
type leaf struct {
	text bool   // a string is the JSON of any value
	form string // of forms; may be empty
	one  bool   // what is no list is a list of it
}

// value reads one value.
func (s spellings) value(data json.RawMessage, v reflect.Value, as leaf) error {
	data = bytes.TrimSpace(data)
	if v.Kind() == reflect.Pointer {
		elem := v.Type().Elem()
		// A list of nothing is no struct, nor is an empty text, and so none is there.
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
		as = leaf{len(x.texts) > 0, x.forms[0], len(x.ones) > 0} // a list or a map with a name
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
			return nil // an empty text is no list and no map
		}
		if v.Kind() == reflect.Map && hollow(data) {
			v.Set(reflect.MakeMap(v.Type())) // PHP writes a map without keys as a list
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
			var b bytes.Buffer
			err := json.Compact(&b, data)
			v.SetString(b.String())
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

// hollow reports whether a value is a list without elements.
func hollow(data []byte) bool {
	return len(data) > 1 && data[0] == '[' && len(bytes.TrimSpace(data[1:len(data)-1])) == 0
}

// read sets v to the value of a text or a number.
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

// unquoted returns the text of a JSON string, and any other JSON as it is.
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

// kindOf returns what stands for the kind of a JSON value in spelling.kinds.
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

// variant returns the field that an object is for, or -1.
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
	if !as.one || data[0] == '[' || string(data) == "null" {
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

// enum reads a value by its name, in which neither case nor signs count, or by its
// number. A text of digits is a name where there is such a name.
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

// folded returns the letters and digits of a text, those of ASCII in lower case and
// others by their numbers; "empty" when there are none.
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

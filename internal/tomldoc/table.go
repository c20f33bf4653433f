package tomldoc

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/internal/nearest"
)

// A Table is a TOML table with its position in the text. Its methods return the value of a
// key. If the value has another type, they record an error and return the zero value.
type Table struct {
	*Doc
	values map[string]any
	node   *node
}

// An Item is an element of an array.
type Item struct {
	// Value is the value that the TOML library returns.
	Value any
	// Offset is its position in the source.
	Offset int
	node   *node
}

// Offset returns the position of the table: of its header or its opening brace.
func (t Table) Offset() int { return t.node.key }

// At returns the position of the value of a key, or of the table if it lacks the key.
func (t Table) At(key string) int { return t.node.child(key).value }

// Has reports whether the table has the key.
func (t Table) Has(key string) bool { return t.values[key] != nil }

// Value returns the value of a key as the TOML library returns it, or nil. It is for keys
// that accept several types.
func (t Table) Value(key string) any { return t.values[key] }

// Only records an error for every key that is not in keys.
func (t Table) Only(keys ...string) {
	for k := range t.values {
		if !slices.Contains(keys, k) {
			hint := Suggest(k, keys)
			if hint == "" {
				hint = "; the keys here are " + strings.Join(keys, ", ")
			}
			t.Fail(t.node.child(k).key, "unknown key %q%s", k, hint)
		}
	}
}

// Need records an error for each of the keys that is missing.
func (t Table) Need(keys ...string) {
	for _, k := range keys {
		if _, ok := t.values[k]; !ok {
			t.Fail(t.node.key, "the key %q is missing", k)
		}
	}
}

// Wrong records the error that the value of a key must be want.
func (t Table) Wrong(key, want string) {
	t.Fail(t.At(key), "%s must be %s", key, want)
}

// Lookup returns the string of a key; ok says whether there is one.
func (t Table) Lookup(key string) (s string, ok bool) {
	s, ok = t.values[key].(string)
	if !ok && t.Has(key) {
		t.Wrong(key, "a string")
	}
	return s, ok
}

// String returns the string of a key.
func (t Table) String(key string) string {
	s, _ := t.Lookup(key)
	return s
}

// Text returns the string of a key without white space around it. A string of white space
// only is an error.
func (t Table) Text(key string) string {
	s, ok := t.Lookup(key)
	s = strings.TrimSpace(s)
	if ok && s == "" {
		t.Wrong(key, "some text, not an empty string")
	}
	return s
}

// OneOf returns the string of a key, which must be one of known. what names their kind in
// errors, such as "op".
func (t Table) OneOf(key, what string, known ...string) string {
	v, ok := t.Lookup(key)
	if !ok || slices.Contains(known, v) {
		return v
	}
	hint := Suggest(v, known)
	if hint == "" {
		hint = "; it is one of " + strings.Join(known, ", ")
	}
	t.Fail(t.At(key), "there is no %s %q%s", what, v, hint)
	return ""
}

// Bool returns the boolean of a key.
func (t Table) Bool(key string) bool {
	v, ok := t.values[key].(bool)
	if !ok && t.Has(key) {
		t.Wrong(key, "true or false")
	}
	return v
}

// Integer returns the integer of a key, which must be from lo to hi.
func (t Table) Integer(key string, lo, hi int64) int64 {
	v, ok := t.values[key].(int64)
	switch {
	case !t.Has(key):
	case !ok:
		t.Wrong(key, "an integer")
	case v < lo || v > hi:
		t.Wrong(key, fmt.Sprintf("from %d to %d", lo, hi))
		return 0
	}
	return v
}

// Number returns the integer or float of a key, which must be from lo to hi. NaN is always an
// error. It returns 0 without the key, and after an error.
func (t Table) Number(key string, lo, hi float64) float64 {
	if v := t.OptionalNumber(key, lo, hi); v != nil {
		return *v
	}
	return 0
}

// OptionalNumber is Number for keys where 0 is not the same as no number: it returns nil without the
// key, and after an error.
func (t Table) OptionalNumber(key string, lo, hi float64) *float64 {
	var v float64
	switch x := t.values[key].(type) {
	case nil:
		return nil
	case int64:
		v = float64(x)
	case float64:
		v = x
	default:
		t.Wrong(key, "a number")
		return nil
	}
	if !(lo <= v && v <= hi) {
		want := fmt.Sprintf("from %v to %v", lo, hi)
		if math.IsInf(hi, 1) {
			want = fmt.Sprintf("at least %v", lo)
		}
		t.Wrong(key, want)
		return nil
	}
	return &v
}

// List returns the elements of a key's array.
func (t Table) List(key string) []Item {
	node := t.node.child(key)
	var items []Item
	add := func(i int, v any) {
		n := node.item(i)
		items = append(items, Item{Value: v, Offset: n.value, node: n})
	}
	switch v := t.values[key].(type) {
	case nil:
	case []any:
		for i, e := range v {
			add(i, e)
		}
	case []map[string]any:
		for i, e := range v {
			add(i, e)
		}
	default:
		t.Wrong(key, "a list")
	}
	return items
}

// Strings returns the strings of a key's array.
func (t Table) Strings(key string) []string {
	var out []string
	for _, e := range t.List(key) {
		s, ok := e.Value.(string)
		if !ok {
			t.Fail(e.Offset, "an element of %s must be a string", key)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Table returns the table of a key. If the value is not a table, it records an error and
// returns ok=false. If the key is missing, it returns ok=false without an error.
func (t Table) Table(key string) (inner Table, ok bool) {
	v, ok := t.values[key].(map[string]any)
	if !ok {
		if t.Has(key) {
			t.Wrong(key, "a table, { … }")
		}
		return Table{}, false
	}
	return Table{t.Doc, v, t.node.child(key)}, true
}

// TableAt returns an element of an array as a table. If the element is not a table, it
// returns ok=false without recording an error, because the element may have several types.
func (t Table) TableAt(e Item) (inner Table, ok bool) {
	v, ok := e.Value.(map[string]any)
	return Table{t.Doc, v, e.node}, ok
}

// Tables returns the elements of a key's array, all of which must be tables.
func (t Table) Tables(key string) []Table {
	var tables []Table
	for _, e := range t.List(key) {
		if v, ok := e.Value.(map[string]any); ok {
			tables = append(tables, Table{t.Doc, v, e.node})
		} else {
			t.Fail(e.Offset, "an element of %s must be a table, { … }", key)
		}
	}
	return tables
}

// Suggest returns a question that names the known word nearest to word, or "" if none is
// near.
func Suggest(word string, known []string) string {
	near := nearest.Name(word, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

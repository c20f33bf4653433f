package text

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/nearest"
)

// A table is a TOML table with its place in the source. Its methods read the
// value of a key and report one that has another type.
type table struct {
	reader *reader
	values map[string]any
	node   *node
}

// An item is an element of an array with its place in the source.
type item struct {
	value any
	node  *node
}

// only reports every key that is not one of those given.
func (t table) only(keys ...string) {
	for k := range t.values {
		if !slices.Contains(keys, k) {
			hint := suggest(k, keys)
			if hint == "" {
				hint = "; the keys here are " + strings.Join(keys, ", ")
			}
			t.reader.fail(t.node.child(k).key, "unknown key %q%s", k, hint)
		}
	}
}

// need reports each of the keys that is missing.
func (t table) need(keys ...string) {
	for _, k := range keys {
		if _, ok := t.values[k]; !ok {
			t.reader.fail(t.node.key, "the key %q is missing", k)
		}
	}
}

// wrong reports a value of the wrong type.
func (t table) wrong(key, want string) {
	t.reader.fail(t.node.child(key).value, "%s must be %s", key, want)
}

// str returns the string of a key. Empty when there is none.
func (t table) str(key string) string {
	v, ok := t.values[key].(string)
	if !ok && t.values[key] != nil {
		t.wrong(key, "a string")
	}
	return v
}

// boolean returns the boolean of a key. False when there is none.
func (t table) boolean(key string) bool {
	v, ok := t.values[key].(bool)
	if !ok && t.values[key] != nil {
		t.wrong(key, "true or false")
	}
	return v
}

// integer returns the integer of a key, which must be from lo to hi. Zero when
// there is none.
func (t table) integer(key string, lo, hi int64) int64 {
	v, ok := t.values[key].(int64)
	switch {
	case t.values[key] == nil:
	case !ok:
		t.wrong(key, "an integer")
	case v < lo || v > hi:
		t.wrong(key, fmt.Sprintf("from %d to %d", lo, hi))
		return 0
	}
	return v
}

// list returns the elements of a key's array. None when there is no key.
func (t table) list(key string) []item {
	node := t.node.child(key)
	var items []item
	switch v := t.values[key].(type) {
	case nil:
	case []any:
		for i, e := range v {
			items = append(items, item{e, node.item(i)})
		}
	case []map[string]any:
		for i, e := range v {
			items = append(items, item{e, node.item(i)})
		}
	default:
		t.wrong(key, "a list")
	}
	return items
}

// tables returns the elements of a key's array, all of which must be tables.
func (t table) tables(key string) []table {
	var tables []table
	for _, e := range t.list(key) {
		if v, ok := e.value.(map[string]any); ok {
			tables = append(tables, table{t.reader, v, e.node})
		} else {
			t.reader.fail(e.node.value, "an element of %s must be a table, { … }", key)
		}
	}
	return tables
}

// suggest returns a question that names the known word nearest to the one
// given, or nothing when none is near.
func suggest(word string, known []string) string {
	near := nearest.Name(word, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

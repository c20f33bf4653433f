package bench

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// deferredInputs is how many inputs are checked for deferred decoding.
const deferredInputs = 8

// A memory is the set of all texts and all numbers that can be reached from a value without
// calling one of its methods: the content that is already decoded.
type memory struct {
	texts   map[string]bool
	numbers numbers
	seen    map[place]bool
	left    int
	// opaque says that part of the value cannot be inspected.
	opaque bool
}

// A place is the address that a pointer of a type holds.
type place struct {
	reflect.Type
	at uintptr
}

// mostLeaves bounds the number of values that a walk through memory visits.
const mostLeaves = 1 << 20

// memoryOf walks through a value, including its unexported fields.
func memoryOf(value any) *memory {
	m := &memory{texts: map[string]bool{}, numbers: newNumbers(), seen: map[place]bool{}, left: mostLeaves}
	m.add(reflect.ValueOf(value))
	return m
}

// machinery are the packages whose types hold no part of a message, though messages
// point to them.
var machinery = [...]string{"google.golang.org/protobuf/internal", "google.golang.org/protobuf/reflect", "sync", "reflect", "time"}

func (m *memory) add(v reflect.Value) {
	if m.left--; m.left < 0 {
		m.opaque = true
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		at := place{v.Type(), v.Pointer()}
		if v.IsNil() || m.seen[at] {
			return
		}
		m.seen[at] = true
		m.add(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			m.add(v.Elem())
		}
	case reflect.String:
		m.texts[v.String()] = true
	case reflect.Struct:
		m.fields(v)
	case reflect.Slice, reflect.Array:
		m.elements(v)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			m.add(it.Key())
			m.add(it.Value())
		}
	case reflect.UnsafePointer, reflect.Func, reflect.Chan:
		m.opaque = m.opaque || !v.IsZero()
	default:
		m.numbers.add(v)
	}
}

func (m *memory) fields(v reflect.Value) {
	if isMachinery(v.Type()) {
		return
	}
	for i := range v.NumField() {
		m.add(v.Field(i))
	}
}

func (m *memory) elements(v reflect.Value) {
	if v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			m.add(v.Index(i))
		}
		return
	}
	m.texts[string(octets(v))] = true
}

// lacking returns the texts of a model value that are not in memory. It ignores short texts,
// which may be in memory by chance or as constants, and the JSON text null, which libraries
// keep as nil.
func (m *memory) lacking(got any) []string {
	const short = 3
	if m.opaque {
		return nil
	}
	return slices.DeleteFunc(contentOf(got).strings, func(s string) bool { return len(s) <= short || s == "null" || m.texts[s] })
}

// inside reports whether a longer text in memory, such as the message, contains text.
func (m *memory) inside(text string) bool {
	for whole := range m.texts {
		if len(whole) > len(text) && strings.Contains(whole, text) {
			return true
		}
	}
	return false
}

// deferred checks that a decoded value is complete before it is converted to the model. before
// is the memory of the value as decode returned it. A text or number that is in memory after
// the conversion, or is part of the message in memory, but was missing before was decoded late.
// Content that the conversion itself makes, such as the name of an enum's number, is in memory
// neither before nor after it.
func deferred(c *bound, before *memory) error {
	if before == nil {
		return nil
	}
	got := c.codec.Decoded()
	after := remembered(c)
	defer c.mark.meanwhile()()
	for _, text := range before.lacking(got) {
		if after.texts[text] || before.inside(text) {
			return lazily(fmt.Sprintf("%.40q", text))
		}
	}
	if what := before.unread(got, after); what != "" {
		return lazily(fmt.Sprintf("%.40s", what))
	}
	return nil
}

// lazily returns the error that decode did not decode what.
func lazily(what string) error {
	return &changed{what + " is not in memory after decoding: it is read only when somebody asks for it, which is op open"}
}

// remembered returns the memory of the value that was decoded last, or nil if the codec has no
// Value.
func remembered(c *bound) *memory {
	if c.codec.Value == nil {
		return nil
	}
	value := c.codec.Value()
	defer c.mark.meanwhile()()
	return memoryOf(value)
}

package bench

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// deferredInputs is how many inputs are looked at for what is not in memory.
const deferredInputs = 8

// A memory is all text that is reached from a value without calling a method of it:
// what is decoded, and not what could be.
type memory struct {
	texts map[string]bool
	seen  map[place]bool
	left  int
	// opaque says that not all of it can be seen.
	opaque bool
}

// A place is where a pointer of a type points to.
type place struct {
	reflect.Type
	at uintptr
}

// mostLeaves bounds a walk through memory.
const mostLeaves = 1 << 20

// memoryOf walks through a value, in fields that are not exported too.
func memoryOf(value any) *memory {
	m := &memory{texts: map[string]bool{}, seen: map[place]bool{}, left: mostLeaves}
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
	}
}

func (m *memory) fields(v reflect.Value) {
	path := v.Type().PkgPath()
	for _, p := range machinery {
		if path == p || strings.HasPrefix(path, p+"/") {
			return
		}
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
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	m.texts[string(b)] = true
}

// lacking returns the texts of a value in the model's type that are not in memory.
// Short ones are passed over: they may be there by chance, or be constants.
func (m *memory) lacking(got any) []string {
	const short = 3
	if m.opaque {
		return nil
	}
	return slices.DeleteFunc(contentOf(got).strings, func(s string) bool { return len(s) <= short || m.texts[s] })
}

// inside says whether a text is a part of a longer one in memory, such as the message.
func (m *memory) inside(text string) bool {
	for whole := range m.texts {
		if len(whole) > len(text) && strings.Contains(whole, text) {
			return true
		}
	}
	return false
}

// deferred checks that a decoded value is whole before anybody converts it. Text that the
// conversion itself makes, such as the name of an enum's number, is in memory neither
// before nor after it.
func deferred(c *Codec, before *memory) error {
	if before == nil {
		return nil
	}
	texts := before.lacking(c.Decoded())
	if len(texts) == 0 {
		return nil
	}
	after := remembered(c)
	for _, text := range texts {
		if after.texts[text] || before.inside(text) {
			return &changed{fmt.Sprintf("%.40q is not in memory after decoding: it is read only when somebody asks for it, which is op open", text)}
		}
	}
	return nil
}

// remembered returns what is in memory of the value that was decoded last; nil where
// that cannot be seen.
func remembered(c *Codec) *memory {
	if c.Value == nil {
		return nil
	}
	return memoryOf(c.Value())
}

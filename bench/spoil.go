package bench

import (
	"reflect"
	"strings"
)

// mostSpoiled bounds the number of values that a spoiler visits.
const mostSpoiled = 1 << 14

// A spoiler clears everything that a decoded value refers to through exported fields. A decoded
// value belongs to the caller, who may write to it, so a contender that keeps and reuses a part
// of it must fail.
type spoiler struct {
	seen map[place]bool
	left int
}

// empty clears everything that a value refers to, and the value itself if it can be set.
func (s *spoiler) empty(v reflect.Value) {
	if s.left--; s.left < 0 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		at := place{v.Type(), v.Pointer()}
		if v.IsNil() || s.seen[at] || isMachinery(v.Type().Elem()) {
			return
		}
		s.seen[at] = true
		s.empty(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			s.empty(v.Elem())
		}
	case reflect.Struct:
		if isMachinery(v.Type()) {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.empty(v.Field(i))
			}
		}
	case reflect.Slice:
		s.elements(v)
	case reflect.Map:
		s.entries(v)
	}
}

// elements clears the elements of a slice.
func (s *spoiler) elements(v reflect.Value) {
	if leads(v.Type().Elem()) {
		for i := range v.Len() {
			s.empty(v.Index(i))
		}
	}
	if v.Len() <= mostSpoiled && (v.Len() == 0 || v.Index(0).CanSet()) {
		v.Clear()
	}
}

// entries clears a map.
func (s *spoiler) entries(v reflect.Value) {
	if v.IsNil() || !v.CanInterface() {
		return
	}
	if leads(v.Type().Elem()) {
		for it := v.MapRange(); it.Next(); {
			s.empty(it.Value())
		}
	}
	v.Clear()
}

// leads reports whether values of a type may refer to other values.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

// isMachinery reports whether a type belongs to a package whose types hold no part of a
// message, though messages refer to them.
func isMachinery(t reflect.Type) bool {
	path := t.PkgPath()
	for _, p := range machinery {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

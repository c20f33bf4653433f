package protofile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// missing returns the path of the first required field that a message lacks, and the field; nil: it
// has all of them.
func missing(path string, m protoreflect.Message) (string, protoreflect.FieldDescriptor) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.Cardinality() == protoreflect.Required && !m.Has(f) {
			return within(path, f.JSONName()), f
		}
	}
	var found string
	var lacks protoreflect.FieldDescriptor
	look := func(path string, v protoreflect.Value) bool {
		found, lacks = missing(path, v.Message())
		return lacks == nil
	}
	// Look in the order of declaration, and in maps in the order of the keys, so that equal records
	// have equal errors.
	for i := range fields.Len() {
		if f := fields.Get(i); m.Has(f) && !each(within(path, f.JSONName()), f, m.Get(f), look) {
			return found, lacks
		}
	}
	var extensions []protoreflect.FieldDescriptor
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if f.IsExtension() {
			extensions = append(extensions, f)
		}
		return true
	})
	slices.SortFunc(extensions, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	for _, f := range extensions {
		if !each(within(path, "["+string(f.FullName())+"]"), f, m.Get(f), look) {
			break
		}
	}
	return found, lacks
}

// each calls look for the messages in a field until look returns false, and reports whether look
// always returned true.
func each(path string, f protoreflect.FieldDescriptor, v protoreflect.Value, look func(string, protoreflect.Value) bool) bool {
	switch {
	case f.IsMap():
		if f.MapValue().Message() == nil {
			return true
		}
		var keys []protoreflect.MapKey
		v.Map().Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
			keys = append(keys, k)
			return true
		})
		slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return strings.Compare(a.String(), b.String()) })
		return !slices.ContainsFunc(keys, func(k protoreflect.MapKey) bool {
			return !look(fmt.Sprintf("%s[%q]", path, k), v.Map().Get(k))
		})
	case f.Message() == nil:
		return true
	case f.IsList():
		for i := range v.List().Len() {
			if !look(fmt.Sprintf("%s[%d]", path, i), v.List().Get(i)) {
				return false
			}
		}
		return true
	}
	return look(path, v)
}

// A requiredError says that a required field is missing.
type requiredError struct {
	path  string
	field protoreflect.FieldDescriptor
	where string // the position of its declaration
}

func (e *requiredError) Error() string {
	return fmt.Sprintf("%s is missing, and %s is required (%s); give it a value", e.path, e.field.FullName(), e.where)
}

// complete returns a *requiredError if a message lacks a required field.
func (r *Result) complete(m protoreflect.Message) error {
	if path, f := missing("", m); f != nil {
		return &requiredError{path, f, r.set.where(f)}
	}
	return nil
}

package infer

import (
	"fmt"
	"strings"

	"assay/internal/plaintext"
	"assay/schema"
)

// TypeNames names the messages and enums of one schema so that the identifiers in the code that any
// library generates from these names differ.
type TypeNames struct{ names *typeNames }

// NewTypeNames returns TypeNames for a schema that has no messages or enums yet.
func NewTypeNames() *TypeNames { return &TypeNames{newTypeNames()} }

// Name takes and returns the first of the wanted names that is free, or else wanted[0] with a
// number. It makes invalid names valid first.
func (t *TypeNames) Name(wanted ...string) string {
	valid := make([]string, len(wanted))
	for i, w := range wanted {
		valid[i] = w
		if w == "" || w[0] < 'A' || w[0] > 'Z' || strings.Contains(w, "_") || len(w) > maxName || !plainKey(w) || schema.GoName(w) != w || camelASCII(w) != w {
			valid[i] = camel(w)
		}
	}
	return t.names.name(valid...)
}

// camelASCII returns the ASCII letters and digits of a name.
func camelASCII(name string) string {
	return strings.Map(func(r rune) rune {
		if lower(r) || upper(r) || digit(r) {
			return r
		}
		return -1
	}, name)
}

// FieldNames names the fields of one message so that the identifiers in generated code differ.
type FieldNames struct{ names *namer }

// NewFieldNames returns FieldNames for a message that has no fields yet.
func NewFieldNames() *FieldNames { return &FieldNames{newNamer()} }

// Name takes and returns the name of a field for a key.
func (f *FieldNames) Name(key string) string { return f.names.name(key) }

// ValueNames gives the values of the enums of one schema names that are unique in the schema.
type ValueNames struct{ taken map[string]bool }

// NewValueNames returns ValueNames in which the names of the schema's messages and enums are taken.
func NewValueNames(s *schema.Schema) *ValueNames {
	v := &ValueNames{map[string]bool{}}
	for _, m := range s.Messages {
		v.taken[m.Name] = true
	}
	for _, e := range s.Enums {
		v.taken[e.Name] = true
	}
	return v
}

// Name renames the values of an enum of the schema. It puts their names in upper case, and puts the
// enum's name before all of them if one of the names is taken.
func (v *ValueNames) Name(e *schema.Enum) {
	names := make([]string, len(e.Values))
	for i, value := range e.Values {
		names[i] = upperSnake(value.Name)
	}
	if !v.free(e.Name, names) {
		prefix := upperSnake(e.Name) + "_"
		for i := range names {
			names[i] = prefix + strings.TrimPrefix(names[i], prefix)
		}
	}
	short := map[string]bool{}
	for i := range names {
		name := names[i]
		for n := 2; !v.freeName(e.Name, name) || short[shortValue(e.Name, name)]; n++ {
			name = fmt.Sprintf("%s_V%d", names[i], n)
		}
		short[shortValue(e.Name, name)] = true
		v.taken[name], v.taken[e.Name+"_"+name] = true, true
		e.Values[i].Name = name
	}
}

// free reports whether the values of an enum may have the names.
func (v *ValueNames) free(enum string, names []string) bool {
	short := map[string]bool{}
	for _, n := range names {
		s := shortValue(enum, n)
		if short[s] || !v.freeName(enum, n) {
			return false
		}
		short[s] = true
	}
	return true
}

func (v *ValueNames) freeName(enum, name string) bool {
	return !v.taken[name] && !v.taken[enum+"_"+name]
}

// shortValue returns the form of an enum value's name that protobuf compares: without the enum's
// name, in lower case, and without underscores.
func shortValue(enum, name string) string {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	n := plain(name)
	if rest := strings.TrimPrefix(n, plain(enum)); rest != "" {
		return rest
	}
	return n
}

// upperSnake returns a name for an enum value: in upper case, with underscores between its words.
func upperSnake(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := rune(name[i])
		if upper(c) && i > 0 && lower(rune(name[i-1])) {
			b.WriteByte('_')
		}
		if !lower(c) && !upper(c) && !digit(c) {
			c = '_'
		}
		b.WriteRune(c)
	}
	out := strings.ToUpper(b.String())
	if out == "" || !upper(rune(out[0])) {
		out = "V" + out
	}
	return out
}

// Doc returns the doc of a schema for a comment: its first paragraph on one line. A text of more
// than 300 bytes is cut, after a sentence if possible. Lines that begin with a + are markers for
// other tools and are left out, and so are byte order marks, which Go allows in no comment.
func Doc(comment string) string {
	comment = strings.ReplaceAll(comment, "\ufeff", "")
	first, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(comment, "\r", "")), "\n\n")
	var words []string
	for line := range strings.Lines(strings.ToValidUTF8(first, "\uFFFD")) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "+") {
			words = append(words, strings.Fields(line)...)
		}
	}
	const most = 300 // bytes
	text := plaintext.Line(strings.Join(words, " "))
	if len(text) <= most {
		return text
	}
	if end := strings.LastIndex(text[:most], ". "); end > 0 {
		return text[:end+1]
	}
	return text[:max(strings.LastIndexByte(text[:most], ' '), 0)] + " …"
}

package infer

import (
	"fmt"
	"strings"

	"assay/internal/plaintext"
	"assay/schema"
)

// SchemaName returns the name of a schema for the name of what it describes.
func SchemaName(name string) string { return packageName(name) }

// TextName returns a key as schemas can hold it for a text name: what cannot
// stand in a struct tag becomes a low line.
func TextName(key string) string { return tagText(key) }

// TypeNames gives the messages and enums of one schema their names: names of
// which generated code, in whatever library, makes different identifiers.
type TypeNames struct{ names *typeNames }

// NewTypeNames returns names of which none is taken.
func NewTypeNames() *TypeNames { return &TypeNames{newTypeNames()} }

// Name takes and returns the first of the wanted names that is free, made valid
// if need be, or the first of them with a number.
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

// FieldNames gives the fields of one message their names, as TypeNames does for
// messages.
type FieldNames struct{ names *namer }

// NewFieldNames returns names of which none is taken.
func NewFieldNames() *FieldNames { return &FieldNames{newNamer()} }

// Name takes and returns the name of a field for a key.
func (f *FieldNames) Name(key string) string { return f.names.name(key) }

// ValueNames gives the values of the enums of one schema their names, which are
// unique in the schema.
type ValueNames struct{ taken map[string]bool }

// NewValueNames returns names of which those of the schema's messages and enums
// are taken.
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

// Name gives the values of an enum of the schema names that are made of those
// they have: in upper case, and with the enum's name before all of them if
// another enum has one of the names.
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

// shortValue returns what protobuf compares of the names of an enum's values:
// without the enum's name, the case and the low lines.
func shortValue(enum, name string) string {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	n := plain(name)
	if rest := strings.TrimPrefix(n, plain(enum)); rest != "" {
		return rest
	}
	return n
}

// upperSnake returns a name of an enum value: in upper case, with low lines
// between its words.
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

// Doc returns a comment as the doc of a schema: its first paragraph on one line,
// cut at a sentence if it is long. Lines that begin with a + are markers for
// other tools and are left out.
func Doc(comment string) string {
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

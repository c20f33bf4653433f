package infer

import (
	"slices"

	"assay/schema"
)

// A Spelling is how a sample writes what a schema alone says otherwise: what a
// reader of the sample has to know that a struct tag cannot say.
type Spelling struct {
	// Rows are the messages that are lists in the sample, by place.
	Rows []string `json:"rows,omitempty"`
	// Keys are the keys of the sample, by Message.field, of the fields whose text
	// name is another one.
	Keys map[string]string `json:"keys,omitempty"`
	// Loose says that values were taken for those of another kind: empty texts for no
	// object and no list, and, as the user had said, texts for numbers, numbers and
	// truth values for texts, names for enums, or lists for messages.
	Loose bool `json:"loose,omitempty"`
}

// Spelling returns how the sample is written.
func (r *Result) Spelling() Spelling {
	s := Spelling{Loose: r.loose}
	for _, m := range r.Schema.Messages {
		if r.keys == nil {
			continue // a schema that was given has the text names for keys, as tags have
		}
		if m.Row {
			s.Rows = append(s.Rows, m.Name)
		}
		if m.Wraps || m.Bare || m.Union {
			continue
		}
		for i, f := range m.Fields {
			if key := r.keys[m.Name][i]; key != f.TextName() && !m.Row {
				if s.Keys == nil {
					s.Keys = map[string]string{}
				}
				s.Keys[m.Name+"."+f.Name] = key
			}
		}
	}
	return s
}

// Plain reports whether encoding/json reads records of the sample into structs
// with the schema's fields and text names, of the model's types.
func (s Spelling) Plain(of *schema.Schema) bool {
	return s.Named(of) && !slices.ContainsFunc(of.Messages, func(m *schema.Message) bool {
		return slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.As != "" || f.OneOrMany })
	})
}

// Named is Plain for types that write and read the spellings of fields.
func (s Spelling) Named(of *schema.Schema) bool {
	return !s.Loose && len(s.Rows)+len(s.Keys) == 0 && !slices.ContainsFunc(of.Messages, func(m *schema.Message) bool {
		return m.Wraps || m.Union || slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.JSONText })
	})
}

package infer

import (
	"slices"

	"assay/schema"
)

// A Spelling describes how a sample differs from the JSON that the schema alone implies. A reader of
// the sample has to know it, and struct tags cannot express it.
type Spelling struct {
	// Rows has the names of the messages that are lists in the sample, with an element for each
	// field.
	Rows []string `json:"rows,omitempty"`
	// Keys has the keys of the sample that differ from the text name of their field, by
	// Message.field.
	Keys map[string]string `json:"keys,omitempty"`
	// Loose says that values of another kind were converted: empty texts for absent objects and
	// lists and, because the user asked for it, texts for numbers, numbers and truth values for
	// texts, names for enums, or lists for messages. Or records have a key that is left out and
	// differs from that of a field in case only.
	Loose bool `json:"loose,omitempty"`
}

// Spelling returns the spelling of the sample.
func (r *Result) Spelling() Spelling {
	s := Spelling{Loose: r.loose}
	if r.keys == nil { // in a schema that the user gave, the text names are the other keys, as in tags
		s.Keys = r.renamed
		return s
	}
	for _, m := range r.Schema.Messages {
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

// rename records the key in the sample of a field, named Message.field, of the schema that the user
// gave.
func (r *Result) rename(field, key string) {
	if r.renamed == nil {
		r.renamed = map[string]string{}
	}
	r.renamed[field] = key
}

// Plain reports whether encoding/json reads records of the sample into structs of the model's types
// whose tags have the text names of the schema's fields.
func (s Spelling) Plain(of *schema.Schema) bool {
	return s.Named(of) && !slices.ContainsFunc(of.Messages, func(m *schema.Message) bool {
		return slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.As != "" || f.OneOrMany })
	})
}

// Named is Plain for model types that read and write the spellings of fields themselves.
func (s Spelling) Named(of *schema.Schema) bool {
	return !s.Loose && len(s.Rows)+len(s.Keys) == 0 && !slices.ContainsFunc(of.Messages, func(m *schema.Message) bool {
		return m.Row || m.Wraps || m.Union || slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.JSONText })
	})
}

package userdata

import "assay/schema"

// spelled adds features to the schema that only JSON has: lists that are written without
// brackets if they have one element, and texts without escapes for HTML.
func (m *maker) spelled() {
	m.s.Unescaped = m.IntN(4) == 0
	for _, message := range m.s.Messages {
		for _, f := range message.Fields {
			f.OneOrMany = f.Type.Kind == schema.List && !f.JSONText && m.told(*f.Type.Elem) && m.IntN(3) == 0
		}
	}
}

// told reports whether JSON can tell an element from a list and from null.
func (m *maker) told(elem schema.Type) bool {
	of := m.s.Message(elem.Ref)
	return of == nil || !of.Bare && !of.Row && !of.Wraps
}

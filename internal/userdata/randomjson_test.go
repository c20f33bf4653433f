package userdata

import "assay/schema"

// spelled gives the schema what only JSON knows of: lists without brackets where there is one
// element, and texts without escapes for HTML.
func (m *maker) spelled() {
	m.s.Unescaped = m.IntN(4) == 0
	for _, message := range m.s.Messages {
		for _, f := range message.Fields {
			f.OneOrMany = f.Type.Kind == schema.List && !f.JSONText && m.told(*f.Type.Elem) && m.IntN(3) == 0
		}
	}
}

// told reports whether JSON tells an element from a list and from null.
func (m *maker) told(elem schema.Type) bool {
	of := m.s.Message(elem.Ref)
	return of == nil || !of.Bare && !of.Row && !of.Wraps
}

package emit

import "assay/schema"

// Endless names the field of a list or map that contains itself without a struct in between, as
// in type Nested []Nested. It is empty if there is none. A message that a style with Unwrap holds
// as its value is no struct. Libraries that remember only the structs that they have met loop for
// ever in such a type.
func Endless(s *schema.Schema) (field string) {
	for _, m := range s.Messages {
		seen := map[string]bool{}
		for at := m; at != nil && at.Bare; at = held(s, at.Fields[0].Type.Elem.Ref) {
			if seen[at.Name] {
				return at.Name + "." + at.Fields[0].Name
			}
			seen[at.Name] = true
		}
	}
	return ""
}

// held returns the message whose type a style with Unwrap has in the place of a message: the
// message itself or, if it only wraps a value, the message that the value is. It returns nil if
// the value is none.
func held(s *schema.Schema, name string) *schema.Message {
	m := s.Message(name)
	if m != nil && s.Transparent(m) {
		return s.Message(m.Fields[0].Type.Ref)
	}
	return m
}

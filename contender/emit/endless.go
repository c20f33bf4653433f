package emit

import "assay/schema"

// Endless names the field of a list or map that contains itself without a struct in between, as
// in type Nested []Nested. It is empty if there is none. Libraries that remember only the
// structs that they have met loop for ever in such a type.
func Endless(s *schema.Schema) (field string) {
	for _, m := range s.Messages {
		seen := map[string]bool{}
		for at := m; at != nil && at.Bare; at = s.Message(at.Fields[0].Type.Elem.Ref) {
			if seen[at.Name] {
				return at.Name + "." + at.Fields[0].Name
			}
			seen[at.Name] = true
		}
	}
	return ""
}

package schema

import "slices"

// Only returns the schema with only the given roots, in the order of the schema, and the
// messages and enums that they need. Given all roots, it returns the schema itself. Every root
// must be a root of the schema.
func (s *Schema) Only(roots []string) *Schema {
	var kept []string
	for _, r := range s.Roots {
		if slices.Contains(roots, r) {
			kept = append(kept, r)
		}
	}
	if len(kept) == len(s.Roots) {
		return s
	}
	return s.Over(kept)
}

// Over returns the schema with the given messages as its roots, such as the elements of a list,
// and the messages and enums that they need. Each root must be the name of a message.
func (s *Schema) Over(roots []string) *Schema {
	used := map[string]bool{}
	var mark func(name string)
	mark = func(name string) {
		m := s.Message(name)
		if used[name] {
			return
		}
		used[name] = true
		if m == nil { // an enum
			return
		}
		for _, f := range m.Fields {
			for t := &f.Type; t != nil; t = t.Elem {
				if t.Ref != "" {
					mark(t.Ref)
				}
			}
		}
	}
	for _, r := range roots {
		mark(r)
	}
	only := *s
	only.Roots = slices.Clone(roots)
	only.Messages = slices.DeleteFunc(slices.Clone(s.Messages), func(m *Message) bool { return !used[m.Name] })
	only.Enums = slices.DeleteFunc(slices.Clone(s.Enums), func(e *Enum) bool { return !used[e.Name] })
	return &only
}

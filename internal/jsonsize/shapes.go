package jsonsize

import "assay/schema"

// shapes is a schema with maps to find messages by name and fields by text name in constant
// time.
type shapes struct {
	*schema.Schema
	messages map[string]*schema.Message
	fields   map[*schema.Message]map[string]*schema.Field
}

func shapesOf(s *schema.Schema) *shapes {
	out := &shapes{s, map[string]*schema.Message{}, map[*schema.Message]map[string]*schema.Field{}}
	for _, m := range s.Messages {
		fields := make(map[string]*schema.Field, len(m.Fields))
		for _, f := range m.Fields {
			fields[f.TextName()] = f
		}
		out.messages[m.Name], out.fields[m] = m, fields
	}
	return out
}

// Message returns the message of a name, or nil.
func (s *shapes) Message(name string) *schema.Message { return s.messages[name] }

// field returns the field of a message by its text name, or nil.
func (s *shapes) field(m *schema.Message, text string) *schema.Field { return s.fields[m][text] }

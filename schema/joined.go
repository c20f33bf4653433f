package schema

// joined checks the names that generators form by joining two names with an underscore. An enum
// and its value give the name of a constant. A message and its field give two names: in
// protobuf's Go code, a type that holds a variant of a union or a value that may be absent; in
// the code of mus, a variable for a list, a map or a value that may be absent.
func (c *checker) joined() {
	constants := map[string]string{}
	for i, e := range c.schema.Enums {
		for j, v := range e.Values {
			path := orAt(e.Name, "enums", i) + "." + orAt(v.Name, "values", j)
			name := e.Name + "_" + v.Name
			if other, ok := constants[name]; ok {
				c.twice(path, name, "value", "value "+other)
			}
			constants[name] = path
		}
	}
	fields := map[string]string{}
	for i, m := range c.schema.Messages {
		for j, f := range m.Fields {
			if !f.Type.container() && !f.Type.Optional {
				continue
			}
			path := orAt(m.Name, "messages", i) + "." + orAt(f.Name, "fields", j)
			name := m.Name + "_" + GoName(f.Name)
			if other, ok := fields[name]; ok && other != path {
				c.twice(path, name, "field", "field "+other)
			}
			fields[name] = path
			if !m.Union && !f.Type.wrapped() {
				continue
			}
			if what, ok := c.types[name]; ok {
				c.twice(path, name, "field", what+" "+name)
			}
			if value, ok := constants[name]; ok {
				c.twice(path, name, "field", "value "+value)
			}
		}
	}
}

// wrapped reports whether protobuf's Go code has a type for an optional value. Times and
// durations have none: they are messages there, which are optional by themselves.
func (t Type) wrapped() bool {
	switch t.Kind {
	case MessageKind, Timestamp, Duration:
		return false
	}
	return t.Optional
}

// twice reports that generated code would use one name for two things.
func (c *checker) twice(path, name, this, other string) {
	c.fail(path, "name", "generated code would use the name %s for this %s and for the %s; rename one", name, this, other)
}

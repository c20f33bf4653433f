package infer

import (
	"slices"

	"assay/schema"
)

// where names the value that was read last, or the next value if next is true, for errors. If the
// schema was inferred, it returns the path of the value, as flags have it, because several places
// may share the type of a field. If the user gave the schema, it returns the name of the field.
func (c *converter) where(t *target, next bool) string {
	if p, ok := c.here(next); ok && len(p) > 0 {
		return p.String()
	}
	return t.name
}

// whereMissing names a field that is missing in the object that was read last.
func (c *converter) whereMissing(f targetField) string {
	if p, ok := c.here(false); ok {
		return p.plus(step{kind: inKey, key: unquote(f.key)}).String()
	}
	return f.name
}

// whereMap names the map whose key was read last.
func (c *converter) whereMap(t *target) string {
	if p, ok := c.here(false); ok && len(p) > 0 {
		return p[:len(p)-1].String()
	}
	return t.name
}

// here returns the path of the value that was read last, or of the next value if next is true. ok is
// false if the user gave the schema, or if the schema has no such place.
func (c *converter) here(next bool) (p path, ok bool) {
	if c.result.keys == nil {
		return nil, false
	}
	at := c.root
	var keys []string
	for key := range c.decoder.StackPointer().Tokens() {
		keys = append(keys, key)
	}
	for i := range c.decoder.StackDepth() {
		kind, length := c.decoder.StackIndex(i + 1)
		key := ""
		if length > 0 {
			if len(keys) == 0 {
				return nil, false
			}
			key, keys = keys[0], keys[1:]
		}
		place := int(length) - 1
		if next {
			place++
		}
		var s step
		if kind == '{' {
			if at = at.holder(schema.JSONObject, key); at != nil && at.kind == schema.List {
				p, at = append(p, step{kind: inList}), at.elem.holder(schema.JSONObject, key) // a lone element
			}
			s, at = at.member(key)
		} else {
			s, at = at.holder(schema.JSONArray, "").element(place)
		}
		if at == nil {
			return nil, false
		}
		p = append(p, s)
	}
	return p, true
}

// holder returns the target to which an object with a key, or a list, is converted at t. It skips
// messages with Bare or Wraps, and selects the variant of a union. Nil: there is none.
func (t *target) holder(kind schema.JSONKind, key string) *target {
	for t != nil && t.kind == schema.MessageKind {
		m := t.message
		switch {
		case m.bare || m.wraps:
			t = m.fields[0].target
		case m.kinds != nil:
			i := slices.Index(m.kinds, kind)
			if i < 0 {
				return nil
			}
			t = m.fields[i].target
		case m.union != nil:
			i := slices.IndexFunc(m.fields, func(f targetField) bool { return f.message.fieldOf(key) >= 0 })
			if i < 0 {
				return nil
			}
			t = m.fields[i].target
		default:
			return t
		}
	}
	return t
}

// member returns the step to the value of a key, and the target of the value; nil: there is none.
func (t *target) member(key string) (step, *target) {
	switch {
	case t == nil:
	case t.kind == schema.Map:
		return step{kind: inValue}, t.elem
	case t.kind == schema.MessageKind:
		if i := t.message.fieldOf(key); i >= 0 {
			return step{kind: inKey, key: key}, t.message.fields[i].target
		}
	}
	return step{}, nil
}

// element returns the step to an element of a list, and the target of the element; nil: there is
// none.
func (t *target) element(place int) (step, *target) {
	switch {
	case t == nil:
	case t.kind == schema.List:
		return step{kind: inList}, t.elem
	case t.kind == schema.MessageKind && t.message.row && place >= 0 && place < len(t.message.fields):
		f := t.message.fields[place]
		return step{kind: inKey, key: unquote(f.key)}, f.target
	}
	return step{}, nil
}

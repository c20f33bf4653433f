package workload

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"assay/schema"
)

// Variants returns a deep copy of values, a slice of a model type, in which [Vary.Text] has
// replaced every text and random bytes have replaced every byte string. Numbers, times,
// lengths and absent values stay the same. So do the texts that select a variant of a union
// in the schema, because another text would select no variant. Equal seeds give equal
// results. The result shares no memory with values.
func Variants(values any, s *schema.Schema, seed uint64) (any, error) {
	from := reflect.ValueOf(values)
	if from.Kind() != reflect.Slice {
		return nil, fmt.Errorf("got a %T, want a slice of model values", values)
	}
	out := reflect.MakeSlice(from.Type(), from.Len(), from.Len())
	tags := tagsOf(s)
	for i := range from.Len() {
		v := varier{NewVary(seed, i+1), tags} // 0 is the value itself
		v.copy(out.Index(i), from.Index(i))
	}
	return out.Interface(), nil
}

// Clone returns a deep copy of values, a slice of a model type. The copy shares no memory
// with values. An argument that is not a slice is returned as it is.
func Clone(values any) any {
	from := reflect.ValueOf(values)
	if from.Kind() != reflect.Slice {
		return values
	}
	out := reflect.MakeSlice(from.Type(), from.Len(), from.Len())
	for i := range from.Len() {
		varier{}.copy(out.Index(i), from.Index(i))
	}
	return out.Interface()
}

// A varier makes variants of values. The zero varier makes plain copies.
type varier struct {
	Vary
	tags map[string]string
}

// tagsOf returns the tag fields of a schema's unions: for each message that is a variant of a
// union with a tag, the Go name of the field that holds the tag.
func tagsOf(s *schema.Schema) map[string]string {
	tags := map[string]string{}
	if s == nil {
		return tags
	}
	for _, m := range s.Messages {
		if m.Tag == "" {
			continue
		}
		for _, f := range m.Fields {
			if variant := s.Message(f.Type.Ref); variant != nil {
				if tag := variant.TextField(m.Tag); tag != nil {
					tags[variant.Name] = schema.GoName(tag.Name)
				}
			}
		}
	}
	return tags
}

// copy sets to, which must be zero, to a variant of from.
func (v varier) copy(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(v.content(from.String()))
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			v.copy(to.Elem(), from.Elem())
		}
	case reflect.Struct:
		to.Set(from) // copies unexported fields, such as those of a time.Time
		tag := v.tags[from.Type().Name()]
		for i := range from.NumField() {
			f, of := from.Type().Field(i), v
			if !f.IsExported() {
				continue
			}
			if f.Name == tag {
				of = varier{}
			}
			to.Field(i).SetZero()
			of.copy(to.Field(i), from.Field(i))
		}
	case reflect.Slice:
		v.slice(to, from)
	case reflect.Map:
		v.dict(to, from)
	default:
		to.Set(from)
	}
}

// content is like Text, but keeps JSON valid: a field may hold the JSON text of any value,
// which JSON libraries write as that value.
func (v varier) content(published string) string {
	if v.r == nil || !isJSON(published) {
		return v.Text(published)
	}
	return jsonParts.ReplaceAllStringFunc(published, func(part string) string {
		switch part[0] {
		case 't', 'f', 'n', 'e', 'E':
			return part
		case '"': // vary the text between the escapes
			return `"` + textParts.ReplaceAllStringFunc(part[1:len(part)-1], func(s string) string {
				if s[0] == '\\' {
					return s
				}
				return v.Text(s)
			}) + `"`
		}
		return v.Text(part)
	})
}

// jsonParts matches the strings, words, exponents and digits of JSON. textParts matches the
// escapes of a JSON string and the text between them.
var (
	jsonParts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|true|false|null|[eE][-+]?[0-9]+|[0-9]+`)
	textParts = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)|[^\\]+`)
)

// isJSON reports whether a text is JSON. The first character decides most cases.
func isJSON(text string) bool {
	if text == "" {
		return false
	}
	switch c := text[0]; {
	case c == 't' || c == 'f' || c == 'n':
		return text == "true" || text == "false" || text == "null"
	case c == '{', c == '[', c == '"', c == '-', '0' <= c && c <= '9':
		return json.Valid([]byte(text))
	}
	return false
}

func (v varier) slice(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
	if from.Type().Elem().Kind() == reflect.Uint8 {
		if v.r == nil {
			reflect.Copy(to, from)
		} else {
			to.SetBytes(RandBytes(v.r, from.Len()))
		}
		return
	}
	for i := range from.Len() {
		v.copy(to.Index(i), from.Index(i))
	}
}

// dict copies a map. A key stays as it was if its variant is equal to another key.
func (v varier) dict(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	keys := map[string]reflect.Value{} // for a deterministic order
	for it := from.MapRange(); it.Next(); {
		keys[fmt.Sprint(it.Key().Interface())] = it.Key()
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		key, elem := reflect.New(from.Type().Key()).Elem(), reflect.New(from.Type().Elem()).Elem()
		v.copy(key, keys[name])
		v.copy(elem, from.MapIndex(keys[name]))
		if to.MapIndex(key).IsValid() || from.MapIndex(key).IsValid() {
			key = keys[name]
		}
		to.SetMapIndex(key, elem)
	}
}

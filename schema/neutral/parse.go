package neutral

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"assay/schema"
)

// Parse reads a value that Append, or a runner in another language, has written. into points to
// a zero value of the root's model type, which Parse sets. A key that the schema does not have
// is an error. A missing key is an error too, because values that a decoder drops must not be
// confused with keys that a runner forgets.
func (f Form) Parse(line []byte, into any) error {
	p := reflect.ValueOf(into)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("a %T is no pointer to a value", into)
	}
	if !utf8.Valid(line) {
		return errors.New("the text is not UTF-8")
	}
	if !json.Valid(line) {
		return fmt.Errorf("%.80q is no JSON", line)
	}
	return f.readMessage(line, f.root, p.Elem())
}

func (f Form) readMessage(text json.RawMessage, m *schema.Message, v reflect.Value) error {
	if m.Bare {
		return f.readField(text, m, m.Fields[0], v)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return fmt.Errorf("%s: want an object, got %.80s", m.Name, text)
	}
	model := f.model(m, v.Type())
	for i, field := range m.Fields {
		name := field.TextName()
		inner, ok := object[name]
		if !ok {
			return &fieldError{m.Name + "." + field.Name, fmt.Errorf("the key %q is missing: an absent value is null", name)}
		}
		delete(object, name)
		if err := f.readField(inner, m, field, model.field(v, i)); err != nil {
			return err
		}
	}
	var unknown []string
	for name := range object {
		unknown = append(unknown, name)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%s: unknown key %q", m.Name, slices.Min(unknown))
	}
	return nil
}

func (f Form) readField(text json.RawMessage, m *schema.Message, field *schema.Field, v reflect.Value) error {
	err := f.readValue(text, field.Type, v)
	var deep *fieldError
	if err != nil && !errors.As(err, &deep) {
		err = &fieldError{m.Name + "." + field.Name, err}
	}
	return err
}

func (f Form) readValue(text json.RawMessage, t schema.Type, v reflect.Value) error {
	if !v.IsValid() {
		return errors.New("the model has no such field")
	}
	text = bytes.TrimSpace(text)
	null := string(text) == "null"
	if t.Optional {
		if null {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch t.Kind {
	case schema.MessageKind:
		return f.readMessage(text, f.schema.Message(t.Ref), v)
	case schema.List:
		if null {
			return nil
		}
		return f.readList(text, t, v)
	case schema.Map:
		if null {
			return nil
		}
		return f.readMap(text, t, v)
	case schema.Bytes:
		if null {
			return nil
		}
	}
	return readLeaf(text, t.Kind, v)
}

func (f Form) readList(text json.RawMessage, t schema.Type, v reflect.Value) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return fmt.Errorf("want a list, got %.80s", text)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := f.readValue(item, *t.Elem, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (f Form) readMap(text json.RawMessage, t schema.Type, v reflect.Value) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("want an object, got %.80s", text)
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
	for name, inner := range object {
		key := reflect.New(v.Type().Key()).Elem()
		if err := readKey(name, t.Key, key); err != nil {
			return err
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := f.readValue(inner, *t.Elem, elem); err != nil {
			return err
		}
		v.SetMapIndex(key, elem)
	}
	if v.Len() != len(object) {
		return errors.New("two keys of a map are the same number")
	}
	return nil
}

func readKey(name string, kind schema.Kind, v reflect.Value) error {
	if kind == schema.String {
		v.SetString(name)
		return nil
	}
	return readNumber(name, kind, v)
}

// readNumber reads an integer.
func readNumber(text string, kind schema.Kind, v reflect.Value) error {
	switch kind {
	case schema.Uint32, schema.Uint64:
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("want a %s, got %.80s", kinds[kind], text)
		}
		v.SetUint(n)
	default:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("want a whole number of kind %s, got %.80s", kinds[kind], text)
		}
		v.SetInt(n)
	}
	return nil
}

func readLeaf(text json.RawMessage, kind schema.Kind, v reflect.Value) error {
	wrong := func() error { return fmt.Errorf("want a %s, got %.80s", kinds[kind], text) }
	switch kind {
	case schema.Bool:
		b, err := strconv.ParseBool(string(text))
		if err != nil || len(text) == 1 {
			return wrong()
		}
		v.SetBool(b)
	case schema.Int32, schema.Int64, schema.Uint32, schema.Uint64, schema.Duration, schema.EnumKind:
		return readNumber(string(text), kind, v)
	case schema.Float32, schema.Float64:
		n, ok := readFloat(text, v.Type().Bits())
		if !ok {
			return wrong()
		}
		v.SetFloat(n)
	case schema.String:
		s, ok := readString(text)
		if !ok {
			return wrong()
		}
		v.SetString(s)
	case schema.Bytes:
		var s *string
		if json.Unmarshal(text, &s) != nil || s == nil {
			return wrong()
		}
		b, err := base64.StdEncoding.Strict().DecodeString(*s)
		if err != nil {
			return fmt.Errorf("want base64, got %.80s", text)
		}
		v.SetBytes(b)
	case schema.Timestamp:
		t, ok := readTime(text)
		if !ok {
			return fmt.Errorf("want a time as in RFC 3339, got %.80s", text)
		}
		v.Set(reflect.ValueOf(t))
	default:
		return wrong()
	}
	return nil
}

func readFloat(text json.RawMessage, bits int) (float64, bool) {
	switch string(text) {
	case `"NaN"`:
		return math.NaN(), true
	case `"Infinity"`:
		return math.Inf(1), true
	case `"-Infinity"`:
		return math.Inf(-1), true
	case "null":
		return 0, false
	}
	var number json.Number
	if text[0] == '"' || json.Unmarshal(text, &number) != nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(number.String(), bits)
	return v, err == nil
}

// readString reads a string, or the object that represents a string that is not UTF-8.
func readString(text json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(text, &s) == nil {
		if s == nil {
			return "", false
		}
		return *s, true
	}
	var object map[string]string
	if json.Unmarshal(text, &object) != nil || len(object) != 1 {
		return "", false
	}
	b, err := base64.StdEncoding.Strict().DecodeString(object["base64"])
	return string(b), err == nil && object["base64"] != ""
}

// readTime reads a time, or the object that represents a time outside of RFC 3339.
func readTime(text json.RawMessage) (time.Time, bool) {
	var s *string
	if json.Unmarshal(text, &s) == nil {
		if s == nil {
			return time.Time{}, false
		}
		// UTC, since the zones known on this machine must not matter: time.Parse gives a time the location
		// Local if that has the time's offset.
		t, err := time.ParseInLocation(time.RFC3339Nano, *s, time.UTC)
		return t, err == nil
	}
	var object struct{ Unix, Nanos, Offset *int64 }
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	const day = 24 * 60 * 60 // seconds
	if d.Decode(&object) != nil || object.Unix == nil || object.Nanos == nil || object.Offset == nil ||
		*object.Nanos < 0 || *object.Nanos >= 1e9 || *object.Offset <= -day || *object.Offset >= day {
		return time.Time{}, false
	}
	return time.Unix(*object.Unix, *object.Nanos).In(time.FixedZone("", int(*object.Offset))), true
}

package export

import "text/template"

// modelTemplate is the test of a model without packages.
var modelTemplate = template.Must(template.New("").Parse(`package model

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// encoding/json reads records of yours into the types.
func Test_sample(t *testing.T) {
	f, err := os.Open({{printf "%q" .Sample}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for n := 1; ; n++ {
		err := d.Decode(new({{.Root}}))
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
	}
}
`))

// testTemplate is the test of packages whose values are the model's types, or are converted to
// them.
var testTemplate = template.Must(template.New("").Parse(`package {{.Package}}_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"testing"
	"time"

	codec {{printf "%q" .Path}}
	{{printf "%q" .Model}}
{{- if .ProtoJSON}}
	"google.golang.org/protobuf/encoding/protojson"
{{- end}}
)

// A made-up record is encoded and decoded, and must come back unchanged.
func Test_example(t *testing.T) { roundTrips(t, {{printf "%q" .Example}}) }

// So are records of yours.
func Test_sample(t *testing.T) {
	const sample = {{printf "%q" .Sample}}
	if _, err := os.Stat(sample); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there are no records of yours: write some to testdata/sample.ndjson, each a line of JSON")
	}
	roundTrips(t, sample)
}

// roundTrips reads the records of a file of JSON and has each encoded and decoded.
// Nil and empty are alike, and so are times of one instant.
func roundTrips(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	for n := 1; ; n++ {
		var record json.RawMessage
		if err := d.Decode(&record); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		in := new(model.{{.Root}})
		if err := json.Unmarshal(record, in); err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
{{- if .JSON}}
		// The library reads a record as it is.
		if v, err := codec.Unmarshal{{.Root}}(record); err != nil {
			t.Errorf("record %d: %v", n, err)
		} else {
			compare(t, n, in, {{if .Own}}codec.{{.Root}}ToModel(v){{else}}v{{end}})
		}
{{- end}}
{{- if .ProtoJSON}}
		// protojson reads a record as it is.
		v := new(codec.{{.Root}})
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(record, v); err != nil {
			t.Errorf("record %d: %v", n, err)
		} else {
			compare(t, n, in, codec.{{.Root}}ToModel(v))
		}
{{- end}}
		data, err := codec.Marshal{{.Root}}({{if .Own}}codec.{{.Root}}FromModel(in){{else}}in{{end}})
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		{{if .ProtoJSON}}v, err = {{else}}v, err := {{end}}codec.Unmarshal{{.Root}}(data)
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		compare(t, n, in, {{if .Own}}codec.{{.Root}}ToModel(v){{else}}v{{end}})
	}
}

// within is how far times may be apart.
const within time.Duration = {{.Within}}
{{- if .Known}}

// known is what is known of the library.
const known = {{printf "%q" .Known}}
{{- end}}

// compare says where two values differ, if they do.
func compare(t *testing.T, n int, want, got *model.{{.Root}}) {
	t.Helper()
	if text := difference({{printf "%q" .Root}}, reflect.ValueOf(want), reflect.ValueOf(got)); text != "" {
		t.Errorf("record %d: %s{{if .Known}} (%s){{end}}", n, text{{if .Known}}, known{{end}})
	}
}

// difference says where two values first differ, at the path that they are of;
// empty: they do not.
func difference(path string, a, b reflect.Value) string {
	if t, ok := a.Interface().(time.Time); ok {
{{- if .Range}}
		if y := t.UTC().Year(); y < 1678 || y > 2261 {
			return "" // which the library is known to lose: see doc.go
		}
{{- end}}
		if u := b.Interface().(time.Time); t.Sub(u).Abs() > within {
			return fmt.Sprintf("%s was %v and became %v", path, t, u)
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer:
		switch {
		case a.IsNil() && b.IsNil():
			return ""
{{- if .ZeroNil}}
		case a.IsNil() && zero(b.Elem()), b.IsNil() && zero(a.Elem()):
			return "" // a pointer to a zero value comes back nil
{{- end}}
{{- if .NullNil}}
		case b.IsNil() && a.Elem().Kind() == reflect.Struct && a.Elem().NumField() == 1 && a.Elem().IsZero():
			return "" // null, which comes back as absent
{{- end}}
		case a.IsNil():
			return path + " was absent and is now present"
		case b.IsNil():
			return path + " was present and is now absent"
		}
		return difference(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if text := difference(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); text != "" {
				return text
			}
		}
		return ""
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s had %d elements and has %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if text := difference(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); text != "" {
				return text
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s had %d entries and has %d", path, a.Len(), b.Len())
		}
		for _, key := range a.MapKeys() {
			v := b.MapIndex(key)
			if !v.IsValid() {
				return fmt.Sprintf("%s has no entry %v any more", path, key)
			}
			if text := difference(fmt.Sprintf("%s[%v]", path, key), a.MapIndex(key), v); text != "" {
				return text
			}
		}
		return ""
	}
	if !a.Equal(b) {
		return fmt.Sprintf("%s was %#v and became %#v", path, a, b)
	}
	return ""
}
{{- if .ZeroNil}}

// zero reports whether a value is zero to a library that tells neither empty from nil, nor
// a pointer to a zero value from nil.
func zero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || zero(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !zero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}
{{- end}}
`))

// ownTestTemplate is the test of packages whose types come from the user's .proto file.
var ownTestTemplate = template.Must(template.New("").Parse(`package {{.Package}}_test

import (
	"bufio"
{{- if .Method}}
	"bytes"
{{- end}}
	"encoding/binary"
{{- if not .Method}}
	"encoding/json"
{{- end}}
	"errors"
	"io"
	"io/fs"
	"os"
{{- if .Method}}
	"reflect"
{{- end}}
	"testing"
{{if not .Method}}
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
{{end}}
	codec {{printf "%q" .Path}}
	types {{printf "%q" .Types}}
)

// Messages of yours are decoded and encoded, and must come back unchanged.
func TestMessages(t *testing.T) {
	f := open(t, {{printf "%q" .Messages}}, "each in protobuf's binary form, after its length as a varint")
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		size, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
		in := new(types.{{.Type}})
{{- if .Method}}
		if err := in.Un{{.Lower}}(data); err != nil {
{{- else}}
		if err := proto.Unmarshal(data, in); err != nil {
{{- end}}
			t.Fatalf("message %d: %v", n, err)
		}
		roundTrip(t, n, in)
	}
}
{{if not .Method}}
// So are messages of yours in protobuf's JSON.
func TestJSON(t *testing.T) {
	d := json.NewDecoder(open(t, {{printf "%q" .InJSON}}, "each a line of protobuf's JSON"))
	for n := 1; ; n++ {
		var record json.RawMessage
		if err := d.Decode(&record); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
		in := new(types.{{.Type}})
		if err := protojson.Unmarshal(record, in); err != nil {
			t.Fatalf("message %d: %v", n, err)
		}
		roundTrip(t, n, in)
	}
}
{{end}}
// open opens a file of messages, or skips the test where there is none.
func open(t *testing.T, name, form string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("there are no messages of yours: write some to %s, %s", name, form)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func roundTrip(t *testing.T, n int, in *types.{{.Type}}) {
	t.Helper()
	data, err := codec.Marshal{{.Root}}(in)
	if err != nil {
		t.Fatalf("message %d: %v", n, err)
	}
	out, err := codec.Unmarshal{{.Root}}(data)
	if err != nil {
		t.Fatalf("message %d: %v", n, err)
	}
{{- if .Method}}
	again, err := codec.Marshal{{.Root}}(out)
	// A NaN differs from itself, but not in its bytes.
	if !reflect.DeepEqual(in, out) && (err != nil || !bytes.Equal(data, again)) {
{{- else}}
	if !proto.Equal(in, out) {
{{- end}}
		t.Errorf("message %d comes back as %v, was %v", n, out, in)
	}
}
`))

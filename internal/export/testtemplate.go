package export

import "text/template"

// testTemplate is of packages whose values are the model's, or converted to it.
var testTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"testing"
	"time"

	{{printf "%q" .Model}}
{{- if .ProtoJSON}}
	"google.golang.org/protobuf/encoding/protojson"
{{- end}}
)

// A record that is made up is encoded, decoded, and as it was.
func TestExample(t *testing.T) { roundTrips(t, {{printf "%q" .Example}}) }

// So are records of yours.
func TestSample(t *testing.T) {
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
		if v, err := Unmarshal{{.Root}}(record); err != nil {
			t.Errorf("record %d as it is: %v", n, err)
		} else if out := {{if .Own}}{{.Root}}ToModel(v){{else}}v{{end}}; !same(reflect.ValueOf(in), reflect.ValueOf(out)) {
			t.Errorf("record %d as it is becomes %+v, want %+v", n, out, in)
		}
{{- end}}
{{- if .ProtoJSON}}
		v := new({{.Root}})
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(record, v); err != nil {
			t.Errorf("record %d by protojson: %v", n, err)
		} else if out := {{.Root}}ToModel(v); !same(reflect.ValueOf(in), reflect.ValueOf(out)) {
			t.Errorf("record %d becomes %+v by protojson, want %+v", n, out, in)
		}
{{- end}}
		data, err := Marshal{{.Root}}({{if .Own}}{{.Root}}FromModel(in){{else}}in{{end}})
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		{{if .ProtoJSON}}v, err = {{else}}v, err := {{end}}Unmarshal{{.Root}}(data)
		if err != nil {
			t.Fatalf("record %d: %v", n, err)
		}
		out := {{if .Own}}{{.Root}}ToModel(v){{else}}v{{end}}
		if !same(reflect.ValueOf(in), reflect.ValueOf(out)) {
			t.Errorf("record %d comes back as %+v, was %+v", n, out, in)
		}
	}
}

// within is how far times may be apart.
const within time.Duration = {{.Within}}

func same(a, b reflect.Value) bool {
	if t, ok := a.Interface().(time.Time); ok {
		return t.Sub(b.Interface().(time.Time)).Abs() <= within
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil(){{if .ZeroNil}} || a.IsNil() && b.Elem().IsZero() || b.IsNil() && a.Elem().IsZero(){{end}}
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			if v := b.MapIndex(key); !v.IsValid() || !same(a.MapIndex(key), v) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
`))

// ownTestTemplate is of packages whose types are those of the user's .proto file.
var ownTestTemplate = template.Must(template.New("").Parse(`package {{.Package}}

import (
	"bufio"
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
	types {{printf "%q" .Types}}
)

// Messages of yours are encoded, decoded, and as they were.
func TestMessages(t *testing.T) {
	f := open(t, {{printf "%q" .Messages}})
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
	d := json.NewDecoder(open(t, {{printf "%q" .InJSON}}))
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
func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("there are no messages of yours: write some to %s, %s", name, "in protobuf's binary form with the length of each before it as a varint, or in its JSON, each a line")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func roundTrip(t *testing.T, n int, in *types.{{.Type}}) {
	t.Helper()
	data, err := Marshal{{.Root}}(in)
	if err != nil {
		t.Fatalf("message %d: %v", n, err)
	}
	out, err := Unmarshal{{.Root}}(data)
	if err != nil {
		t.Fatalf("message %d: %v", n, err)
	}
{{- if .Method}}
	if !reflect.DeepEqual(in, out) {
{{- else}}
	if !proto.Equal(in, out) {
{{- end}}
		t.Errorf("message %d comes back as %v, was %v", n, out, in)
	}
}
`))

package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/refusal"
)

// Options that contradict one another are refused with the names of their flags.
func TestKind(t *testing.T) {
	good := Options{MaxRecords: 10}
	with := func(edit func(*Options)) Options {
		o := good
		edit(&o)
		return o
	}
	typed := with(func(o *Options) { o.Said = []Said{{"type", "./model.Order"}}; o.Samples = []string{"a.json"} })
	for _, test := range []struct {
		name  string
		o     Options
		files []string
		want  string // of the error; empty: none
	}{
		{"JSON", good, []string{"a.json"}, ""},
		{"a Go type", typed, nil, ""},
		{"a value of the records", with(func(o *Options) { o.Said = []Said{{"type", "user.id=string"}} }), []string{"a.json"}, ""},
		{"two types", with(func(o *Options) { o.Said = []Said{{"type", "./a.B"}, {"type", "./c.D"}} }), nil, "--type names two Go types"},
		{"neither type nor value", with(func(o *Options) { o.Said = []Said{{"type", "order"}} }), nil, "--type is \"order\""},
		{"a type with files", typed, []string{"b.json"}, "give its records with --sample b.json"},
		{"a type with .proto", typed, []string{"a.proto"}, "a.proto has types too"},
		{"JSON by --sample", with(func(o *Options) { o.Samples = []string{"a.json"} }), nil, "--sample is for the records of a .proto file"},
		{".proto without records", good, []string{"a.proto"}, "a.proto has no records"},
		{".proto and JSON", good, []string{"a.proto", "b.json"}, "b.json is no .proto file"},
		{"an unknown form", with(func(o *Options) { o.Proto.Form = "yaml" }), []string{"a.proto"}, "--proto-form: "},
		{"guesses of .proto", with(func(o *Options) { o.Only = []string{"a=1"} }), []string{"a.proto"}, "--only is for samples of JSON alone"},
		{"no records", Options{}, []string{"a.json"}, "--max-records is 0"},
		{"two names", with(func(o *Options) { o.Name, o.SchemaFile = "a", "b.toml" }), []string{"a.json"}, "--name names a schema that assay infers, but the schema in b.toml already has a name; edit it there"},
		{"a condition without a path", with(func(o *Options) { o.Only = []string{"=1"} }), []string{"a.json"}, "--only: "},
	} {
		_, err := test.o.Kind(test.files)
		err = errors.Join(err, test.o.WithRecords(test.files), test.o.Check())
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		case err != nil && !errors.As(err, new(*refusal.Error)):
			t.Errorf("%s: %v is no refusal", test.name, err)
		}
	}
}

// JSONAlone refuses flags and files that are about records other than JSON.
func TestJSONAlone(t *testing.T) {
	for _, test := range []struct {
		o     Options
		files []string
		want  string // of the error; empty: none
	}{
		{Options{Said: []Said{{"type", "id=uuid"}}}, []string{"a.json"}, ""},
		{Options{Said: []Said{{"type", "./model.Order"}}}, []string{"a.json"}, "--type ./model.Order names a Go type"},
		{Options{}, []string{"a.proto"}, "a.proto is a .proto file"},
		{Options{Samples: []string{"b.json"}}, []string{"a.json"}, "--sample is for the records of a .proto file"},
		{Options{Proto: Proto{Message: "Order"}}, []string{"a.json"}, "--message is about .proto files"},
		{Options{Proto: Proto{Form: "text"}}, []string{"a.json"}, "--proto-form is about .proto files"},
	} {
		err := test.o.JSONAlone(test.files)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v of %v: %v, want %q", test.o, test.files, err, test.want)
		}
	}
}

// Flags about records are refused if no record is read.
func TestUnread(t *testing.T) {
	for flag, edit := range map[string]func(*Options){
		"skip-bad": func(o *Options) { o.SkipBad = true }, "max-records": func(o *Options) { o.MaxRecords = 5 },
		"max-bytes": func(o *Options) { o.MaxBytes = 5 }, "max-record": func(o *Options) { o.MaxRecord = 5 },
		"proto-form": func(o *Options) { o.Proto.Form = "json" },
	} {
		o := Options{MaxRecords: MaxRecords}
		edit(&o)
		want := "--" + flag + " is about records, of which none is read here without --sample"
		if _, err := o.Inferred(t.Context(), strings.NewReader(""), []string{"absent.proto"}); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	o := Options{MaxRecords: MaxRecords, Records: "a[]", Said: []Said{{"type", "./absent.Order"}}}
	if _, err := o.Inferred(t.Context(), strings.NewReader(""), nil); err == nil || !strings.HasPrefix(err.Error(), "--records is about records,") {
		t.Errorf("%v", err)
	}
}

// A sample that cannot be read gives a refusal, but an interruption does not.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(file, []byte("{\"id\":1}\n{\"id\":\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{MaxRecords: 10}
	_, _, done, err := o.Read(t.Context(), strings.NewReader(""), []string{file})
	done()
	if err == nil || !errors.As(err, new(*refusal.Error)) || !strings.Contains(err.Error(), "a.ndjson:") {
		t.Errorf("%v is no refusal with a place", err)
	}
	o.SkipBad = true
	s, typed, done, err := o.Read(t.Context(), strings.NewReader(""), []string{file})
	done()
	if err != nil || typed != nil || s.Total != 1 {
		t.Errorf("%d records, %v", s.Total, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Wrong(ctx, ctx.Err()); errors.As(err, new(*refusal.Error)) {
		t.Errorf("%v is taken for a refusal", err)
	}
}

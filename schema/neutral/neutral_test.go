package neutral_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/schema"
	"assay/schema/neutral"
	"assay/workload"
	"assay/workload/builtin"
)

type color int32

type inner struct{ Note string }

type index map[int64]string

// kinds is the model of a message with a field of every kind.
type kinds struct {
	Ok      bool
	Small   int32
	Big     uint64
	Half    float32
	Whole   float64
	Name    string
	Blob    []byte
	At      time.Time
	Took    time.Duration
	Color   color
	Inner   inner
	Maybe   *inner
	Number  *int64
	Names   []string
	Inners  []*inner
	Index   index
	Weights map[string]float64
}

var one = schema.Type{Kind: schema.MessageKind, Ref: "Inner"}

var kindsSchema = &schema.Schema{
	Name: "kinds", Roots: []string{"Kinds"},
	Enums: []*schema.Enum{{Name: "Color", Values: []schema.EnumValue{{Name: "RED"}, {Name: "BLUE", Number: 7}}}},
	Messages: []*schema.Message{
		{Name: "Kinds", Fields: []*schema.Field{
			{Name: "ok", Number: 1, Type: schema.Type{Kind: schema.Bool}},
			{Name: "small", Number: 2, Type: schema.Type{Kind: schema.Int32}},
			{Name: "big", Number: 3, Text: "BIG", Type: schema.Type{Kind: schema.Uint64}},
			{Name: "half", Number: 4, Type: schema.Type{Kind: schema.Float32}},
			{Name: "whole", Number: 5, Type: schema.Type{Kind: schema.Float64}},
			{Name: "name", Number: 6, OmitEmpty: true, Type: schema.Type{Kind: schema.String}},
			{Name: "blob", Number: 7, Type: schema.Type{Kind: schema.Bytes}},
			{Name: "at", Number: 8, Type: schema.Type{Kind: schema.Timestamp}},
			{Name: "took", Number: 9, Type: schema.Type{Kind: schema.Duration}},
			{Name: "color", Number: 10, Type: schema.Type{Kind: schema.EnumKind, Ref: "Color"}},
			{Name: "inner", Number: 11, Type: one},
			{Name: "maybe", Number: 12, Type: schema.Type{Kind: schema.MessageKind, Ref: "Inner", Optional: true}},
			{Name: "number", Number: 13, Type: schema.Type{Kind: schema.Int64, Optional: true}},
			{Name: "names", Number: 14, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}},
			{Name: "inners", Number: 15, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "Inner", Optional: true}}},
			{Name: "index", Number: 16, Type: schema.Type{Kind: schema.MessageKind, Ref: "Index"}},
			{Name: "weights", Number: 17, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.Float64}}},
		}},
		{Name: "Inner", Fields: []*schema.Field{{Name: "note", Number: 1, Type: schema.Type{Kind: schema.String}}}},
		{Name: "Index", Bare: true, Fields: []*schema.Field{{Name: "entry", Number: 1, Type: schema.Type{
			Kind: schema.Map, Key: schema.Int64, Elem: &schema.Type{Kind: schema.String},
		}}}},
	},
}

func form(t testing.TB) neutral.Form {
	f, err := neutral.Of(kindsSchema, "Kinds")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const zeroText = `{"ok":false,"small":0,"BIG":0,"half":0.0,"whole":0.0,"name":"","blob":null,"at":"0001-01-01T00:00:00Z","took":0,` +
	`"color":0,"inner":{"note":""},"maybe":null,"number":null,"names":null,"inners":null,"index":null,"weights":null}`

// TestForm: values of every kind, including extreme ones, have the expected text, and Parse
// restores them.
func TestForm(t *testing.T) {
	number := int64(math.MinInt64)
	for _, test := range []struct {
		value *kinds
		text  string
	}{
		{&kinds{}, zeroText},
		{
			&kinds{
				Ok: true, Small: math.MinInt32, Big: math.MaxUint64, Half: 0.1, Whole: math.Copysign(0, -1),
				Name: "a\"\n\x00é", Blob: []byte{}, At: time.Date(2024, 2, 29, 1, 2, 3, 45, time.FixedZone("", 19800)),
				Took: -1, Color: 7, Inner: inner{"x"}, Maybe: &inner{}, Number: &number, Names: []string{},
				Inners: []*inner{{"y"}}, Index: index{-1: "m", 2: "p", 10: "q"}, Weights: map[string]float64{"b": math.Inf(-1), "": math.NaN()},
			},
			`{"ok":true,"small":-2147483648,"BIG":18446744073709551615,"half":0.1,"whole":-0.0,"name":"a\"\n\u0000é","blob":"",` +
				`"at":"2024-02-29T01:02:03.000000045+05:30","took":-1,"color":7,"inner":{"note":"x"},"maybe":{"note":""},` +
				`"number":-9223372036854775808,"names":[],"inners":[{"note":"y"}],"index":{"-1":"m","10":"q","2":"p"},` +
				`"weights":{"":"NaN","b":"-Infinity"}}`,
		},
		{
			&kinds{Name: "\xff", Blob: []byte{0xff, 0xfe}, Half: math.MaxFloat32, Whole: 5e-324},
			strings.NewReplacer(`"name":""`, `"name":{"base64":"/w=="}`, `"blob":null`, `"blob":"//4="`,
				`"half":0.0`, `"half":3.4028235e+38`, `"whole":0.0`, `"whole":5e-324`).Replace(zeroText),
		},
		{
			&kinds{At: time.Date(10000, 1, 1, 0, 0, 0, 5, time.UTC)},
			strings.Replace(zeroText, `"0001-01-01T00:00:00Z"`, `{"unix":253402300800,"nanos":5,"offset":0}`, 1),
		},
		{
			&kinds{At: time.Date(1900, 1, 1, 0, 0, 0, 0, time.FixedZone("PMT", 561))},
			strings.Replace(zeroText, `"0001-01-01T00:00:00Z"`, `{"unix":-2208989361,"nanos":0,"offset":561}`, 1),
		},
		{&kinds{Whole: 1e21, Half: 3}, strings.NewReplacer(`"whole":0.0`, `"whole":1e+21`, `"half":0.0`, `"half":3.0`).Replace(zeroText)},
	} {
		text, err := form(t).Append(nil, test.value)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != test.text {
			t.Errorf("got  %s\nwant %s", text, test.text)
		}
		got := new(kinds)
		if err := form(t).Parse(text, got); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff, _ := workload.Diff(test.value, got, nil); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`"ok":false,`, ``, `Kinds.ok: the key "ok" is missing`},
		{`"ok":false`, `"ok":null`, "Kinds.ok: want a bool, got null"},
		{`"ok":false`, `"ok":0`, "want a bool"},
		{`"ok"`, `"no":1,"ok"`, `Kinds: unknown key "no"`},
		{`"small":0`, `"small":2147483648`, "Kinds.small: want a whole number of kind int32"},
		{`"small":0`, `"small":1.0`, "Kinds.small"},
		{`"BIG":0`, `"BIG":-1`, "Kinds.big: want a uint64, got -1"},
		{`"BIG":0`, `"BIG":"1"`, "Kinds.big"},
		{`"half":0.0`, `"half":1e39`, "Kinds.half: want a float32"},
		{`"whole":0.0`, `"whole":"nan"`, "Kinds.whole: want a float64"},
		{`"whole":0.0`, `"whole":null`, "Kinds.whole"},
		{`"name":""`, `"name":null`, "Kinds.name: want a string"},
		{`"name":""`, `"name":{"base64":"!"}`, "Kinds.name"},
		{`"name":""`, `"name":{"hex":"00"}`, "Kinds.name"},
		{`"blob":null`, `"blob":"?"`, "Kinds.blob: want base64"},
		{`"blob":null`, `"blob":[]`, "Kinds.blob: want a bytes"},
		{`"0001-01-01T00:00:00Z"`, `"yesterday"`, "Kinds.at: want a time as in RFC 3339"},
		{`"0001-01-01T00:00:00Z"`, `null`, "Kinds.at"},
		{`"0001-01-01T00:00:00Z"`, `{"unix":1}`, "Kinds.at"},
		{`"0001-01-01T00:00:00Z"`, `{"unix":1,"nanos":1000000000,"offset":0}`, "Kinds.at"},
		{`"inner":{"note":""}`, `"inner":null`, "Kinds.inner: Inner: want an object"},
		{`"inner":{"note":""}`, `"inner":{"note":1}`, "Inner.note: want a string"},
		{`"names":null`, `"names":{}`, "Kinds.names: want a list"},
		{`"inners":null`, `"inners":[3]`, "Kinds.inners: Inner: want an object"},
		{`"index":null`, `"index":{"x":""}`, "Index.entry: want a whole number"},
		{`"index":null`, `"index":{"1":"","01":""}`, "Index.entry: two keys of a map are the same number"},
		{`"index":null`, `"index":[]`, "Index.entry: want an object"},
		{zeroText, ``, "is no JSON"},
		{zeroText, `[]`, "Kinds: want an object"},
		{zeroText, `null`, "Kinds: want an object"},
		{zeroText, "\"\xff\"", "not UTF-8"},
	} {
		text := strings.Replace(zeroText, test.old, test.new, 1)
		err := form(t).Parse([]byte(text), new(kinds))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.new, err, test.want)
		}
	}
}

// TestNoForm: a value without a neutral form is an error and is not changed silently.
func TestNoForm(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{&kinds{Weights: map[string]float64{"\xff": 1}}, "Kinds.weights: the map key"},
		{kinds{}, "no pointer"},
		{(*kinds)(nil), "no pointer"},
		{&inner{}, "the model has no such field"},
	} {
		if _, err := form(t).Append(nil, test.value); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.value, err, test.want)
		}
	}
	if _, err := neutral.Of(kindsSchema, "Nothing"); err == nil {
		t.Error("a root that is not there")
	}
}

// TestWorkloads: Parse restores the values of every workload.
func TestWorkloads(t *testing.T) {
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if size.Bytes > 1<<16 {
				continue
			}
			values, err := w.Generate(size, 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			f, err := neutral.Of(w.Schema, size.Root)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				v := reflect.ValueOf(values).Index(i).Addr()
				text, err := f.Append(nil, v.Interface())
				if err != nil {
					t.Fatalf("%s %s: %v", w.Name, size.Key, err)
				}
				got := reflect.New(v.Type().Elem())
				if err := f.Parse(text, got.Interface()); err != nil {
					t.Fatalf("%s %s: %v", w.Name, size.Key, err)
				}
				if diff, _ := workload.Diff(v.Interface(), got.Interface(), nil); diff != "" {
					t.Errorf("%s %s: %s", w.Name, size.Key, diff)
				}
			}
		}
	}
}

// FuzzParse: a text that can be read is written in a form that is read back as the same value.
func FuzzParse(f *testing.F) {
	f.Add([]byte(zeroText))
	f.Add([]byte(strings.NewReplacer(`"index":null`, `"index":{"3":"x"}`, `"maybe":null`, `"maybe":{"note":"\ud800"}`).Replace(zeroText)))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := new(kinds)
		if form(t).Parse(data, v) != nil {
			return
		}
		text, err := form(t).Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		again := new(kinds)
		if err := form(t).Parse(text, again); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff, _ := workload.Diff(v, again, nil); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	})
}

// TestSchemaOf: the header of a data file says how absent, null and empty values are written.
func TestSchemaOf(t *testing.T) {
	list := schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "N"}}
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{
			{Name: "a", Number: 1, OmitZero: true, Type: list},
			{Name: "b", Number: 2, Null: true, Type: list},
			{Name: "c", Number: 3, OmitEmpty: true, JSONText: true, Type: schema.Type{Kind: schema.String, Optional: true}},
			{Name: "d", Number: 4, Type: schema.Type{Kind: schema.MessageKind, Ref: "P"}},
			{Name: "f", Number: 6, As: schema.AsUUID, Type: schema.Type{Kind: schema.Bytes}},
			{Name: "g", Number: 7, OneOrMany: true, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}},
			{Name: "e", Number: 5, Type: schema.Type{Kind: schema.MessageKind, Ref: "W", Optional: true}},
		}},
		{Name: "N", Wraps: true, Fields: []*schema.Field{{Name: "value", Number: 1, Type: schema.Type{Kind: schema.Int64, Optional: true}}}},
		{Name: "P", Row: true, Fields: []*schema.Field{{Name: "f1", Number: 1, Type: schema.Type{Kind: schema.Int64}}}},
		// null would have two meanings: the message and the value in it.
		{Name: "W", Wraps: true, Fields: []*schema.Field{{Name: "value", Number: 1, Type: schema.Type{Kind: schema.Int64, Optional: true}}}},
	}}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(neutral.SchemaOf(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"name":"a","text":"a","number":1,"omitzero":true,`, `"name":"b","text":"b","number":2,"null":true,`,
		`"name":"c","text":"c","number":3,"omitempty":true,"json_text":true,`, `"name":"f","text":"f","number":6,"as":"uuid",`, `"name":"g","text":"g","number":7,"one_or_many":true,`,
		`"name":"N","wraps":true,`, `"name":"P","row":true,`, `"name":"W","fields"`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

package emit

import (
	"strings"
	"testing"

	"assay/schema"
)

func TestTag(t *testing.T) {
	tag := Tag("json")
	for _, test := range []struct {
		field schema.Field
		want  string
	}{
		{schema.Field{Name: "tx_id"}, `json:"tx_id"`},
		{schema.Field{Name: "tx_id", Text: "txId"}, `json:"txId"`},
		{schema.Field{Name: "age", OmitEmpty: true}, `json:"age,omitempty"`},
	} {
		if got := tag(nil, &test.field); got != test.want {
			t.Errorf("tag of %+v is %s, want %s", test.field, got, test.want)
		}
	}
}

func TestTagOmitZero(t *testing.T) {
	f := schema.Field{Name: "tags", OmitZero: true}
	if got := Tag("json")(nil, &f); got != `json:"tags,omitzero"` {
		t.Errorf("a library that knows omitzero gets %s", got)
	}
	if got := TagEmpty("json")(nil, &f); got != `json:"tags,omitempty"` {
		t.Errorf("one that does not gets %s", got)
	}
}

// A style with Unwrap holds a field that is a value, null or absent as a list of at most one
// element.
func TestTristateTypes(t *testing.T) {
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{{Name: "note", Number: 1, OmitEmpty: true, Type: schema.Type{Kind: schema.MessageKind, Ref: "NoteOrNull", Optional: true}}}},
		{Name: "NoteOrNull", Wraps: true, Fields: []*schema.Field{{Name: "value", Number: 1, Type: schema.Type{Kind: schema.String, Optional: true}}}},
	}}
	for _, test := range []struct {
		style *Style
		want  []string
	}{
		{&Style{Unwrap: s}, []string{"Note NoteOrNull", "type NoteOrNull []*string", "if len(src.Note) > 0 {"}},
		{&Style{}, []string{"Note *NoteOrNull", "type NoteOrNull struct"}},
	} {
		out := NewSource("example.com/p", "test")
		test.style.Types(out, s, func(*schema.Message, *schema.Field) string { return "" }, [2]string{})
		test.style.Convert(out, s, "example.com/model")
		data, err := out.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(string(data), want) {
				t.Errorf("there is no %s in\n%s", want, data)
			}
		}
	}
}

// Each OmitZero holds a field that is omitted if absent and written if empty in its own way.
func TestOmitZero(t *testing.T) {
	list := schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{{Name: "tags", Number: 1, OmitZero: true, Type: list}}},
		{Name: "MTagsOrNone"},
	}}
	for how, want := range map[OmitZero]string{ByTag: "Tags []string", ByPointer: "Tags *[]string", ByMethod: "Tags MTagsOrNone_"} {
		out := NewSource("example.com/p", "test")
		(&Style{OmitZero: how}).Types(out, s, func(*schema.Message, *schema.Field) string { return "" }, [2]string{})
		data, err := out.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%d: there is no %s in\n%s", how, want, data)
		}
	}
}

// YAML libraries omit a struct with only a time, unless the time has a method IsZero.
func TestSpelledZero(t *testing.T) {
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{{Name: "on", Number: 1, As: schema.AsDate, Type: schema.Type{Kind: schema.Timestamp}}}},
	}}
	out := NewSource("example.com/p", "test")
	(&Style{Unwrap: s, Spelled: SpelledText(s)}).Types(out, s, Tag("yaml"), [2]string{})
	data, err := out.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if want := "func (v Date) IsZero() bool { return time.Time(v).IsZero() }"; !strings.Contains(string(data), want) {
		t.Errorf("there is no %s in\n%s", want, data)
	}
}

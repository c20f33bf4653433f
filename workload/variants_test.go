package workload

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
)

// The tag text that selects a variant of a union stays, because another text would select no
// variant. A field with the same key in another message changes.
func TestVariantsKeepTags(t *testing.T) {
	type Login struct {
		EventType *string
		Kind      string
	}
	type Other struct{ EventType string }
	type Event struct {
		Login *Login
		Other *Other
	}
	s := &schema.Schema{Messages: []*schema.Message{
		{Name: "Event", Union: true, Tag: "type", Fields: []*schema.Field{{Name: "login", Type: schema.Type{Kind: schema.MessageKind, Ref: "Login"}, When: []string{"login"}}}},
		{Name: "Login", Fields: []*schema.Field{{Name: "event_type", Text: "type", Type: schema.Type{Kind: schema.String, Optional: true}}, {Name: "kind", Type: schema.Type{Kind: schema.String}}}},
		{Name: "Other", Fields: []*schema.Field{{Name: "event_type", Text: "type", Type: schema.Type{Kind: schema.String}}}},
	}}
	tag := "login"
	got, err := Variants([]Event{{Login: &Login{&tag, "plain"}, Other: &Other{"login"}}}, s, 7)
	if err != nil {
		t.Fatal(err)
	}
	v := got.([]Event)[0]
	if *v.Login.EventType != "login" || v.Login.EventType == &tag {
		t.Errorf("the tag is %q, and shares memory: %v", *v.Login.EventType, v.Login.EventType == &tag)
	}
	if v.Login.Kind == "plain" || v.Other.EventType == "login" {
		t.Errorf("what is no tag stays: %q, %q", v.Login.Kind, v.Other.EventType)
	}
}

// TestVariants checks that texts and bytes change and keep their length, that all else stays
// the same and shares no memory, and that equal seeds give equal results.
func TestVariants(t *testing.T) {
	type inner struct{ Name *string }
	type value struct {
		Text   string
		Data   []byte
		N      int64
		When   time.Time
		List   []inner
		Absent []string
		Empty  []string
		Map    map[string]inner
	}
	name := "somebody 17"
	from := []value{{
		Text: "The title", Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}, N: 7, When: time.Unix(5, 6).UTC(),
		List: []inner{{&name}, {}}, Empty: []string{}, Map: map[string]inner{"first": {&name}, "second": {}},
	}}
	got, err := Variants(from, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Variants(from, nil, 3)
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("the same seed gives others (-one +two):\n%s", diff)
	}
	other, _ := Variants(from, nil, 4)
	if cmp.Equal(got, other) {
		t.Error("another seed gives the same")
	}
	v := got.([]value)[0]
	switch {
	case v.Text == from[0].Text || len(v.Text) != len(from[0].Text) || v.Text[3] != ' ':
		t.Errorf("text %q", v.Text)
	case cmp.Equal(v.Data, from[0].Data) || len(v.Data) != 8:
		t.Errorf("data %v", v.Data)
	case v.N != 7 || !v.When.Equal(from[0].When) || v.Absent != nil || v.Empty == nil:
		t.Errorf("what is no text: %+v", v)
	case len(v.List) != 2 || v.List[1].Name != nil || *v.List[0].Name == name:
		t.Errorf("list %+v", v.List)
	case len(v.Map) != 2 || cmp.Equal(v.Map, from[0].Map):
		t.Errorf("map %+v", v.Map)
	}
	if name != "somebody 17" {
		t.Error("the original was changed")
	}
	if _, err := Variants(3, nil, 1); err == nil {
		t.Error("no error for what is no slice")
	}
}

// A text that is JSON stays JSON, because the field may hold the JSON text of any value.
func TestVariantsOfJSON(t *testing.T) {
	type value struct{ Text string }
	for _, text := range []string{
		`true`, `null`, `-0`, `1e300`, `1.5E-7`, `"a\nb\u00e9\"c"`, `{"true":true,"e1":[1e5,null,"false",{"a\\":"x\"y"}]}`, `["error",{"max":10,"x":false}]`, `[]`, `{}`,
	} {
		for seed := range uint64(20) {
			v, err := Variants([]value{{text}}, nil, seed)
			if err != nil {
				t.Fatal(err)
			}
			got := v.([]value)[0].Text
			if !json.Valid([]byte(got)) || len(got) != len(text) {
				t.Fatalf("%s became %s", text, got)
			}
		}
	}
	for _, text := range []string{`{"name":"abcdefgh"}`, `"some text"`, "trueish text", "2026-01-02", "{no JSON, e1}"} {
		v, _ := Variants([]value{{text}}, nil, 1)
		if got := v.([]value)[0].Text; got == text {
			t.Errorf("%s is as it was", text)
		}
	}
}

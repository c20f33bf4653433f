package avsc

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/schema"
)

var point = &schema.Message{Name: "Point", Fields: []*schema.Field{
	{Name: "x", Type: schema.Type{Kind: schema.Uint64}},
	{Name: "next", Type: schema.Type{Kind: schema.MessageKind, Ref: "Point", Optional: true}},
}}

func compact(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func list(name, elem string) *schema.Message {
	return &schema.Message{Name: name, Bare: true, Fields: []*schema.Field{
		{Name: "item", Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: elem}}},
	}}
}

func TestSchema(t *testing.T) {
	all := &schema.Message{Name: "All", Fields: []*schema.Field{
		{Name: "at", Type: schema.Type{Kind: schema.Timestamp, Optional: true}},
		{Name: "points", Type: schema.Type{Kind: schema.MessageKind, Ref: "Points"}},
		{Name: "by_name", Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.Bytes}}},
		{Name: "by_id", Type: schema.Type{Kind: schema.Map, Key: schema.Int32, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "Point"}}},
	}}
	s := &schema.Schema{Messages: []*schema.Message{all, point, list("Points", "Point")}}
	text, err := Schema(s, "All")
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := json.Unmarshal([]byte(`{"type": "record", "name": "All", "fields": [
		{"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-nanos"}], "default": null},
		{"name": "points", "type": {"type": "array", "items": {"type": "record", "name": "Point", "fields": [
			{"name": "x", "type": "long"},
			{"name": "next", "type": ["null", "Point"], "default": null}
		]}}},
		{"name": "by_name", "type": {"type": "map", "values": "bytes"}},
		{"name": "by_id", "type": {"type": "array", "items": {"type": "record", "name": "AllByIdEntry", "fields": [
			{"name": "key", "type": "int"},
			{"name": "value", "type": "Point"}
		]}}}
	]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

// A list may be used twice, but must not contain itself.
func TestBare(t *testing.T) {
	s := &schema.Schema{Messages: []*schema.Message{
		list("Twice", "Point"), list("Tree", "Tree"), point,
		{Name: "Both", Fields: []*schema.Field{
			{Name: "a", Type: schema.Type{Kind: schema.MessageKind, Ref: "Twice"}},
			{Name: "b", Type: schema.Type{Kind: schema.MessageKind, Ref: "Twice"}},
		}},
	}}
	if _, err := Schema(s, "Both"); err != nil {
		t.Error(err)
	}
	_, err := Schema(s, "Tree")
	if no := (*contender.Unsupported)(nil); !errors.As(err, &no) || no.Field != "Tree.item" {
		t.Errorf("a list of itself: %v", err)
	}
	// A record in between has a name.
	s.Messages = append(s.Messages, list("Nodes", "Node"), &schema.Message{Name: "Node", Fields: []*schema.Field{
		{Name: "kids", Type: schema.Type{Kind: schema.MessageKind, Ref: "Nodes"}},
	}})
	text, err := Schema(s, "Nodes")
	const want = `{"type":"array","items":{"type":"record","name":"Node","fields":[{"name":"kids","type":{"type":"array","items":"Node"}}]}}`
	if got := compact(t, text); err != nil || got != want {
		t.Errorf("a tree: %s, %v; want %s", got, err, want)
	}
}

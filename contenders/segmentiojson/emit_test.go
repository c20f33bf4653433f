package segmentiojson

import (
	"bytes"
	"testing"

	segmentio "github.com/segmentio/encoding/json"

	"assay/contender"
	"assay/schema"
)

// TestUnescaped checks that the default mode uses the library's pool even without escapes for
// HTML, and that its Encoder then writes the same as Append with the flags of the other modes.
func TestUnescaped(t *testing.T) {
	text := schema.Type{Kind: schema.String}
	s := &schema.Schema{Name: "s", Roots: []string{"Root"}, Unescaped: true, Messages: []*schema.Message{
		{Name: "Root", Fields: []*schema.Field{{Name: "html", Number: 1, Type: text}}},
	}}
	out, err := emitPackage(contender.Request{Schema: s, Model: "assay/model", Package: "assay/p"})
	if err != nil {
		t.Fatal(err)
	}
	types := out.Files[0].Data
	if !bytes.Contains(types, []byte("enc.SetAppendNewline(false)")) || bytes.Contains(types, []byte("segmentio.Append(nil")) {
		t.Errorf("the default mode has no pool:\n%s", types)
	}

	for _, v := range []any{
		map[string]any{"b": "<a href=\"x\">&</a>", "a": []any{1, "\u2028", nil}}, "", nil, struct{ A []byte }{[]byte("<")},
	} {
		var buf bytes.Buffer
		enc := segmentio.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		enc.SetAppendNewline(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		want, err := segmentio.Append(nil, v, segmentio.SortMapKeys)
		if err != nil || buf.String() != string(want) {
			t.Errorf("the Encoder writes %s, and Append %s, %v", &buf, want, err)
		}
	}
}

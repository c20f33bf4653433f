package segmentiojson

import (
	"bytes"
	"testing"

	"assay/contender"
	"assay/schema"
)

// Append to no slice grows one and is slower than Marshal, so no mode may call it so. Nor may one
// make an Encoder for each message.
func TestNoModeGrowsASlice(t *testing.T) {
	s := &schema.Schema{Name: "one", Roots: []string{"Root"}, Messages: []*schema.Message{
		{Name: "Root", Fields: []*schema.Field{{Name: "text", Number: 1, Type: schema.Type{Kind: schema.String}}}},
	}}
	for _, s.Unescaped = range []bool{false, true} {
		out, err := emitPackage(contender.Request{Schema: s, Package: "example.com/one", Model: "example.com/model", Contender: Contender.Name})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out.Files {
			if bytes.Contains(f.Data, []byte("Append(nil")) {
				t.Errorf("%s, unescaped %v: a mode appends to a new slice", f.Name, s.Unescaped)
			}
			// Marshal makes no Encoder, so what stands for it with other flags must not either.
			if bytes.Contains(f.Data, []byte("segmentio.NewEncoder")) {
				t.Errorf("%s, unescaped %v: an Encoder is made for each message", f.Name, s.Unescaped)
			}
		}
	}
}

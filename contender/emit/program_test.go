package emit

import (
	"strings"
	"testing"

	"assay/contender"
	"assay/result"
	"assay/schema"
)

// The mode times conversions, which a contender without types of its own, or with those of a foreign
// schema, does not have.
func TestProgram(t *testing.T) {
	req := contender.Request{
		Schema:  &schema.Schema{Name: "w", Roots: []string{"R"}, Messages: []*schema.Message{{Name: "R"}}},
		Package: "p/w", Model: "m", Contender: "c",
	}
	byDefault := Usage{Encode: "out, err = encode(in[i])", Decode: "v = new($T)\nerr = decode(data, v)", Only: []result.Op{result.Encode}}
	for _, b := range []*Binder{{}, {Direct: true}, {Fallible: true}} {
		b.Usages = []Usage{Program(byDefault)}
		file, err := b.Write(req)
		if none := b.Direct || b.Fallible; (err != nil) != none {
			t.Errorf("direct %t, fallible %t: %v", b.Direct, b.Fallible, err)
		}
		if err == nil && (!strings.Contains(string(file.Data), "encode(own)") || !strings.Contains(string(file.Data), "toR(back, v)")) {
			t.Errorf("wrote\n%s", file.Data)
		}
	}
}

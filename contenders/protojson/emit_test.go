package protojson_test

import (
	"bytes"
	"slices"
	"testing"

	"assay/contender"
	"assay/contenders/protojson"
	"assay/workload/builtin"
)

func TestEmit(t *testing.T) {
	c := protojson.Contender
	for _, w := range builtin.All() {
		out, err := c.Emit(contender.Request{
			Schema:    w.Schema,
			Package:   "assay/contenders/protojson/gen/" + w.Name,
			Model:     "assay/workload/" + w.Name,
			Contender: c.Name,
		})
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			continue
		}
		var names, tools []string
		for _, f := range out.Files {
			names = append(names, f.Name)
		}
		for _, p := range out.Plugins {
			tools = append(tools, p.Tool)
			// Only this contender uses the names that the library registers.
			for _, own := range []string{"assay.protojson." + w.Name, "assay/protojson/" + w.Name + "/types.proto"} {
				if !bytes.Contains(p.Request, []byte(own)) {
					t.Errorf("%s: the request to %s does not name %s", w.Name, p.Tool, own)
				}
			}
		}
		if want := []string{"convert.go", "bind.go"}; !slices.Equal(names, want) {
			t.Errorf("%s: files %v, want %v", w.Name, names, want)
		}
		if !slices.Equal(tools, c.Tools) {
			t.Errorf("%s: plugins %v, but Tools says %v", w.Name, tools, c.Tools)
		}
	}
}

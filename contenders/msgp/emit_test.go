package msgp_test

import (
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders/msgp"
	"assay/workload/tick"
)

// The requests to the generator have the struct of types.go, apart from the options of a mode.
func TestEmit(t *testing.T) {
	c := msgp.Contender
	out, err := c.Emit(contender.Request{
		Schema:    tick.Workload.Schema,
		Package:   "assay/contenders/msgp/gen/tick",
		Model:     "assay/workload/tick",
		Contender: c.Name,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"VarStruct []byte `msg:\"varStruct,omitempty,allownil\"`",
		"VarStruct []byte `msg:\"varStruct,omitempty,allownil\"`",
		"VarStruct []byte `msg:\"varStruct,omitempty,allownil,zerocopy\"`",
		"VarStruct []byte `msg:\"varStruct,omitempty,allownil\"`",
	}
	if len(out.Plugins) != len(want) {
		t.Fatalf("%d plugins, want %d", len(out.Plugins), len(want))
	}
	for i, p := range out.Plugins {
		if !slices.Contains(c.Tools, p.Tool) {
			t.Errorf("the plugin %s is not among the tools", p.Tool)
		}
		source := strings.Join(strings.Fields(string(p.Request)), " ")
		if !strings.Contains(source, want[i]) {
			t.Errorf("plugin %d is asked about\n%s\nwant it to have\n%s", i, p.Request, want[i])
		}
		if !strings.Contains(string(p.Request), "//msgp:newtime\n") {
			t.Errorf("plugin %d writes the library's own format of times", i)
		}
	}
}

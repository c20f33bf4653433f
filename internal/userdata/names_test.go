package userdata

import (
	"strings"
	"testing"

	"assay/contender"
)

// TestTakenNames has the types of a sample bear the names that generated code gives to types
// of its own, such as entries of maps, in every contender.
func TestTakenNames(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	var lines strings.Builder
	for _, days := range []string{`"2024-01-01":1,"2024-01-02":2,"2024-01-03":3`, `"2024-01-04":1,"2024-01-05":2,"2024-01-06":3`} {
		lines.WriteString(`{"id":1,"tags":{` + days + `},"list":[{"a":1}],"n_tags_entry":{"b":1},"tags_entry":{"c":"x"},"tags_value":{"d":1},"n_tags":{"e":1},` +
			`"n_builder":{"f":1},"n_list":{"g":1},"list_item":{"h":1},"reader":{"i":1},"time":{"j":1},"model":{"k":1},"string":{"l":1},"bindings":{"m":1},` +
			`"workload":{"n":1},"error":{"o":1},"new_n":{"p":1},"n_t":{"q":1},"n_slice":{"r":1},"base64_bytes":{"s":1},"codec":{"t":1}}` + "\n")
	}
	s := inspect(t, specimen{"n.ndjson", "", []byte(lines.String()), nil})
	p := newProgram(t)
	p.add(t, 0, s.data, func(c *contender.Contender) bool { return c.Format != "none" && c.Format != "parquet" })
	if !p.build(t) {
		return
	}
	defer p.stop()
	p.values(t, s.data)
}

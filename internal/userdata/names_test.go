package userdata

import (
	"strings"
	"testing"

	"assay/contender"
)

// TestTakenNames uses samples whose types have the names that generated code gives to its own
// types, such as map entries, or that collide with one another. The code of every contender
// must compile and round-trip.
func TestTakenNames(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	p := newProgram(t)
	var all []*Data
	for i, lines := range []string{takenNames(), twinNames} {
		s := inspect(t, specimen{[]string{"n", "twins"}[i] + ".ndjson", "", []byte(lines), nil})
		p.add(t, uint64(i), s.data, func(c *contender.Contender) bool { return c.Format != "none" && c.Format != "parquet" })
		all = append(all, s.data)
	}
	if !p.build(t) {
		return
	}
	defer p.stop()
	for _, d := range all {
		p.values(t, d)
	}
}

func takenNames() string {
	var lines strings.Builder
	for _, days := range []string{`"2024-01-01":1,"2024-01-02":2,"2024-01-03":3`, `"2024-01-04":1,"2024-01-05":2,"2024-01-06":3`} {
		lines.WriteString(`{"id":1,"tags":{` + days + `},"list":[{"a":1}],"n_tags_entry":{"b":1},"tags_entry":{"c":"x"},"tags_value":{"d":1},"n_tags":{"e":1},` +
			`"n_builder":{"f":1},"n_list":{"g":1},"list_item":{"h":1},"reader":{"i":1},"time":{"j":1},"model":{"k":1},"string":{"l":1},"bindings":{"m":1},` +
			`"workload":{"n":1},"error":{"o":1},"new_n":{"p":1},"n_t":{"q":1},"n_slice":{"r":1},"base64_bytes":{"s":1},"codec":{"t":1}}` + "\n")
	}
	return lines.String()
}

// twinNames are records for which generated code gives one name to two types: to two map
// entries, to two lists that may be left out, and to two lists without brackets.
const twinNames = `{"user":{"profile_tags":{"2024-01-01":1,"2024-01-02":2,"2024-01-03":3},"profile_list":[1,2]},"user_profile":{"tags":{"2024-01-01":"a","2024-01-02":"b","2024-01-03":"c"},"list":["a","b"]},"name":"x","string":{"s":"x"},"text":{"s":1}}
{"user":{"profile_tags":{"2024-01-04":1,"2024-01-05":2,"2024-01-06":3},"profile_list":[]},"user_profile":{"tags":{"2024-01-04":"a","2024-01-05":"b","2024-01-06":"c"},"list":[]},"name":["x","y"],"string":[{"s":"x"},{"s":"y"}],"text":{"s":1}}
{"user":{"profile_tags":{"2024-01-07":1,"2024-01-08":2,"2024-01-09":3}},"user_profile":{"tags":{"2024-01-07":"a","2024-01-08":"b","2024-01-09":"c"}},"name":"z","string":{"s":"z"},"text":{"s":2}}
`

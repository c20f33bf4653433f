package infer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// If a sample is one record with lists of objects, notes offer the elements of these lists as records,
// and the paths in the notes select them.
func TestRecordsWithin(t *testing.T) {
	objects := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"id":%d,"name":"x","tags":["a"]}`, i)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	members := strings.NewReplacer("[", "{", "]", "}", `{"id"`, `"k":{"id"`).Replace(strings.ReplaceAll(objects(12), `,"tags":["a"]`, ""))
	for i := range 12 {
		members = strings.Replace(members, `"k":`, fmt.Sprintf(`"%d":`, 1000+i), 1)
	}
	rows := func(n int) string { return strings.TrimSuffix(strings.Repeat(`[1,"a"],`, n), ",") }
	for _, test := range []struct {
		name, sample string
		want         string // the paths, and how many records each selects
	}{
		{"in a field", `{"v":1,"items":` + objects(12) + `}`, "items[] 12"},
		{"deeper", `{"v":1,"data":{"page":1,"items":` + objects(10) + `}}`, "data.items[] 10"},
		{"lists by place", `[` + rows(12) + `]`, "[] 12"},
		{"lists by place, the first of which has names", `[["id","name"],` + rows(12) + `]`, "[] 12"},
		{"few lists by place", `[` + rows(9) + `]`, ""},
		{"lists by place in a field", `{"v":1,"data":{"rows":[` + rows(12) + `]}}`, "data.rows[] 12"},
		{"lists of numbers", `{"v":1,"rows":[` + strings.Repeat(`[1,2],`, 12) + `[3,4]]}`, ""},
		{"few", `{"v":1,"data":{"items":` + objects(9) + `}}`, ""},
		{"of texts", `{"v":1,"items":["a","b","c","d","e","f","g","h","i","j"]}`, ""},
		{"of lists of one record", `[{"v":1,"data":{"items":` + objects(11) + `}}]`, "[].data.items[] 11"},
		{"in elements of a short list", `{"v":1,"groups":[{"id":"a","spans":` + objects(11) + `},{"id":"b","spans":` + objects(12) + `}]}`, "groups[].spans[] 23"},
		{"not those in records", `{"items":[` + strings.Repeat(`{"a":`+objects(11)+`},`, 9) + `{"a":` + objects(11) + `}]}`, "items[] 10"},
		{"the longest first, and three of them", `{"a":` + objects(10) + `,"b":` + objects(20) + `,"c":{"d":` + objects(30) + `},"e":` + objects(15) + `}`, "c.d[] 30, b[] 20, e[] 15"},
		{"two records", `{"items":` + objects(12) + `} {"items":` + objects(12) + `}`, ""},
		{"a tree", `{"name":"a","kids":[{"name":"b","kids":[{"name":"c","kids":` + strings.Replace(objects(10), `"tags":["a"]`, `"kids":[]`, 1) + `}]}]}`, ""},
		{"a map", members, "* 12"},
		{"a map in a list", `[` + members + `]`, "[].* 12"},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.sample))}, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for _, note := range r.Notes {
			m := regexp.MustCompile(`--records '?([^ ']+)'? takes .* as records instead$`).FindStringSubmatch(note)
			if m == nil {
				continue
			}
			taken, err := JSON([]Source{Bytes("f", []byte(test.sample))}, Options{Records: m[1]})
			if err != nil {
				t.Errorf("%s: --records %s: %v", test.name, m[1], err)
				continue
			}
			got = append(got, fmt.Sprint(m[1], " ", taken.Records))
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: the records offered are %q, want %q\n%s", test.name, got, test.want, r.Notes)
		}
	}
}

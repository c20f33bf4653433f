package infer

import (
	"strings"
	"testing"
)

// An answer about one key of objects that turn out to be a map is an error, and so is the wish for a union
// where none is looked for: the user would measure another type than asked for.
func TestOverrulesWithoutEffect(t *testing.T) {
	titles := strings.Repeat(`{"title":{"en":"1","de":"2","fr":"3"}}`+"\n", 4)
	rows := `["id","event"]` + "\n" + strings.Repeat(`[1,{"type":"a","x":1}]`+"\n"+`[2,{"type":"b","y":2}]`+"\n", 8)
	const aMap = "the objects there are a map, whose values have one type; name all of them, 'title.*', or keep the keys apart with --struct title"
	for _, test := range []struct {
		sample, want string
		flags        [][2]string
	}{
		{titles, "--type title.en=int64: " + aMap, [][2]string{{"type", "title.en=int64"}}},
		{titles, "--type title.en=omitempty: " + aMap, [][2]string{{"type", "title.en=omitempty"}}},
		{titles, "--type title.en=int64: " + aMap, [][2]string{{"map", "title"}, {"type", "title.en=int64"}}},
		{titles, "", [][2]string{{"type", "title.*=int64"}}},
		{titles, "", [][2]string{{"type", "title.en=int64"}, {"struct", "title"}}},
		{titles, "", [][2]string{{"type", "title=json"}}},
		{rows, "--union event: assay looks for no unions in records under names of columns", [][2]string{{"union", "event"}}},
		{rows, "", [][2]string{{"type", "event.x=float64"}}},
	} {
		var o Options
		for _, f := range test.flags {
			of, err := ParseOverrule(f[0], f[1])
			if err != nil {
				t.Fatal(err)
			}
			o.Overrules = append(o.Overrules, of)
		}
		_, err := JSON([]Source{Bytes("f", []byte(test.sample))}, o)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%v: %v, want %q", test.flags, err, test.want)
		}
	}
}

package infer

import (
	"slices"
	"strings"
	"testing"
)

// --max-records does not count a row with the names of columns.
func TestMaxRecordsBesideNames(t *testing.T) {
	const text = `["id","n"]` + "\n" + `["x",1]` + "\n" + `["y",2]` + "\n" + `["z",3]` + "\n"
	r, err := JSON([]Source{Bytes("t", []byte(text))}, Options{MaxRecords: 2})
	if err != nil || r.Records != 2 || !slices.Contains(r.Notes, OnlyFirst(2)) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A first record of texts that names no columns is a record like others: it counts, and --only asks
// it too.
func TestFirstTexts(t *testing.T) {
	for _, test := range []struct {
		text    string
		options Options
		records int64
		note    string
	}{
		{`["a","b"] ["c","d"] ["e","f"]`, Options{MaxRecords: 2}, 2, OnlyFirst(2)},
		{`["a","b"] ["c","d"] ["e","f"]`, Options{}, 3, ""},
		{`["created","u1"] ["deleted","u2"] ["created","u3"]`, Options{Only: []Only{only(t, "[]=deleted")}}, 1, ""},
		{`["meta","v1"] {"type":"order"} {"type":"note"}`, Options{Only: []Only{only(t, "type=order")}}, 1, ""},
		{`["id","n"] ["x",1] ["y",2] ["x",3]`, Options{Only: []Only{only(t, "[]=x")}}, 2, ""},
		{`["id","n"] ["x",{"a":1}] ["y",{"b":1}] ["z",{"c":1}]`, Options{MaxRecords: 2}, 2, OnlyFirst(2)},
	} {
		r, err := JSON([]Source{Bytes("t", []byte(test.text))}, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		lines := int64(0)
		err = r.Lines(func(_, _ []byte) error { lines++; return nil })
		if err != nil || r.Records != test.records || lines != test.records || test.note != "" && !slices.Contains(r.Notes, test.note) {
			t.Errorf("%s: %d records, %d converted, notes %q, %v; want %d", test.text, r.Records, lines, r.Notes, err, test.records)
		}
	}
	_, err := JSON([]Source{Bytes("t", []byte(`["a","b"] ["c","d"]`))}, Options{Only: []Only{only(t, "[]=nothing")}})
	if err == nil || !strings.Contains(err.Error(), "takes none of 2 records") {
		t.Errorf("nothing is wanted: %v", err)
	}
}

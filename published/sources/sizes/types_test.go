package sizes

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"reflect"
	"testing"
	"time"
)

// encoding/json encodes top-level values that are not structs, and decodes them unchanged.
func TestJSONTakesMoreThanStructs(t *testing.T) {
	for _, v := range []any{
		42, "text", true, 2.5, []int{1, 2}, [2]string{"a", "b"}, map[string]int{"a": 1}, map[int][]string{7: {"x"}}, []map[string]bool{{"a": true}},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%T: %v became %v (%v)", v, v, back.Elem(), err)
		}
	}
}

// encoding/xml returns an error when it encodes or decodes a map, alone or in a field.
func TestXMLHasNoMaps(t *testing.T) {
	type holder struct {
		XMLName xml.Name `xml:"holder"`
		M       map[string]string
	}
	for _, v := range []any{map[string]string{"a": "b"}, holder{M: map[string]string{"a": "b"}}} {
		if text, err := xml.Marshal(v); err == nil {
			t.Errorf("%T is written as %s", v, text)
		}
	}
	var m map[string]string
	if err := xml.Unmarshal([]byte(`<m><a>b</a></m>`), &m); err == nil {
		t.Errorf("a map is read: %v", m)
	}
	var h holder
	if err := xml.Unmarshal([]byte(`<holder><M><a>b</a></M></holder>`), &h); err == nil {
		t.Errorf("a field that is a map is read: %v", h)
	}
}

// Gob leaves out empty fields of every kind but structs, which take two bytes: the field's number
// and an end. An empty element of a list takes at least a byte.
func TestGobLeavesOutZeros(t *testing.T) {
	type fields struct {
		I int
		F float64
		B bool
		S string
		L []string
		M map[string]int
		P *int
		T time.Time
	}
	type nested struct {
		I    int
		A, B fields
	}
	size := func(v any) int {
		t.Helper()
		var b bytes.Buffer
		e := gob.NewEncoder(&b)
		if err := e.Encode(v); err != nil { // with the types
			t.Fatal(err)
		}
		b.Reset()
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	const frame = 4 // the message's length, two bytes for its type, and the end of the struct
	if got := size(fields{}); got != frame {
		t.Errorf("8 empty fields take %d bytes", got-frame)
	}
	if got := size(nested{}); got != frame+4 {
		t.Errorf("an empty field and two empty structs take %d bytes, want 4", got-frame)
	}
	for _, list := range []struct {
		more, less any
		each       int
	}{
		{make([]fields, 40), make([]fields, 20), 1},
		{make([]int, 40), make([]int, 20), 1},
		{make([]Tiny, 40), make([]Tiny, 20), 1},
		{make([]Medium, 40), make([]Medium, 20), 3},
	} {
		if got := size(list.more) - size(list.less); got != 20*list.each {
			t.Errorf("20 empty elements of %T take %d bytes, want %d each", list.more, got, list.each)
		}
	}
}

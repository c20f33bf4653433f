package sizes

import (
	"encoding/json"
	"encoding/xml"
	"reflect"
	"testing"
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

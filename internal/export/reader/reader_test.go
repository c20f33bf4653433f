package reader

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/infer"
)

type level int32

type points []point

type point struct {
	X, Y float64
	Note *string
}

type maybe struct{ Value *int64 }

type event struct {
	ID     int64
	Name   string
	At     time.Time
	Span   time.Duration
	Raw    []byte
	Level  level
	Levels []level
	Any    string
	MayAny *string
	Anys   []string
	AnyBy  map[string]string
	Place  *point
	Path   points
	Maybes []maybe
	ByID   map[int32]point
	Next   *event
	Flag   bool
	UUID   []byte
	Hashes [][]byte
	On     *time.Time
	Millis time.Time
	Before time.Time
	Price  int64
	Prices map[string]int64
	Either *maybe
	Codes  []string
	Alone  lone
	Ends   []point
	Port   *choice
	Ports  []choice
	Acts   []act
	Forms  []form
	Amount *amount
	Docs   docs
	Days   []day
}

// An act is told from others by the text at the key kind, and a form by its keys.
type act struct {
	Move *move
	Say  *say
}

type form struct {
	Circle *circle
	Square *square
	Other  *other
}

type move struct {
	Kind string
	By   int64
}

type say struct {
	Kind, Text string
}

type circle struct{ R float64 }

type square struct{ Side, Edge float64 }

type other struct{ Name string }

type amount struct{ Value int64 }

type docs []string

type day struct{ Value *time.Time }

type choice struct {
	Text   *string
	Number *float64
	Flag   *bool
	Items  *points
	Object *point
}

type lone []time.Time

var how = spellings{
	reflect.TypeFor[level]():  {values: map[string]int32{"low": 0, "veryhigh": 5, "ue9": 6, "empty": 7, "1": 8}},
	reflect.TypeFor[point]():  {keys: []string{"x", "y", "note"}},
	reflect.TypeFor[points](): {},
	reflect.TypeFor[lone]():   {ones: []int{0}, forms: map[int]string{0: "2006-01-02"}},
	reflect.TypeFor[choice](): {keys: []string{"text", "number", "flag", "items", "object"}, kinds: "\"0t[{"},
	reflect.TypeFor[act]():    {keys: []string{"move", "say"}, tag: "kind", when: [][]string{{"move", "step"}, {"say"}}},
	reflect.TypeFor[move]():   {keys: []string{"kind", "by"}},
	reflect.TypeFor[say]():    {keys: []string{"kind", "text"}},
	reflect.TypeFor[form]():   {keys: []string{"circle", "square", "other"}, when: [][]string{{"r"}, {"side", "edge"}, {}}},
	reflect.TypeFor[circle](): {keys: []string{"r"}},
	reflect.TypeFor[square](): {keys: []string{"side", "edge"}},
	reflect.TypeFor[other]():  {keys: []string{"name"}},
	reflect.TypeFor[amount](): {keys: []string{"value"}, wraps: true},
	reflect.TypeFor[docs]():   {texts: []int{0}},
	reflect.TypeFor[day]():    {keys: []string{"value"}, wraps: true, forms: map[int]string{0: "2006-01-02"}},
	reflect.TypeFor[maybe]():  {keys: []string{"value"}, wraps: true},
	reflect.TypeFor[event](): {
		keys:  []string{"id", "na,me", "at", "span", "raw", "level", "levels", "any", "mayAny", "anys", "anyBy", "place", "path", "maybes", "byID", "next", "flag", "uuid", "hashes", "on", "millis", "before", "price", "prices", "either", "codes", "alone", "ends", "port", "ports", "acts", "forms", "amount", "docs", "days"},
		texts: []int{7, 8, 9, 10},
		ones:  []int{25, 27},
		forms: map[int]string{17: "uuid", 18: "0x", 19: "2006-01-02", 20: "unix-ms", 21: "unix", 22: "decimal:2", 23: "decimal:2"},
	},
}

func ptr[T any](v T) *T { return &v }

func TestRead(t *testing.T) {
	tests := []struct {
		name, json string
		want       event
	}{
		{"nothing", `{}`, event{}},
		{"a union by kind", `{"port":"","ports":[0,-1.5,"x",true,false,[],[{"x":1}],{"y":2}]}`, event{Port: &choice{Text: ptr("")}, Ports: []choice{
			{Number: ptr(0.0)}, {Number: ptr(-1.5)}, {Text: ptr("x")}, {Flag: ptr(true)}, {Flag: ptr(false)}, {Items: &points{}}, {Items: &points{{X: 1}}}, {Object: &point{Y: 2}}}}},
		{"no union by kind", `{"port":null}`, event{}},
		{"a union by a text", `{"acts":[{"kind":"say","text":"move"},{"by":-1,"kind":"step"},{"kind":"move"}]}`,
			event{Acts: []act{{Say: &say{"say", "move"}}, {Move: &move{"step", -1}}, {Move: &move{"move", 0}}}}},
		{"a union by its keys", `{"forms":[{"edge":2},{"r":1},{"name":"r"},{}]}`,
			event{Forms: []form{{Square: &square{Edge: 2}}, {Circle: &circle{1}}, {Other: &other{"r"}}, {Other: &other{}}}}},
		{"a wrapped number", `{"amount":3}`, event{Amount: &amount{3}}},
		{"no wrapped number", `{"amount":null}`, event{}},
		{"a named list of texts of JSON", `{"docs":[{"a": 1},"x"]}`, event{Docs: docs{`{"a":1}`, `"x"`}}},
		{"wrapped dates", `{"days":["2020-01-02",null]}`, event{Days: []day{{ptr(time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC))}, {}}}},
		{"far times", `{"millis":253402300799999,"before":-62135596800}`,
			event{Millis: time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC), Before: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{"nulls", `{"id":null,"na,me":null,"at":null,"raw":null,"mayAny":null,"anys":null,"anyBy":null,"place":null,"path":null,"next":null}`, event{}},
		{"a value, null or absent: null", `{"either":null}`, event{Either: &maybe{}}},
		{"a value, null or absent: a value", `{"either":7}`, event{Either: &maybe{ptr(int64(7))}}},
		{"one without brackets", `{"codes":"a","alone":"2020-01-02","ends":{"x":1,"y":2}}`,
			event{Codes: []string{"a"}, Alone: lone{time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)}, Ends: []point{{X: 1, Y: 2}}}},
		{"several, one with brackets, and none", `{"codes":["a","b"],"alone":["2020-01-02"],"ends": []}`,
			event{Codes: []string{"a", "b"}, Alone: lone{time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)}, Ends: []point{}}},
		{"one that is empty, and null", `{"codes":"","alone":null}`, event{Codes: []string{""}}},
		{"plain", `{"id": 5, "na,me":"a\u00e9","at":"2020-01-02T03:04:05Z","span":7,"raw":"AQ==","flag":true, "other":{}}`,
			event{ID: 5, Name: "aé", At: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Span: 7, Raw: []byte{1}, Flag: true}},
		{"other kinds", `{"id":"5","na,me":1.50,"span":"1m30s","flag":"true"}`, event{ID: 5, Name: "1.50", Span: 90 * time.Second, Flag: true}},
		{"a truth value for a text", `{"na,me":false}`, event{Name: "false"}},
		{"enums", `{"level":"very-HIGH","levels":["LOW",5,"5","é",""]}`, event{Level: 5, Levels: []level{0, 5, 5, 6, 7}}},
		{"names of digits", `{"level":"1","levels":[1,"-1","2",-1]}`, event{Level: 8, Levels: []level{1, 8, 2, -1}}},
		{"texts of JSON", `{"any": { "a" : [1, 2.0] },"mayAny":"s","anys":[1,null,"x",{}],"anyBy":{"k":[ ]}}`,
			event{Any: `{"a":[1,2.0]}`, MayAny: ptr(`"s"`), Anys: []string{"1", "null", `"x"`, "{}"}, AnyBy: map[string]string{"k": "[]"}}},
		{"null is a text of JSON", `{"any":null}`, event{Any: "null"}},
		{"rows", `{"place":[1,2,"n"],"path":[[3,4,null],{"x":5}]}`,
			event{Place: &point{1, 2, ptr("n")}, Path: points{{3, 4, nil}, {X: 5}}}},
		{"no row", `{"place":[]}`, event{}},
		{"an empty text for none", `{"place":"","next":"","byID":"","path":"","anys":""}`, event{}},
		{"an empty list for no object", `{"place":[ ],"next":[],"byID":[]}`, event{ByID: map[int32]point{}}},
		{"wrapped", `{"maybes":[1,null,"3"]}`, event{Maybes: []maybe{{ptr(int64(1))}, {}, {ptr(int64(3))}}}},
		{"a map by number", `{"byID":{"-1":[1,2,null]}}`, event{ByID: map[int32]point{-1: {X: 1, Y: 2}}}},
		{"a tree", `{"next":{"next":{"any":1}}}`, event{Next: &event{Next: &event{Any: "1"}}}},
		{"spelled", `{"uuid":"01234567-89ab-cdef-0001-0203040506ff","hashes":["0x0a","0x"],"on":"2024-02-29","millis":1700000000001,"before":-1,"price":"-0.05","prices":{"a":"12.50"}}`,
			event{UUID: []byte{1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0, 1, 2, 3, 4, 5, 6, 255}, Hashes: [][]byte{{10}, {}}, On: ptr(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)),
				Millis: time.Date(2023, 11, 14, 22, 13, 20, 1e6, time.UTC), Before: time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), Price: -5, Prices: map[string]int64{"a": 1250}}},
		{"no spelled values", `{"on":null,"hashes":null}`, event{}},
		{"empty", `{"path":[],"byID":{},"anys":[]}`, event{Path: points{}, ByID: map[int32]point{}, Anys: []string{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got event
			if err := how.read([]byte(tt.json), &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// folded gives the same result as inference for the texts of an enum.
func TestFolded(t *testing.T) {
	texts := []string{"", "inReview", "HTTP_Error 2", "az", "AZ 09", "é", "заказ отменён покупателем", "東京都千代田区丸の内一丁目", strings.Repeat("a b ", 50)}
	var data []byte
	for _, text := range texts {
		data = fmt.Appendf(data, "{\"c\":%q}\n", text)
	}
	r, err := infer.JSON([]infer.Source{infer.Bytes("x.ndjson", data)}, infer.Options{Overrules: []infer.Overrule{{Path: "c", Type: "enum"}}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int32{}
	for _, v := range infer.EnumTexts(r.Schema.Enums[0]) {
		values[v.Name] = v.Number
	}
	for i, text := range texts {
		if n, ok := values[folded(text)]; !ok || int(n) != i {
			t.Errorf("%q is for %d, %v, want %d", text, n, ok, i)
		}
	}
}

// A text of JSON is the same as inference makes it, whatever the records escape.
func TestTextOfJSON(t *testing.T) {
	texts := []string{
		` { "\u0061" : [ "\/\u003c\u003E\u0026<>&" , 1.50 , 1e999 ] } `, `["\u2028\u2029\u00e9\ud83d\ude00\u007f"]`, `["\"\\\b\f\n\r\t\u000a\u001F"]`,
		`["\\u003c","\\\u003c","\\"," \u0020 "]`, `{"":"","a b":{"\u0022":[]}}`, `"\u0022x"`, `"C:\\"`, `-0`, `true`, "[\"\u2028é\"]",
	}
	var data []byte
	for _, text := range texts {
		data = fmt.Appendf(data, "{\"c\":%s}\n", text)
	}
	r, err := infer.JSON([]infer.Source{infer.Bytes("x.ndjson", data)}, infer.Options{Overrules: []infer.Overrule{{Path: "c", Type: "json"}}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := r.Lines(func(_, line []byte) error {
		var v struct{ C string }
		want = append(want, "")
		err := json.Unmarshal(line, &v)
		want[len(want)-1] = v.C
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		var got event
		if err := how.read(fmt.Appendf(nil, `{"any":%s}`, text), &got); err != nil || got.Any != want[i] {
			t.Errorf("%s is %s, %v; inference makes it %s", text, got.Any, err, want[i])
		}
	}
}

func TestReadErrors(t *testing.T) {
	for json, want := range map[string]string{
		`{"id":"x"}`:           "event.id: ",
		`{"id":[]}`:            "event.id: ",
		`{"level":"none"}`:     `event.level: "none" is no level`,
		`{"level":4294967296}`: "event.level: 4294967296 is no level",
		`{"place":[1]}`:        "event.place: a list of 1 for the 3 fields of point",
		`{"place":[1,"x",""]}`: "event.place: point[1]: ",
		`{"byID":{"x":[]}}`:    `event.byID: the key "x"`,
		`{"uuid":"x"}`:         "event.uuid: ",
		`{"on":"2024"}`:        "event.on: ",
		`{"millis":"x"}`:       "event.millis: ",
		`{"price":"x"}`:        "event.price: ",
		`{"ports":[null]}`:     "event.ports: null is of no kind of choice",
		`{"anyBy":{"k":{}},"byID":{"1":{"x":"y"}}}`: "event.byID: point.x: ",
		`{"acts":[{"kind":"none"}]}`:                "event.acts: this object is of no kind of act",
		`{"acts":[{"kind":1}]}`:                     "event.acts: this object is of no kind of act",
		`{"acts":[{"say":1}]}`:                      "event.acts: this object is of no kind of act",
		`{"any":`:                                   "",
		`5`:                                         "",
		``:                                          "",
	} {
		var got event
		if err := how.read([]byte(json), &got); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s…", json, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"5","path":[[1,2,null]],"maybes":[null],"any":{}}`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		var v event
		_ = how.read(data, &v) // must not panic
	})
}

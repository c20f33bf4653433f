package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type item struct {
	Name  string
	Count *int
	Level int8
	At    time.Time
	Free  any
}

var plan = Plan{
	Root: "Item",
	Messages: map[string][]Field{"Item": {
		{Name: "name", Index: []int{0}, Path: "item.Name", Type: Type{How: String}},
		{Name: "count", Index: []int{1}, Path: "item.Count", Type: Type{How: Int, Optional: true}},
		{Name: "level", Index: []int{2}, Path: "item.Level", Type: Type{How: Enum, Ref: "level", Values: map[string]bool{"0": true, "1": true}}},
		{Name: "at", Index: []int{3}, Path: "item.At", Type: Type{How: Time}},
		{Name: "free", Index: []int{4}, Path: "item.Free", Type: Type{How: JSON, Ref: "free", Optional: true}},
	}},
}

type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("no") }

// run runs the program with records and returns its answers, without marks.
func run(t *testing.T, p Plan, sample func() (any, error), records ...string) string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	in := string(text) + "\n"
	for _, r := range records {
		in += fmt.Sprintf("%d\n%s", len(r), r)
	}
	var out bytes.Buffer
	if err := Run(strings.NewReader(in), &out, reflect.TypeFor[item](), sample); err != nil {
		return out.String() + "error: " + err.Error()
	}
	return strings.ReplaceAll(out.String(), Mark, "")
}

func TestRun(t *testing.T) {
	texts := plan
	texts.Texts = []string{"free"}
	few, short, small := plan, plan, plan
	few.MaxRecords, short.MaxBytes, small.MaxRecord = 1, 1, 40
	many := func() (any, error) { return []item{{Name: strings.Repeat("n", 9)}, {}, {}}, nil }
	one := 1
	tests := []struct {
		name    string
		plan    Plan
		sample  func() (any, error)
		records []string
		want    string
	}{
		{"records", plan, nil, []string{`{"Name":"a","Count":1,"Free":[1]}`, `{"Level":7,"More":1}`},
			`+33 {"name":"a","count":1,"level":0,"at":"0001-01-01T00:00:00Z","free":"[1]"}
+20 {"name":"","count":null,"level":7,"at":"0001-01-01T00:00:00Z","free":null}
={"Beyond":{"level":"7"},"Mixed":["free"],"Unknown":{"\"More\"":1}}
`},
		{"texts", texts, nil, []string{`{"Free":"x"}`}, `+12 {"name":"","count":null,"level":0,"at":"0001-01-01T00:00:00Z","free":"x"}
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
		{"a text no more", texts, nil, []string{`{"Free":1}`}, `!0 "item.Free: the JSON of a interface {} was always a text before and is 1 now"
={"Beyond":{},"Mixed":["free"],"Unknown":{}}
`},
		{"bad record", plan, nil, []string{`{"Name":1}`}, `!8 "json: cannot unmarshal number into Go struct field item.Name of type string"
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
		{"function", plan, func() (any, error) { return []*item{{Count: &one}, nil}, nil }, nil,
			`+71 {"name":"","count":1,"level":0,"at":"0001-01-01T00:00:00Z","free":null}
!0 "record 2 is nil"
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
		{"more records than may be", few, many, nil, `+83 {"name":"nnnnnnnnn","count":null,"level":0,"at":"0001-01-01T00:00:00Z","free":null}
={"Beyond":{},"Mixed":null,"Unknown":{},"Cut":true}
`},
		{"more bytes than may be", short, many, nil, `+83 {"name":"nnnnnnnnn","count":null,"level":0,"at":"0001-01-01T00:00:00Z","free":null}
={"Beyond":{},"Mixed":null,"Unknown":{},"Cut":true}
`},
		{"larger records than may be", small, many, nil, `!0 "record 1 is larger than 40 bytes; allow more with --max-record"
!0 "record 2 is larger than 40 bytes; allow more with --max-record"
!0 "record 3 is larger than 40 bytes; allow more with --max-record"
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
		{"methods that panic", plan, func() (any, error) { return []item{{Free: panics{}}, {}}, nil }, nil, `!0 "record 1: the type's own code panics: no"
+74 {"name":"","count":null,"level":0,"at":"0001-01-01T00:00:00Z","free":null}
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
		{"failing function", plan, func() (any, error) { return []item(nil), errors.New("no") }, nil, "error: the function returns an error: no"},
		{"times", plan, func() (any, error) {
			return []item{{At: time.Date(10000, 1, 1, 0, 0, 0, 5, time.FixedZone("", 3601))}}, nil
		}, nil, `+0 {"name":"","count":null,"level":0,"at":{"unix":253402297199,"nanos":5,"offset":3601},"free":null}
={"Beyond":{},"Mixed":null,"Unknown":{}}
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, run(t, tt.plan, tt.sample, tt.records...)); d != "" {
				t.Errorf("answers (-want +got):\n%s", d)
			}
		})
	}
}

type (
	outermost struct {
		*outer
		N int
	}
	outer struct {
		*inner
		Y int
	}
	inner struct{ X int }
)

func TestAt(t *testing.T) {
	full := outermost{outer: &outer{inner: &inner{X: 1}, Y: 2}, N: 3}
	tests := []struct {
		name  string
		of    outermost
		index []int
		want  any
	}{
		{"no pointer", full, []int{1}, 3},
		{"a pointer", full, []int{0, 1}, 2},
		{"two pointers", full, []int{0, 0, 0}, 1},
		{"a nil pointer", outermost{}, []int{0, 1}, 0},
		{"a nil pointer after another", outermost{outer: &outer{}}, []int{0, 0, 0}, 0},
		{"two nil pointers", outermost{}, []int{0, 0, 0}, 0},
		{"a nil pointer at the end", outermost{}, []int{0, 0}, (*inner)(nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, there := at(reflect.ValueOf(&tt.of).Elem(), tt.index)
			if want := reflect.ValueOf(tt.want); v.Type() != want.Type() || fmt.Sprint(v) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", v, want)
			}
			if there == strings.Contains(tt.name, "nil pointer") {
				t.Errorf("%s: there is %t", tt.name, there)
			}
		})
	}
}

// price parses a part of a record.
type price struct{ Cents int }

func (p *price) UnmarshalJSON(data []byte) error {
	var text string
	return json.Unmarshal(data, &text)
}

// A type whose method parses a part of a record may return an error with a place in that part, which
// is not one of the record.
func TestOffset(t *testing.T) {
	r := &runner{unknown: map[string]int64{}}
	for _, test := range []struct {
		into any
		data string
		want int64
	}{
		{new(item), `{"Name":"x","Level":true}`, 23},
		{new(item), `{"Name":"x","Level":1,"At":5}`, 0},
		{new(struct {
			Name  string
			Price price
		}), `{"Name":"abc","Price":5}`, 0},
		{new(struct {
			Name   int
			Prices map[string][]*price
		}), `{"Name":"abc"}`, 12},
		{new(price), `{"Cents":"abc"}`, 0},
	} {
		offset, err := r.decode([]byte(test.data), reflect.ValueOf(test.into))
		if err == nil || offset != test.want {
			t.Errorf("%s: offset %d, %v, want %d", test.data, offset, err, test.want)
		}
	}
}

// A ring leads back to itself.
type ring struct{ Next *ring }

func TestEndless(t *testing.T) {
	w := &writer{plan: Plan{Messages: map[string][]Field{"Ring": {{
		Name: "next", Index: []int{0}, Path: "ring.Next", Type: Type{How: Message, Ref: "Ring", Optional: true},
	}}}}}
	var endless ring
	endless.Next = &endless
	for range 2 { // the first error must not count for the second value
		_, err := w.value(nil, Type{How: Message, Ref: "Ring"}, reflect.ValueOf(endless))
		if err == nil || !strings.Contains(err.Error(), "more than 10000 structs within one another") {
			t.Fatalf("a pointer that leads back: %v", err)
		}
	}
	text, err := w.value(nil, Type{How: Message, Ref: "Ring"}, reflect.ValueOf(ring{&ring{}}))
	if want := `{"next":{"next":null}}`; err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

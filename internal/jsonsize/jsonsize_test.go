package jsonsize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"assay/schema"
	"assay/schema/text"
)

const shop = `
name = "shop"
roots = ["Order"]

[[messages]]
name = "Order"
fields = [
  { number = 1, name = "id",     type = "int64" },
  { number = 2, name = "name",   type = "*string",            omitempty = true },
  { number = 3, name = "price",  type = "*float64" },
  { number = 4, name = "tags",   type = "[]string",           omitzero = true },
  { number = 5, name = "notes",  type = "[]string",           null = true },
  { number = 6, name = "stock",  type = "map[string]Place",   omitempty = true },
  { number = 7, name = "pair",   type = "*Pair",              omitempty = true },
  { number = 8, name = "marks",  type = "[]MarkOrNull",       omitempty = true },
  { number = 9, name = "any",    type = "*string",            omitempty = true, json_text = true },
  { number = 10, name = "at",    type = "*timestamp",         omitempty = true },
  { number = 11, name = "count", type = "int64",              omitempty = true },
  { number = 12, name = "data",  type = "bytes",              omitempty = true },
  { number = 13, name = "codes", type = "[]string",           omitempty = true, one_or_many = true },
]

[[messages]]
name = "Place"
fields = [{ number = 1, name = "city", type = "string" }]

[[messages]]
name = "Pair"
row = true
fields = [{ number = 1, name = "f1", type = "int64" }, { number = 2, name = "f2", type = "*string" }]

[[messages]]
name = "MarkOrNull"
wraps = true
fields = [{ number = 1, name = "value", type = "*int64" }]
`

func order(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := text.Parse("shop.toml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The writer writes what encoding/json writes with the tags of the schema.
func TestWrite(t *testing.T) {
	const absent = `{"id":1,"name":null,"price":null,"tags":null,"notes":null,"stock":null,"pair":null,"marks":null,"any":null,"at":null,"count":0,"data":null,"codes":null}`
	with := func(pairs ...string) string {
		out := absent
		for i := 0; i < len(pairs); i += 2 {
			key := `"` + pairs[i] + `":`
			before, after, _ := strings.Cut(out, key)
			_, after, _ = strings.Cut(after, ",")
			if pairs[i] == "codes" {
				after = "}"
			} else {
				after = "," + after
			}
			out = before + key + pairs[i+1] + after
		}
		return out
	}
	for _, test := range []struct{ neutral, want string }{
		{absent, `{"id":1,"price":null,"notes":null}`},
		{with("name", `""`, "price", "0.0", "tags", "[]", "notes", "[]"), `{"id":1,"name":"","price":0,"tags":[],"notes":[]}`},
		{with("name", `"a<b>\u2028\u00e9\/"`), `{"id":1,"name":"a\u003cb\u003e\u2028é/","price":null,"notes":null}`},
		{with("price", "1e+30", "count", "7"), `{"id":1,"price":1e+30,"notes":null,"count":7}`},
		{with("stock", `{"x<":{"city":"y"}}`), `{"id":1,"price":null,"notes":null,"stock":{"x\u003c":{"city":"y"}}}`},
		{with("pair", `{"f1":1,"f2":null}`), `{"id":1,"price":null,"notes":null,"pair":[1,null]}`},
		{with("marks", `[{"value":1},{"value":null}]`), `{"id":1,"price":null,"notes":null,"marks":[1,null]}`},
		{with("any", `"{\"a\":[1.50,\"<\"]}"`), `{"id":1,"price":null,"notes":null,"any":{"a":[1.50,"\u003c"]}}`},
		{with("at", `"2024-01-01T00:00:00.5Z"`), `{"id":1,"price":null,"notes":null,"at":"2024-01-01T00:00:00.5Z"}`},
		{with("codes", `["a"]`), `{"id":1,"price":null,"notes":null,"codes":"a"}`},
		{with("codes", `[""]`), `{"id":1,"price":null,"notes":null,"codes":""}`},
		{with("codes", `["a","b"]`), `{"id":1,"price":null,"notes":null,"codes":["a","b"]}`},
		{with("codes", `[]`), `{"id":1,"price":null,"notes":null}`},
		{with("data", `"AAE="`), `{"id":1,"price":null,"notes":null,"data":"AAE="}`},
	} {
		w := writer{schema: shapesOf(order(t))}
		got, err := w.append(nil, schema.Type{Kind: schema.MessageKind, Ref: "Order"}, []byte(test.neutral))
		if err != nil {
			t.Errorf("%v of %s", err, test.neutral)
		}
		if string(got) != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.neutral, got, test.want)
		}
	}
}

// A JSON text with omitempty is left out only if it has no bytes, as in encoding/json.
func TestOmitJSONText(t *testing.T) {
	s, err := text.Parse("s.toml", []byte(`name = "s"
roots = ["M"]
[[messages]]
name = "M"
fields = [
  { number = 1, name = "v", type = "string", omitempty = true, json_text = true },
  { number = 2, name = "w", type = "[]string", omitempty = true, json_text = true },
]
`))
	if err != nil {
		t.Fatal(err)
	}
	type message struct {
		V json.RawMessage   `json:"v,omitempty"`
		W []json.RawMessage `json:"w,omitempty"`
	}
	for _, v := range []string{"", "0", "false", `""`, "{}", "[]", "null", "7"} {
		value := message{V: json.RawMessage(v), W: []json.RawMessage{}}
		if v != "" {
			value.W = append(value.W, json.RawMessage(v))
		}
		want, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		quoted := fmt.Sprintf("%q", v)
		list := "[" + quoted + "]"
		if v == "" {
			list = "[]"
		}
		w := writer{schema: shapesOf(s)}
		got, err := w.append(nil, schema.Type{Kind: schema.MessageKind, Ref: "M"}, []byte(`{"v":`+quoted+`,"w":`+list+`}`))
		if err != nil || string(got) != string(want) {
			t.Errorf("%q is written %s, want %s (%v)", v, got, want, err)
		}
	}
}

// The writer writes numbers and texts as encoding/json does.
func TestLeaves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	floats := []float64{0, math.Copysign(0, -1), 1, 0.1, 1e20, 1e21, 1e-6, 9.9e-7, 1e-10, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-100}
	for range 2000 {
		floats = append(floats, math.Float64frombits(r.Uint64()))
	}
	for _, f := range floats {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		want, _ := json.Marshal(f)
		if got, err := appendFloat(nil, fmt.Appendf(nil, "%g", f), 64); err != nil || string(got) != string(want) {
			t.Errorf("%g is written %s, want %s (%v)", f, got, want, err)
		}
		want, _ = json.Marshal(float32(f))
		if got, err := appendFloat(nil, fmt.Appendf(nil, "%g", float32(f)), 32); len(want) > 0 && (err != nil || string(got) != string(want)) {
			t.Errorf("%g is written %s, want %s (%v)", float32(f), got, want, err)
		}
	}
	for _, s := range []string{"", "a", "<>&", "\u2028\u2029", "é日本😀", "\x00\x1f\x7f\b\f\n\r\t", `"\/`, "â"} {
		want, _ := json.Marshal(s)
		w := &writer{schema: shapesOf(&schema.Schema{})}
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := w.appendText(nil, bytes.TrimSpace(plain.Bytes())); string(got) != string(want) {
			t.Errorf("%q is written %s, want %s", s, got, want)
		}
		w.schema.Unescaped = true
		if got := w.appendText(nil, bytes.TrimSpace(plain.Bytes())); string(got) != strings.TrimSuffix(plain.String(), "\n") {
			t.Errorf("%q is written %s without escapes, want %s", s, got, plain.String())
		}
	}
	w := &writer{schema: shapesOf(&schema.Schema{})}
	if got := w.appendText(nil, []byte(`{"base64":"/w=="}`)); string(got) != `"\ufffd"` {
		t.Errorf("what is not UTF-8 is written %s", got)
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct{ sample, written, want string }{
		{`{"id":1}`, `{"id":1}`, ""},
		{`{"id":1,"name":null}`, `{"id":1}`, "null-left-out -12 at name"},
		{`{"name":null}`, `{}`, "null-left-out -11 at name"},
		{`{"id":1}`, `{"id":1,"price":null}`, "absent-as-null +13 at price"},
		{`{}`, `{"price":null}`, "absent-as-null +12 at price"},
		{`{"id":1,"tags":[]}`, `{"id":1}`, "empty-left-out -10 at tags"},
		{`{"price":0.0}`, `{}`, "empty-left-out -11 at price"},
		{`{"price":-0e7}`, `{}`, "empty-left-out -12 at price"},
		{`{"price":0.1}`, `{}`, "left-out -11 at price"},
		{`{"id":1,"zip":"12"}`, `{"id":1}`, "left-out -11 at zip"},
		{`{"id":1}`, `{"id":1,"count":0}`, "added +10 at count"},
		{`{"notes":null}`, `{"notes":[]}`, "null-as-empty -2 at notes"},
		{`{"notes":""}`, `{"notes":null}`, "empty-as-null +2 at notes"},
		{`{"name":"a<b"}`, `{"name":"a\u003cb"}`, "html +5 at name"},
		{`{"name":"\u00e9\/"}`, `{"name":"é/"}`, "escapes -5 at name"},
		{`{"name":"\u00e9<"}`, `{"name":"é\u003c"}`, "html +5 at name, escapes -4 at name"},
		{`{"price":1.50}`, `{"price":1.5}`, "numbers -1 at price"},
		{`{"price":1E2}`, `{"price":100}`, "numbers +0 at price"},
		{`{"price":0.10000000000000000555}`, `{"price":0.1}`, "numbers -19 at price"},
		{`{"price":9007199254740993}`, `{"price":9007199254740992}`, "rounded +0 at price"},
		{`{"price":92233720368547758.07}`, `{"price":92233720368547760}`, "rounded -3 at price"},
		{`{"price":9007199254740993.0}`, `{"price":9007199254740992}`, "rounded -2 at price"},
		{`{"price":1234567890123456768.0}`, `{"price":1234567890123456800}`, "numbers -2 at price"},
		{`{"price":1e300}`, `{"price":1e+300}`, "numbers +1 at price"},
		{`{"at":"2024-01-01T00:00:00.000Z"}`, `{"at":"2024-01-01T00:00:00Z"}`, "times -4 at at"},
		{`{"at":"2024-01-01T00:00:00+00:00"}`, `{"at":"2024-01-01T00:00:00Z"}`, "times -5 at at"},
		{`{"name":"a"}`, `{"name":"bc"}`, "texts +1 at name"},
		{`{"id":"1"}`, `{"id":1}`, "types -2 at id"},
		{`{"id":[1,2]}`, `{"id":[1]}`, "types -2 at id"},
		{`{"a,b":1}`, `{"a_b":1}`, "keys +0 at a,b"},
		{`{"a,b":1}`, `{"a_b_2":1}`, "keys +2 at a,b"},
		{`{"a\"b":1}`, `{"a_b":1}`, `keys -1 at "a\"b"`},
		{`{"a,b":1,"a'b":2,"a_b":3}`, `{"a_b_2":1,"a_b_3":2,"a_b":3}`, `keys +4 at a'b a,b`},
		{`{"stock":{"x":{"city":null},"y":{"city":null}}}`, `{"stock":{"x":{},"y":{}}}`, "null-left-out -22 at stock.*.city"},
		{`{"pair":[1,"<"]}`, `{"pair":[1,"\u003c"]}`, "html +5 at pair.f2"},
		{`{"codes":"\u00e9"}`, `{"codes":"é"}`, "escapes -4 at codes[]"},
		{`{"codes":["a"]}`, `{"codes":"a"}`, "types -2 at codes"},
		{`{"codes":"a"}`, `{"codes":["a"]}`, "types +2 at codes"},
		{`{"marks":[1.0,null]}`, `{"marks":[1,null]}`, "numbers -2 at marks[]"},
		{`{"name":"\ud800","id":1}`, `{"name":"` + "\ufffd" + `","id":1}`, "texts -3 at name"},
		{`{"name":"\u00e9","codes":["\ud800"]}`, `{"name":"é","codes":["\ufffd"]}`, "escapes -4 at name, texts +0 at codes[]"},
		{`{"stock":{"\ud800":1.0}}`, `{"stock":{"\ufffd":1}}`, "numbers -2 at stock.*, texts +0 at stock.*"},
		{`{"name":null,"id":1}`, `{"id":1,"price":null}`, "absent-as-null +13 at price, null-left-out -12 at name"},
	} {
		a := New(order(t), "Order")
		if err := a.Compare([]byte(test.sample), []byte(test.written)); err != nil {
			t.Error(err)
			continue
		}
		var got []string
		sum := int64(0)
		for _, c := range a.Size().Changes {
			got = append(got, fmt.Sprintf("%s %+d at %s", c.Cause, c.Bytes, strings.Join(c.Where, " ")))
			sum += c.Bytes
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s → %s\ngot  %s\nwant %s", test.sample, test.written, s, test.want)
		}
		if want := int64(len(test.written) - len(test.sample)); sum != want {
			t.Errorf("%s → %s: the changes are %d bytes, want %d", test.sample, test.written, sum, want)
		}
	}
}

// If encoding/json refuses a record, the sample has no size, even if other records have one.
func TestNoSize(t *testing.T) {
	a := New(order(t), "Order")
	neutral := `{"id":1,"name":null,"price":"NaN","tags":null,"notes":null,"stock":null,"pair":null,"marks":null,"any":null,"at":null,"count":0,"data":null,"codes":null}`
	if err := a.Add([]byte(`{"id":1}`), []byte(neutral)); err != nil {
		t.Fatal(err)
	}
	if size := a.Size(); size != nil {
		t.Errorf("the size is %v", size)
	}
}

// In a large sample, the first records and some of the others are compared.
func TestLargeSample(t *testing.T) {
	a := New(order(t), "Order")
	long := strings.Repeat("x", 1<<20)
	record := fmt.Sprintf(`{"id": 1, "name": "\" %s \\", "price": null, "notes": null}`, long)
	neutral := fmt.Sprintf(`{"id":1,"name":"\" %s \\","price":null,"tags":null,"notes":null,"stock":null,"pair":null,"marks":null,"any":null,"at":null,"count":0,"data":null,"codes":null}`, long)
	const n = compared>>20 + 2*every
	for range n {
		if err := a.Add([]byte(record), []byte(neutral)); err != nil {
			t.Fatal(err)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(record)); err != nil {
		t.Fatal(err)
	}
	size, one := a.Size(), int64(compact.Len())
	if size.Compact != n*one || size.Written != size.Compared || size.Compared%one != 0 || size.Compared/one > n-every || size.Compared/one < compared/one+1 {
		t.Errorf("%d bytes, of which %d are compared and written as %d, of %d records of %d bytes", size.Compact, size.Compared, size.Written, n, one)
	}
}

// FuzzCompare checks that the changes of any two texts add up to the difference of their
// sizes.
func FuzzCompare(f *testing.F) {
	f.Add(`{"id":1,"name":null}`, `{"id":1}`)
	f.Add(`{"a":[{"b":1.0},{}],"c":"\u00e9<"}`, `{"c":"é\u003c","a":[{"b":1},null],"d":[]}`)
	f.Add(`{"a":1,"a,":2,"a_":3}`, `{"a_":1}`)
	f.Add(`[]`, `{"x":null}`)
	f.Fuzz(func(t *testing.T, sample, written string) {
		var s, w bytes.Buffer
		if json.Compact(&s, []byte(sample)) != nil || json.Compact(&w, []byte(written)) != nil {
			return
		}
		a := New(order(t), "Order")
		if err := a.Compare(s.Bytes(), w.Bytes()); err != nil {
			return // not valid UTF-8
		}
		sum := 0
		for _, c := range a.Size().Changes {
			sum += int(c.Bytes)
		}
		if n := compactSize([]byte(sample)); n != int64(s.Len()) {
			t.Errorf("%s has %d bytes without spaces, want %d", sample, n, s.Len())
		}
		if want := w.Len() - s.Len(); sum != want {
			t.Errorf("%s → %s: the changes are %d bytes, want %d", &s, &w, sum, want)
		}
	})
}

// The memory that a comparison needs does not grow with the depth of the record.
func TestDeepRecord(t *testing.T) {
	s, err := text.Parse("deep.toml", []byte(`name = "deep"
roots = ["Node"]

[[messages]]
name = "Node"
fields = [
	{ number = 1, name = "in", type = "*Node" },
	{ number = 2, name = "n", type = "float64" },
	{ number = 3, name = "s", type = "string" },
]
`))
	if err != nil {
		t.Fatal(err)
	}
	const depth, long = 100, 1 << 20
	record := func(n string) []byte {
		return []byte(strings.Repeat(`{"in":`, depth) + `{"n":` + n + `,"s":"` + strings.Repeat("x", long) + `"}` + strings.Repeat("}", depth))
	}
	sample, written := record("1.0"), record("1")
	a := New(s, "Node")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := a.Compare(sample, written); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > depth/2*long {
		t.Errorf("comparing a record of %d bytes with %d levels takes %d bytes", len(sample), depth, got)
	}
	if changes := a.Size().Changes; len(changes) != 1 || changes[0].Cause != string(Numbers) {
		t.Errorf("the changes are %v", changes)
	}
}

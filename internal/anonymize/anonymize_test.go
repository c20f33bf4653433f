package anonymize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"assay/internal/infer"
	"assay/schema/text"
)

// sampleOf makes a sample with a fixed seed and returns it with its lines.
func sampleOf(t testing.TB, data []byte, o infer.Options) (*Sample, []string) {
	t.Helper()
	s, err := Make([]infer.Source{infer.Bytes("f.json", data)}, o, "test")
	if err != nil {
		t.Fatal(err)
	}
	return s, lines(t, s)
}

func lines(t testing.TB, s *Sample) []string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// originals returns the original records in compact JSON.
func originals(t testing.TB, s *Sample) (out []string) {
	t.Helper()
	named := false
	err := s.Of.Visit(func(rec infer.Record, header bool) error {
		if header && named {
			return nil
		}
		named = named || header
		v := jsontext.Value(bytes.Clone(rec.Raw))
		if err := v.Compact(); err != nil {
			return err
		}
		out = append(out, string(v))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// check checks what every sample guarantees: as many records of the same sizes and, if s.Same is set,
// the same schema.
func check(t testing.TB, s *Sample, o infer.Options) {
	t.Helper()
	before, after := originals(t, s), lines(t, s)
	if len(before) != len(after) {
		t.Fatalf("%d lines of %d records", len(after), len(before))
	}
	for i := range before {
		if len(before[i]) != len(after[i]) {
			t.Fatalf("record %d has %d bytes and had %d:\n%s\n%s", i, len(after[i]), len(before[i]), after[i], before[i])
		}
		if b, a := encoded(t, before[i]), encoded(t, after[i]); len(b) != len(a) {
			t.Fatalf("record %d is encoded to %d bytes and was to %d:\n%s\n%s", i, len(a), len(b), a, b)
		}
	}
	if !s.Same {
		return
	}
	if o.Name == "" {
		o.Name = s.Of.Schema.Name
	}
	o.Records = "."
	r, err := infer.JSON([]infer.Source{infer.Bytes("f.json", []byte(strings.Join(after, "\n")))}, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text.Format(s.Of.Schema)), string(text.Format(r.Schema))); diff != "" {
		t.Errorf("the schema changed (-before +after):\n%s", diff)
	}
}

// encoded returns a record as encoding/json writes it, with the original text of numbers.
func encoded(t testing.TB, record string) []byte {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(record))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, record)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Anonymized versions of inference's test samples have the same schemas.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../infer/testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sources, done, err := infer.Files(t.Context(), []string{file}, nil, infer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			s, err := Make(sources, infer.Options{Name: "x"}, "test")
			if err != nil {
				t.Fatal(err)
			}
			if !s.Same {
				t.Error("inference makes another schema of the sample")
			}
			s.Of.Schema.Doc = "Inferred from the records of f."
			check(t, s, infer.Options{Name: "x"})
		})
	}
}

func TestSeed(t *testing.T) {
	data := []byte(`{"name":"Ada Lovelace","at":"2024-05-06T07:08:09Z","n":123456}{"name":"Grace Hopper","at":"2025-05-06T07:08:09Z","n":654321}`)
	_, one := sampleOf(t, data, infer.Options{})
	_, two := sampleOf(t, data, infer.Options{})
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("one seed, two samples:\n%s", diff)
	}
	seen := [][]string{one}
	for range 2 {
		s, err := Make([]infer.Source{infer.Bytes("f.json", data)}, infer.Options{}, "")
		if err != nil {
			t.Fatal(err)
		}
		other := lines(t, s)
		if slices.ContainsFunc(seen, func(s []string) bool { return cmp.Equal(s, other) }) {
			t.Error("without a seed the sample is that of a seed, or the same twice")
		}
		seen = append(seen, other)
	}
	for _, word := range []string{"Ada", "Lovelace", "Grace", "07:08:09", "654321"} {
		if strings.Contains(strings.Join(one, ""), word) {
			t.Errorf("%q is still there: %s", word, one)
		}
	}
}

// A text keeps its length, its signs, and the case and script of its letters; long texts change.
func TestText(t *testing.T) {
	for _, tt := range []struct{ in, form string }{
		{"Ada Lovelace", "Aaa Aaaaaaaa"},
		{"", ""},
		{"007", "000"},
		{"+1 (555) 010-9999", "+0 (000) 000-0000"},
		{"https://example.com/a?b=1&c=%20", "aaaaa://aaaaaaa.aaa/a?a=0&a=%00"},
		{"Größe", "Aaaaa"},
		{"東京 2020", "漢漢 0000"},
		{"Привет", "Aaaaaa"},
		{"👍🏽 ok", "👍🏽 aa"},
	} {
		s, out := sampleOf(t, []byte(`{"v":`+strconv.Quote(tt.in)+`}{"v":"?"}`), infer.Options{})
		if !s.Same {
			t.Errorf("%q: the schema changed", tt.in)
		}
		var got struct{ V string }
		if err := json.Unmarshal([]byte(out[0]), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.V) != len(tt.in) || form(got.V) != form(tt.in) || form(tt.in) != form(tt.form) {
			t.Errorf("%q became %q", tt.in, got.V)
		}
		if len(tt.in) > 8 && got.V == tt.in {
			t.Errorf("%q is as it was", tt.in)
		}
	}
}

// form returns a text with all characters of one alphabet replaced by one of them.
func form(s string) string {
	a := &alphabets{map[rune]letter{}, map[string]*alphabet{}}
	return strings.Map(func(r rune) rune {
		l := a.of(r)
		switch {
		case l.alphabet == nil:
			return r
		case l.name == "a" || strings.HasPrefix(l.name, "Ll"):
			return 'a'
		case l.name == "A" || strings.HasPrefix(l.name, "Lu"):
			return 'A'
		}
		return rune(l.name[0])
	}, s)
}

// Escaped characters stay escaped at the same places.
func TestEscapes(t *testing.T) {
	_, out := sampleOf(t, []byte(`{"v":"a\u0041\n\"\\\/\u00e9\ud83d\ude00é😀\u0000"}`), infer.Options{})
	got := out[0]
	want := `{"v":"a\u0041\n\"\\\/\u00e9\ud83d\ude00é😀\u0000"}`
	if len(got) != len(want) || got[7:9] != `\u` || !strings.Contains(got, `\n\"\\\/\u0`) || !strings.HasSuffix(got, `\u0000"}`) || !json.Valid([]byte(got)) {
		t.Errorf("%s became %s", want, got)
	}
}

// Permutations map different values to different values.
func TestPermutations(t *testing.T) {
	p := newPermuter([32]byte{1})
	for _, n := range []uint64{1, 2, 3, 4, 9, 10, 26, 100, 1000, 1001} {
		moved := 0
		seen := map[uint64]bool{}
		for x := range n {
			y := p.integer([]byte("d"), x, n)
			if y >= n || seen[y] {
				t.Fatalf("of %d, %d became %d", n, x, y)
			}
			seen[y] = true
			if x != y {
				moved++
			}
		}
		if n >= 9 && moved < int(n)/2 {
			t.Errorf("of %d only %d are moved", n, moved)
		}
	}
	x := newTexts(p)
	for _, pattern := range []string{"%d", "%02d", "k%d", "%03x", "2024-01-%02d", "+%d.5", "TZTZTZTZTZ-%d", "2031-05-06T07:08:%02d.50+02:00"} {
		before, after := map[string]bool{}, map[string]bool{}
		for i := range 200 {
			s := fmt.Sprintf(pattern, i)
			before[s] = true
			out := x.plain(s)
			if infer.LookOf(s) != infer.LookOf(out) || len(s) != len(out) {
				t.Errorf("%q became %q", s, out)
			}
			after[out] = true
		}
		if len(before) != len(after) {
			t.Errorf("of %d texts as %s there are %d", len(before), pattern, len(after))
		}
	}
}

// Numbers keep their form and stay within their range.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	forms := []func() string{
		func() string { return fmt.Sprint(r.IntN(1000) - 500) },
		func() string { return fmt.Sprint(r.Uint64()) },
		func() string { return fmt.Sprint(-r.Int64()) },
		func() string { return fmt.Sprintf("%.2f", r.Float64()*200-100) },
		func() string { return fmt.Sprint(r.Float64()) },
		func() string { return fmt.Sprintf("%.30f", r.Float64()) },
		func() string { return fmt.Sprintf("%.15f", -65+r.Float64()/1000) },
		func() string { return fmt.Sprintf("%de%+03d", r.IntN(100), r.IntN(600)-300) },
		func() string { return fmt.Sprint(r.NormFloat64() * 1e-310) },
		func() string { return fmt.Sprintf("%.3E", r.NormFloat64()) },
		func() string { return fmt.Sprintf("%d%020d", 1+r.IntN(9), r.Uint64()) },
		func() string { return "1.7976931348623157e308" },
		func() string { return []string{"0", "-0", "0.0", "1e999", "-5e-324", "1e-400"}[r.IntN(6)] },
	}
	for i, f := range forms {
		var in strings.Builder
		for range 60 {
			fmt.Fprintf(&in, "{\"v\":%s}\n", f())
		}
		s, after := sampleOf(t, []byte(in.String()), infer.Options{Name: "f"})
		if !s.Same {
			t.Errorf("form %d: the schema changed", i)
		}
		check(t, s, infer.Options{Name: "f"})
		low, high, before := 0.0, 0.0, originals(t, s)
		became := map[string]string{}
		for j, line := range before {
			b := line[5 : len(line)-1]
			a := after[j][5 : len(after[j])-1]
			if was, ok := became[b]; ok && was != a {
				t.Errorf("%s became %s and %s", b, was, a)
			}
			became[b] = a
			v, _ := strconv.ParseFloat(b, 64)
			if j == 0 {
				low, high = v, v
			}
			low, high = min(low, v), max(high, v)
		}
		for b, a := range became {
			fb, _ := infer.FormOf([]byte(b))
			if fa, _ := infer.FormOf([]byte(a)); fa != fb {
				t.Errorf("%s became %s", b, a)
			}
			v, _ := strconv.ParseFloat(a, 64)
			was, _ := strconv.ParseFloat(b, 64)
			if fb == infer.Beyond {
				if len(a) != len(b) {
					t.Errorf("%s became %s", b, a)
				}
				continue
			}
			if low < high && (v < low || v > high) || len(fmt.Sprint(v)) != len(fmt.Sprint(was)) && strings.ContainsAny(a, ".eE") {
				t.Errorf("%s became %s, of %v to %v", b, a, low, high)
			}
		}
		values := map[string]bool{}
		for _, a := range became {
			values[a] = true
		}
		if len(values) != len(became) {
			t.Errorf("form %d: of %d numbers there are %d", i, len(became), len(values))
		}
	}
}

func TestTimes(t *testing.T) {
	in := []string{
		"2024-02-29T23:59:59Z", "2024-02-29T23:59:59.5+05:30", "2024-03-01T00:00:00.120-08:00", "2024-06-30T12:00:00.123456789Z",
		"2024-06-30T12:00:00.000Z", "2024-06-30T12:00:00.25Z", "2024-07-01T12:00:00-00:00", "2024-07-01T12:00:00+00:00",
	}
	for _, more := range [][]string{nil, {"0001-01-01T00:00:00-12:00", "9999-12-31T23:59:59.999999999+12:00"}} {
		in := append(in, more...)
		s, out := sampleOf(t, []byte(`{"t":"`+strings.Join(in, `"}{"t":"`)+`"}`), infer.Options{Name: "f"})
		if !s.Same {
			t.Error("the schema changed")
		}
		parse := func(s string) time.Time {
			v, err := time.Parse(time.RFC3339Nano, s)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		first, last := parse(in[0]), parse(in[0])
		for _, s := range in {
			if v := parse(s); v.Before(first) {
				first = v
			} else if v.After(last) {
				last = v
			}
		}
		for i, b := range in {
			a := out[i][6 : len(out[i])-2]
			v := parse(a)
			if v.Before(first) || v.After(last) || a[19:][strings.IndexAny(a[19:], "Z+-"):] != b[19:][strings.IndexAny(b[19:], "Z+-"):] ||
				len(v.Format(time.RFC3339Nano)) != len(parse(b).Format(time.RFC3339Nano)) || len(a) != len(b) {
				t.Errorf("%s became %s", b, a)
			}
		}
	}
}

// Keys that are data are replaced, but names of fields are not.
func TestKeys(t *testing.T) {
	in := `{"prices":{"10001":1.5,"10002":2.5,"10003":3.5},"user":{"name":"x","tags":["aa","bb","aa"]},"any":{"inner":1},"of":{"kind":"secret"}}` + "\n" +
		`{"prices":{"10002":1.5,"10004":2.5},"user":{"name":"y","tags":[]},"any":["text",[1]],"of":"secret"}`
	s, out := sampleOf(t, []byte(in), infer.Options{Name: "f"})
	if !s.Same {
		t.Error("the schema changed")
	}
	check(t, s, infer.Options{Name: "f"})
	all := strings.Join(out, "\n")
	for _, name := range []string{`"prices"`, `"user"`, `"name"`, `"tags"`, `"any"`, `"kind"`} {
		if !strings.Contains(all, name) {
			t.Errorf("%s is gone: %s", name, all)
		}
	}
	if strings.Contains(all, "inner") || strings.Contains(all, "secret") {
		t.Errorf("a key that is data, or a text, is still there: %s", all)
	}
	var got []struct {
		Prices map[string]float64
		User   struct{ Tags []string }
	}
	if err := json.Unmarshal([]byte("["+strings.Join(out, ",")+"]"), &got); err != nil {
		t.Fatal(err)
	}
	shared := 0
	for k := range got[0].Prices {
		if _, ok := got[1].Prices[k]; ok {
			shared++
		}
	}
	if tags := got[0].User.Tags; shared != 1 || tags[0] != tags[2] || tags[0] == tags[1] {
		t.Errorf("equal texts are not equal any more, or others are: %s", all)
	}
}

// A key that is not in the schema that the user gave is data.
func TestForeignKeys(t *testing.T) {
	base, err := infer.JSON([]infer.Source{infer.Bytes("f", []byte(`{"id":1}{"id":2}`))}, infer.Options{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	_, out := sampleOf(t, []byte(`{"id":1,"ada@example.org":true}`+"\n"+`{"id":2}`), infer.Options{Name: "f", Schema: base.Schema})
	if all := strings.Join(out, "\n"); strings.Contains(all, "example") || !strings.Contains(all, `"id"`) {
		t.Errorf("the sample is %s", all)
	}
}

// Values are replaced according to the user's answers or schema, which then fit the sample too.
func TestOverrules(t *testing.T) {
	in := `{"n":"12345","b":"aGVsbG8=","d":"1m30s","e":"red","f":7,"i":{"2147483647":"true"}}` + "\n" + `{"n":"99999","b":"d29ybGQh","d":"2h0s","e":"green","f":9,"i":{"1000000000":"false"}}`
	var o infer.Options
	for _, v := range []string{"n=int64", "b=bytes", "d=duration", "e=enum", "f=float64", "i=map[int32]", "i.*=bool"} {
		of, err := infer.ParseOverrule("type", v)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	o.Name = "f"
	s, out := sampleOf(t, []byte(in), o)
	if !s.Same {
		t.Errorf("the schema changed: %s", out)
	}
	check(t, s, o)
	if !strings.Contains(out[0], `"e":"red"`) {
		t.Errorf("an enum's values are its schema: %s", out[0])
	}
	given := infer.Options{Schema: s.Of.Schema}
	g, _ := sampleOf(t, []byte(in), given)
	if !g.Same {
		t.Error("a schema that is given does not take the sample")
	}
}

// The schema stays the same for any name of the file and any key of the records.
func TestNames(t *testing.T) {
	for _, name := range []string{"2024-05-01", "1", "package", "type", "orders", "_", "größe", "data", ""} {
		for _, test := range []struct{ file, text, records string }{
			{name + ".json", `{"a":1,"b":{"c":2,"d":"x"}}`, ""},
			{"f.json", `{"` + name + `":[{"a":1,"b":{"c":2,"d":"x"}}]}`, strconv.Quote(name) + "[]"},
		} {
			s, err := Make([]infer.Source{infer.Bytes(test.file, []byte(test.text))}, infer.Options{Records: test.records}, "test")
			if err != nil || !s.Same {
				t.Errorf("%s, records %s: the schema changed, or %v", test.file, test.records, err)
			}
		}
	}
}

// Records that are selected by a text get another text, and have the same schema.
func TestOnly(t *testing.T) {
	only, err := infer.ParseOnly("kind=order")
	if err != nil {
		t.Fatal(err)
	}
	s, out := sampleOf(t, []byte(`{"kind":"order","n":12}{"kind":"other","m":true}{"kind":"order","n":34}`), infer.Options{Name: "f", Only: []infer.Only{only}})
	if !s.Same || len(out) != 2 || strings.Contains(out[0], "order") {
		t.Errorf("the same schema: %v, %q", s.Same, out)
	}
}

// Make refuses what inference refuses, and leaves out bad records.
func TestBad(t *testing.T) {
	for _, in := range []string{"", "null", `{"a":1,"a":2}`, `{"a":`, "no JSON", `{"a":1}[1]`} {
		if _, err := Make([]infer.Source{infer.Bytes("f.json", []byte(in))}, infer.Options{}, ""); err == nil {
			t.Errorf("%s: no error", in)
		}
	}
	s, out := sampleOf(t, []byte("{\"a\":1}\n{\"a\":1,\"a\":2}\nnull\n{\"a\":3}"), infer.Options{SkipBad: true})
	if len(out) != 2 || !s.Same {
		t.Errorf("of two good records there are %q", out)
	}
}

// Names of columns are kept and written once.
func TestColumns(t *testing.T) {
	in := []byte("[\"id\",\"name\"]\n[1,\"Ada\"]\n[2, \"Bob\"]\n")
	s, err := Make([]infer.Source{infer.Bytes("a.json", in), infer.Bytes("b.json", in)}, infer.Options{Name: "x"}, "test")
	if err != nil {
		t.Fatal(err)
	}
	out := lines(t, s)
	if len(out) != 5 || out[0] != `["id","name"]` || out[1] != out[3] || !s.Same || strings.Contains(out[1], "Ada") {
		t.Errorf("%v %q", s.Same, out)
	}
}

func FuzzMake(f *testing.F) {
	files, _ := filepath.Glob("../infer/testdata/samples/*")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 1<<14 {
			f.Add(data, false)
		}
	}
	for _, s := range []string{
		`[{"a":1},{"a":null,"b":[[],[1]]},null]`, `1 2.5 null`, `"x"`, `[[1,"a"],[2,"b"]] [[]]`, `{"a":{"b":{"a":{"b":1}}}}`,
		`{"1":{"2":{}},"3":{"4":[{}]}}`, `["a","b"] [1,"c"] [2,"d"]`, `[{"a":1},{`, `{"a":1e999,"b":-0,"c":"0000-01-01T00:00:00Z"}`,
		`{"a":1e308,"b":0.99999999999999999,"c":-1.5e308}`,
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, skipBad bool) {
		o := infer.Options{SkipBad: skipBad, MaxRecord: 1 << 20, Name: "f"}
		s, err := Make([]infer.Source{infer.Bytes("f.json", data)}, o, "fuzz")
		if err != nil {
			return
		}
		check(t, s, o)
		if !s.Same {
			t.Errorf("the schema changed: %s", lines(t, s))
		}
	})
}

// Random records keep their schemas, even with keys and values that inference barely distinguishes.
func TestComposed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same, n := 0, 400
	if testing.Short() {
		n = 100
	}
	for range n {
		var in strings.Builder
		for range 1 + r.IntN(6) {
			compose(r, &in, 0, true)
			in.WriteByte('\n')
		}
		o := infer.Options{Name: "f", Records: "."}
		s, err := Make([]infer.Source{infer.Bytes("f.json", []byte(in.String()))}, o, "test")
		if err != nil {
			continue // a sample without a value
		}
		check(t, s, o)
		if same++; !s.Same {
			t.Errorf("the schema changed:\n%s%s", in.String(), lines(t, s))
		}
	}
	if same < n/2 {
		t.Errorf("only %d of %d samples have a schema", same, n)
	}
}

var (
	composedKeys    = []string{"a", "b", "A", "items", "user_id", "1", "22", "007", "2024-01-01", "T1", "a,b", "", "größe", "x@y.org", "a/b", "0x12ab34cd56ef", "9223372036854775807", "2147483647", `\"\u00e9`}
	composedScalars = []string{"1", "-1", "0", "-0", "2.50", "1e3", "1e999", "18446744073709551615", "9007199254740993", "99999999999999999999999", "-9223372036854775808", "0e-5", "5e-324",
		`"x"`, `""`, `"12"`, `"2024-01-01T00:00:00Z"`, `"2024-13-01T00:00:00Z"`, `"2024-01-01T00:00:00.5+05:30"`, `"0000-02-29T00:00:00Z"`, `"true"`, `"\u0000\ud83d\ude00"`, "true", "null"}
)

func compose(r *rand.Rand, b *strings.Builder, depth int, object bool) {
	switch k := r.IntN(10); {
	case !object && (depth > 4 || k < 5):
		b.WriteString(composedScalars[r.IntN(len(composedScalars))])
	case object || k < 8:
		b.WriteByte('{')
		for i, k := range r.Perm(len(composedKeys))[:r.IntN(6)] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + composedKeys[k] + `":`)
			compose(r, b, depth+1, false)
		}
		b.WriteByte('}')
	default:
		b.WriteByte('[')
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteByte(',')
			}
			compose(r, b, depth+1, false)
		}
		b.WriteByte(']')
	}
}

package jsonsize_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/internal/samples"
	"assay/result"
)

// account infers the schema of a sample and returns the sizes of its JSON.
func account(t *testing.T, name, records string, data []byte, types ...string) *result.JSONSize {
	t.Helper()
	o := infer.Options{Records: records}
	for _, text := range types {
		of, err := infer.ParseOverrule("type", text)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	r, err := infer.JSON([]infer.Source{infer.Bytes(name, data)}, o)
	if err != nil {
		t.Fatal(err)
	}
	a := jsonsize.New(r.Schema, r.Root)
	if err := r.Lines(a.Add); err != nil {
		t.Fatal(err)
	}
	size := a.Size()
	if size == nil {
		t.Fatal("no size")
	}
	sum := int64(0)
	for _, c := range size.Changes {
		sum += c.Bytes
		if jsonsize.CauseText[jsonsize.Cause(c.Cause)] == "" {
			t.Errorf("the cause %s has no text", c.Cause)
		}
		if c.Count < 1 || len(c.Where) < 1 || c.Places < len(c.Where) {
			t.Errorf("%s: %d values at %d of %d places", c.Cause, c.Count, len(c.Where), c.Places)
		}
	}
	if sum != size.Written-size.Compared || size.Compared != size.Compact {
		t.Errorf("the changes are %d bytes, the difference %d; %d of %d bytes were compared", sum, size.Written-size.Compact, size.Compared, size.Compact)
	}
	return size
}

// changed maps the samples that encoding/json writes differently to the causes. All other
// samples keep their exact size.
var changed = map[string]string{
	"reddit":   "empty-as-null", // an empty text stands for no replies
	"php":      "empty-list-as-map",
	"calendar": "times",
	"invoices": "numbers",
	"escapes":  "escapes numbers",
	"routes":   "empty-as-null numbers",
}

// Texts with characters that encoding/json escapes for HTML are written as in the sample, or
// escaped if the user asks for that.
func TestEscapes(t *testing.T) {
	data := []byte(`{"a":"<b>","m":{"x & y":1}}{"a":"c","m":{"z":2}}`)
	if size := account(t, "t.ndjson", "", data); size.Written != size.Compact || !size.Unescaped {
		t.Errorf("%d bytes are written as %d: %+v", size.Compact, size.Written, size.Changes)
	}
	size := account(t, "t.ndjson", "", data, ".=html")
	if want := size.Compact + 3*int64(len(`\u003c`)-len(`<`)); size.Written != want || len(size.Changes) != 1 || size.Changes[0].Cause != string(jsonsize.HTML) {
		t.Errorf("%d bytes, escaped, are %d, want %d: %+v", size.Compact, size.Written, want, size.Changes)
	}
	if size := account(t, "t.ndjson", "", []byte("{\"a\":\"<b>\",\"b\":\"x\u2028y\"}")); len(size.Changes) != 1 || size.Changes[0].Cause != string(jsonsize.Separators) || size.Written != size.Compact+3 {
		t.Errorf("a line separator is blamed on something else: %+v", size)
	}
	if size := account(t, "t.ndjson", "", []byte(`{"a":"\u003cb\u003e","b":"<"}`)); size.Written == size.Compact {
		t.Error("texts that are escaped in part are written as they are")
	}
}

func TestSamples(t *testing.T) {
	left := map[string]bool{}
	for name := range changed {
		left[name] = true
	}
	for _, s := range samples.All() {
		delete(left, s.Name)
		t.Run(s.Name, func(t *testing.T) {
			size := account(t, s.File(), s.Records, s.JSON(0))
			var causes []string
			for _, c := range size.Changes {
				causes = append(causes, c.Cause)
			}
			if got := strings.Join(causes, " "); got != changed[s.Name] {
				t.Errorf("changed by %q, want %q", got, changed[s.Name])
			}
			var kept []string
			for _, c := range size.Changes {
				if c.Cause == string(jsonsize.Numbers) && c.Places == len(c.Where) {
					for _, path := range c.Where {
						kept = append(kept, path+"=number")
					}
				}
			}
			if len(kept) > 0 {
				for _, c := range account(t, s.File(), s.Records, s.JSON(0), kept...).Changes {
					if c.Cause == string(jsonsize.Numbers) {
						t.Errorf("with %s numbers are changed: %+v", kept, c)
					}
				}
			}
			if len(s.Types) == 0 {
				return
			}
			if typed := account(t, s.File(), s.Records, s.JSON(0), s.Types...); len(typed.Changes) > 0 {
				t.Errorf("with its types changed: %+v", typed.Changes)
			}
		})
	}
	for name := range left {
		t.Errorf("there is no sample %s", name)
	}
}

// For every sample and every public file, the measured JSON has the size of the user's JSON
// within 1%, after the numbers, times and escapes of both are spelled as Go writes them.
func TestWithinOnePercent(t *testing.T) {
	unlike := map[string]string{
		"odd.ndjson": "keys that no struct tag can hold",
	}
	check := func(name, records string, data []byte) {
		if unlike[name] != "" {
			return
		}
		t.Run(name, func(t *testing.T) {
			size := account(t, name, records, data)
			want := int64(0)
			r, err := infer.JSON([]infer.Source{infer.Bytes(name, data)}, infer.Options{Records: records})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Lines(func(sample, _ []byte) error { want += asGoWrites(t, sample); return nil }); err != nil {
				t.Fatal(err)
			}
			for _, c := range size.Changes {
				if c.Cause == string(jsonsize.Times) { // only the schema knows which texts are times
					want += c.Bytes
				}
			}
			if off := float64(size.Written-want) / float64(want); off > 0.01 || off < -0.01 {
				t.Errorf("%d bytes, as Go spells them, become %d, %+.2f%%: %+v", want, size.Written, 100*off, size.Changes)
			}
		})
	}
	for _, s := range samples.All() {
		check(s.File(), s.Records, s.JSON(0))
	}
	for _, dir := range []string{"../userdata/testdata/public", "../infer/testdata/samples"} {
		files, err := filepath.Glob(filepath.Join(dir, "*json*"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, files, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			check(filepath.Base(f), "", data)
		}
	}
}

// asGoWrites returns the size of a JSON text without spaces, with numbers as encoding/json
// writes an int64 or a float64 of the same value, and with only the necessary escapes in
// texts.
func asGoWrites(t *testing.T, text []byte) (n int64) {
	t.Helper()
	compact := jsontext.Value(bytes.Clone(text))
	if err := compact.Compact(); err != nil {
		t.Fatal(err)
	}
	n = int64(len(compact))
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		var v, short []byte
		var err error
		switch d.PeekKind() {
		case 0:
			return n
		case '0':
			if v, err = d.ReadValue(); err == nil && strings.ContainsAny(string(v), ".eE") {
				if f, beyond := strconv.ParseFloat(string(v), 64); beyond == nil {
					short, err = json.Marshal(f)
				}
			}
		case '"':
			var plain []byte
			if v, err = d.ReadValue(); err == nil {
				plain, err = jsontext.AppendUnquote(nil, v)
			}
			if err == nil {
				short, err = jsontext.AppendQuote(nil, plain)
			}
			if bytes.Contains(v, []byte(`\u003`)) { // Go wrote the text and escaped it for HTML
				var html bytes.Buffer
				json.HTMLEscape(&html, short)
				short = html.Bytes()
			}
		default:
			_, err = d.ReadToken()
		}
		if err != nil {
			t.Fatal(err)
		}
		if short != nil {
			n += int64(len(short) - len(v))
		}
	}
}

// A user can pass the printed paths of numbers back, whatever their keys are, and the numbers
// then keep their digits.
func TestPathsOfNumbers(t *testing.T) {
	sample := strings.Repeat(`{"a.b":1.50,"":2.0,"k[]":[1.10,2.20],"x*":{"y.z":1.0},"s p":3.0,"m":{"1":1.0,"2":2.10},"u":"x","plain":[[1.0]]}
{"a.b":1.60,"":2.0,"k[]":[1.10],"x*":{"y.z":2.0},"s p":4.0,"m":{"3":1.0,"4":5.0},"u":1.50,"plain":[[2.0],[]]}
`, 5)
	size := account(t, "odd.ndjson", "", []byte(sample))
	var types []string
	for _, c := range size.Changes {
		if c.Cause != string(jsonsize.Numbers) {
			continue
		}
		if c.Places != 8 || len(c.Where) != 8 || !slices.Equal(c.Unions, []string{"u"}) {
			t.Errorf("numbers are at %q, of which %q are in unions; want 8 places, and u", c.Where, c.Unions)
		}
		for _, path := range c.Where {
			if slices.Contains(c.Unions, path) {
				types = append(types, path+"=json")
			} else {
				types = append(types, path+"=number")
			}
		}
	}
	if len(types) != 8 {
		t.Fatalf("%q", types)
	}
	for _, c := range account(t, "odd.ndjson", "", []byte(sample), types...).Changes {
		if c.Cause == string(jsonsize.Numbers) {
			t.Errorf("with %q numbers are still changed: %+v", types, c)
		}
	}
}

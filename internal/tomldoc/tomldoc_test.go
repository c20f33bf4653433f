package tomldoc

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// Err returns every error with its position, in the order of the text.
func TestErrors(t *testing.T) {
	const src = `name = 1
empty = "  "
op = "decoed"
far = "zzz"
flag = "yes"
count = 11
ratio = -0.5
nan = nan
list = 3
words = [1, "a", 2]
rows = [{ a = 1 }, 4]
inner = []
extra = 1
`
	doc, err := Parse("f.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	doc.Only("name", "empty", "op", "far", "flag", "count", "ratio", "nan", "list", "words", "rows", "inner", "missing")
	doc.Need("name", "missing")
	doc.String("name")
	doc.Text("empty")
	doc.OneOf("op", "op", "encode", "decode")
	doc.OneOf("far", "op", "encode", "decode")
	doc.Bool("flag")
	doc.Integer("count", 0, 10)
	doc.Number("ratio", 0, math.Inf(1))
	doc.Number("nan", 0, 1)
	doc.List("list")
	if got := doc.Strings("words"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("words = %q", got)
	}
	if got := doc.Tables("rows"); len(got) != 1 || got[0].Integer("a", 0, 5) != 1 {
		t.Errorf("rows = %v", got)
	}
	doc.Table("inner")
	want := `f.toml:1:1: the key "missing" is missing
f.toml:1:8: name must be a string
f.toml:2:9: empty must be some text, not an empty string
f.toml:3:6: there is no op "decoed"; did you mean "decode"?
f.toml:4:7: there is no op "zzz"; it is one of encode, decode
f.toml:5:8: flag must be true or false
f.toml:6:9: count must be from 0 to 10
f.toml:7:9: ratio must be at least 0
f.toml:8:7: nan must be from 0 to 1
f.toml:9:8: list must be a list
f.toml:10:10: an element of words must be a string
f.toml:10:18: an element of words must be a string
f.toml:11:20: an element of rows must be a table, { … }
f.toml:12:9: inner must be a table, { … }
f.toml:13:1: unknown key "extra"; the keys here are name, empty, op, far, flag, count, ratio, nan, list, words, rows, inner, missing`
	if !doc.Failed() {
		t.Fatal("nothing was noted")
	}
	if diff := cmp.Diff(want, doc.Err().Error()); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

func TestSyntax(t *testing.T) {
	for src, want := range map[string]string{
		"a = 1\nb = = 2": "f:2:5: ",
		"[[claim\n":      "f:1:8: expected '.' or ']' to end table name, but got the end of the line instead",
		"[[claim":        "f:1:7: expected '.' or ']' to end table name, but got the end instead",
		"a = 1\n[b":      "f:2:2: expected '.' or ']' to end table name, but got the end instead",
		"a = \"\xff\"":   "f:1:6: the text is not valid UTF-8",
		"\xff = 1":       "f:1:1: the text is not valid UTF-8",
	} {
		_, err := Parse("f", []byte(src))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want %s", src, err, want)
		}
	}
}

func TestValues(t *testing.T) {
	doc, err := Parse("f", []byte("\ufefftext = \" a \"\nint = 3\nfloat = 2.5\nflag = true\nwords = ['x', 'y']\n[inner]\na = 7\n"))
	if err != nil {
		t.Fatal(err)
	}
	inner, ok := doc.Table("inner")
	if !ok || inner.Integer("a", 0, 7) != 7 || inner.Integer("a", 7, 9) != 7 {
		t.Error("inner.a is not 7")
	}
	if doc.Text("text") != "a" || doc.OneOf("text", "text", "b", " a ") != " a " || doc.Number("int", 0, 9) != 3 || doc.Number("float", 0, 9) != 2.5 || !doc.Bool("flag") ||
		!slices.Equal(doc.Strings("words"), []string{"x", "y"}) {
		t.Error("a value is not read")
	}
	if doc.Has("none") || doc.String("none") != "" || doc.Number("none", 1, 2) != 0 || doc.Integer("none", 1, 2) != 0 {
		t.Error("a missing key has a value")
	}
	if err := doc.Err(); err != nil {
		t.Error(err)
	}
}

// Strings with quotes, backslashes and brackets do not move the positions of what follows them.
func TestAt(t *testing.T) {
	for _, before := range []string{
		`b=1`, `b = "\""`, `b = "\\"`, `b = '\'`, `b = "a'"`, `b = '"'`, `b = ["]", '\', "\"", "#"]`, `b = { c = "}", d = '\' }`,
		"b = \"\"\"\\\"\"\"\"\"\"", "b = \"\"\"\n\"\\\\\"\"\"", "b = '''\\''''", "# \"\nb = '#' # '", `"b=".'c]' = "="`, "b = \"\"\"x\"\"\"\"\"",
	} {
		src := before + "\na=5"
		doc, err := Parse("f", []byte(src))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := doc.At("a"); got != len(src)-1 {
			t.Errorf("in %s the value of a is at %d, want %d", src, got, len(src)-1)
		}
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"fields", "values", "name"}
	for word, want := range map[string]string{
		"field": `; did you mean "fields"?`, "valeus": `; did you mean "values"?`, "nme": `; did you mean "name"?`, "": "", "xyz": "",
	} {
		if got := Suggest(word, known); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
}

// FuzzLocate checks that locate and the TOML library find the same tables, keys and elements.
func FuzzLocate(f *testing.F) {
	f.Add("name = \"x\" # y\n[[a]]\nb = [{ c = 1, d = \"e\" }, { c = 2 }]\n[[a]]\n")
	f.Add("a.\"b\\u0041\".'c' = {d = [1, 1979-05-27 07:32:00, '''x''', \"\"\"\\\"\"\"\"\"]}\n[[t.u]]\n[t.u.v]\nw=1")
	f.Add("a = [{}, {b = 1 # }\n}, [[], [\"]\"]]]\r\n[x.y]\n[x]\n z = true")
	f.Fuzz(func(t *testing.T, src string) {
		root := locate(src) // must end on any text
		var tree map[string]any
		if _, err := toml.Decode(src, &tree); err != nil || strings.HasPrefix(src, "\ufeff") || invalidUTF8(src) >= 0 {
			return
		}
		compare(t, tree, root)
	})
}

func compare(t *testing.T, value any, n *node) {
	switch v := value.(type) {
	case map[string]any:
		var keys, places []string
		for k := range v {
			keys = append(keys, k)
		}
		for k := range n.keys {
			places = append(places, k)
		}
		slices.Sort(keys)
		slices.Sort(places)
		if diff := cmp.Diff(keys, places); diff != "" {
			t.Fatalf("-library +ours\n%s", diff)
		}
		for k, e := range v {
			compare(t, e, n.keys[k])
		}
	case []any:
		if len(v) != len(n.items) {
			t.Fatalf("%d elements, the library has %d", len(n.items), len(v))
		}
		for i, e := range v {
			compare(t, e, n.items[i])
		}
	case []map[string]any:
		if len(v) != len(n.items) {
			t.Fatalf("%d tables, the library has %d", len(n.items), len(v))
		}
		for i, e := range v {
			compare(t, e, n.items[i])
		}
	}
}

// Parse refuses a deeply nested text, for which the parser would need all memory.
func TestTooDeep(t *testing.T) {
	for _, src := range []string{"a = " + strings.Repeat("[", 1<<20), "[" + strings.Repeat("a.", 1<<20) + "a]"} {
		_, err := Parse("f.toml", []byte("x = 1\n"+src))
		if err == nil || !strings.HasPrefix(err.Error(), "f.toml:2:") || !strings.HasSuffix(err.Error(), ": this is nested more than 200 deep") {
			t.Errorf("%.10s…: %v", src, err)
		}
	}
}

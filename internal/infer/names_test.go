package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema"
)

// Doc removes characters from a comment that could affect an editor or a terminal, so that generated
// code does not have them.
func TestDoc(t *testing.T) {
	for comment, want := range map[string]string{
		"One order.\n\nMore.":         "One order.",
		"  A\r\n  list.\n+marker":     "A list.",
		"safe \u202e/* efas */":       `safe \u202e/* efas */`,
		"\ufeffA \ufeffmark.":         "A mark.",
		"a\x1b[2Jb\x00\u2028c\xffend": `a\u001b[2Jb\u0000 c` + "\ufffd" + `end`,
	} {
		if got := Doc(comment); got != want {
			t.Errorf("Doc(%q) = %q, want %q", comment, got, want)
		}
	}
}

// No type has a name that the generated packages have for themselves.
func TestNamesOfPackages(t *testing.T) {
	for _, key := range schema.GeneratedNames() {
		key = strings.ToLower(key)
		r, err := JSON([]Source{Bytes("f", []byte(`{"id":1,"`+key+`":{"audio":2,"video":"x"}}`))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Schema.Messages {
			if strings.EqualFold(m.Name, key) {
				t.Errorf("a message is called %s", m.Name)
			}
		}
	}
}

// A key that a struct tag can hold is its own text name, even if other keys would become equal to it.
func TestPlainKeys(t *testing.T) {
	data := []byte(`{"a\"b":1,"a'b":"x","a_b":true,"a_b_2":[4]}`)
	r, err := JSON([]Source{Bytes("f", data)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	accepts(t, r, data)
	var got []string
	for _, f := range r.Schema.Messages[0].Fields {
		got = append(got, f.TextName())
	}
	if want := "a_b_3 a_b_4 a_b a_b_2"; strings.Join(got, " ") != want {
		t.Errorf("the keys are written as %s, want %s", got, want)
	}
}

// singular returns the right singular of common names of lists.
func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"users": "user", "entries": "entry", "addresses": "address", "boxes": "box", "branches": "branch", "hashes": "hash", "statuses": "status", "viruses": "virus",
		"status": "status", "class": "class", "analysis": "analysis", "children": "child", "lineItems": "line_item", "ids": "id",
		"canvas": "canvas", "canvases": "canvas", "kubernetes": "kubernetes", "alias": "alias", "aliases": "alias", "caches": "cache", "analyses": "analysis", "buses": "bus",
		"lens": "lens", "lenses": "lens", "heroes": "hero", "quizzes": "quiz", "leaves": "leaf", "menus": "menu", "images": "image", "responses": "response", "houses": "house", "": "",
	} {
		if got := singular(plural); got != want {
			t.Errorf("of %q the singular is %q, want %q", plural, got, want)
		}
	}
}

// The name of a schema is a valid name of a package.
func TestSchemaName(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "Line Item": "line_item", "": "field_data", "2024": "f2024", "main": "main_data", "map": "map_data",
		"aux": "aux_data", "Con": "con_data", "nul": "nul_data", "COM1": "com1_data", "com10": "com10",
	} {
		if got := SchemaName(name); got != want {
			t.Errorf("of %q the schema is called %s, want %s", name, got, want)
		}
	}
}

// An inferred enum accepts its own texts in any script, and the names of its values.
func TestEnumTexts(t *testing.T) {
	texts := []string{
		"", "open", "inReview", "HTTPError", "2nd try", "неподтверждённый", "заказ отменён покупателем", "заказ отменён продавцом",
		"東京都千代田区丸の内一丁目", "καταχωρήθηκε", strings.Repeat("й", 100), strings.Repeat("й", 99),
		strings.Repeat("a b ", 30), strings.Repeat("a b ", 30) + "c",
	}
	var data []byte
	for _, text := range texts {
		data = fmt.Appendf(data, "{\"c\":%q}\n", text)
	}
	r, err := JSON([]Source{Bytes("x.ndjson", data)}, Options{Overrules: []Overrule{{"c", "enum"}}})
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := converted(t, r)
	for i, line := range lines {
		if got, want := strings.TrimSpace(string(line)), fmt.Sprintf(`{"c":%d}`, i); got != want {
			t.Errorf("%q is written as %s, want %s", texts[i], got, want)
		}
	}
	e := enumOf(r.Schema.Enums[0])
	for i, v := range r.Schema.Enums[0].Values {
		for _, text := range []string{v.Name, texts[i], strings.ToLower(v.Name)} {
			if n, ok := e.numbers[foldText(text)]; !ok || n != v.Number {
				t.Errorf("%q is for %d, %v, want %d", text, n, ok, v.Number)
			}
		}
	}
}

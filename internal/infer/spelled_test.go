package infer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/samples"
	"assay/schema"
)

// asking returns the result of inference with answers that ask for types.
func asking(t *testing.T, data string, o Options, types ...string) (*Result, error) {
	t.Helper()
	for _, text := range types {
		of, err := ParseOverrule("type", text)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	return JSON([]Source{Bytes("a.ndjson", []byte(data))}, o)
}

// If the user asks for a spelling, the values get its kind, and the field has the spelling of the
// sample.
func TestSpelled(t *testing.T) {
	const id = "01234567-89ab-cdef-0001-0203040506ff"
	for _, tt := range []struct {
		data, of string
		as       schema.Spelling
		typ      schema.Type
		neutral  string
	}{
		{`{"a":"` + id + `"}`, "a=uuid", "uuid", schema.Type{Kind: schema.Bytes}, `{"a":"ASNFZ4mrze8AAQIDBAUG/w=="}`},
		{`{"a":"` + strings.ToUpper(id) + `"}`, "a=UUID", "UUID", schema.Type{Kind: schema.Bytes}, `{"a":"ASNFZ4mrze8AAQIDBAUG/w=="}`},
		{`{"a":"0a"} {"a":""}`, "a=hex", "hex", schema.Type{Kind: schema.Bytes}, `{"a":"Cg=="} {"a":""}`},
		{`{"a":"0xFF"}`, "a=0X", "0X", schema.Type{Kind: schema.Bytes}, `{"a":"/w=="}`},
		{`{"a":"2024-02-29"} {}`, "a=date", "date", schema.Type{Kind: schema.Timestamp, Optional: true}, `{"a":"2024-02-29T00:00:00Z"} {"a":null}`},
		{`{"a":"2024-02-29T01:02:03.50"}`, "a=local", "local:2", schema.Type{Kind: schema.Timestamp}, `{"a":"2024-02-29T01:02:03.5Z"}`},
		{`{"a":"2024-02-29 01:02:03"}`, "a=local", "local-space", schema.Type{Kind: schema.Timestamp}, `{"a":"2024-02-29T01:02:03Z"}`},
		{`{"a":"2024-02-29 01:02:03.001"}`, "a=local-space:3", "local-space:3", schema.Type{Kind: schema.Timestamp}, `{"a":"2024-02-29T01:02:03.001Z"}`},
		{`{"a":0} {"a":null}`, "a=unix", "unix", schema.Type{Kind: schema.Timestamp, Optional: true}, `{"a":"1970-01-01T00:00:00Z"} {"a":null}`},
		{`{"a":1700000000001}`, "a=unix-ms", "unix-ms", schema.Type{Kind: schema.Timestamp}, `{"a":"2023-11-14T22:13:20.001Z"}`},
		{`{"a":"12.50"} {"a":"-0.05"}`, "a=decimal", "decimal:2", schema.Type{Kind: schema.Int64}, `{"a":1250} {"a":-5}`},
		{`{"a":"12"}`, "a=decimal", "decimal:0", schema.Type{Kind: schema.Int64}, `{"a":12}`},
		{`{"a":["1.5"]}`, "a[]=decimal:1", "decimal:1", schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.Int64}}, `{"a":[15]}`},
	} {
		r, err := asking(t, tt.data, Options{}, tt.of)
		if err != nil {
			t.Errorf("%s %s: %v", tt.data, tt.of, err)
			continue
		}
		f := r.Schema.Messages[0].Fields[0]
		if f.As != tt.as || fmt.Sprint(f.Type.Kind, f.Type.Optional) != fmt.Sprint(tt.typ.Kind, tt.typ.Optional) || f.Type.Elem != nil && *f.Type.Elem != *tt.typ.Elem {
			t.Errorf("%s %s: %+v as %q", tt.data, tt.of, f.Type, string(f.As))
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", " "); got != tt.neutral {
			t.Errorf("%s %s: %s, want %s", tt.data, tt.of, got, tt.neutral)
		}
		if r.Spelling().Plain(r.Schema) {
			t.Errorf("%s %s: encoding/json does not read it as it is", tt.data, tt.of)
		}
		// The inferred schema also reads the sample if it is given.
		again, err := asking(t, tt.data, Options{Schema: r.Schema})
		if err != nil {
			t.Errorf("%s with its own schema: %v", tt.data, err)
			continue
		}
		var other bytes.Buffer
		if err := again.Write(&other); err != nil || other.String() != b.String() {
			t.Errorf("%s with its own schema: %s, %v", tt.data, other.String(), err)
		}
	}
}

// The guess about a map whose values have a spelling still shows the map's type.
func TestSpelledMap(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "{\"m\":{\"k%d\":\"0%d\",\"l%d\":\"1%d\"}}\n", i, i%10, i, i%10)
	}
	r, err := asking(t, b.String(), Options{}, "m.*=hex")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Guesses) == 0 || r.Guesses[0].Decision != "map[string]bytes" {
		t.Errorf("guessed %+v", r.Guesses)
	}
}

// The error about a value that does not fit its spelling has its position. With SkipBad, the record is
// left out.
func TestSpelledRefuses(t *testing.T) {
	const id = "01234567-89ab-cdef-0001-0203040506ff"
	for _, tt := range []struct{ good, bad, of, want string }{
		{`{"a":"` + id + `"}`, `{"a":"` + strings.ToUpper(id) + `"}`, "a=uuid", "a.ndjson:2:6: "},
		{`{"a":"` + id + `"}`, `{"a":"x"}`, "a=uuid", "should be a lower-case UUID: a UUID has 8, 4, 4, 4 and 12"},
		{`{"a":"` + id + `"}`, `{"a":5}`, "a=uuid", "it is not a text"},
		{`{"a":5}`, `{"a":"5"}`, "a=unix", "it is a text, and not a number"},
		{`{"a":5}`, `{"a":5.5}`, "a=unix", "no whole number"},
		{`{"a":5}`, `{"a":true}`, "a=unix", "no whole number"},
		{`{"a":"ab"}`, `{"a":["ab"]}`, "a=hex", "a.ndjson:2:6: "},
		{`{"a":"1.25"}`, `{"a":"1.5"}`, "a=decimal", "a.ndjson:2:6: "},
		{`{"a":"2024-01-01T00:00:00"}`, `{"a":"2024-01-01T00:00:00.1"}`, "a=local", "2006-01-02T15:04:05"},
		{`{"b":["ab"],"a":"ab"}`, `{"b":["x"],"a":"ab"}`, "b[]=hex", "a.ndjson:2:7: "},
	} {
		_, err := asking(t, tt.good+"\n"+tt.bad, Options{}, tt.of)
		var place *Error
		if !errors.As(err, &place) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "a.ndjson:2:") || !strings.Contains(err.Error(), "--skip-bad") && !strings.Contains(err.Error(), "list") {
			t.Errorf("%s %s: %v, want …%s…", tt.bad, tt.of, err, tt.want)
			continue
		}
		r, err := asking(t, tt.good+"\n"+tt.bad, Options{SkipBad: true}, tt.of)
		if err != nil || r.Records != 1 || r.BadCount != 1 {
			t.Errorf("%s %s with --skip-bad: %v", tt.bad, tt.of, err)
		}
	}
	for value, want := range map[string]string{
		"a=decimal:19": "0 to 18 digits", "a=local:0": "1 to 9 digits", "a=uid": `did you mean "uuid"`, "a=unix-mss": `did you mean "unix-ms"`, "a=nothing-known": "decimal",
	} {
		if _, err := ParseOverrule("type", value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", value, err, want)
		}
	}
}

// A spelling is suggested if enough values have it and it saves bytes.
func TestSuggestions(t *testing.T) {
	for name, tt := range map[string]struct {
		value func(i int) string
		want  string // the type in the overrule; empty: there is no suggestion
	}{
		"id":    {func(i int) string { return fmt.Sprintf(`"01234567-89ab-cdef-0001-%012d"`, i) }, "uuid"},
		"upper": {func(i int) string { return fmt.Sprintf(`"01234567-89AB-CDEF-0001-%012d"`, i) }, "UUID"},
		"mixed": {func(i int) string {
			return fmt.Sprintf(`"01234567-89%s-cdef-0001-%012d"`, []string{"ab", "AB"}[i%2], i)
		}, ""},
		"hash":       {func(i int) string { return fmt.Sprintf(`"ab%06d"`, i) }, "hex"},
		"digits":     {func(i int) string { return fmt.Sprintf(`"%08d"`, 10000000+i) }, "int64"},
		"short":      {func(i int) string { return fmt.Sprintf(`"a%d"`, i%10) }, ""},
		"address":    {func(i int) string { return fmt.Sprintf(`"0xab%06d"`, i) }, "0x"},
		"quantity":   {func(i int) string { return fmt.Sprintf(`"0x%x"`, i) }, ""},
		"born":       {func(i int) string { return fmt.Sprintf(`"2024-01-%02d"`, 1+i%28) }, "date"},
		"at":         {func(i int) string { return fmt.Sprintf(`"2024-01-01T00:00:%02d"`, i%60) }, "local"},
		"atMillis":   {func(i int) string { return fmt.Sprintf(`"2024-01-01 00:00:%02d.123"`, i%60) }, "local-space:3"},
		"price":      {func(i int) string { return fmt.Sprintf(`"1%d.25"`, i) }, "decimal:2"},
		"ratio":      {func(i int) string { return []string{`"1.5"`, `"1.25"`}[i%2] }, "float64"},
		"data":       {func(i int) string { return fmt.Sprintf(`"AAECAwQFBgcICQoLDA0%02dw=="`, 10+i) }, "bytes"},
		"words":      {func(i int) string { return fmt.Sprintf(`"abcdefghijklmnopqrst%04d"`, i) }, ""},
		"created_at": {func(i int) string { return fmt.Sprint(1700000000 + i) }, "unix"},
		"ts":         {func(i int) string { return fmt.Sprint(1700000000000 + i) }, "unix-ms"},
		"micros":     {func(i int) string { return fmt.Sprint(1700000000000000 + i) }, "unix-us"},
		"startNano":  {func(i int) string { return fmt.Sprint(1700000000000000000 + i) }, "unix-ns"},
		"x":          {func(i int) string { return fmt.Sprint(1700000000 + i) }, ""}, // the key has no word of times
		"event_id":   {func(i int) string { return fmt.Sprint(1700000000000 + i) }, ""},
		"timeout":    {func(i int) string { return fmt.Sprint(300 + i) }, ""},
		"spread":     {func(i int) string { return fmt.Sprint(999999999990 + i) }, ""}, // 12 and 13 digits
	} {
		var b strings.Builder
		for i := range 12 {
			fmt.Fprintf(&b, "{%q:%s}\n", name, tt.value(i))
		}
		r, err := asking(t, b.String(), Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		got := ""
		for _, g := range r.Guesses {
			if strings.HasSuffix(g.Overrule, "=enum") {
				continue
			}
			got += strings.TrimPrefix(g.Overrule, "--type "+name+"=")
		}
		if got != tt.want {
			t.Errorf("%s: suggested %q, want %q", name, got, tt.want)
		}
		if r.Schema.Messages[0].Fields[0].As != "" {
			t.Errorf("%s: the suggestion was taken", name)
		}
		few, err := asking(t, strings.Join(strings.SplitAfter(b.String(), "\n")[:7], ""), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range few.Guesses {
			if strings.Contains(g.Decision, "less") || strings.Contains(g.Decision, "may be a time") {
				t.Errorf("%s: suggested of 7 values", name)
			}
		}
	}
}

// Suggestions that save the most bytes come first.
func TestSuggestionsOrder(t *testing.T) {
	var b strings.Builder
	for i := range 10 {
		b.WriteByte('{')
		for n := range 9 {
			fmt.Fprintf(&b, "\"f%d\":\"%s%02d\",", n, strings.Repeat("ab", 4+n), i)
		}
		b.WriteString("\"n\":1}\n")
	}
	r, err := asking(t, b.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range r.Guesses {
		got = append(got, g.Path)
	}
	if want := []string{"f8", "f7", "f6", "f5", "f4", "f3", "f2", "f1", "f0"}; !slices.Equal(got, want) {
		t.Errorf("suggested for %q, want %q", got, want)
	}
}

// A suggestion for a path that the kinds of a union have in common counts the values of all kinds.
func TestSuggestionsOfKinds(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `{"type":%q,"id":"01234567-89ab-cdef-0001-%012d",`, []string{"a", "b"}[i%2], i)
		fmt.Fprintf(&b, []string{"\"x\":%d,\"y\":true,\"z\":[1]}\n", "\"u\":%d,\"v\":false,\"w\":[\"s\"]}\n"}[i%2], i)
	}
	r, err := asking(t, b.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, g := range r.Guesses {
		if strings.HasSuffix(g.Overrule, "=uuid") {
			got += g.Reason
		}
	}
	if want := "each of the 3,000 texts is a lower-case UUID, and binary formats write about 16 bytes for it"; got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
}

// Every suggestion for the samples can be followed without changing the JSON of the records.
func TestSuggestionsFit(t *testing.T) {
	for _, s := range samples.All() {
		data := string(s.JSON(0))
		r, err := asking(t, data, Options{Records: s.Records})
		if err != nil {
			t.Fatal(s.Name, err)
		}
		var types []string
		for _, g := range r.Guesses {
			if strings.Contains(g.Decision, "less") || strings.Contains(g.Decision, "may be a time") {
				text := strings.ReplaceAll(strings.TrimPrefix(g.Overrule, "--type "), "'", "")
				types = append(types, text)
			}
		}
		if _, err := asking(t, data, Options{Records: s.Records}, types...); err != nil {
			t.Errorf("%s: %q: %v", s.Name, types, err)
		}
	}
}

// FuzzSpelled checks that every text is either refused or written back unchanged.
func FuzzSpelled(f *testing.F) {
	for _, s := range schema.Spellings {
		f.Add(string(s), "12.50")
	}
	f.Add("local", "2024-01-01 00:00:00.5")
	f.Add("uuid", "01234567-89ab-cdef-0001-0203040506ff")
	f.Fuzz(func(t *testing.T, as, text string) {
		of, err := ParseOverrule("type", "a="+as)
		if err != nil || strings.Contains(as, "=") || !asksSpelling(as) {
			return
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return
		}
		value := string(quoted)
		if schema.Spelling(as).Number() {
			value = text
		}
		r, err := JSON([]Source{Bytes("a", []byte(`{"a":`+value+`,"b":1}`))}, Options{Overrules: []Overrule{of}})
		if err != nil {
			return
		}
		if s := r.Schema.Messages[0].Fields[0].As; s != "" && json.Valid([]byte(value)) && strings.TrimSpace(text) == text {
			var plain string
			if json.Unmarshal(quoted, &plain) == nil && s.Check([]byte(plain)) != nil && value != "null" {
				t.Fatalf("%q was taken as %s", text, string(s))
			}
		}
	})
}

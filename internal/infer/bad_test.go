package infer

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"assay/schema/text"
)

const good = `{"a":1,"b":"x"}` + "\n"

// An error about a sample says what is wrong and where. With SkipBad, the rest of the sample is used.
func TestBadInput(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	tests := []struct {
		name, text string
		options    Options
		want       string
		skipped    int64 // how many records are used with SkipBad; 0: it is still an error
	}{
		{name: "empty", text: "", want: "f: there are no records, the text is empty or has only empty lists; give JSON documents one after another, or one array of objects"},
		{name: "blank", text: " \n\t\n", want: "f: there are no records, the text is empty or has only empty lists; give JSON documents one after another, or one array of objects"},
		{name: "empty list", text: "[]", want: "f: there are no records, the text is empty or has only empty lists; give JSON documents one after another, or one array of objects"},
		{name: "only nulls", text: "null\nnull\n", want: "f: all 2 records are null; give records that hold something"},
		{name: "one null", text: "null\n", want: "f: the only record is null; give records that hold something"},
		{name: "list of nulls", text: `[null,null,null]`, want: "f: there is no value in the only record, only nulls and what is empty"},
		{name: "objects of nulls", text: `{"a":null,"b":[]}` + "\n" + `{"a":null,"c":{}}`, want: "f: there is no value in any of 2 records, only nulls and what is empty"},
		{name: "not JSON", text: "id,name\n1,x\n", want: "f:1:1: this is not JSON: invalid character 'i' at start of value"},
		{name: "a log before records", text: "2024-01-01 12:00:00 starting\n" + good + good, want: "f:1:5: this is not JSON: invalid character '-' after a number", skipped: 2},
		{name: "a log among records", text: good + "12:00:00 starting\n" + good, want: "f:2:3: this is not JSON: invalid character ':' after a number; --skip-bad goes on with the next line", skipped: 2},
		{name: "an address", text: "127.0.0.1 - -\n" + good, want: "f:1:6: this is not JSON: invalid character '.' after a number", skipped: 1},
		{name: "a number with a zero before it", text: "1\n02\n3\n", want: "f:2:2: this is not JSON: invalid character '2' after a number; --skip-bad goes on with the next line", skipped: 2},
		{name: "a word that begins as true does", text: good + "truely\n" + good, want: "f:2:5: this is not JSON: invalid character 'l' after a truth value; --skip-bad goes on with the next line", skipped: 2},
		{name: "a word that begins as null does", text: good + "nullable é\n" + good, want: "f:2:5: this is not JSON: invalid character 'a' after null; --skip-bad goes on with the next line", skipped: 2},
		{name: "a letter behind a number", text: good + "1é\n" + good, want: "f:2:2: this is not JSON: invalid character 'é' after a number; --skip-bad goes on with the next line", skipped: 2},
		{name: "XML", text: good + "<a/>\n" + good, want: "f:2:1: this is not JSON: invalid character '<' at start of value; HTML and XML begin so: convert it to JSON; --skip-bad goes on with the next line", skipped: 2},
		{name: "NaN", text: "{\"a\":NaN}\n", want: "f:1:6: this is not JSON: invalid character 'N' at start of value; JSON has neither NaN nor None: write null, or a text"},
		{name: "a comma before a bracket", text: "{\"a\":1,}\n", want: "f:1:8: this is not JSON: invalid character '}' at start of string (expecting '\"'); take out the comma before it"},
		{name: "a comma before the end of a list", text: "{\"a\":[1,]}\n", want: "f:1:9: this is not JSON: invalid character ']' at start of value; take out the comma before it, or the bracket itself if none is open"},
		{name: "a bracket too many", text: "{\"a\":1}}\n", want: "f:1:8: this is not JSON: invalid character '}' at start of value; a value is missing before it, or it is a bracket too many; --skip-bad goes on with the next line", skipped: 1},
		{name: "no colon", text: "{\"a\" 1}\n", want: "f:1:6: this is not JSON: invalid character '1' after object name (expecting ':'); a colon is missing between a key and its value"},
		{name: "no comma", text: "{\"a\":1 \"b\":2}\n", want: "f:1:8: this is not JSON: invalid character '\"' after object value (expecting ',' or '}'); a comma is missing before it"},
		{name: "a guard against scripts", text: ")]}'\n{\"a\":1}\n", want: "f:1:1: this is not JSON: invalid character ')' at start of value; some servers begin with )]}' against scripts: take that out", skipped: 1},
		{name: "two commas", text: "{\"a\":1,,\"b\":2}\n", want: "f:1:8: this is not JSON: invalid character ',' at start of string (expecting '\"'); there is a comma too many"},
		{name: "a key without quotes", text: "{a:1}\n", want: "f:1:2: this is not JSON: invalid character 'a' at start of string (expecting '\"'); keys are in double quotes"},
		{name: "HTML", text: "<!DOCTYPE html>\n", want: "f:1:1: this is not JSON: invalid character '<' at start of value; HTML and XML begin so: convert it to JSON"},
		{name: "Python", text: "{\"a\":True}\n", want: "f:1:6: this is not JSON: invalid character 'T' at start of value; JSON writes true and false in lower case"},
		{name: "JavaScript", text: "{\"a\":undefined}\n", want: "f:1:6: this is not JSON: invalid character 'u' at start of value; JSON has no undefined: write null, or leave the key out"},
		{name: "minus infinity", text: "{\"a\":-Infinity}\n", want: "f:1:7: this is not JSON: invalid character 'I' in number (expecting digit); JSON has no Infinity: write null, or a text"},
		{name: "a line of a log", text: "INFO starting\n", want: "f:1:1: this is not JSON: invalid character 'I' at start of value"},
		{name: "a header of a table", text: "Name,Age\n", want: "f:1:1: this is not JSON: invalid character 'N' at start of value"},
		{name: "a header that begins with a word", text: "undefined_at,Age\n", want: "f:1:1: this is not JSON: invalid character 'u' at start of value"},
		{name: "a key that begins as Infinity does", text: "{Id:1}\n", want: "f:1:2: this is not JSON: invalid character 'I' at start of string (expecting '\"'); keys are in double quotes"},
		{name: "a key that is a word", text: "{None:1}\n", want: "f:1:2: this is not JSON: invalid character 'N' at start of string (expecting '\"'); keys are in double quotes"},
		{name: "a number with a zero before", text: "{\"a\":01}\n", want: "f:1:7: this is not JSON: invalid character '1' after object value (expecting ',' or '}'); a number has no zero before its first digit"},
		{name: "a number with a sign", text: "{\"a\":+1}\n", want: "f:1:6: this is not JSON: invalid character '+' at start of value; a number begins with a digit or with -"},
		{name: "a comment", text: "{// what\n}", want: "f:1:2: this is not JSON: invalid character '/' at start of string (expecting '\"'); JSON has no comments: take them out"},
		{name: "single quotes", text: "{'a':1}\n", want: "f:1:2: this is not JSON: invalid character '\\'' at start of string (expecting '\"'); texts are in double quotes"},
		{name: "a text sequence", text: "\x1e{\"a\":1}\n", want: "f:1:1: this is not JSON: invalid character '\\x1e' at start of value; in JSON text sequences (RFC 7464) it begins a record: without it they are NDJSON, which can be read"},
		{name: "comma at the end", text: good + `{"a":1,}` + "\n" + good, want: `f:2:8: this is not JSON: invalid character '}' at start of string (expecting '"'); take out the comma before it; --skip-bad goes on with the next line`, skipped: 2},
		{name: "truncated last record", text: good + good + `{"a":3,"b":"y`, want: "f:3:14: the text ends within a record that begins on line 3; it is cut off there, and --skip-bad uses what comes before", skipped: 2},
		{name: "truncated over lines", text: good + "{\n \"a\": 3,\n", want: "f:4:1: the text ends within a record that begins on line 2; it is cut off there, and --skip-bad uses what comes before", skipped: 1},
		{name: "truncated list", text: `[{"a":1},` + "\n" + `{"a":2},` + "\n" + `{"a"`, want: "f:3:5: the text ends within a record that begins on line 3; it is cut off there, and --skip-bad uses what comes before", skipped: 2},
		{name: "a list that is not closed", text: "[\n" + `{"a":1},` + "\n" + `{"a":2}` + "\n", want: "f:4:1: the text ends within a list or an object around the records; it is cut off there, and --skip-bad uses what comes before", skipped: 2},
		{name: "only a truncated record", text: `{"a":[1,2`, want: "f:1:10: the text ends within a record that begins on line 1; it is cut off there"},
		{name: "broken in a list", text: `[{"a":1},` + "\n" + `{"a":2} {"a":3}]`, want: "f:2:9: this is not JSON: invalid character '{' after array element (expecting ',' or ']'); a comma is missing before it; --skip-bad uses what comes before", skipped: 2},
		{name: "a word after a list", text: `[{"a":1}] x`, want: "f:1:11: this is not JSON: invalid character 'x' at start of value; --skip-bad uses what comes before", skipped: 1},
		{name: "duplicate key", text: good + `{"a":1,` + "\n" + ` "a":2}` + "\n", want: `f:3:2: the key "a" is there twice in one object, and a reader may take either value; --skip-bad leaves the record out`, skipped: 1},
		{name: "duplicate key in escapes", text: good + `{"b":{"a":1,"\u0061":2}}`, want: `f:2:13: the key "a" is there twice in one object, and a reader may take either value; --skip-bad leaves the record out`, skipped: 1},
		{name: "invalid UTF-8", text: good + "{\"a\":2,\"b\":\"\xff\"}\n" + good, want: "f:2:13: a text is not valid UTF-8, or has half of a surrogate pair; --skip-bad leaves the record out", skipped: 2},
		{name: "half a surrogate pair", text: good + `{"a":2,"b":"\ud800"}` + "\n" + good, want: "f:2:13: a text is not valid UTF-8, or has half of a surrogate pair; --skip-bad leaves the record out", skipped: 2},
		{name: "deep", text: good + deep(300), want: "f:2:1281: the record is nested more than 256 deep here, which several of the libraries could not read back; --skip-bad leaves the record out", skipped: 1},
		{name: "nothing but deep", text: deep(300) + "\n", want: "f:1:1281: the record is nested more than 256 deep here, which several of the libraries could not read back"},
		{name: "nothing but a duplicate key", text: `{"a":1,"a":2}`, want: `f:1:8: the key "a" is there twice in one object, and a reader may take either value`},
		{name: "deep at the beginning", text: deep(300) + "\n" + good, want: "f:1:1281: the record is nested more than 256 deep here, which several of the libraries could not read back; --skip-bad leaves the record out", skipped: 1},
		{name: "10,000 deep", text: good + deep(10_001) + "\n" + good, want: "f:2:50001: a value is nested more than 10,000 deep; nothing that is compared here could hold it", skipped: 2},
		{name: "a huge record", text: good + `{"a":1,"b":"` + strings.Repeat("x", 5000) + "\"}\n" + good, options: Options{MaxRecord: 1 << 10},
			want: "f:2:1: a record that begins here is larger than 1 KiB; name smaller parts of it with --records, or allow more with --max-record", skipped: 2},
		{name: "a huge record in a list", text: `[{"a":1},{"a":1,"b":"` + strings.Repeat("x", 50_000) + "\"}]", options: Options{MaxRecord: 1 << 10},
			want: "f:1:10: a record that begins here is larger than 1 KiB; name smaller parts of it with --records, or allow more with --max-record", skipped: 1},
		{name: "mixed records", text: good + "[1,2]\n" + good, want: "f:2:1: this record is a list, and the one at f:1:1 is an object; --type .=json keeps each as a text, and --skip-bad leaves out what is not as the first", skipped: 2},
		{name: "names of columns and objects", text: `["a","b"]` + "\n" + good, want: "f:2:1: this record is an object, and the one at f:1:1 is a list; --type .=json keeps each as a text, and --skip-bad leaves out what is not as the first", skipped: 1},
		{name: "UTF-32", text: "\xff\xfe\x00\x00{\x00\x00\x00}\x00\x00\x00", want: "f: is UTF-32; JSON is UTF-8: convert it, as with iconv -f UTF-32 -t UTF-8"},
		{name: "UTF-16 without its mark", text: "{\x00}\x00", want: "f: is UTF-16 without its mark; JSON is UTF-8: convert it, as with iconv -f UTF-16LE -t UTF-8"},
		{name: "UTF-16, the high byte first", text: "\x00{\x00}", want: "f: is UTF-16 without its mark; JSON is UTF-8: convert it, as with iconv -f UTF-16BE -t UTF-8"},
		{name: "UTF-16", text: "\xff\xfe{\x00}\x00", want: "f: is UTF-16; JSON is UTF-8: convert it, as with iconv -f UTF-16 -t UTF-8"},
		{name: "Parquet", text: "PAR1....", want: "f: is a Parquet file; write its rows as NDJSON and give those"},
		{name: "bzip2", text: "BZh91AY&SY", want: "f: is compressed by bzip2; decompress it, or compress it by gzip or zstd"},
		{name: "xz", text: "\xfd7zXZ\x00\x00\x04", want: "f: is compressed by xz; decompress it, or compress it by gzip or zstd"},
		{name: "zip", text: "PK\x03\x04....", want: "f: is a zip archive; unpack it and name the files in it"},
		{name: "no gzip after all", text: "\x1f\x8b nothing", want: "f: begins as gzip does: gzip: invalid header"},
		{name: "records nowhere", text: `{"items":[{"a":1}]}`, options: Options{Records: "data[]"}, want: "f: there is nothing at data[]; --records takes the path of the records in the sample's own keys, as in data.items[]"},
		{name: "records in a number", text: `{"items":7}`, options: Options{Records: "items[]"}, want: "f:1:10: the path of the records, items[], wants a list here, and there is a number"},
		{name: "records without a path", text: good, options: Options{Records: "a..b"}, want: `"a..b" is no path: a key is missing, or has one of ]*" in it and is not in quotes; write keys as in user.name, [] for the elements of a list, * for the values of a map, and . for the record`},
		{name: "overrule of nothing", text: good, options: Options{Overrules: []Overrule{{"c", "map"}}}, want: "--map c: no record has anything at c; the paths are ., a, b"},
		{name: "overrule of nothing beside kinds", text: `{"a":1}{"a":{"q":1}}{"a":{"q":2}}`, options: Options{Overrules: []Overrule{{"c", "map"}}}, want: "--map c: no record has anything at c; the paths are ., a, a.q"},
		{name: "overrule near something", text: `{"status":"a"}`, options: Options{Overrules: []Overrule{{"staus", "enum"}}}, want: "--type staus=enum: no record has anything at staus; did you mean status?"},
		{name: "text for a number", text: `{"a":"1"}`, options: Options{Overrules: []Overrule{{"a", "number"}}}, want: "--type a=number: a cannot be made a number: it has 1 text"},
		{name: "escapes of one field", text: good, options: Options{Overrules: []Overrule{{"a", "html"}}}, want: "a: html is about all texts of the records, not of one field; say --type .=html"},
		{name: "overrule of a kind", text: good, options: Options{Overrules: []Overrule{{"a", "map"}}}, want: "--map a: a cannot be made a map: it has 1 number"},
		{name: "overrule that does not fit", text: good + `{"a":3000000000,"b":"y"}`, options: Options{Overrules: []Overrule{{"a", "int32"}}}, want: "f:2:6: a is 3000000000 here, and in the schema it is an int32", skipped: 1},
		{name: "no element", text: `{"a":[1],"b":2}`, options: Options{Overrules: []Overrule{{"a[]", "none"}}}, want: "--type 'a[]=none': a[] cannot be left out: only fields are left out, not elements of lists or values of maps"},
		{name: "no place of a row", text: `[1,"a"][2,"b"]`, options: Options{Overrules: []Overrule{{".", "row"}, {"f1", "omitempty"}}}, want: "--type f1=omitempty: f1 cannot be left out: a row keeps all of its places"},
		{name: "null for an element", text: `{"a":[1]}`, options: Options{Overrules: []Overrule{{"a[]", "null"}}}, want: "--type 'a[]=null': a[] cannot be absent: only fields are left out, not elements of lists or values of maps"},
		{name: "enum of one name", text: `{"a":"x-y"}{"a":"xY"}`, options: Options{Overrules: []Overrule{{"a", "enum"}}}, want: `--type a=enum: a cannot be made an enum: the texts "x-y" and "xY" would have one name`},
		{name: "unknown type", text: good, options: Options{Overrules: []Overrule{{"a", "int46"}}}, want: `a: there is no type "int46"; did you mean "int64"?`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := test.options
			o.Name = "documents"
			source := []Source{Bytes("f", []byte(test.text))}
			_, err := JSON(source, o)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			o.SkipBad = true
			r, err := JSON(source, o)
			if test.skipped == 0 {
				if err == nil {
					t.Errorf("with SkipBad there are %d records, and want an error", r.Records)
				} else if strings.Contains(err.Error(), "--skip-bad") {
					t.Errorf("with SkipBad it is advised: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("with SkipBad: %v", err)
			}
			if r.Records != test.skipped || r.BadCount == 0 || int64(len(r.Bad)) != r.BadCount {
				t.Errorf("with SkipBad %d records, %d bad; want %d", r.Records, r.BadCount, test.skipped)
			}
			if said := fmt.Sprint(r.Notes, r.Bad); strings.Contains(said, "--skip-bad") {
				t.Errorf("with SkipBad it is advised: %s", said)
			}
			if got := int64(len(write(t, r))); got != test.skipped {
				t.Errorf("with SkipBad %d lines; want %d", got, test.skipped)
			}
		})
	}
}

// The error about nesting that is too deep has the position of the list or object, also with SkipBad,
// with a given schema, and if the list or object is empty.
func TestDeepPlace(t *testing.T) {
	const flat = `{"b":"x"}` + "\n"
	nested := func(open, inside, closing string, n int) string {
		return flat + strings.Repeat(open, n) + inside + strings.Repeat(closing, n) + "\n"
	}
	tree, err := text.Parse("f", []byte(`name = "f"
roots = ["F"]
[[messages]]
name = "F"
fields = [{ number = 1, name = "a", type = "*F", omitempty = true }, { number = 2, name = "b", type = "*string", omitempty = true }]
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{nested(`{"a":`, "{}", "}", 255), ""},
		{nested(`{"a":`, "{}", "}", 256), "f:2:1281: "},
		{nested(`{"a":`, "1", "}", 256), ""},
		{nested(`{"a":`, "1", "}", 257), "f:2:1281: "},
		{nested(`{"a": `, "1", "}", 257), "f:2:1537: "},
		{flat + `{"c":` + strings.Repeat("[", 255) + strings.Repeat("]", 255) + "}", ""},
		{flat + `{"c":` + strings.Repeat("[", 256) + strings.Repeat("]", 256) + "}", "f:2:261: "},
	} {
		for _, o := range []Options{{}, {SkipBad: true}, {Schema: tree}} {
			if o.Schema != nil && strings.Contains(test.text, "[") {
				continue
			}
			r, err := JSON([]Source{Bytes("f", []byte(test.text))}, o)
			if o.SkipBad && err == nil && r.BadCount > 0 {
				err = r.Bad[0]
			}
			if got := fmt.Sprint(err); test.want == "" && strings.Contains(got, "deep") || !strings.HasPrefix(got, test.want) {
				t.Errorf("%.20s…, SkipBad %t, a schema %t: got %s, want %s", test.text[len(flat):], o.SkipBad, o.Schema != nil, got, test.want)
			}
		}
	}
}

// An error between records is reported, but does not count as a record that is left out.
func TestBadBetween(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[{"a":1},{"a":2},]`, "f is read up to line 1 only: f:1:17: this is not JSON: invalid character ',' at start of value; there is a comma too many"},
		{`[{"a":1},{"a":2} {"a":3}]`, "f is read up to line 1 only: f:1:18: this is not JSON: invalid character '{' after array element (expecting ',' or ']'); a comma is missing before it"},
		{`[{"a":1},{"a":2}] x`, "f is read up to line 1 only: f:1:19: this is not JSON: invalid character 'x' at start of value"},
		{`[{"a":1},{"a":2},{"a"`, "f is read up to line 1 only|left out because they cannot be read or do not fit: 1 record, the first at f:1:22: the text ends within a record that begins on line 1; it is cut off there"},
		{`[{"a":1},{"a":1,"a":2},{"a":3},]`, "f is read up to line 1 only: f:1:31: this is not JSON: invalid character ',' at start of value; there is a comma too many|left out because they cannot be read or do not fit: 1 record, the first at f:1:17: the key \"a\" is there twice in one object, and a reader may take either value"},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.text))}, Options{SkipBad: true})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if d := cmp.Diff(test.want, strings.Join(r.Notes, "|")); d != "" || r.Records != 2 {
			t.Errorf("%s: %d records, notes -want +got\n%s", test.text, r.Records, d)
		}
	}
}

// Scalars are records too. White space, quotes or brackets separate them.
func TestScalarRecords(t *testing.T) {
	for text, want := range map[string]int64{
		"1 2 3": 3, "1\n2\r\n3": 3, "true\tfalse true": 3, `"a""b"`: 2, `"a"1"b"`: 2, `{"a":1}{}`: 2, `{"a":1}{"a":2}`: 2, "[1][2]": 2, `{"a":1}null{"a":2}`: 2, "-1.5e3": 1,
	} {
		r, err := JSON([]Source{Bytes("f", []byte(text))}, Options{SkipBad: true})
		if err != nil || r.Records != want {
			t.Errorf("%s: %+v, %v; want %d records", text, r, err, want)
		}
	}
}

// One comma after an object or a list is ignored, but a second one is an error. Commas between
// numbers, texts or truth values are errors too.
func TestCommasBetweenRecords(t *testing.T) {
	for _, test := range []struct {
		text, records string
		used          int64
		notes         string
	}{
		{"{\"a\":1},\n{\"a\":2},\n", "", 2, "left out behind records: 2 commas"},
		{"{\"a\":1},\n{\"a\":2}", "", 2, "left out behind records: 1 comma"},
		{"{\"a\":1}\n , {\"a\":2}", ".", 2, "left out behind records: 1 comma"},
		{"[1,2],\n[3,4]", "", 2, "left out behind records: 1 comma"},
		{"[\"a\",\"b\"],\n[3,4],\n", "", 1, "left out behind records: 2 commas"},
		{"{\"a\":1},\nnull,\n{\"a\":2}", "", 2, "left out because they are null: 1 record|left out behind records: 2 commas"},
		{"{\"b\":[{\"a\":1}]},\n{\"b\":[{\"a\":2}]},\n", "b[]", 2, "left out behind records: 2 commas"},
	} {
		for _, skip := range []bool{false, true} {
			r, err := JSON([]Source{Bytes("f", []byte(test.text))}, Options{Records: test.records, SkipBad: skip})
			if err != nil {
				t.Errorf("%s: %v", test.text, err)
				continue
			}
			if got := strings.Join(r.Notes, "|"); r.Records != test.used || r.BadCount > 0 || got != test.notes {
				t.Errorf("%s: %d records, %d bad, notes %q; want %d, %q", test.text, r.Records, r.BadCount, got, test.used, test.notes)
			}
		}
	}
	for text, want := range map[string]string{
		"{\"a\":1},,\n{\"a\":2}": "f:1:9: this is not JSON: invalid character ',' at start of value; there is a comma too many; --skip-bad goes on with the next line",
		"\"a\",\"b\"\n":          "f:1:4: this is not JSON: invalid character ',' at start of value; there is a comma too many; --skip-bad goes on with the next line",
		",{\"a\":1}":             "f:1:1: this is not JSON: invalid character ',' at start of value; there is a comma too many",
		"{\"a\":1,\"a\":2},\n":   "f:1:8: the key \"a\" is there twice in one object, and a reader may take either value",
	} {
		if _, err := JSON([]Source{Bytes("f", []byte(text))}, Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	text := "{\"a\":1},\n{\"a\":2,},\n{\"a\":3},\n"
	r, err := JSON([]Source{Bytes("f", []byte(text))}, Options{SkipBad: true})
	if err != nil || r.Records != 2 || r.BadCount != 1 {
		t.Errorf("%s: %+v, %v; want 2 records and 1 bad", text, r, err)
	}
}

// A list of records may begin with nulls. Nulls are left out at any place in it.
func TestNullsInList(t *testing.T) {
	for _, test := range []struct {
		text, notes string
		records     int64
	}{
		{`[null,{"a":1},{"a":2}]`, "left out because they are null: 1 record", 2},
		{"[ null ,\n null,\n{\"a\":1},null,{\"a\":2}]", "left out because they are null: 3 records", 2},
		{`[{"a":1},null]`, "left out because they are null: 1 record", 1},
		{`[null,1,{"a":1}]`, "", 1},
		{`[null,[{"a":1}]]`, "", 1},
		{`[null,{"a":1},2]`, "", 1},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.text))}, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := strings.Join(r.Notes, "|"); r.Records != test.records || got != test.notes {
			t.Errorf("%s: %d records, notes %q; want %d, %q", test.text, r.Records, got, test.records, test.notes)
		}
		accepts(t, r, []byte(test.text))
	}
}

// After a bad record, reading goes on at the next line that begins like the first record: with the
// same indentation, and for any kind of record.
func TestSkipToNextLine(t *testing.T) {
	for _, text := range []string{
		" {\"a\":1}\n {\"a\":2,}\n {\"a\":3}\n {\"a\":4}\n",
		"\t{\"a\":1}\n\t{\"a\":2,}\n{\"a\":3}\n\t{\"a\":4}\n",
		"\"a\"\nx\n\"b\"\n\"c\"\n",
		"1\nx\n3\n4\n",
	} {
		r, err := JSON([]Source{Bytes("f", []byte(text))}, Options{SkipBad: true})
		if err != nil || r.Records != 3 || r.BadCount != 1 {
			t.Errorf("%q: %+v, %v; want 3 records and 1 bad", text, r, err)
		}
	}
}

// A time with a comma before its fraction is no time by RFC 3339, although package time accepts it.
func TestCommaInTime(t *testing.T) {
	for value, want := range map[string]string{"2012-11-02T14:34:02.781-07:00": "timestamp", "2012-11-02T14:34:02,781-07:00": "string"} {
		if got := fieldType(inferred(t, `{"ts":"`+value+`"}`), "ts"); got != want {
			t.Errorf("%s is %s, want %s", value, got, want)
		}
	}
}

// Package time reads an offset of a day or more, and refuses to write it.
func TestOffsetOfTime(t *testing.T) {
	for value, want := range map[string]string{
		"2012-11-02T14:34:02+23:59": "timestamp", "2012-11-02T14:34:02.5-23:00": "timestamp",
		"2012-11-02T14:34:02+24:00": "string", "2012-11-02T14:34:02-24:00": "string", "2012-11-02T14:34:02.5+23:60": "string",
	} {
		if got := fieldType(inferred(t, `{"ts":"`+value+`"}`), "ts"); got != want {
			t.Errorf("%s is %s, want %s", value, got, want)
		}
	}
}

// Numbers that neither float64 nor 64 bits hold are no errors: their text is kept.
func TestNumbers(t *testing.T) {
	for _, test := range []struct{ values, typ, out string }{
		{"1 -1", "int64", "1 -1"},
		{"-9223372036854775808 9223372036854775807", "int64", "-9223372036854775808 9223372036854775807"},
		{"1 18446744073709551615", "uint64", "1 18446744073709551615"},
		{"-1 18446744073709551615", "string", `"-1" "18446744073709551615"`},
		{"1 18446744073709551616", "string", `"1" "18446744073709551616"`},
		{"1 2.5 -0", "float64", "1.0 2.5 -0.0"},
		{"1e3 1E+2", "float64", "1000.0 100.0"},
		{"1 1e999", "string", `"1" "1e999"`},
		{"1 1e-999", "string", `"1" "1e-999"`},
		{"0e-999 0.0", "float64", "0.0 0.0"},
		{"1.7976931348623157e308 5e-324", "float64", "1.7976931348623157e+308 5e-324"},
	} {
		var in, want strings.Builder
		for i, v := range strings.Fields(test.values) {
			fmt.Fprintf(&in, "{\"v\":%s}\n", v)
			fmt.Fprintf(&want, "{\"v\":%s}\n", strings.Fields(test.out)[i])
		}
		r, err := JSON([]Source{Bytes("f", []byte(in.String()))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accepts(t, r, []byte(in.String()))
		form := fieldType(r, "v")
		if form != test.typ {
			t.Errorf("%s: the type is %s, want %s", test.values, form, test.typ)
		}
		if got := string(bytes.Join(write(t, r), nil)); got != want.String() {
			t.Errorf("%s: got %s, want %s", test.values, got, want.String())
		}
	}
}

// The number of fields bounds the memory: too many fields are an error before memory runs out.
func TestTooManyFields(t *testing.T) {
	var b strings.Builder
	letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9", "j")
	for i := range maxNodes + 1 {
		b.WriteString(letters.Replace(fmt.Sprintf("{\"%d\":true}\n", i)))
	}
	source := []Source{Bytes("f", []byte(b.String()))}
	_, err := JSON(source, Options{Overrules: []Overrule{{".", "struct"}}})
	want := fmt.Sprintf("f:%d:1: up to this record there are more than 200,000 different fields; if the keys of an object are data, say --map and its path, or read less with --records", maxNodes+1)
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	r, err := JSON(source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := JSON(source, Options{Overrules: []Overrule{{".", "json"}}}); err != nil {
		t.Errorf("as texts: %v", err)
	}
	if r.Records != maxNodes+1 || len(r.Guesses) != 1 || r.Guesses[0].Reason != "it has more than 10,000 different keys" {
		t.Errorf("%d records, guesses %v", r.Records, r.Guesses)
	}
}

// Keys in values that are kept as the text of their JSON, or left out, do not count as fields.
func TestManyFieldsUnseen(t *testing.T) {
	var b strings.Builder
	for i := range maxNodes / 5 {
		fmt.Fprintf(&b, "{\"id\":1,%q:{\"key %d\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1}}}\n", []string{"kept", "left"}[i%2], i)
	}
	r, err := JSON([]Source{Bytes("f", []byte(b.String()))}, Options{Overrules: []Overrule{{"kept", "json"}, {"left", "none"}}})
	if err != nil {
		t.Fatal(err)
	}
	if kept, left := fieldType(r, "kept"), fieldType(r, "left"); kept != "*string" || left != "none" || r.Records != maxNodes/5 {
		t.Errorf("the types are %s and %s of %d records", kept, left, r.Records)
	}
}

// The first record of a source may have the names of the columns.
func TestHeader(t *testing.T) {
	for _, test := range []struct {
		sample, fields string
		records        int64
	}{
		{`["x","y"] [1,2] [3,4]`, "x int64, y int64", 2},
		{`["x","y"] [1,"2"]`, "x int64, y string", 1},
		{`["x","y"] ["1","2"]`, "items []string", 2},
		{`["x","y"] [1,2,3]`, "items []FUnion", 2},
		{`["x","y"] [1,2] []`, "items []FUnion", 3},
		{`["x","x"] [1,"2"] [1,"2"]`, "f1 F1Union, f2 string", 3},
		{`["x","y"]`, "items []string", 1},
		{`["a b","a,b","type"] [true,1,2.5]`, "a_b bool, a_b_2 int64, type float64", 1},
	} {
		data := []byte(test.sample)
		r, err := JSON([]Source{Bytes("f", data), Bytes("g", data)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accepts(t, r, data)
		var fields []string
		for _, f := range r.Schema.Message(r.Root).Fields {
			fields = append(fields, f.Name+" "+text.FormatType(f.Type))
		}
		if got := strings.Join(fields, ", "); got != test.fields || r.Records != 2*test.records {
			t.Errorf("%s: got %s of %d records", test.sample, got, r.Records)
		}
	}
}

// A value that does not fit the schema that the user gave is an error with its position.
func TestGivenSchema(t *testing.T) {
	base, err := JSON([]Source{Bytes("f", []byte(good+`{"a":2,"b":"y","c":[1],"d":{"e":true}}`))}, Options{Name: "things"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want, notes string }{
		{text: good, want: `{"a":1,"b":"x","c":null,"d":null}`},
		{text: `{"d":{},"b":"x","a":"17"}`, want: "f:1:7: D.e is missing in the object that ends here, and in the schema it is never absent; make its type optional, with a * before it"},
		{text: `{"d":{"e":"true"},"b":7,"a":"17"}`, want: `{"a":17,"b":"7","c":null,"d":{"e":true}}`},
		{text: `{"b":"x"}`, want: "f:1:9: Thing.a is missing in the object that ends here, and in the schema it is never absent; make its type optional, with a * before it"},
		{text: `{"a":null,"b":"x"}`, want: "f:1:6: Thing.a is null here, and in the schema it is never absent; make its type optional, with a * before it"},
		{text: `{"a":1.5,"b":"x"}`, want: "f:1:6: Thing.a is 1.5 here, and in the schema it is an int64"},
		{text: `{"a":1,"b":{}}`, want: "f:1:12: Thing.b is an object here, and in the schema it is a string"},
		{text: `{"a":1,"b":"x","c":{}}`, want: "f:1:20: Thing.c is an object here, and in the schema it is a list"},
		{text: `{"a":1,"b":"x","d":[true,2]}`, want: "f:1:26: the list has more elements than the 1 of D"},
		{text: `[1,"x",[],null]`, want: `{"a":1,"b":"x","c":[],"d":null}`},
		{text: `[1,"x",[]]`, want: "f:1:10: the list ends here with 3 elements, and Thing has 4"},
		{text: `["a","b","c","d"]` + "\n" + `[1,"x",[],null]`, want: `{"a":1,"b":"x","c":[],"d":null}`},
		{text: `{"a":1,"b":"x","z":1}{"a":1,"b":"x","z":[2],"y":{}}`, want: `{"a":1,"b":"x","c":null,"d":null} {"a":1,"b":"x","c":null,"d":null}`,
			notes: `left out: the key "z", which Thing has no field for, 2 times|left out: the key "y", which Thing has no field for, 1 time`},
		{text: `3`, want: "f:1:1: Thing is a number here, and in the schema it is an object, Thing"},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.text))}, Options{Schema: base.Schema})
		if r != nil && len(WithoutValues(r.Notes)) > 0 {
			t.Errorf("%s: notes that others see: %q", test.text, WithoutValues(r.Notes))
		}
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = strings.TrimSpace(strings.ReplaceAll(string(bytes.Join(write(t, r), nil)), "\n", " "))
			if diff := cmp.Diff(test.notes, strings.Join(r.Notes, "|")); diff != "" {
				t.Errorf("%s: notes -want +got\n%s", test.text, diff)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.text, diff)
		}
	}
}

// fieldType returns the type of the root's field for a key.
func fieldType(r *Result, key string) string {
	m := r.Schema.Message(r.Root)
	for i, f := range m.Fields {
		if r.keys[m.Name][i] == key {
			return text.FormatType(f.Type)
		}
	}
	return "none"
}

// Plain and compressed files, several files and standard input give the same result.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var zipped, packed bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := io.WriteString(w, good); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{
		file("a.json", []byte("\xef\xbb\xbf"+good)), file("b.ndjson.gz", zipped.Bytes()), file("c", packed.Bytes()), "-",
		file("list.json", []byte("["+good+"]")),
	}
	sources, done, err := Files(t.Context(), paths, strings.NewReader(good+good), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := JSON(sources, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != 6 || r.Bytes != 6*int64(len(good)-1) {
		t.Errorf("%d records, %d bytes", r.Records, r.Bytes)
	}
	if r.Schema.Name != "a" || r.Root != "A" {
		t.Errorf("the schema is called %s, its root %s", r.Schema.Name, r.Root)
	}
	if lines := write(t, r); len(lines) != 6 {
		t.Errorf("%d lines", len(lines))
	}
	r, err = JSON(sources, Options{MaxRecords: 4})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"only the first 4 records are read; --max-records and --max-bytes say how much"}; r.Records != 4 || !cmp.Equal(r.Notes, want) {
		t.Errorf("%d records, notes %q", r.Records, r.Notes)
	}
	done()
	if _, err := JSON(sources[3:4], Options{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the copy of standard input is still there: %v", err)
	}

	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{"-", "-"}, "standard input is named twice"},
		{[]string{dir}, dir + " is a directory; name the files in it"},
		{[]string{"-", filepath.Join(dir, "none")}, "stat " + filepath.Join(dir, "none") + ": no such file or directory"},
	} {
		if _, _, err := Files(t.Context(), test.paths, strings.NewReader(""), Options{}); err == nil || err.Error() != test.want {
			t.Errorf("%v: got %v, want %s", test.paths, err, test.want)
		}
	}
}

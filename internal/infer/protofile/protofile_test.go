package protofile

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/internal/infer"
	"assay/schema"
	"assay/schema/text"
)

var update = flag.Bool("update", false, "write the golden files")

// files returns sources for the named files.
func files(t *testing.T, names ...string) []infer.Source {
	t.Helper()
	sources, _, err := infer.Files(context.Background(), names, nil, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// describe writes everything in a result.
func describe(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	b.Write(text.Format(r.Schema))
	fmt.Fprintf(&b, "\n# %s is %s, %d records\n", r.Message, r.Root, r.Records)
	for _, f := range r.Files {
		fmt.Fprintf(&b, "# read %s\n", f)
	}
	for _, g := range r.Guesses {
		fmt.Fprintf(&b, "# guess: %s: %s: %s (%s)\n", g.Path, g.Decision, g.Reason, g.Overrule)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# note: %s\n", n)
	}
	for _, e := range r.Bad {
		fmt.Fprintf(&b, "# bad: %v\n", e)
	}
	b.WriteString(neutralOf(t, r))
	return b.String()
}

// neutralOf returns the records in the neutral form, and checks that each is one of the schema.
func neutralOf(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if err := fits(r.Schema, schema.Type{Kind: schema.MessageKind, Ref: r.Root}, v); err != nil {
			t.Errorf("%v: %s", err, line)
		}
	}
	return b.String()
}

// fits returns an error if a neutral value is not of a type.
func fits(s *schema.Schema, t schema.Type, v any) error {
	wrong := func() error { return fmt.Errorf("%v (%T) is no %s", v, v, text.FormatType(t)) }
	if v == nil {
		if t.Optional || t.Kind == schema.List || t.Kind == schema.Map || t.Kind == schema.Bytes {
			return nil
		}
		return wrong()
	}
	switch t.Kind {
	case schema.MessageKind:
		m, ok := v.(map[string]any)
		fields := s.Message(t.Ref).Fields
		if !ok || len(m) != len(fields) {
			return wrong()
		}
		for _, f := range fields {
			inner, ok := m[f.TextName()]
			if !ok {
				return fmt.Errorf("%s is missing", f.TextName())
			}
			if err := fits(s, f.Type, inner); err != nil {
				return fmt.Errorf("%s: %w", f.TextName(), err)
			}
		}
		return nil
	case schema.List:
		list, ok := v.([]any)
		if !ok {
			return wrong()
		}
		for _, e := range list {
			if err := fits(s, *t.Elem, e); err != nil {
				return err
			}
		}
		return nil
	case schema.Map:
		m, ok := v.(map[string]any)
		if !ok {
			return wrong()
		}
		for _, e := range m {
			if err := fits(s, *t.Elem, e); err != nil {
				return err
			}
		}
		return nil
	}
	ok := false
	switch n, _ := v.(json.Number); t.Kind {
	case schema.Bool:
		_, ok = v.(bool)
	case schema.String, schema.Bytes, schema.Timestamp:
		_, ok = v.(string)
	case schema.Float32, schema.Float64:
		_, isText := v.(string)
		ok = isText || strings.ContainsAny(n.String(), ".e")
	default:
		ok = n != "" && !strings.ContainsAny(n.String(), ".e")
	}
	if !ok {
		return wrong()
	}
	return nil
}

func TestGolden(t *testing.T) {
	tests := []struct {
		golden  string
		options Options
	}{
		{"order.golden", Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: files(t, "testdata/shop/order.ndjson")}},
		{"legacy.golden", Options{Files: []string{"testdata/legacy.proto"}, Message: "old.Record", Samples: files(t, "testdata/legacy.txtpb")}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			r, err := Read(t.Context(), tt.options)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tt.golden, describe(t, r))
		})
	}
}

// order reads the orders and returns them in the binary form.
func order(t *testing.T) (*Result, [][]byte) {
	t.Helper()
	o := Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: files(t, "testdata/shop/order.ndjson")}
	r, err := Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/shop/order.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for line := range bytes.Lines(data) {
		m := dynamicpb.NewMessage(r.desc)
		if err := r.decoder.decode(JSON, line, m); err != nil {
			t.Fatal(err)
		}
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return r, all
}

func frame(messages ...[]byte) []byte {
	var out []byte
	for _, m := range messages {
		out = append(binary.AppendUvarint(out, uint64(len(m))), m...)
	}
	return out
}

// All forms of a sample give the same records, and Auto recognizes each form.
func TestForms(t *testing.T) {
	want, messages := order(t)
	wantText := neutralOf(t, want)
	first, _, _ := strings.Cut(wantText, "\n")
	m := dynamicpb.NewMessage(want.desc)
	if err := proto.Unmarshal(messages[0], m); err != nil {
		t.Fatal(err)
	}
	asText, err := prototext.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	stock := append(append([]byte("\x22\x79\x0a\x75"), strings.Repeat("k", 117)...), 0x10, 1) // of 123 bytes, as { is
	nonEmpty := [][]byte{messages[0], messages[1], messages[3]}
	lines := strings.SplitAfter(wantText, "\n")
	tests := []struct {
		name    string
		samples []infer.Source
		form    Form
		want    string
		guess   string
	}{
		{"delimited", []infer.Source{infer.Bytes("x.pb", frame(messages...))}, Auto, wantText, "delimited"},
		{"one delimited", []infer.Source{infer.Bytes("x", frame(messages[0]))}, Auto, first + "\n", "delimited"},
		{"binary", []infer.Source{infer.Bytes("x.pb", messages[0])}, Auto, first + "\n", "binary"},
		{"several files", []infer.Source{infer.Bytes("0", nonEmpty[0]), infer.Bytes("1", nonEmpty[1]), infer.Bytes("2", nonEmpty[2])}, Binary, lines[0] + lines[1] + lines[3], ""},
		{"text", []infer.Source{infer.Bytes("x.txtpb", asText)}, Auto, first + "\n", ""},
		{"text with a name that says nothing", []infer.Source{infer.Bytes("order.txt", asText)}, Auto, first + "\n", "text"},
		{"a length and a tag that are a brace and a quote", []infer.Source{infer.Bytes("x", frame(stock))}, Auto, "", "delimited"},
		{"a list", []infer.Source{infer.Bytes("x", []byte(`[{"free":{}}]`))}, Auto, "", "json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Read(t.Context(), Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: tt.samples, Form: tt.form})
			if err != nil {
				t.Fatal(err)
			}
			got := neutralOf(t, r)
			if tt.want != "" && got != tt.want {
				t.Errorf("records differ (-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			guess := ""
			if len(r.Guesses) > 0 {
				guess = r.Guesses[0].Decision
			}
			if guess != tt.guess {
				t.Errorf("guessed %q, want %q", guess, tt.guess)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	one := []infer.Source{infer.Bytes("x.json", []byte(`{}`))}
	_, messages := order(t)
	orders := func(o Options) Options {
		o.Files, o.Message = []string{"testdata/shop/order.proto"}, "Order"
		return o
	}
	tests := []struct {
		name    string
		options Options
		want    string // the error must contain each line
	}{
		{"no file", Options{Samples: one}, "no .proto file"},
		{"no sample", Options{Files: []string{"testdata/two.proto"}}, "no sample"},
		{"not there", Options{Files: []string{"testdata/none.proto"}, Samples: one}, "testdata/none.proto"},
		{"missing import", Options{Files: []string{"testdata/bad/missing.proto"}, Samples: one}, `testdata/bad/missing.proto:3:8: the import "elsewhere/thing.proto" is not in testdata/bad; it is in testdata/bad/deep/er/elsewhere/thing.proto: give -I testdata/bad/deep/er`},
		{"missing import of many", Options{Files: []string{"testdata/bad/options.proto"}, Samples: one}, `testdata/bad/options.proto:3:8: 
github.com/googleapis/googleapis`},
		{"syntax", Options{Files: []string{"testdata/bad/syntax.proto"}, Samples: one}, "testdata/bad/syntax.proto:5:"},
		{"edition", Options{Files: []string{"testdata/bad/edition.proto"}, Samples: one}, "testdata/bad/edition.proto:1:11: \n2023 is the latest"},
		{"no fields", Options{Files: []string{"testdata/bad/empty.proto"}, Samples: one}, "testdata/bad/empty.proto:2:1: message Empty has no fields"},
		{"unknown message", Options{Files: []string{"testdata/shop/order.proto"}, Message: "Ordr", Samples: one}, "no message Ordr in testdata/shop/order.proto; near it is shop.v1.Order"},
		{"unknown full name", Options{Files: []string{"testdata/shop/order.proto"}, Message: "shop.v2.order", Samples: one}, "near it are shop.v1.Order"},
		{"far", Options{Files: []string{"testdata/two.proto"}, Message: "Zzz", Samples: one}, "which has two.Request, two.Response, two.Response.Request and two.Head"},
		{"ambiguous", Options{Files: []string{"testdata/two.proto"}, Message: "Request", Samples: one}, "2 messages are called Request: two.Request and two.Response.Request"},
		{"several", Options{Files: []string{"testdata/two.proto"}, Samples: one}, "several messages that records could be; name one with --message: two.Request and two.Response"},
		{"no JSON", orders(Options{Samples: []infer.Source{infer.Bytes("x.json", []byte("{\"note\":\"a\"}\n{\"note\""))}}), "x.json:2:"},
		{"unknown key", orders(Options{Samples: []infer.Source{infer.Bytes("x.json", []byte("{}\n{\"note\":\"é\", \"nte\":1}"))}}), `x.json:2:15: record 2: unknown field "nte", which shop.v1.Order does not have (near it is note)`},
		{"wrong value", orders(Options{Samples: []infer.Source{infer.Bytes("x.json", []byte("{\n\"weight\":true}"))}}), `x.json:2:10: record 1: weight is true, where protobuf's JSON has type int64`},
		{"wrong text", orders(Options{Samples: []infer.Source{infer.Bytes("x.txtpb", []byte("note: 'a'\nnte: 1"))}}), `x.txtpb:2:1: unknown field: nte`},
		{"enum", orders(Options{Samples: []infer.Source{infer.Bytes("x.json", []byte(`{"status":9}`))}}), "x.json:1:1: record 1: Order.status holds 9"},
		{"timestamp", orders(Options{Form: Binary, Samples: []infer.Source{infer.Bytes("x", []byte{0x12, 11, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})}}), "x: as one message of shop.v1.Order: Order.created: 0 seconds and -1 nanoseconds are no"},
		{"long duration", orders(Options{Form: Binary, Samples: []infer.Source{infer.Bytes("x", []byte{0x5a, 7, 8, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20})}}), "Order.took: a duration of 1099511627776 seconds is beyond the 292 years"},
		{"two signs", orders(Options{Form: Binary, Samples: []infer.Source{infer.Bytes("x", []byte{0x5a, 13, 8, 1, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})}}), "Order.took: 1 seconds and -1 nanoseconds are no google.protobuf.Duration"},
		{"cut off", orders(Options{Form: Delimited, Samples: []infer.Source{infer.Bytes("x", frame(messages...)[:20])}}), "x: record 1, at byte 0: the file ends after"},
		{"not delimited", orders(Options{Form: Delimited, Samples: []infer.Source{infer.Bytes("x", bytes.Repeat([]byte{0xff}, 20))}}), "x: record 1, at byte 0: there is no varint here, so no length of a message; the file is probably not length-delimited: use --proto-form binary if it is one message"},
		{"announced too large", orders(Options{Form: Delimited, MaxRecord: 5, Samples: []infer.Source{infer.Bytes("x", frame(make([]byte, 6)))}}), "x: record 1, at byte 0: a message of 6 bytes is announced, more than the 5 that one may have: allow more with --max-record, or the file is not length-delimited"},
		{"cut off, of no form", orders(Options{Samples: []infer.Source{infer.Bytes("x", bytes.TrimSuffix(frame(messages...), messages[len(messages)-1][1:]))}}), fmt.Sprintf("x: record %d, at byte %d: the file ends after ", len(messages), len(frame(messages[:len(messages)-1]...)))},
		{"bad second", orders(Options{Form: Delimited, Samples: []infer.Source{infer.Bytes("x", frame(messages[1], []byte{0xff}))}}), fmt.Sprintf("x: record 2, at byte %d: these bytes are not such a message", len(messages[1])+1)},
		{"empty", orders(Options{Form: Binary, Samples: []infer.Source{infer.Bytes("x", nil)}}), "x: the file is empty"},
		{"empty delimited", orders(Options{Form: Delimited, Samples: []infer.Source{infer.Bytes("x", nil)}}), "x: there are no records"},
		{"kubernetes", orders(Options{Form: Binary, Samples: []infer.Source{infer.Bytes("x", []byte("k8s\x00\n"))}}), "envelope of Kubernetes"},
		{"too large", orders(Options{Form: Binary, MaxRecord: 2, Samples: []infer.Source{infer.Bytes("x", messages[0])}}), "--max-record"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(t.Context(), tt.options)
			if err == nil {
				t.Fatal("no error")
			}
			for line := range strings.Lines(tt.want) {
				if line = strings.TrimSuffix(line, "\n"); !strings.Contains(err.Error(), line) {
					t.Errorf("error %q\nlacks %q", err, line)
				}
			}
		})
	}
}

func TestSkipBad(t *testing.T) {
	_, messages := order(t)
	samples := []infer.Source{
		infer.Bytes("a.json", []byte("{\"note\":\"a\"}\n{\"nte\":1}\n{\"note\" 5}\n{\"note\":\"b\"}")),
		infer.Bytes("b", frame(messages[1], []byte{0xff}, messages[3])),
		infer.Bytes("c.json", []byte("{\"status\":9}")),
	}
	r, err := Read(t.Context(), Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: samples, SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != 2 || r.BadCount != 4 {
		// Auto does not take b for delimited, because it has a bad message: b is one bad record.
		t.Errorf("%d records and %d bad ones: %v", r.Records, r.BadCount, r.Bad)
	}
	var e *infer.Error
	if !errors.As(error(r.Bad[0]), &e) || e.File != "a.json" || e.Line != 2 {
		t.Errorf("the first bad record is %v", r.Bad[0])
	}
	if said := fmt.Sprint(r.Notes, r.Bad); strings.Contains(said, "--skip-bad") {
		t.Errorf("with SkipBad it is advised: %s", said)
	}
}

func TestLimits(t *testing.T) {
	_, messages := order(t)
	r, err := Read(t.Context(), Options{
		Files: []string{"testdata/shop/order.proto"}, Message: "Order", MaxRecords: 2,
		Samples: []infer.Source{infer.Bytes("a", frame(messages...)), infer.Bytes("b", frame(messages...))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != 2 || !strings.Contains(strings.Join(r.Notes, "\n"), "only the first 2 records are read") {
		t.Errorf("%d records, notes %q", r.Records, r.Notes)
	}
}

// With the largest possible limits, more than a million JSON records and large files are read: the
// limits must not overflow.
func TestNoLimits(t *testing.T) {
	const records = 1_000_001
	large := append(bytes.Repeat([]byte{0x0a, 0}, 70<<10), 0x10, 1)
	dir := write(t, map[string]string{"node.proto": "syntax = \"proto3\";\nmessage Node { Node next = 1; int32 id = 2; }\n"})
	tests := []struct {
		form Form
		data []byte
		want int64
	}{
		{JSON, bytes.Repeat([]byte("{}\n"), records), records},
		{Binary, large, 1},
		{Delimited, frame(large), 1},
	}
	for _, tt := range tests {
		r, err := Read(t.Context(), Options{
			Files: []string{filepath.Join(dir, "node.proto")}, Form: tt.form, Samples: []infer.Source{infer.Bytes("x", tt.data)},
			MaxRecords: math.MaxInt64, MaxBytes: math.MaxInt64, MaxRecord: math.MaxInt64,
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Records != tt.want || len(r.Notes) > 0 {
			t.Errorf("%s: %d records, want %d; notes %q", tt.form, r.Records, tt.want, r.Notes)
		}
	}
}

// All forms allow messages to be nested equally deep.
func TestDepth(t *testing.T) {
	dir := write(t, map[string]string{"node.proto": "syntax = \"proto3\";\nmessage Node { Node next = 1; int32 id = 2; }\n"})
	binary := func(n int) []byte {
		data := []byte{0x10, 1}
		for ; n > 1; n-- {
			data = append(binary.AppendUvarint([]byte{0x0a}, uint64(len(data))), data...)
		}
		return data
	}
	nested := func(open, inside, closing string) func(n int) []byte {
		return func(n int) []byte {
			return []byte(strings.Repeat(open, n-1) + inside + strings.Repeat(closing, n-1))
		}
	}
	tests := []struct {
		form   Form
		nested func(n int) []byte
	}{
		{Binary, binary},
		{Delimited, func(n int) []byte { return frame(binary(n)) }},
		{JSON, nested(`{"next":`, `{"id":1}`, "}")},
		{Text, nested("next {", "id: 1", "}")},
	}
	for _, tt := range tests {
		for _, n := range []int{maxDepth, maxDepth + 1} {
			_, err := Read(t.Context(), Options{
				Files: []string{filepath.Join(dir, "node.proto")}, Form: tt.form, Samples: []infer.Source{infer.Bytes("x", tt.nested(n))},
			})
			if (err == nil) != (n <= maxDepth) {
				t.Errorf("%s of %d messages in one another: %v", tt.form, n, err)
			}
		}
	}
}

// write writes files below a new directory and returns the directory. It replaces DIR in the files by
// its path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		data = strings.ReplaceAll(data, "DIR", filepath.ToSlash(dir))
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImports(t *testing.T) {
	const thing = "syntax = \"proto3\";\npackage p;\nmessage Thing { int32 id = 1; }\n"
	holds := func(imp string) string {
		return fmt.Sprintf("syntax = \"proto3\";\npackage q;\nimport %q;\nmessage Order { p.Thing thing = 1; }\n", imp)
	}
	const gomod = "module example.com/app\n\ngo 1.26\n\nrequire example.com/types v1.2.3\n"
	tests := []struct {
		name   string
		files  map[string]string
		named  []string // .proto files
		dirs   []string
		want   string // the end of the path that is found
		module bool   // the notes say that the file is from a Go module
	}{
		{"above", map[string]string{"api/v1/order.proto": holds("common/thing.proto"), "common/thing.proto": thing}, []string{"api/v1/order.proto"}, nil, "common/thing.proto", false},
		{"directory", map[string]string{"order.proto": holds("thing.proto"), "inc/thing.proto": thing}, []string{"order.proto"}, []string{"inc"}, "inc/thing.proto", false},
		{"prefix", map[string]string{"order.proto": holds("example.com/types/v1/thing.proto"), "copy/v1/thing.proto": thing}, []string{"order.proto"}, []string{"example.com/types=copy"}, "copy/v1/thing.proto", false},
		{"vendor", map[string]string{"go.mod": gomod, "api/order.proto": holds("example.com/types/v1/thing.proto"), "vendor/example.com/types/v1/thing.proto": thing}, []string{"api/order.proto"}, nil, "types/v1/thing.proto", true},
		{"replaced", map[string]string{"app/go.mod": gomod + "replace example.com/types => ../types\n", "app/order.proto": holds("example.com/types/v1/thing.proto"), "types/v1/thing.proto": thing}, []string{"app/order.proto"}, nil, "types/v1/thing.proto", true},
		{"replaced by an absolute path", map[string]string{"app/go.mod": gomod + "replace example.com/types => DIR/types\n", "app/order.proto": holds("example.com/types/v1/thing.proto"), "types/v1/thing.proto": thing}, []string{"app/order.proto"}, nil, "types/v1/thing.proto", true},
		{"module cache", map[string]string{"pkg/mod/example.com/app@v1.0.0/go.mod": gomod, "pkg/mod/example.com/app@v1.0.0/order.proto": holds("example.com/types/v1/thing.proto"), "pkg/mod/example.com/types@v1.2.3/v1/thing.proto": thing}, []string{"pkg/mod/example.com/app@v1.0.0/order.proto"}, nil, "types@v1.2.3/v1/thing.proto", true},
		{"root of a module", map[string]string{"go.mod": gomod, "order.proto": holds("gogo/thing.proto"), "vendor/example.com/types/gogo/thing.proto": thing}, []string{"order.proto"}, nil, "types/gogo/thing.proto", true},
		{"one file under two names", map[string]string{"a/order.proto": holds("a/b/thing.proto"), "a/b/thing.proto": thing}, []string{"a/b/thing.proto", "a/order.proto"}, nil, "a/b/thing.proto", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			o := Options{Message: "q.Order", Samples: []infer.Source{infer.Bytes("x.json", []byte(`{"thing":{"id":1}}`))}}
			for _, f := range tt.named {
				o.Files = append(o.Files, filepath.Join(dir, filepath.FromSlash(f)))
			}
			for _, d := range tt.dirs {
				prefix, rest, ok := strings.Cut(d, "=")
				if !ok {
					prefix, rest = "", d
				} else {
					prefix += "="
				}
				o.ImportDirs = append(o.ImportDirs, prefix+filepath.Join(dir, rest))
			}
			r, err := Read(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := filepath.ToSlash(r.Files[0]); !strings.HasSuffix(got, tt.want) {
				t.Errorf("found %s, want %s", got, tt.want)
			}
			if said := strings.Contains(strings.Join(r.Notes, "\n"), "read from the Go module"); said != tt.module {
				t.Errorf("notes are %q", r.Notes)
			}
		})
	}
}

// If a sample changes between two readings, the second one returns an error.
func TestChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(name, []byte("{}\n{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Read(t.Context(), Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: files(t, name)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "must not change") {
		t.Errorf("error is %v", err)
	}
}

func TestParseForm(t *testing.T) {
	if f, err := ParseForm("delimited"); f != Delimited || err != nil {
		t.Error(f, err)
	}
	if _, err := ParseForm("bson"); err == nil || !strings.Contains(err.Error(), "binary, delimited, json and text") {
		t.Error(err)
	}
}

// Every .proto file gives an error or a valid schema.
func FuzzProto(f *testing.F) {
	for _, name := range []string{"testdata/shop/common/money.proto", "testdata/legacy.proto", "testdata/two.proto", "testdata/bad/syntax.proto"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("syntax='proto3';message A{enum E{a=0;A=1;E_A=2;}E e=1;A a=2;map<string,A> m=3;repeated A aList=4;int32 size=5;int32 Size_=6;}message AList{A a=1;}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		name := filepath.Join(dir, "x.proto")
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		set, err := compile(t.Context(), []string{name}, nil)
		if err != nil {
			return
		}
		for _, m := range messages(set.files) {
			if m.Fields().Len() == 0 {
				continue
			}
			b := newBuilder(set)
			if _, err := b.root(m, ""); err != nil {
				t.Fatal(err)
			}
			if err := b.schema.Validate(); err != nil {
				t.Errorf("%s: %v", m.FullName(), err)
			}
		}
	})
}

// Every sample gives an error or records of the schema.
func FuzzSample(f *testing.F) {
	set, err := compile(f.Context(), []string{"testdata/shop/order.proto"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	desc, _, err := set.message("Order")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"orderId":"x"}`), true)
	f.Add([]byte{0x0a, 1, 'x'}, false)
	f.Add([]byte{3, 0x0a, 1, 'x'}, false)
	f.Fuzz(func(t *testing.T, data []byte, skip bool) {
		r := &Result{options: Options{Samples: []infer.Source{infer.Bytes("x", data)}, SkipBad: skip}.withDefaults()}
		if err := r.shape(set, desc); err != nil {
			t.Fatal(err)
		}
		if err := r.chooseForms(); err != nil {
			return
		}
		p, err := r.convert(func(_, _ []byte) error { return nil })
		if err != nil {
			return
		}
		r.Records = p.seen
		neutralOf(t, r)
	})
}

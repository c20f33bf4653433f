package tried

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cachedir"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	"assay/internal/refusal"
	"assay/internal/userdata"
	"assay/result"
	"assay/schema/text"
)

// Made describes the source of a schema, also for a stored run, which does not have the name of the Go
// type.
func TestMade(t *testing.T) {
	orders := userdata.Source{Files: []string{"in/orders.ndjson"}, Total: 2}
	inferred := orders
	inferred.Spelled = true
	for _, test := range []struct {
		of           userdata.Source
		goType, want string
	}{
		{inferred, "", "inferred from 2 records of orders.ndjson"},
		{orders, "./model.Order", "made of the Go type ./model.Order"},
		{orders, "", "made of a Go type"},
	} {
		if got := Made(test.of, test.goType); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// written is a directory with JSON records, and with a .proto file that they are of.
func written(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"orders.ndjson":      `{"id":"1","price":{"cents":"250"}}` + "\n" + `{"id":"2","price":{"cents":"300"}}` + "\n",
		"orders.proto":       "syntax = \"proto3\";\npackage shop;\nimport \"common/money.proto\";\nmessage Order {\n  string id = 1;\n  common.Money price = 2;\n}\n",
		"common/money.proto": "syntax = \"proto3\";\npackage common;\nmessage Money { int64 cents = 1; }\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sourceOf returns the source of the records of written: as plain JSON, or as messages of the .proto file.
func sourceOf(t *testing.T, dir string, proto bool) userdata.Source {
	t.Helper()
	files := []string{filepath.Join(dir, "orders.ndjson")}
	sources, done, err := infer.Files(t.Context(), files, nil, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	if !proto {
		r, err := infer.JSON(sources, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return userdata.Inferred(files, r)
	}
	r, err := protofile.Read(t.Context(), protofile.Options{Files: []string{filepath.Join(dir, "orders.proto")}, Message: "Order", Samples: sources})
	if err != nil {
		t.Fatal(err)
	}
	return userdata.Messages(files, r)
}

// A stored run is enough to export the schema, and the .proto files, from it: the files of the sample may be
// gone. The records come from the cache, and there is no other error about a cache without them than what to
// do.
func TestTakenFromRun(t *testing.T) {
	for _, proto := range []bool{false, true} {
		t.Run(map[bool]string{false: "JSON", true: "messages"}[proto], func(t *testing.T) {
			files, run, cache := written(t), t.TempDir(), cachedir.In(t.TempDir())
			d, err := userdata.New(cache, sourceOf(t, files, proto))
			if err != nil {
				t.Fatal(err)
			}
			if err := Keep(run, Describe(d), d.Proto); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(files); err != nil {
				t.Fatal(err)
			}
			e, err := FromRun(t.Context(), cache, run, true)
			if err != nil {
				t.Fatal(err)
			}
			o := e.Options(nil, "", "v1")
			if want := text.Format(d.Schema); string(text.Format(o.Schema)) != string(want) || o.Root != d.Root || o.About.Run != filepath.Base(run) {
				t.Errorf("of run %s: root %s, schema\n%s\nwant\n%s", o.About.Run, o.Root, text.Format(o.Schema), want)
			}
			var records []string
			for _, r := range o.Records {
				records = append(records, strings.TrimSpace(string(r)))
			}
			of := "inferred from 2 records of orders.ndjson"
			if proto {
				of = "made of the message shop.Order of orders.proto"
			}
			if o.About.Of != of {
				t.Errorf("the schema is %q, want %q", o.About.Of, of)
			}
			want := []string{`{"id":"1","price":{"cents":"250"}}`, `{"id":"2","price":{"cents":"300"}}`}
			if proto {
				want = []string{`{"id":"1","price":{"cents":250}}`, `{"id":"2","price":{"cents":300}}`}
				if len(o.Messages) != 2 || len(o.ProtoJSON) != 2 || !o.Neutral || o.Proto == nil || strings.Join(o.Proto.Named(), " ") != "orders.proto" {
					t.Errorf("%d messages, %d in JSON, neutral %v, of %v", len(o.Messages), len(o.ProtoJSON), o.Neutral, o.Proto)
				}
			} else if o.Neutral || o.Proto != nil || o.Messages != nil {
				t.Errorf("the records are said to be neutral %v, and messages of %v", o.Neutral, o.Proto)
			}
			if diff := cmp.Diff(want, records); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			empty := cachedir.In(t.TempDir())
			_, err = FromRun(t.Context(), empty, run, true)
			if err == nil || !strings.Contains(err.Error(), "are not in the cache "+empty.Path()+": name the cache that has them with --cache, or try "+filepath.Join(files, "orders.ndjson")+" again") {
				t.Errorf("without the records: %v", err)
			}
			if e, err = FromRun(t.Context(), empty, run, false); err != nil || e.Of == "" || len(e.Options(nil, "", "").Records) > 0 {
				t.Errorf("without --with-records: %q, %v", e.Of, err)
			}
			if !proto {
				return
			}
			// The copies are of what was compiled, wherever the files are now.
			again := t.TempDir()
			if err := Keep(again, Describe(d), d.Proto); err != nil {
				t.Fatal(err)
			}
			first, err := os.ReadFile(filepath.Join(run, protoDir, "orders.proto"))
			if err != nil {
				t.Fatal(err)
			}
			if second, err := os.ReadFile(filepath.Join(again, protoDir, "orders.proto")); err != nil || !bytes.Equal(first, second) || len(first) == 0 {
				t.Errorf("without the .proto files, the copy is %q, %v; it was %q", second, err, first)
			}
			if err := os.WriteFile(filepath.Join(run, protoDir, "orders.proto"), []byte("syntax"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, withRecords := range []bool{false, true} {
				if _, err := FromRun(t.Context(), cache, run, withRecords); err == nil || !strings.Contains(err.Error(), "the copies of the .proto files of run "+run+" cannot be used: ") {
					t.Errorf("of damaged copies: %v", err)
				}
			}
		})
	}
}

// A directory of another command, or with a damaged file, is refused.
func TestNoneOfTry(t *testing.T) {
	run := t.TempDir()
	file, about := filepath.Join(run, DataFile), "run "+filepath.Base(run)
	for _, test := range []struct{ data, want string }{
		{"", about + " has no data.json: it is none of assay try, or ended before that was written; try the records again"},
		{"{", about + " is none of assay try: unexpected end of JSON input"},
		{"large", about + " is none of assay try: " + file + " is larger than 64 MiB, more than a run may have"},
	} {
		if test.data != "" {
			if err := os.WriteFile(file, []byte(test.data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if test.data == "large" { // and empty, so that it takes no room
			if err := os.Truncate(file, mostFile+1); err != nil {
				t.Fatal(err)
			}
		}
		_, stored := FromRun(t.Context(), cachedir.In(t.TempDir()), run, false)
		_, recalled := FromRun(t.Context(), cachedir.In(t.TempDir()), run, true)
		_, again := Again(run, &result.Run{}, nil, &Asking{})
		for _, err := range []error{stored, recalled, again} {
			if err == nil || err.Error() != test.want || !errors.As(err, new(*refusal.Error)) {
				t.Errorf("with %q: %v, want %s", test.data, err, test.want)
			}
		}
	}
}

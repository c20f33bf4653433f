package result

import (
	"reflect"
	"strings"
	"testing"
)

// Every kind of record is known to the store, to the checks and to Record.cases. The test
// fails if a new kind is added to Record only.
func TestEveryKind(t *testing.T) {
	of := reflect.TypeFor[Record]()
	without := map[string]bool{"Verification": true, "Bench": true, "Note": true, "Launch": true} // kinds without a case, or with several
	kinds := 0
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Type.Kind() != reflect.Pointer {
			continue
		}
		kinds++
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, err := decodeRecord([]byte(`{"` + name + `":{}}`)); err != nil && strings.Contains(err.Error(), "holds") {
			t.Errorf("a record with %s: %v", f.Name, err)
		}
		var r Record
		held := reflect.New(f.Type.Elem())
		reflect.ValueOf(&r).Elem().Field(i).Set(held)
		if f.Name == "Note" || f.Name == "Bench" {
			continue
		}
		if err := r.check(); err == nil || !strings.Contains(err.Error(), "without a") {
			t.Errorf("an empty %s is taken for sound: %v", f.Name, err)
		}
		if cases := r.cases(); len(cases) == 0 && !without[f.Name] {
			t.Errorf("a record with %s is of no case", f.Name)
		}
	}
	if kinds < 16 {
		t.Errorf("a record has only %d kinds", kinds)
	}
}

// Read refuses a file with more records than any run has, because records take more memory
// than their lines.
func TestManyRecords(t *testing.T) {
	for n, refused := range map[int]bool{3: false, 4: true} {
		text := strings.Repeat("{\"note\":{\"text\":\"a\"}}\n", n) + "damaged\n"
		out, err := decodeSamples(strings.NewReader(text), "samples.jsonl", 3)
		if refused && (err == nil || err.Error() != "it has more than 3 records, more than a run may have") || !refused && (err != nil || len(out.records) != n) {
			t.Errorf("%d records: %d read, %v", n, len(out.records), err)
		}
	}
}

// TestResumeWith checks that the command that resumes a run names the module versions, the Go and
// the cache that the run began with, each as one word of a shell.
func TestResumeWith(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"reproduce", "movie", "--with", "google.golang.org/protobuf@v1.36.12", "--quick"}, " --with google.golang.org/protobuf@v1.36.12"},
		{[]string{"reproduce", "--with=a.b/c@v1", "--with", "d.e/f@v2.0.0-rc.1+x"}, " --with a.b/c@v1 --with d.e/f@v2.0.0-rc.1+x"},
		{[]string{"reproduce", "--with", "a.b/c@v1,d.e/f@v2"}, " --with a.b/c@v1 --with d.e/f@v2"}, // of an earlier version
		{[]string{"reproduce", "--with"}, ""},
		{[]string{"reproduce", "--with", "a@v1;true"}, " --with 'a@v1;true'"},
		{[]string{"reproduce", "--go", "go1.25.3"}, " --go go1.25.3"},
		{[]string{"reproduce", "--with", "a.b/c@v1", "--go=/opt/my go/bin/go"}, " --with a.b/c@v1 --go '/opt/my go/bin/go'"},
		{[]string{"reproduce", "--go", "go'; true"}, ` --go 'go'\''; true'`},
		{[]string{"reproduce", "--go", "/opt/homebrew/opt/go@1.25/bin/go"}, " --go /opt/homebrew/opt/go@1.25/bin/go"},
		{[]string{"reproduce", "--cache", "my cache", "--quick"}, " --cache 'my cache'"},
		{[]string{"reproduce", "--cache=", "--go", "~/go"}, " --go '~/go'"},
	} {
		run := &Run{ID: "x", Args: tt.args, Plan: Plan{Sources: []string{"movie"}, Cases: []Case{{Workload: "movie"}}}}
		if got, want := run.Resume(), "assay reproduce --resume x"+tt.want; got != want {
			t.Errorf("%q: %q, want %q", tt.args, got, want)
		}
	}
}

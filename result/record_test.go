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

// The command that resumes a run is the one that began it. Parts that were measured together cannot
// be resumed, so that such a run names none.
func TestCommand(t *testing.T) {
	cases := []Case{{Workload: "movie", Op: Encode}}
	for _, tt := range []struct {
		name    string
		plan    Plan
		command string
		answers bool
	}{
		{"built-in workloads", Plan{Cases: cases}, "run", false},
		{"a published source", Plan{Cases: cases, Sources: []string{"movie"}}, "reproduce", false},
		{"a user's records", Plan{Cases: cases, Data: &Data{}}, "try", true},
		{"streams of a user's records", Plan{Cases: cases, Data: &Data{}, Stream: &StreamPlan{}}, "try", false},
		{"build costs", Plan{Cases: []Case{{Workload: "movie", Op: Building}}}, "buildcost", false},
		{"two versions", Plan{Cases: cases, Sides: []string{"a", "b"}}, "", false},
		{"exhibits", Plan{}, "", false},
	} {
		run := &Run{ID: "x", Plan: tt.plan}
		resume, says := "", "the run was interrupted"
		if tt.command != "" {
			resume = "assay " + tt.command + " --resume x"
			says += " (" + resume + ")"
		}
		if run.Command() != tt.command || run.Resume() != resume || run.Interrupted() != says || run.Answers() != tt.answers {
			t.Errorf("%s: %q, %q, %q, answers %v", tt.name, run.Command(), run.Resume(), run.Interrupted(), run.Answers())
		}
		run.Live = true
		if got := run.Interrupted(); got != "the run is still being measured" {
			t.Errorf("%s, while it is measured: %q", tt.name, got)
		}
	}
}

// A case is timed on new values if it is more than half as slow again on them, and said to remember
// values from a tenth on. A time that is unknown says nothing.
func TestRemembers(t *testing.T) {
	for _, tt := range []struct {
		fresh, seen       float64
		renews, remembers bool
	}{
		{100, 100, false, false}, {109, 100, false, false}, {111, 100, false, true}, {149, 100, false, true}, {151, 100, true, true},
		{100, 0, false, false}, {0, 100, false, false}, {0, 0, false, false},
	} {
		c := &Calibration{Fresh: tt.fresh, Seen: tt.seen}
		if c.Renews() != tt.renews || c.Remembers() != tt.remembers {
			t.Errorf("%v on new values and %v on known ones: renews %v, remembers %v", tt.fresh, tt.seen, c.Renews(), c.Remembers())
		}
	}
}

package result_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func note(text string) result.Record {
	return result.Record{Time: noon, Note: &result.Note{Text: text}}
}

// The cases of newRun.
var (
	tick      = result.Case{Workload: "tick", Size: "n=1", Contender: "x", Mode: "output=reuse", Op: result.Encode}
	building  = result.Case{Workload: "tick", Contender: "x", Op: result.Building}
	streaming = result.Case{Workload: "tick", Size: "n=1", Contender: "x", Mode: "stream=file", Op: result.Decode}
)

func newRun() *result.Run {
	return &result.Run{
		Tool: "v1", Args: []string{"run", "--quick"}, Started: noon, Seed: 1<<64 - 1,
		Plan: result.Plan{Budget: time.Minute, Layouts: []uint64{0, 1<<63 + 1}, Cases: []result.Case{tick, building, streaming}},
	}
}

func create(t *testing.T, results string, records ...result.Record) (*result.Store, *result.Run) {
	t.Helper()
	run := newRun()
	s, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := s.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	return s, run
}

// everything returns one record of most kinds.
func everything() []result.Record {
	c := tick
	return []result.Record{
		{Time: noon, Launch: &result.Launch{Cell: c.Cell(), Layout: 1<<64 - 1, Index: 3, Seed: 7, Warmup: 10, Elapsed: 9,
			Series: []result.Series{{Subject: c.Subject(), N: 50, Round: []int{0, 2}, Wall: []int64{11, 12}, CPU: []int64{10, 11}}}}},
		{Time: noon, Count: &result.Count{Case: c, Ops: 64, Bytes: 1, Allocs: 2, Messages: 64, Encoded: 3}},
		{Time: noon, Verification: &result.Verification{Workload: "tick", Size: "n=1", Subject: c.Subject(),
			From: &result.Subject{Contender: "y"}, Reason: "a: <b> & \u2028", Losses: []string{"neg-zero"}}},
		{Time: noon, Calibration: &result.Calibration{Case: c, N: 5, NS: 41.25}},
		{Time: noon, Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 4.0 GiB"}},
		{Time: noon, Bench: &result.Bench{Set: "exhibits/x", Name: "published", Layout: 3, Round: 1, Benchtime: "10x", N: 10,
			NS: 12.5, Bytes: 64, Allocs: 2, Extra: map[string]float64{"elements": 1}}},
		{Time: noon, Compressed: &result.Compressed{Case: c, Messages: 64, Encoded: 640, Batch: 704,
			Codecs: []result.CompressedSizes{{Codec: "zstd", Bytes: 600, Batch: 200}}, Libraries: []result.Module{{Path: "example.com/z", Version: "v1.0.0"}}}},
		{Time: noon, Stream: &result.Stream{Case: streaming, Messages: 5, Items: 10, Bytes: 900, Wall: 70, CPU: 80, Sum: "0123456789abcdef",
			Losses: []string{"nil-empty"}, Elapsed: 100, TotalCPU: 120, Cycles: 2, GCCPU: 9, PauseMax: 4, Pause99: 3, Late: 8, Peak: 1 << 20, Limit: 1 << 30}},
		{Time: noon, BuildCost: &result.BuildCost{Case: building, Base: "floor", Bytes: 9, BaseBytes: 7,
			Modules: []result.Module{{Path: "example.com/x", Version: "v0.1.0"}}, Lines: 3, Cold: []result.BuildTime{{Wall: 2, CPU: 3}}, Warm: []result.BuildTime{{Wall: 1}}, Load: 0.5}},
		note("noise"),
	}
}

func TestStoreRoundTrip(t *testing.T) {
	results := filepath.Join(t.TempDir(), "a", "b")
	want := everything()
	s, run := create(t, results, want...)
	if got := filepath.Join(results, run.ID); s.Dir() != got {
		t.Errorf("run directory %s, want %s", s.Dir(), got)
	}
	if err := s.Finish(run); err != nil {
		t.Fatal(err)
	}
	got, records, warnings, err := result.Read(s.Dir())
	if err != nil || len(warnings) != 0 {
		t.Fatalf("Read: %v, warnings %q", err, warnings)
	}
	if diff := cmp.Diff(run, got); diff != "" {
		t.Errorf("run (-wrote +read):\n%s", diff)
	}
	if !got.Complete() {
		t.Error("a finished run reads as unfinished")
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Errorf("records (-wrote +read):\n%s", diff)
	}
	entries, err := os.ReadDir(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("run directory holds %v, want two files", entries)
	}
}

// A record for a file that somebody moved, removed or replaced is an error, because nobody could read it.
func TestAppendAfterRemoval(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system does not remove open files")
	}
	for name, harm := range map[string]func(dir string) error{
		"the results": func(dir string) error { return os.RemoveAll(filepath.Dir(dir)) },
		"the run":     os.RemoveAll,
		"moved":       func(dir string) error { return os.Rename(dir, dir+".moved") },
		"the file":    func(dir string) error { return os.Remove(filepath.Join(dir, "samples.jsonl")) },
		"replaced": func(dir string) error {
			file := filepath.Join(dir, "samples.jsonl")
			return errors.Join(os.Rename(file, file+".old"), os.WriteFile(file, nil, 0o666))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := create(t, filepath.Join(t.TempDir(), "runs"))
			if err := s.Append(everything()[0]); err != nil {
				t.Fatal(err)
			}
			if err := harm(s.Dir()); err != nil {
				t.Fatal(err)
			}
			removed := new(result.RemovedError)
			if err := s.Append(everything()[0]); !errors.As(err, &removed) {
				t.Errorf("the record is stored, with %v", err)
			}
		})
	}
}

func TestAppendFromManyGoroutines(t *testing.T) {
	s, _ := create(t, t.TempDir())
	defer s.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if err := s.Append(note(strings.Repeat(fmt.Sprint(i), 5000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	_, records, warnings, err := result.Read(s.Dir())
	if err != nil || len(warnings) != 0 || len(records) != 400 {
		t.Errorf("read %d records, warnings %q, %v; want 400", len(records), warnings, err)
	}
}

// TestDamage writes damaged samples.jsonl files and checks what Read and Resume return.
func TestDamage(t *testing.T) {
	line := func(text string) string { return `{"time":"2026-01-02T12:00:00Z","note":{"text":"` + text + `"}}` }
	tests := []struct {
		name, text  string
		want        []string // notes
		warning     string   // part of the only warning; empty: no warning
		afterResume string   // the beginning of the file after Resume
	}{
		{"empty", "", nil, "", ""},
		{"whole", line("a") + "\n" + line("b") + "\n", []string{"a", "b"}, "", line("a") + "\n" + line("b") + "\n"},
		{"half a line", line("a") + "\n" + line("b")[:30], []string{"a"}, "samples.jsonl:2: the last line was cut short", line("a") + "\n"},
		{"nothing but half a line", `{"ti`, nil, "samples.jsonl:1: the last line was cut short", ""},
		{"no newline", line("a") + "\n" + line("b"), []string{"a", "b"}, "", line("a") + "\n" + line("b") + "\n"},
		{"bad line in the middle", line("a") + "\n{oops}\n" + line("b") + "\n", []string{"a", "b"}, "samples.jsonl:2: damaged line left out", line("a") + "\n{oops}\n" + line("b") + "\n"},
		{"bad last line with a newline", line("a") + "\n{oops}\n", []string{"a"}, "samples.jsonl:2: damaged", line("a") + "\n{oops}\n"},
		{"wrong type", `{"launch":{"index":"x"}}` + "\n" + line("b") + "\n", []string{"b"}, "samples.jsonl:1: damaged", ""},
		{"nothing in it", "{}\n" + line("b") + "\n", []string{"b"}, "holds 0", ""},
		{"two things in it", `{"note":{},"count":{}}` + "\n" + line("b") + "\n", []string{"b"}, "holds 2", ""},
		{"uneven series", `{"launch":{"cell":{"workload":"tick","op":"encode"},"series":[{"contender":"x","round":[1],"wall":[1,2]}]}}` + "\n" + line("b") + "\n", []string{"b"}, "series of x: 1 rounds, 2 wall times", ""},
		{"blank lines", "\n" + line("a") + "\n  \n", []string{"a"}, "", ""},
		{"zeros after a power cut", line("a") + "\n\x00\x00\x00", []string{"a"}, "samples.jsonl:2: the last line was cut short", line("a") + "\n"},
		{"null", "null\n", nil, "samples.jsonl:1: damaged", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := create(t, t.TempDir())
			s.Close()
			path := filepath.Join(s.Dir(), "samples.jsonl")
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, records, warnings, err := result.Read(s.Dir())
			if err != nil {
				t.Fatal(err)
			}
			checkNotes(t, records, tt.want)
			switch {
			case tt.warning == "" && len(warnings) != 0,
				tt.warning != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], tt.warning)):
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}

			again, _, records, _, err := result.Resume(s.Dir())
			if err != nil {
				t.Fatal(err)
			}
			checkNotes(t, records, tt.want)
			if want := tt.warning != "" && !strings.Contains(tt.warning, "cut short"); again.Damaged() != want {
				t.Errorf("damaged is %v, want %v", again.Damaged(), want)
			}
			if err := again.Append(note("new")); err != nil {
				t.Fatal(err)
			}
			again.Close()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(text), tt.afterResume) {
				t.Errorf("resumed file %q, want it to start with %q", text, tt.afterResume)
			}
			_, records, _, err = result.Read(s.Dir())
			if err != nil {
				t.Fatal(err)
			}
			checkNotes(t, records, append(tt.want[:len(tt.want):len(tt.want)], "new"))
		})
	}
}

func checkNotes(t *testing.T, records []result.Record, want []string) {
	t.Helper()
	var got []string
	for _, r := range records {
		got = append(got, r.Note.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestBadRunFile(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"newer", `{"schema":99,"plan":"another shape"}`, "run.json has schema 99, and this version of assay reads up to 1: use the version that wrote it, or a later one"},
		{"none", `{}`, "no schema number"},
		{"not JSON", `schema: 1`, "not a run of assay"},
		{"another shape", `{"schema":1,"plan":3}`, "damaged"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := result.ReadRun(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "run.json") {
				t.Errorf("ReadRun: %v, want one that names run.json and says %q", err, tt.want)
			}
			if _, _, _, _, err := result.Resume(dir); err == nil {
				t.Error("Resume took it")
			}
		})
	}
	if _, err := result.ReadRun(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a run directory") {
		t.Errorf("ReadRun of an empty directory: %v", err)
	}
}

func TestUnwritableResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := result.Create(file, newRun())
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "--results") {
		t.Errorf("Create: %v, want one that names %s and --results", err, file)
	}
}

func TestUpdateKeepsTheOldOne(t *testing.T) {
	s, run := create(t, t.TempDir())
	defer s.Close()
	run.Plan.Reference = "changed"
	if err := s.Update(run); err != nil {
		t.Fatal(err)
	}
	got, err := result.ReadRun(s.Dir())
	if err != nil || got.Plan.Reference != "changed" {
		t.Errorf("ReadRun: %+v, %v", got, err)
	}
}

func TestList(t *testing.T) {
	results := t.TempDir()
	var want []string
	for i := range 3 {
		run := newRun()
		run.Started = noon.Add(time.Duration(i) * time.Hour)
		s, err := result.Create(results, run)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		want = append([]string{run.ID}, want...)
	}
	// A renamed run has its new name.
	if err := os.Rename(filepath.Join(results, want[0]), filepath.Join(results, "baseline")); err != nil {
		t.Fatal(err)
	}
	want[0] = "baseline"
	// Files and directories without a run.json are not runs.
	if err := os.WriteFile(filepath.Join(results, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(results, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	runs, err := result.List(results)
	if err != nil {
		t.Fatal(err)
	}
	checkIDs(t, runs, want)

	if err := os.WriteFile(filepath.Join(results, "other", "run.json"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	runs, err = result.List(results)
	if err == nil || !strings.Contains(err.Error(), filepath.Join("other", "run.json")) {
		t.Errorf("List with a damaged run: %v", err)
	}
	checkIDs(t, runs, want)
	if runs, err := result.List(filepath.Join(results, "none")); len(runs) != 0 || err != nil {
		t.Errorf("List of a directory that is not there: %v, %v", runs, err)
	}
}

func checkIDs(t *testing.T, runs []*result.Run, want []string) {
	t.Helper()
	var got []string
	for _, r := range runs {
		got = append(got, r.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

func TestIDsAreUnique(t *testing.T) {
	results := t.TempDir()
	for range 300 { // of 65536 IDs in one second: two collide with a probability of about 50%
		s, err := result.Create(results, newRun())
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	runs, err := result.List(results)
	if err != nil || len(runs) != 300 {
		t.Errorf("%d runs, %v; want 300", len(runs), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":1}`), []byte(`{"time":"2026-01-02T12:00:00Z","note":{"text":"a"}}`+"\n{"))
	f.Add([]byte(`{"schema":2}`), []byte("\n\n"))
	f.Add([]byte(``), []byte(`{"launch":{"series":[{"round":[1],"wall":[2]}]}}`))
	f.Fuzz(func(t *testing.T, run, text []byte) {
		dir := t.TempDir()
		if err := errors.Join(
			os.WriteFile(filepath.Join(dir, "run.json"), run, 0o644),
			os.WriteFile(filepath.Join(dir, "samples.jsonl"), text, 0o644)); err != nil {
			t.Fatal(err)
		}
		_, before, _, err := result.Read(dir)
		if err != nil {
			return
		}
		// Resume loses no record, and records appended after it can be read.
		s, _, _, _, err := result.Resume(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Append(note("new")); err != nil {
			t.Fatal(err)
		}
		_, after, _, err := result.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(before, note("new")), after); diff != "" {
			t.Errorf("after Resume and Append (-want +got):\n%s", diff)
		}
	})
}

// A run with compressed samples reads the same and cannot be resumed.
func TestPacked(t *testing.T) {
	s, run := create(t, t.TempDir(), everything()...)
	if err := s.Finish(run); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(s.Dir(), "samples.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(text)
	w.Close()
	if err := os.WriteFile(name+".gz", packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	_, records, warnings, err := result.Read(s.Dir())
	if err != nil || len(warnings) != 0 {
		t.Fatalf("%v, warnings %q", err, warnings)
	}
	if diff := cmp.Diff(everything(), records); diff != "" {
		t.Errorf("records (-wrote +read):\n%s", diff)
	}
	if _, _, _, _, err := result.Resume(s.Dir()); err == nil || !strings.Contains(err.Error(), "is compressed and cannot be resumed") {
		t.Errorf("Resume: %v", err)
	}
	if err := os.WriteFile(name+".gz", packed.Bytes()[:packed.Len()/2], 0o644); err != nil {
		t.Fatal(err)
	}
	// What is whole of a file that was cut short is read, as it is of one that is not compressed.
	_, records, warnings, err = result.Read(s.Dir())
	if err != nil || len(records) >= len(everything()) || len(warnings) != 1 || !strings.Contains(warnings[0], "the file was cut short here") {
		t.Errorf("half a file: %d records, %q, %v", len(records), warnings, err)
	}
	if err := os.WriteFile(name+".gz", packed.Bytes()[:5], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := result.Read(s.Dir()); err == nil || !strings.Contains(err.Error(), "samples.jsonl.gz") {
		t.Errorf("less than a header: %v", err)
	}
}

// A run that cannot begin leaves no directory.
func TestCreateFails(t *testing.T) {
	results := t.TempDir()
	run := &result.Run{Plan: result.Plan{Precision: math.NaN()}} // JSON has no NaN
	if _, err := result.Create(results, run); err == nil || !strings.Contains(err.Error(), "cannot write ") {
		t.Fatalf("%v", err)
	}
	if left, err := os.ReadDir(results); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Some stored runs call the sets of published sources "seeds/…". Read must return them as
// "sources/…", so that they can be found and resumed.
func TestOldSets(t *testing.T) {
	old, current, other := result.Bench{Set: "seeds/movie", Name: "a"}, result.Bench{Set: "sources/movie", Name: "a"}, result.Bench{Set: "exhibits/seeds/x", Name: "a"}
	s, _ := create(t, t.TempDir(), result.Record{Time: noon, Bench: &old}, result.Record{Time: noon, Bench: &current}, result.Record{Time: noon, Bench: &other})
	_, records, _, err := result.Read(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range records {
		got = append(got, r.Bench.Set)
	}
	if diff := cmp.Diff([]string{"sources/movie", "sources/movie", "exhibits/seeds/x"}, got); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
}

package stored

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/internal/console"
	"assay/internal/refusal"
	"assay/internal/runlock"
	"assay/result"
)

func TestName(t *testing.T) {
	for dir, want := range map[string]string{
		filepath.FromSlash(".assay/runs/20260102-150405-ab12"):   "20260102-150405-ab12",
		filepath.FromSlash("./.assay/runs/20260102-150405-ab12"): "20260102-150405-ab12",
		filepath.FromSlash("r/20260102-150405-ab12"):             filepath.FromSlash("r/20260102-150405-ab12"),
	} {
		if got := Name(dir); got != want {
			t.Errorf("Name(%s) = %s, want %s", dir, got, want)
		}
	}
}

// made writes a run and returns its directory.
func made(t *testing.T, results string, started time.Time, plan result.Plan) string {
	t.Helper()
	run := &result.Run{Started: started, Plan: plan}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Finish(run); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(results, run.ID)
}

// A run is found by its ID, by its path, and as the latest that a command can use. If a run cannot
// be read, it may be the latest: a check then refuses to say, and other commands warn.
func TestFind(t *testing.T) {
	results := t.TempDir()
	day := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	timed := made(t, results, day, result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "floor", Op: result.Encode}}})
	exhibited := made(t, results, day.Add(time.Hour), result.Plan{})
	var errs strings.Builder
	runs := Runs{Dir: results, Console: &console.Console{Err: &errs}}
	find := func(name string, fits Fit, want string) {
		t.Helper()
		if got, err := runs.Find(name, fits); got != want || err != nil {
			t.Errorf("%q%s: %s, %v; want %s", name, fits.what, got, err, want)
		}
	}
	refuses := func(name string, fits Fit, want string) {
		t.Helper()
		refused := new(refusal.Error)
		if _, err := runs.Find(name, fits); err == nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q%s: %v, want a refusal with %q", name, fits.what, err, want)
		}
	}
	find("", Timed, timed)
	find("latest", WithCases, timed)
	find("latest", Exhibited, exhibited)
	find("latest", AnyRun, exhibited)
	find(filepath.Base(timed), AnyRun, timed)
	find(timed, AnyRun, timed)
	refuses("latest", Reproducible, "no run of assay reproduce in ")
	reproduced := made(t, results, day.Add(-time.Hour), result.Plan{Sources: []string{"movie"}})
	find("latest", Reproducible, reproduced)
	if err := os.RemoveAll(reproduced); err != nil {
		t.Fatal(err)
	}
	refuses("nowhere", AnyRun, `there is no run "nowhere" in `)
	refuses(results, AnyRun, "is no run: it holds runs, such as ")
	refuses(t.TempDir(), AnyRun, "is not a run, because it has no run.json")
	refuses(strings.Repeat("x", 300), AnyRun, "there is no run ")
	// Reading says why a run.json that is there cannot be read.
	loop := filepath.Join(results, "loop")
	if err := os.Mkdir(loop, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Symlink("run.json", filepath.Join(loop, "run.json")) == nil {
		find("loop", AnyRun, loop)
		if _, _, err := runs.Read(loop, AnyRun); err == nil || !strings.Contains(err.Error(), "cannot read the run: stat "+filepath.Join(loop, "run.json")) {
			t.Errorf("a link to itself: %v", err)
		}
	}
	if err := os.RemoveAll(loop); err != nil {
		t.Fatal(err)
	}
	if errs.Len() > 0 {
		t.Errorf("warnings about runs that can be read:\n%s", &errs)
	}

	if err := os.WriteFile(filepath.Join(exhibited, "run.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	find("latest", Timed, timed)
	if text := errs.String(); !strings.Contains(text, "warning: ") || !strings.Contains(text, "the latest run that can be read is "+filepath.Base(timed)) || !strings.Contains(text, filepath.Join(exhibited, "run.json")) {
		t.Errorf("no warning about the run that cannot be read:\n%s", text)
	}
	errs.Reset()
	refuses("latest", Reproducible, "no run of assay reproduce in ")
	if text := errs.String(); !strings.Contains(text, "warning: ") || !strings.Contains(text, filepath.Base(exhibited)) {
		t.Errorf("no warning about the run that may be the one and cannot be read:\n%s", text)
	}
	errs.Reset()
	if all, err := runs.List(); len(all) != 1 || err != nil || !strings.Contains(errs.String(), filepath.Base(exhibited)) {
		t.Errorf("%d runs, %v; want the one that can be read, and a warning:\n%s", len(all), err, &errs)
	}
	runs.Strict = true
	if _, err := runs.Find("latest", Timed); err == nil || !strings.Contains(err.Error(), "cannot tell which run is the latest") {
		t.Errorf("a check takes a run for the latest, with %v", err)
	}
}

// A run that is damaged and was cut short is read with a warning about each, and is known to lack
// something.
func TestReadDamaged(t *testing.T) {
	results := t.TempDir()
	run := &result.Run{Plan: result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "floor", Op: result.Encode}}}}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(store.Dir(), "samples.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	runs := Runs{Dir: results, Console: &console.Console{Err: &errs}}
	read, records, err := runs.Read(run.ID, AnyRun)
	if err != nil || len(records) != 0 || read.Live || !slices.Equal(runs.Unusable, []string{run.ID}) {
		t.Errorf("%d records, live %v, unusable %q, %v", len(records), read.Live, runs.Unusable, err)
	}
	for _, want := range []string{"samples.jsonl:1: damaged line left out: ", "run " + run.ID + " was cut short; go on with assay run --resume "} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, &errs)
		}
	}
}

// In a directory without runs, or with none that can be read, there is no latest run.
func TestFindNone(t *testing.T) {
	for _, text := range []string{"", "{"} {
		runs := Runs{Dir: t.TempDir(), Console: &console.Console{Err: io.Discard}}
		want := "no runs in " + runs.Dir + ": measure one with assay run"
		if text != "" {
			name := filepath.Join(runs.Dir, "x", "run.json")
			if err := errors.Join(os.Mkdir(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
			want = name + ": damaged, or not a run of assay"
		}
		if _, err := runs.Find("latest", AnyRun); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Find: %v, want %s", err, want)
		}
		if all, err := runs.List(); len(all) != 0 || (err == nil) != (text == "") {
			t.Errorf("List: %v, %v", all, err)
		}
	}
}

// A run that ends while it is read is still being measured, or complete. It was not cut short.
func TestReadAsItEnds(t *testing.T) {
	for range 5 {
		run := &result.Run{Started: time.Now()}
		store, err := result.Create(t.TempDir(), run)
		if err != nil {
			t.Fatal(err)
		}
		lock, _, err := runlock.Take(store.Dir())
		if err != nil {
			t.Fatal(err)
		}
		notes := make([]result.Record, 5000) // reading them takes longer than the run's end
		for i := range notes {
			notes[i].Note = &result.Note{Text: "x"}
		}
		if err := store.Append(notes...); err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		runs := Runs{Console: &console.Console{Err: &errs}}
		ended := make(chan error, 1)
		for began := false; ; began = true {
			read, _, err := runs.ReadDir(store.Dir())
			if err != nil {
				t.Fatal(err)
			}
			if read.Live == read.Complete() {
				t.Errorf("live %v, complete %v", read.Live, read.Complete())
			}
			if read.Complete() {
				break
			}
			if !began {
				go func() { ended <- errors.Join(store.Finish(run), lock.Release()) }()
			}
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if text := errs.String(); strings.Contains(text, "was cut short") || !strings.Contains(text, "is still being measured, by process ") {
			t.Errorf("warnings:\n%s", text)
		}
	}
}

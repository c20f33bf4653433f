package result_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// Create removes what a killed process left, and nothing else.
func TestTidy(t *testing.T) {
	results := t.TempDir()
	run := &result.Run{}
	s, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	put := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(results, name)
		if filepath.Ext(name) == "" && name[0] != '.' && name[0] != 'n' {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			var text []byte
			if name[0] != '.' {
				text = []byte("{")
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for at := time.Now().Add(-age); path != results; path = filepath.Dir(path) {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	const old, young = 2 * time.Hour, time.Minute
	put("20260102-150405-0001", old)
	put("20260102-150405-0002/run.json.123.tmp", old)
	put(".write-77", old)
	kept := []string{
		"20260102-150405-0003", "20260102-150405-0004/notes.txt", "20260102-150405-0005/run.json.123.tmp",
		"20260102-150405-0006/run.json.tmp", "20260102-150405-0007/run.json.1.tmp", "20260102-150405-000g", "20260102-150405-0008/samples.jsonl", ".write-x", ".write-78", "notes",
	}
	for _, name := range kept {
		age := old
		if slices.Contains([]string{"20260102-150405-0003", "20260102-150405-0005/run.json.123.tmp", ".write-78"}, name) {
			age = young
		}
		put(name, age)
	}
	put("20260102-150405-0007/mine.txt", old) // beside a partly written run.json
	another, err := result.Create(results, &result.Run{})
	if err != nil {
		t.Fatal(err)
	}
	another.Close()
	for _, name := range []string{"20260102-150405-0001", "20260102-150405-0002", ".write-77"} {
		if _, err := os.Lstat(filepath.Join(results, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range append(kept, "20260102-150405-0007/mine.txt", filepath.Base(s.Dir())+"/run.json") {
		if _, err := os.Lstat(filepath.Join(results, name)); err != nil {
			t.Errorf("%v", err)
		}
	}
}

// Resume removes a run.json that a killed process was writing.
func TestResumeTidies(t *testing.T) {
	s, err := result.Create(t.TempDir(), &result.Run{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	half, mine := filepath.Join(s.Dir(), "run.json.42.tmp"), filepath.Join(s.Dir(), "run.json.mine.tmp")
	for _, name := range []string{half, mine} {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, _, _, _, err := result.Resume(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if _, err := os.Lstat(half); err == nil {
		t.Error("it is still there")
	}
	if _, err := os.Lstat(mine); err != nil {
		t.Error(err)
	}
}

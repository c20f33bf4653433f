package build

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cachedir"
)

// Make links a program again that was damaged in the cache, and blames no contender.
func TestDamagedProgram(t *testing.T) {
	builds(t)
	o, steps := options(t)
	spec := Spec{Contenders: contenders("good:tick")}
	layouts := []uint64{0, 7}
	r, err := Make(t.Context(), o, spec, layouts)
	if err != nil {
		t.Fatal(err)
	}
	want := output(t, r, 7)
	write := func(data []byte) func(string) error {
		return func(name string) error { return os.WriteFile(name, data, 0o700) }
	}
	flip := func(name string) error {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		data[len(data)/2] ^= 4
		if err := os.WriteFile(name, data, 0o700); err != nil {
			return err
		}
		return os.Chtimes(name, info.ModTime(), info.ModTime())
	}
	for _, test := range []struct {
		name   string
		layout uint64
		damage func(name string) error
	}{
		{"cut short", 7, func(name string) error { return os.Truncate(name, 1000) }},
		{"empty", 0, write(nil)},
		{"a bit turned over, at the old time", 7, flip},
		{"another program", 7, write([]byte("#!/bin/sh\necho all is well\n"))},
		{"a directory", 7, func(name string) error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o700)) }},
		{"a link to another layout", 7, func(name string) error { return errors.Join(os.Remove(name), os.Symlink(r.Path(0), name)) }},
		{"not to be run", 7, func(name string) error { return os.Chmod(name, 0o600) }},
		{"without its sum", 0, func(name string) error { return os.Remove(sumFile(name)) }},
		{"with another sum", 7, func(name string) error { return os.WriteFile(sumFile(name), []byte("0 0\n"), 0o600) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && test.name == "not to be run" {
				t.Skip("Windows has no such mode")
			}
			name := r.Path(test.layout)
			if err := test.damage(name); err != nil {
				t.Fatal(err)
			}
			past := time.Now().Add(-time.Hour)
			if err := os.Chtimes(r.Dir, past, past); err != nil {
				t.Fatal(err)
			}
			steps()
			var told []uint64
			o := o
			progress := o.Progress
			o.Progress = func(e Event) {
				if e.Step == Damaged {
					told = append(told, e.Layout)
					if info, err := os.Stat(r.Dir); err != nil || info.ModTime().Equal(past) {
						t.Errorf("another process may evict it while it is checked: %v", err)
					}
				}
				progress(e)
			}
			again, err := Make(t.Context(), o, spec, layouts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Step{Copying, Damaged, Compiling}, steps()); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]uint64{test.layout}, told); diff != "" {
				t.Errorf("damaged (-want +got):\n%s", diff)
			}
			if len(again.Failed) != 0 {
				t.Errorf("blamed: %v", again.Failed)
			}
			for _, layout := range layouts {
				if got := output(t, again, layout); got != want {
					t.Errorf("layout %d prints %q, want %q", layout, got, want)
				}
			}
			if _, err := Make(t.Context(), o, spec, layouts); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Step{Copying, FromCache}, steps()); diff != "" {
				t.Errorf("steps once it was mended (-want +got):\n%s", diff)
			}
		})
	}
}

// Damaged records of failures are ignored and written again.
func TestDamagedRecords(t *testing.T) {
	builds(t)
	o, steps := options(t)
	spec := Spec{Contenders: contenders("good:tick", "bad:tick")}
	first, err := Make(t.Context(), o, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	records, err := filepath.Glob(filepath.Join(o.Cache.Path(), string(cachedir.Failures), "*"))
	if err != nil || len(records) != 1 {
		t.Fatalf("records of failures: %v, %v", records, err)
	}
	whole, err := os.ReadFile(records[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"empty":   nil,
		"cut":     whole[:len(whole)/2],
		"another": bytes.Replace(whole, []byte(`"bad"`), []byte(`"bat"`), 1),
	} {
		if err := os.WriteFile(records[0], text, 0o600); err != nil {
			t.Fatal(err)
		}
		steps()
		again, err := Make(t.Context(), o, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(steps(), Searching) {
			t.Errorf("%s: it was believed", name)
		}
		if diff := cmp.Diff(first.Failed, again.Failed); diff != "" {
			t.Errorf("%s: Failed (-want +got):\n%s", name, diff)
		}
		if now, err := os.ReadFile(records[0]); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: it was not made again: %q, %v", name, now, err)
		}
	}
}

// Removals from a full cache are reported as an event. So is a failure to remove, which is no
// error.
func TestEvictIsTold(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	e := cache.Entry(cachedir.Programs, strings.Repeat("0", 20))
	if err := e.WriteFile("layout-0", []byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(e.Path("layout-0"), cachedir.SizeLimit+1); err != nil {
		t.Skip("a file that is large and empty: ", err)
	}
	old := time.Now().Add(-100 * time.Hour)
	if err := os.Chtimes(e.Path(), old, old); err != nil {
		t.Fatal(err)
	}
	var told []Event
	m := starting(Options{Cache: cache, Progress: func(e Event) { told = append(told, e) }})
	m.evict(e.Path())
	if len(told) != 0 {
		t.Errorf("what is kept was removed: %+v", told)
	}
	m.evict()
	if len(told) != 1 || told[0].Step != Evicted || told[0].N != 1 || told[0].Bytes != cachedir.SizeLimit+1 || told[0].Err != nil || e.Exists() {
		t.Errorf("told %+v", told)
	}
	foreign := cachedir.In(t.TempDir())
	put(t, filepath.Join(foreign.Path(), "x"), "x")
	told, m.cache = nil, foreign
	m.evict()
	if len(told) != 1 || told[0].Err == nil {
		t.Errorf("told %+v of what cannot be evicted from", told)
	}
}

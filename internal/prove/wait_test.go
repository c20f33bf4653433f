package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/result"
)

// TestPhases checks that phases finds the durations of phases among other lines.
func TestPhases(t *testing.T) {
	said := "runner    24 contenders, 8 random layouts, built in 46.3s\nplan      verify 4s: 40s in all\n" +
		"verified  120 round trips in 7s\nassay: warning: something in 3 words\ncounted   240 cases in 3.9s\nCPU time  480 counts in 55.1s\n"
	want := []string{"runner 46.3s", "verified 7s", "counted 3.9s", "CPU 55.1s"}
	if got := phases(said); !slices.Equal(got, want) {
		t.Errorf("phases are %q, want %q", got, want)
	}
}

func TestCounted(t *testing.T) {
	c := &counted{start: time.Now().Add(-time.Second)}
	if c.lines != 0 || c.first != 0 {
		t.Errorf("of nothing %d lines after %v", c.lines, c.first)
	}
	fmt.Fprint(c, "one\ntwo\nth")
	first := c.first
	fmt.Fprint(c, "ree\n")
	if c.lines != 3 || first < time.Second || c.first != first {
		t.Errorf("%d lines, the first after %v, and then after %v", c.lines, first, c.first)
	}
}

// TestLate checks that a visit is late by its last line, by its first number, or by too many
// lines.
func TestLate(t *testing.T) {
	v := visit{most: 200 * time.Second, first: 15 * time.Second}
	for _, test := range []struct {
		w    waited
		want bool
	}{
		{waited{first: 15 * time.Second, whole: 200 * time.Second, lines: mostLines}, false},
		{waited{first: 16 * time.Second, whole: 20 * time.Second}, true},
		{waited{first: time.Second, whole: 201 * time.Second}, true},
		{waited{first: time.Second, whole: 20 * time.Second, lines: mostLines + 1}, true},
	} {
		if got := len(v.misses(test.w)) > 0; got != test.want {
			t.Errorf("%+v is late: %v", test.w, got)
		}
	}
	if len(visit{}.misses(waited{first: time.Hour, whole: time.Hour, lines: 1000})) > 0 {
		t.Error("a visit without bars is late")
	}
}

// TestVerdict checks that the verdict says whether a visit was as quick as asked, and by how much
// it missed.
func TestVerdict(t *testing.T) {
	v := visit{most: 200 * time.Second, first: 15 * time.Second}
	for _, test := range []struct {
		v    visit
		w    waited
		err  error
		want string
	}{
		{v, waited{first: 15 * time.Second, whole: 200 * time.Second, lines: mostLines}, nil, "met"},
		{v, waited{first: 16 * time.Second, whole: 230 * time.Second, lines: 62}, nil, "missed: first number 1s late, last line 30s late, 2 lines too long"},
		{v, waited{}, errors.New("exit status 2"), "failed"},
		{visit{}, waited{first: time.Hour, whole: time.Hour, lines: 1000}, nil, "nothing asked"},
	} {
		if got := test.v.verdict(test.w, test.err); got != test.want {
			t.Errorf("the verdict is %q, want %q", got, test.want)
		}
	}
}

// TestWithin checks that a command that fails or does not end returns an error with the reason.
func TestWithin(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	for script, want := range map[string]string{"exec sleep 60": "given up after 200ms", "echo no such flag >&2; exit 2": "exit status 2: no such flag"} {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "windows" {
			t.Skip("scripts need a shell")
		}
		most := time.Minute
		if strings.HasPrefix(want, "given") {
			most = 200 * time.Millisecond
		}
		_, err := visit{name: "x"}.within(t.Context(), most, program, dir, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", script, err, want)
		}
	}
}

// TestSample checks that the sample for assay try exists and is as large as a user's file.
func TestSample(t *testing.T) {
	file, err := writeSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() < 500_000 {
		t.Errorf("%v, %v: the sample is too small to be like a user's", info, err)
	}
}

// TestPlannedAndSeen checks that planned returns the first plan, and that passes computes
// durations from the times of records.
func TestPlannedAndSeen(t *testing.T) {
	said := "runner    cached\nplan      verify 20s, measure 1m: 1m20s in all\nplan      measure 50s: 50s more\n"
	if got, want := planned(said), "verify 20s, measure 1m: 1m20s in all"; got != want {
		t.Errorf("planned %q, want %q", got, want)
	}
	start := time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)
	at := func(seconds int, r result.Record) result.Record {
		r.Time = start.Add(time.Duration(seconds) * time.Second)
		return r
	}
	got := passes([]result.Record{
		at(10, result.Record{Count: &result.Count{}}),
		at(12, result.Record{Launch: &result.Launch{}}), at(70, result.Record{Launch: &result.Launch{}}),
		at(71, result.Record{Outcome: &result.Outcome{}}), at(100, result.Record{Steady: &result.Steady{}}),
	})
	if want := []string{"measured 1m0s", "CPU time 30s"}; !slices.Equal(got, want) {
		t.Errorf("passes %q, want %q", got, want)
	}
	if got := passes(nil); len(got) > 0 {
		t.Errorf("passes of nothing: %q", got)
	}
}

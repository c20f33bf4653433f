package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// What a command says of its phases is found among what else it says.
func TestPhases(t *testing.T) {
	said := "runner    24 contenders, 8 random layouts, built in 46.3s\nplan      verify 4s: 40s in all\n" +
		"verified  120 round trips in 7s\nassay: warning: something in 3 words\ncounted   240 cases in 3.9s\nCPU time  480 counts in 55.1s\n"
	want := []string{"runner 46.3s", "verified 7s", "counted 3.9s", "CPU 55.1s"}
	if got := phases(said); !slices.Equal(got, want) {
		t.Errorf("phases are %q, want %q", got, want)
	}
}

func TestRead(t *testing.T) {
	first, lines := read(strings.NewReader("one\ntwo\nthree"), time.Now().Add(-time.Second))
	if lines != 3 || first < time.Second {
		t.Errorf("%d lines, the first after %v", lines, first)
	}
	if first, lines := read(strings.NewReader(""), time.Now()); lines != 0 || first != 0 {
		t.Errorf("of nothing %d lines after %v", lines, first)
	}
}

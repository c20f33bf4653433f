//go:build unix

package gotype

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The go command of --go reads the package too, also where none is on PATH.
func TestGoNotOnPath(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "GOPATH", "GOCACHE", "GOMODCACHE"} { // go env needs them
		t.Setenv(name, os.Getenv(name))
	}
	t.Setenv("PATH", t.TempDir())
	r, err := read(t, Options{Type: "./internal/model.Silent", Samples: sources(`{"Loud":"a"}`), Go: goCommand})
	if err != nil || r.Records != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := os.Getenv("PATH"); strings.Contains(got, string(filepath.ListSeparator)) {
		t.Errorf("PATH is left as %s", got)
	}
}

// An older go command than the code beside the type needs is refused, with what to do.
func TestOldGo(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(t.TempDir(), "go")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1 $2\" = \"env GOVERSION\" ]; then echo go1.25.3; else exec %q \"$@\"; fi\n", goCommand)
	if err := os.WriteFile(old, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = read(t, Options{Type: "./internal/model.Silent", Samples: sources(`{"Loud":"a"}`), Go: old})
	if want := "a Go type is measured with Go 1.26 or newer, and the go command for its module is go1.25.3: set GOTOOLCHAIN=go1.26.0+auto, or name another one with --go"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

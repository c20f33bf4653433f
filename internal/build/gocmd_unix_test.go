//go:build unix

package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGo returns a go command that prints the first text and fails. From the second run on it
// executes the second text.
func fakeGo(t *testing.T, first, second string) gocmd {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "go")
	script := "#!/bin/sh\nif [ -e " + dir + "/again ]; then\n" + second + "\nfi\n: > " + dir + "/again\necho '" + first + "' >&2\nexit 1\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return gocmd{path: path, dir: dir}
}

// An error of the machine is a MachineError, not a failure of the package. A command whose
// program was killed is run once more.
func TestMachine(t *testing.T) {
	for _, test := range []struct {
		first, second string
		machine       string // the error's message; empty: not an error of the machine
		built         bool
	}{
		{"a.go:1:1: syntax error", "exit 0", "", false},
		{"link: write /tmp/x: no space left on device", "exit 0", "link: write /tmp/x: no space left on device", false},
		{"# pkg\nwrite $WORK/b001/x: file too large\nexit status 1", "exit 0", "write $WORK/b001/x: file too large", false},
		{"open /x: read-only file system", "exit 0", "open /x: read-only file system", false},
		{"/usr/lib/go/compile: signal: killed", "exit 0", "", true},
		{"fatal error: runtime: out of memory", "exit 0", "", true},
		{"fork/exec compile: cannot allocate memory", "echo fork/exec compile: cannot allocate memory >&2; exit 1", "", false},
		{"compile: signal: killed", "echo write x: no space left on device >&2; exit 1", "write x: no space left on device", false},
	} {
		_, err := fakeGo(t, test.first, test.second).run(t.Context(), nil, nil, "build")
		var machine *MachineError
		var said *goError
		switch {
		case test.built:
			if err != nil {
				t.Errorf("%q: %v", test.first, err)
			}
		case test.machine != "":
			if !errors.As(err, &machine) || errors.As(err, &said) || !strings.HasPrefix(err.Error(), test.machine+"; free some space") {
				t.Errorf("%q: %v", test.first, err)
			}
		case errors.As(err, &machine) || !errors.As(err, &said):
			t.Errorf("%q: %v", test.first, err)
		}
	}
}

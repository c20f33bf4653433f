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
	const space = "; free some space"
	for _, test := range []struct {
		first, second string
		machine       string // the error's message begins with it; empty: not an error of the machine
		built         bool
	}{
		{"a.go:1:1: syntax error", "exit 0", "", false},
		{"link: write /tmp/x: no space left on device", "exit 0", "link: write /tmp/x: no space left on device" + space, false},
		{"# pkg\nwrite $WORK/b001/x: file too large\nexit status 1", "exit 0", "write $WORK/b001/x: file too large; allow larger files", false},
		{"open /x: read-only file system", "exit 0", "open /x: read-only file system; set TMPDIR, GOCACHE or --cache to where files can be written", false},
		{"open /x: permission denied", "exit 0", "open /x: permission denied; allow this user what was denied", false},
		{"pipe: too many open files", "exit 0", "pipe: too many open files; allow more open files", false},
		{"read /x: input/output error", "exit 0", "read /x: input/output error; look for a failing disk", false},
		{"/usr/lib/go/compile: signal: killed", "exit 0", "", true},
		{"fatal error: runtime: out of memory", "exit 0", "", true},
		{"fork/exec compile: resource temporarily unavailable", "exit 0", "", true},
		{"fork/exec compile: resource temporarily unavailable", "echo fork/exec compile: resource temporarily unavailable >&2; exit 1", "fork/exec compile: resource temporarily unavailable; end other programs", false},
		{"fork/exec compile: text file busy", "exit 0", "", true},
		{"fork/exec compile: text file busy", "echo fork/exec compile: text file busy >&2; exit 1", "fork/exec compile: text file busy; try again", false},
		{"fork/exec compile: cannot allocate memory", "echo fork/exec compile: cannot allocate memory >&2; exit 1", "fork/exec compile: cannot allocate memory; end other programs", false},
		{"compile: cannot allocate memory", "echo compile: cannot allocate memory >&2; exit 1", "", false},
		{"compile: signal: killed", "echo write x: no space left on device >&2; exit 1", "write x: no space left on device" + space, false},
		{"go: writing stat cache: open /x: permission denied\na.go:1:1: syntax error", "exit 0", "", false},
		{"git@example.com: Permission denied (publickey).", "exit 0", "", false},
		{"go: example.com/m@v1.0.0: Get \"https://proxy\": dial tcp 10.0.0.1:443: connect: permission denied", "exit 0", "", false},
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
			if !errors.As(err, &machine) || errors.As(err, &said) || !strings.HasPrefix(err.Error(), test.machine) {
				t.Errorf("%q: %v", test.first, err)
			}
		case errors.As(err, &machine) || !errors.As(err, &said):
			t.Errorf("%q: %v", test.first, err)
		}
	}
}

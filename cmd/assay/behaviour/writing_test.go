package behaviour

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/internal/cli"
	"assay/internal/runlock"
)

// unfinishedRun writes a run that is not complete and has no launches.
func unfinishedRun(t *testing.T, results string) string {
	t.Helper()
	s := readStored(t, "passes")
	s.Lines = s.Lines[:2]
	s.Lines[0] = regexp.MustCompile(`"finished": "[^"]*",`).ReplaceAll(s.Lines[0], nil)
	s.Write(t, results, "hurt")
	return filepath.Join(results, "hurt")
}

// While a process writes a run, other commands can show and list it but not resume it. Afterwards
// it can be resumed.
func TestLiveRun(t *testing.T) {
	results := t.TempDir()
	dir := unfinishedRun(t, results)
	resume := "go on with assay run --resume " + dir
	stdout, stderr, code := assayed(t, "show", "hurt", "--results", results)
	if code != cli.ExitOK || !strings.Contains(stderr, "run hurt was cut short; "+resume) || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "the run was not finished; assay run --resume "+dir) {
		t.Errorf("nobody writes it: exit code %d\n%s%s", code, stdout, stderr)
	}
	if text := printed(t, "list", "runs", "--results", results); !strings.Contains(text, " cut short ") {
		t.Errorf("nobody writes it: listed as\n%s", text)
	}

	if text := printed(t, "list", "runs", "--results", results, "--format", "json"); !strings.Contains(text, `"state": "cut short"`) {
		t.Errorf("nobody writes it: JSON\n%s", text)
	}

	lock, _, err := runlock.Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	stdout, stderr, code = assayed(t, "show", "hurt", "--results", results)
	if code != cli.ExitOK || !strings.Contains(stderr, "run hurt is still being measured, by process ") || strings.Contains(stdout+stderr, "--resume") {
		t.Errorf("it is written: exit code %d\n%s%s", code, stdout, stderr)
	}
	if text := printed(t, "list", "runs", "--results", results); !strings.Contains(text, " running ") {
		t.Errorf("it is written: listed as\n%s", text)
	}
	for _, command := range []string{"run", "claims", "reproduce", "buildcost"} {
		_, stderr, code := assayed(t, command, "--resume", "hurt", "--results", results)
		if code != cli.ExitFailed || !strings.Contains(stderr, "writes the run: let it end, or end it; assay show "+dir+" shows what it has so far") {
			t.Errorf("%s --resume of a run that is written: exit code %d, %s", command, code, stderr)
		}
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := assayed(t, "buildcost", "--resume", "hurt", "--results", results); code != cli.ExitUsage || !strings.Contains(stderr, "not one of assay buildcost") {
		t.Errorf("after that: exit code %d, %s", code, stderr)
	}
	if o := runlock.Holder(dir); o != nil {
		t.Errorf("a refused command left its lock: %v", o)
	}
}

// An interrupted comparison of two versions cannot be resumed, because both must be measured at
// the same time.
func TestResumeVersions(t *testing.T) {
	results := t.TempDir()
	s := readStored(t, "versions")
	s.Lines[0] = regexp.MustCompile(`"finished": "[^"]*",`).ReplaceAll(s.Lines[0], nil)
	s.Lines[0] = []byte(strings.Replace(string(s.Lines[0]), `"reference"`, `"sides":["as it is","GOAMD64=v3"],"reference"`, 1))
	s.Write(t, results, "hurt")
	_, stderr, code := assayed(t, "run", "--resume", "hurt", "--results", results)
	if code != cli.ExitUsage || !strings.Contains(stderr, "run hurt compares two versions, which are compared anew: assay compare") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if _, stderr, _ := assayed(t, "compare", "hurt", "--results", results); strings.Contains(stderr, "--resume") || !strings.Contains(stderr, "was cut short") {
		t.Errorf("%s", stderr)
	}
}

// If the writer of a run completes it while another process waits for the lock, the other process
// does not resume it.
func TestResumeCompletedMeanwhile(t *testing.T) {
	results := t.TempDir()
	dir := unfinishedRun(t, results)
	complete := readStored(t, "passes")
	if text := printed(t, "list", "runs", "--results", results, "--format", "json"); !strings.Contains(text, `"state": "cut short"`) {
		t.Errorf("nobody writes it: JSON\n%s", text)
	}

	lock, _, err := runlock.Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		time.Sleep(30 * time.Millisecond) // the command has read the run by then
		err := os.WriteFile(filepath.Join(dir, "run.json"), complete.Lines[0], 0o666)
		done <- errors.Join(err, lock.Release())
	}()
	_, stderr, code := assayed(t, "run", "--resume", "hurt", "--results", results)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	late := code == cli.ExitUsage && strings.Contains(stderr, "run hurt is complete")
	busy := code == cli.ExitFailed && strings.Contains(stderr, "writes the run") // this machine was slow
	if !late && !busy {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if o := runlock.Holder(dir); o != nil {
		t.Errorf("it left its lock: %v", o)
	}
}

// A run of another machine is refused before anything is built.
func TestResumeElsewhere(t *testing.T) {
	results := t.TempDir()
	file := filepath.Join(unfinishedRun(t, results), "run.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"cpus":\s*\d+`).ReplaceAll(text, []byte(`"cpus": 4096`))
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := assayed(t, "run", "--resume", "hurt", "--results", results)
	if code != cli.ExitUsage || !strings.Contains(stderr, "run hurt was begun on another machine (") || !strings.Contains(stderr, "4096 CPUs") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

package behaviour

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay"
	"assay/internal/cachedir/cachetest"
	"assay/internal/cli"
	"assay/internal/phrase"
	"assay/result"
)

// newestRun returns the newest run of a results directory.
func newestRun(t *testing.T, results string) *result.Run {
	t.Helper()
	runs, err := result.List(results)
	if err != nil || len(runs) == 0 {
		t.Fatal("no run: ", err)
	}
	return runs[0]
}

// cutShort turns the newest run of a results directory into one that was cut short. It returns
// the run's directory.
func cutShort(t *testing.T, results string) string {
	t.Helper()
	run := newestRun(t, results)
	dir := filepath.Join(results, run.ID)
	file := filepath.Join(dir, "run.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "finished")
	if text, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A run can be resumed although a contender has lost all its cases since it began, because the
// contender was in the runner.
func TestResumeAfterLoss(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner and measures")
	}
	cachetest.Once(t)
	file := movies(t)
	of := []plant{sound[0], {name: "wrong", encode: soundEncode + "\nout = zeros(out)", decode: soundDecode}, {name: "unbuilt", encode: "out, err = no.Such(in[i])"}}
	results, cache := t.TempDir(), t.TempDir()
	assayed := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		args = append(args, "--results", results, "--cache", cache)
		code := cli.Run(t.Context(), args, &stdout, &stderr, assay.Source, of[0].contender(t), of[1].contender(t), of[2].contender(t))
		if code != cli.ExitOK {
			t.Fatalf("assay %v: exit code %d: %s", args, code, &stderr)
		}
		return stderr.String()
	}
	assayed("try", file, "--all", "-c", "^(sound|wrong|unbuilt)$", "-m", "default", "-o", "encode|decode", "--also", "none", "--rounds", "3", "--layouts", "1")
	dir := cutShort(t, results)
	_, before, _, err := result.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	lost := map[string]result.Status{}
	for _, r := range before {
		if r.Outcome != nil {
			lost[r.Outcome.Case.Contender] = r.Outcome.Status
		}
	}
	if lost["wrong"] == "" || lost["unbuilt"] != result.BuildFailed || lost["sound"] != "" {
		t.Fatalf("the cases of %v are lost", lost)
	}
	assayed("try", "--resume", "latest")
	if newestRun(t, results).Finished.IsZero() {
		t.Error("the run is not complete")
	}
}

// An interruption before a run goes on says that the run is as it was, and how to go on, also from
// another results directory than the default one.
func TestInterruptedBeforehand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	whole, err := filepath.Abs("../../../docs/evidence/whole-run")
	if err != nil {
		t.Fatal(err)
	}
	for command, name := range map[string]string{
		"try": "", "run": "passes", "claims " + claimsFile(t, size): "passes", "reproduce": "reproduce",
		"claims " + claimsFile(t, size) + " --whole " + whole: "passes", "reproduce --whole " + whole: "reproduce",
	} {
		results, cache := t.TempDir(), t.TempDir()
		dir := filepath.Join(results, "hurt")
		if command == "try" {
			dir = storeTry(t, results, 12, "h", asksSonic, map[string]float64{"encoding/json": 1}, nil)
		} else {
			s := readStored(t, name)
			s.Lines[0] = regexp.MustCompile(`"finished": "[^"]*",`).ReplaceAll(s.Lines[0], nil)
			s.Lines[0] = regexp.MustCompile(`"host": \{[^}]*\}`).ReplaceAll(s.Lines[0], []byte(`"host": {}`)) // any machine
			s.Write(t, results, "hurt")
		}
		var stderr bytes.Buffer
		words := strings.Fields(command)
		code := cli.Run(ctx, append(words, "--resume", "latest", "--results", results, "--cache", cache), io.Discard, &stderr, assay.Source)
		want := "assay: interrupted; the run is as it was: go on with assay " + phrase.ShellLine(append(words, "--resume", dir, "--cache", cache)...)
		if code != cli.ExitInterrupted || last(stderr.String()) != want {
			t.Errorf("exit code %d, %q; want %q", code, last(stderr.String()), want)
		}
	}
}

package assay_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"assay/internal/cachedir/cachetest"
)

// A workflow is the example of a GitHub Actions workflow. A key without a field here is an error.
type workflow struct {
	Name        string
	On          string
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn string `yaml:"runs-on"`
		Steps  []actionStep
	}
}

// An actionStep is a step of a job.
type actionStep struct {
	Uses, Run, If string
	With          map[string]string
}

// actionInputs are the inputs that the example gives to each action. Each is declared in the
// action.yml of that version.
var actionInputs = map[string][]string{
	"actions/checkout@v4":        {"path", "ref", "repository"},
	"actions/setup-go@v5":        {"go-version-file"},
	"actions/upload-artifact@v4": {"name", "path", "if-no-files-found"},
}

// exampleOf returns the workflow that a document shows.
func exampleOf(t *testing.T, document string) workflow {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatalf("%s shows no workflow", document)
	}
	var w workflow
	d := yaml.NewDecoder(bytes.NewReader(block[1]))
	d.KnownFields(true)
	if err := d.Decode(&w); err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return w
}

// TestActionsExample runs the steps of the workflow in docs/ci.md as Actions would, on a pull
// request that makes a library slow. It runs each step by bash, after a failure only the steps
// that always run, with the files that Actions names. The script gates of cmd/assay compares two
// equal states.
func TestActionsExample(t *testing.T) {
	steps := exampleOf(t, "docs/ci.md").Jobs["compare"].Steps
	for _, s := range steps {
		known, ok := actionInputs[s.Uses]
		if s.Uses != "" && !ok || (s.Uses == "") == (s.Run == "") {
			t.Errorf("the step %+v is none that is known", s)
		}
		for input := range s.With {
			if !slices.Contains(known, input) {
				t.Errorf("%s has no input %s", s.Uses, input)
			}
		}
	}
	if testing.Short() {
		t.Skip("builds two versions of a runner and compares them")
	}
	job := newActionsJob(t)
	for _, s := range steps {
		job.step(s)
	}
	summary, err := os.ReadFile(job.summary)
	// A machine may be too busy for a verdict even on this difference. The job must fail then too.
	busy := job.code == 3 && strings.Contains(job.log, "too wide to judge by")
	if job.code != 1 && !busy {
		t.Errorf("the job ended with %d, want 1\n%s%s", job.code, job.log, summary)
	}
	if err != nil || !strings.Contains(string(summary), "| encode | vmihailenco/msgpack |") {
		t.Errorf("the summary is %q, %v", summary, err)
	}
	if page, err := os.ReadFile(job.artifact); err != nil || !bytes.HasPrefix(page, []byte("<!doctype html>")) {
		t.Errorf("the page is not uploaded: %q, %v", job.artifact, err)
	}
}

// An actionsJob is the state of a job.
type actionsJob struct {
	*testing.T
	dir, summary, artifact string
	env                    []string
	code                   int // exit code of the first failed step
	log                    string
}

func newActionsJob(t *testing.T) *actionsJob {
	t.Helper()
	j := &actionsJob{T: t, dir: t.TempDir()}
	temp := t.TempDir()
	j.summary = filepath.Join(temp, "summary.md")
	j.env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+j.summary, "GITHUB_ACTIONS=true", "CI=true",
		"GOFLAGS="+strings.Join(cachetest.BuildFlags, " "), "XDG_CACHE_HOME="+cachetest.Dir(t))
	return j
}

// step runs one step. If an earlier step failed, it runs only steps that always run.
func (j *actionsJob) step(s actionStep) {
	if j.code != 0 && s.If != "always()" {
		return
	}
	switch s.Uses {
	case "actions/checkout@v4":
		j.checkout(s.With)
	case "actions/setup-go@v5":
		if _, err := os.Stat(filepath.Join(j.dir, s.With["go-version-file"])); err != nil {
			j.Error(err)
		}
	case "actions/upload-artifact@v4":
		j.artifact = filepath.Join(j.dir, s.With["path"])
	default:
		j.run(s.Run)
	}
}

// checkout puts assay, or a version of a library, into the step's path.
func (j *actionsJob) checkout(with map[string]string) {
	to := filepath.Join(j.dir, with["path"])
	if with["repository"] != "" {
		here, err := filepath.Abs(".")
		if err == nil {
			err = os.Symlink(here, to)
		}
		if err != nil {
			j.Fatal(err)
		}
		return
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/vmihailenco/msgpack/v5").Output()
	if err != nil {
		j.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		j.Fatal(err)
	}
	if with["ref"] != "" {
		return
	}
	name := filepath.Join(to, "encode.go")
	text, err := os.ReadFile(name)
	if err != nil {
		j.Fatal(err)
	}
	const old = "func (e *Encoder) Encode(v interface{}) error {"
	if !bytes.Contains(text, []byte(old)) {
		j.Fatalf("%s has no %q", name, old)
	}
	text = bytes.Replace(text, []byte(old), []byte("var lost uint64\n\n"+old+"\n\tfor i := uint64(0); i < 300000; i++ {\n\t\tlost += i\n\t}\n"), 1)
	if err := errors.Join(os.Chmod(name, 0o644), os.WriteFile(name, text, 0o644)); err != nil {
		j.Fatal(err)
	}
}

// run runs a step's commands as Actions does, with a short measurement.
func (j *actionsJob) run(commands string) {
	if strings.Contains(commands, "${{") {
		j.Fatalf("the commands hold an expression: %s", commands)
	}
	commands = strings.Replace(commands, " compare ", " compare --quick --budget 4s ", 1)
	cmd := exec.CommandContext(j.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Env = j.dir, j.env
	out, err := cmd.CombinedOutput()
	j.log += fmt.Sprintf("%s\n%s\n", commands, out)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		j.code = exit.ExitCode()
	case err != nil:
		j.Fatal(err)
	}
}

package behaviour

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"assay"
	"assay/internal/cachedir/cachetest"
	"assay/internal/cli"
	"assay/result"
)

// planted is a file system with additional files.
type planted struct {
	fs.FS
	files fstest.MapFS
}

func (p planted) Open(name string) (fs.File, error) {
	if p.files[name] != nil {
		return p.files.Open(name)
	}
	return p.FS.Open(name)
}

func (p planted) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.FS, name)
	for file := range p.files {
		if path.Dir(file) == name {
			info, _ := p.files.Stat(file)
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	return entries, err
}

// A contender whose generator does not build has build-failed rows with the compiler's message.
// The other contenders have numbers.
func TestDoesNotBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner and measures")
	}
	cachetest.Once(t)
	results, cache := t.TempDir(), t.TempDir()
	var stdout, stderr bytes.Buffer
	args := []string{"run", "-w", "movie", "-c", "msgp|gob|floor", "-o", "encode", "-m", "default", "--rounds", "3", "--layouts", "1", "--results", results, "--cache", cache}
	code := cli.Run(t.Context(), args, &stdout, &stderr, planted{assay.Source, fstest.MapFS{
		"contenders/msgp/generator/planted.go": {Data: []byte("package main\n\nvar planted int = \"no number\"\n")},
	}})
	if code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	if want := "warning: msgp is left out of movie: its code could not be generated: msgp: building generator: contenders/msgp/generator/planted.go:3:19: "; !strings.Contains(stderr.String(), want) {
		t.Errorf("no %q on standard error:\n%s", want, &stderr)
	}
	run := newestRun(t, results)
	_, records, warnings, err := result.Read(results + "/" + run.ID)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	measured := 0
	var outcomes []result.Outcome
	for _, r := range records {
		if r.Launch != nil {
			measured++
		}
		if r.Outcome != nil {
			outcomes = append(outcomes, *r.Outcome)
		}
	}
	if len(outcomes) != 1 || outcomes[0].Case.Contender != "msgp" || outcomes[0].Status != result.BuildFailed || !strings.Contains(outcomes[0].Reason, "planted.go:3") {
		t.Errorf("outcomes %+v, want one of msgp", outcomes)
	}
	if measured != 2 {
		t.Errorf("%d launches, want 2", measured)
	}
}

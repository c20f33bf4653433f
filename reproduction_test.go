package assay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/internal/cli"
	"assay/published/sources"
)

// TestReproductionPages checks that the page, the charts and the CSV file of each source are what
// the source's stored run prints. It also checks that docs/reproduction.md links to every page
// and names the command that made the run.
func TestReproductionPages(t *testing.T) {
	all, err := sources.Load(assay.Source)
	if err != nil {
		t.Fatal(err)
	}
	index := read(t, "docs/reproduction.md")
	for _, s := range all {
		t.Run(s.ID, func(t *testing.T) {
			if !strings.Contains(index, "(reproduction/"+s.ID+".md)") {
				t.Error("docs/reproduction.md does not lead to the page of " + s.ID)
			}
			testReproductionPage(t, s.ID)
			// docs/reproduction.md names the command that made the run.
			var run struct{ Args []string }
			if err := json.Unmarshal([]byte(read(t, reproductionRun(s.ID)+"/run.json")), &run); err != nil {
				t.Fatal(err)
			}
			args := slices.DeleteFunc(run.Args, func(arg string) bool { return arg == "--results" || arg == "docs/evidence" })
			if command := "`assay " + strings.Join(args, " ") + "`"; !strings.Contains(index, command) {
				t.Errorf("docs/reproduction.md does not say that %s made the run of %s", command, s.ID)
			}
		})
	}
}

func testReproductionPage(t *testing.T, id string) {
	const files = "docs/reproduction"
	run := reproductionRun(id)
	if _, err := os.Stat(filepath.FromSlash(run)); os.IsNotExist(err) {
		t.Fatalf("there is no stored run %s: make one with assay reproduce %s", run, id)
	}
	out := t.TempDir()
	var stdout, stderr bytes.Buffer
	// The page is in the directory of its charts, so that links have no directory.
	args := []string{"reproduce", id, "--run", run, "--whole", "docs/evidence/whole-run", "--format", "md", "--out", out + "/.", "-q"}
	if code := cli.Main(args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("assay %q: exit code %d, and on standard error: %s", args, code, &stderr)
	}
	shown := map[string]string{id + ".md": stdout.String()}
	written, err := filepath.Glob(filepath.Join(out, "[^.]*"))
	if err != nil || len(written) == 0 {
		t.Fatalf("no files in %s (%v)", out, err)
	}
	for _, name := range written {
		shown[filepath.Base(name)] = read(t, name)
	}
	for name, text := range shown {
		kept := files + "/" + name
		if *update {
			if err := os.WriteFile(filepath.FromSlash(kept), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(text, read(t, kept)); diff != "" {
			t.Errorf("%s is something else than its run gives; go test . -update rewrites it (-given +kept):\n%s", kept, diff)
		}
	}
	if *update {
		return
	}
	// There are no other files, such as a chart that no page uses.
	all, err := filepath.Glob(files + "/" + id + `[.\-]*`)
	if err != nil || len(all) != len(shown) {
		t.Errorf("%d files of %s in %s (%v), want %d", len(all), id, files, err, len(shown))
	}
}

// reproductionRun returns the stored run behind the page of a source.
func reproductionRun(id string) string { return "docs/evidence/reproduction-" + id + "-run" }

package assay_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cli"
)

// The page of the published tables, its charts and its CSV files are what the
// stored run prints.
func TestReproductionPage(t *testing.T) {
	const run, page, files = "docs/evidence/reproduction-run", "docs/reproduction.md", "docs/reproduction"
	const whole = "docs/evidence/whole-run"
	if _, err := os.Stat(filepath.FromSlash(run)); os.IsNotExist(err) {
		t.Fatalf("there is no stored run %s: make one with assay reproduce", run)
	}
	out := filepath.Join(t.TempDir(), filepath.Base(files))
	var stdout, stderr bytes.Buffer
	args := []string{"reproduce", "--run", run, "--whole", whole, "--format", "md", "--out", out, "-q"}
	if code := cli.Main(args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("assay %q: exit code %d, and on standard error: %s", args, code, &stderr)
	}
	written, err := filepath.Glob(filepath.Join(out, "[^.]*"))
	if err != nil || len(written) == 0 {
		t.Fatalf("no files in %s (%v)", out, err)
	}
	if *update {
		shown := map[string][]byte{page: stdout.Bytes()}
		for _, name := range written {
			shown[files+"/"+filepath.Base(name)] = []byte(read(t, name))
		}
		for name, data := range shown {
			if err := os.WriteFile(filepath.FromSlash(name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	const hint = "go test . -update rewrites it"
	if diff := cmp.Diff(stdout.String(), read(t, page)); diff != "" {
		t.Errorf("%s shows something else than its run prints; %s (-printed +shown):\n%s", page, hint, diff)
	}
	for _, name := range written {
		kept := files + "/" + filepath.Base(name)
		if diff := cmp.Diff(read(t, name), read(t, kept)); diff != "" {
			t.Errorf("%s is something else than its run gives; %s (-given +kept):\n%s", kept, hint, diff)
		}
	}
}

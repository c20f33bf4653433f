package flatbuffers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contender/contendertest"
	"assay/contender/emit"
	"assay/schema/text"
)

var update = contendertest.Update

const richPackage = "assay/contenders/flatbuffers/testdata/rich"

// TestGolden compares the emitted files for a schema that has every kind in every position with
// testdata/rich. The bindings and the model only make the golden package compile. Package emit
// determines their form, so they are not compared.
func TestGolden(t *testing.T) {
	const dir = "testdata/rich"
	data, err := os.ReadFile(dir + "/schema.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(dir+"/schema.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	model, err := emit.Model(s, richPackage+"/model")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Contender.Emit(contender.Request{Schema: s, Package: richPackage, Model: richPackage + "/model", Contender: Contender.Name})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(out.Files, contender.File{Name: "model/model.go", Data: model}) {
		name := filepath.Join(dir, f.Name)
		if *update {
			if err := os.WriteFile(name, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if f.Name == "bind.go" || f.Name == "model/model.go" {
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(f.Data)); diff != "" {
			t.Errorf("%s differs (-golden +now), run go test -update if that is right:\n%s", name, diff)
		}
	}
}

// TestRich runs the tests of the golden package, which patterns such as ./... do not match:
// round trips, searches by key, hostile input, and flatc.
func TestRich(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package")
	}
	cmd := exec.Command("go", "test", "-v", richPackage)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range bytes.Lines(out) {
		if bytes.Contains(line, []byte("--- SKIP")) {
			t.Logf("%s", line)
		}
	}
}

package build

import (
	"os/exec"
	"testing"
)

// oldest is the language of the oldest release of Go that runners are built with.
const oldest = "go1.25"

// The packages of runners that are assay's own are written in the language of an
// older release than the tool is, so that releases can be compared.
func TestOlderLanguage(t *testing.T) {
	builds(t)
	cmd := exec.Command("go", "build", "-gcflags=assay/...=-lang="+oldest, "assay/bench", "assay/bench/compress", "assay/workload/builtin", "assay/published")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

package build

import (
	"os/exec"
	"testing"
)

// oldest is the language version of the oldest Go release that builds runners.
const oldest = "go1.25"

// Assay's own packages in runners use the language of an older release than the tool does, so
// that runners can compare releases.
func TestOlderLanguage(t *testing.T) {
	builds(t)
	cmd := exec.Command("go", "build", "-gcflags=assay/...=-lang="+oldest, "assay/bench", "assay/bench/compress", "assay/workload/builtin", "assay/published")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

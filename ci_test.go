package assay_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCIOracles checks that .ci/run fails if an oracle is missing, unless it is told to go
// without, and if it is asked for an unknown step.
func TestCIOracles(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	// The directory has every program that the script needs, no oracle, and no apt-get.
	bin := t.TempDir()
	for _, program := range []string{"bash", "dirname", "mktemp", "rm"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, program)); err != nil {
			t.Skip(err)
		}
	}
	script := func(name string) { // a program that succeeds
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!"+bash+"\nexit 0\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	script("go")
	script("flatc")
	script("python3")
	run := func(step, env string) (said string, ok bool) {
		cmd := exec.Command(bash, ".ci/run", step)
		cmd.Env = []string{"PATH=" + bin, "TMPDIR=" + t.TempDir(), env}
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	if said, ok := run("oracles", "X="); ok || !strings.Contains(said, "missing protobuf-compiler libprotobuf-dev capnproto: install them, or set ASSAY_CI_WITHOUT_ORACLES=1") {
		t.Errorf("without protoc and capnp it passes: %v, and says\n%s", ok, said)
	}
	if said, ok := run("oracles", "ASSAY_CI_WITHOUT_ORACLES=1"); !ok || !strings.Contains(said, "going without protobuf-compiler libprotobuf-dev capnproto: tests that need them are skipped") {
		t.Errorf("told to do without it passes: %v, and says\n%s", ok, said)
	}
	if said, ok := run("oracel", "X="); ok || !strings.Contains(said, "there is no step oracel; there are: format vet tidy oracles") {
		t.Errorf("a step that there is not passes: %v, and says\n%s", ok, said)
	}
	script("capnp")
	if err := os.WriteFile(filepath.Join(bin, "protoc"), []byte("#!"+bash+"\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if said, ok := run("oracles", "X="); ok || !strings.Contains(said, "missing protobuf-compiler libprotobuf-dev:") {
		t.Errorf("with a protoc that does not know Google's own types it passes: %v, and says\n%s", ok, said)
	}
	script("protoc")
	if said, ok := run("oracles", "X="); !ok || !strings.Contains(said, "protoc, flatc, capnp and python3 are there") {
		t.Errorf("with all of them it passes: %v, and says\n%s", ok, said)
	}
}

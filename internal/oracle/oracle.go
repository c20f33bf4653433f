// Package oracle finds the programs of other implementations, such as protoc, that
// tests compare ours with.
package oracle

import (
	"os"
	"os/exec"
	"testing"
)

// Required is the environment variable that makes a missing program a failure
// when it is 1, as continuous integration sets it.
const Required = "ASSAY_ORACLES_REQUIRED"

// Packages are the Debian packages of the programs.
var Packages = map[string]string{
	"protoc": "protobuf-compiler",
	"flatc":  "flatbuffers-compiler",
	"capnp":  "capnproto",
}

// Path returns where a program is. Without the program it skips the test, or fails it
// where programs are required.
func Path(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv(Required) == "1" {
		t.Fatalf("%s is not installed, and %s=1 requires it: install %s", program, Required, Packages[program])
	}
	t.Skipf("%s is not installed (Debian package %s)", program, Packages[program])
	return ""
}

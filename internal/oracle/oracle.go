// Package oracle finds the programs of other implementations, such as protoc, with which tests
// compare ours.
package oracle

import (
	"os"
	"os/exec"
	"testing"
)

// Required is an environment variable. If it is 1, as in continuous integration, a missing
// program is a failure.
const Required = "ASSAY_ORACLES_REQUIRED"

// Packages are the Debian packages of the programs.
var Packages = map[string]string{
	"protoc": "protobuf-compiler",
	"flatc":  "flatbuffers-compiler",
	"capnp":  "capnproto",
}

// Path returns the path of a program. If there is none, it skips the test, or fails it if
// programs are required.
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

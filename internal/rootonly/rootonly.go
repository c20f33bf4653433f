// Package rootonly skips tests that need rights which ordinary users lack, such as the right to mount
// a small disk.
package rootonly

import (
	"os"
	"testing"
)

// Required is an environment variable. If it is 1, as in continuous integration where tests run as root,
// a missing right is a failure.
const Required = "ASSAY_ROOT_REQUIRED"

// Skip skips a test for lack of a right, or fails it if rights are required. need says what the right is
// needed for and, where that is known, why it is missing.
func Skip(t testing.TB, need ...any) {
	t.Helper()
	if os.Getenv(Required) == "1" {
		t.Fatal(append(need, "; "+Required+"=1 requires it")...)
	}
	t.Skip(need...)
}

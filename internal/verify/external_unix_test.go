//go:build unix

package verify_test

import (
	"syscall"
	"testing"

	"assay/result"
)

func init() { mkfifo = func(name string) error { return syscall.Mkfifo(name, 0o600) } }

// A contender that exports to a pipe is at fault: nobody waits for the pipe, and our runner
// goes on. So is a contender that exports to a directory, which is still there when the next
// mode exports.
func TestExternalNoFile(t *testing.T) {
	for _, side := range []string{"piping", "nesting"} {
		got, _ := meet(t, side, "peer")
		if len(got.Cases) != 0 || len(got.Outcomes) != 3 {
			t.Fatalf("%s: %+v", side, got)
		}
		for _, o := range got.Outcomes {
			if o.Status != result.Unverified || o.Reason != "export: what it made is no regular file" {
				t.Errorf("%s: %+v", side, o)
			}
		}
	}
}

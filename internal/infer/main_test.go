package infer

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage wait: these tests make large samples, and collections took a third of
// their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

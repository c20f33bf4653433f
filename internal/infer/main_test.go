package infer

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes the garbage collector run less often. These tests make large samples, and collections
// took a third of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

package protofile

import (
	"log"
	"os"
	"testing"
)

// TestMain hides the modules of this machine. Imports of a .proto file are looked for in every module
// that a go.mod requires, and go test would record hundreds of thousands of names of this module's
// requirements and check them before it repeats a result.
func TestMain(m *testing.M) {
	empty, err := os.MkdirTemp("", "assay-modules-")
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("GOMODCACHE", empty)
	code := m.Run()
	os.RemoveAll(empty)
	os.Exit(code)
}

package analysis

import "testing"

func TestModuleName(t *testing.T) {
	for module, want := range map[string]string{
		"example.com/owner/msgpack":       "msgpack",
		"example.com/owner/msgpack/v5":    "msgpack",
		"github.com/json-iterator/go":     "json-iterator/go", // "go" is the toolchain
		"example.com/json-iterator/go/v2": "json-iterator/go",
		"go":                              "go",
	} {
		if got := moduleName(module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}

package contenders_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/result"
)

// GoogleTypes agrees with the generated types of contenders that encode. The types of hyperpb
// are messages of Google's library too, but hyperpb only decodes.
func TestGoogleTypes(t *testing.T) {
	for _, c := range contenders.All() {
		if want := reflected(t, c) && slices.Contains(c.Ops, result.Encode); c.GoogleTypes != want {
			t.Errorf("%s: GoogleTypes is %t, want %t", c.Name, c.GoogleTypes, want)
		}
	}
}

// reflected reports whether the types generated for a contender have protobuf's reflection.
func reflected(t *testing.T, c *contender.Contender) bool {
	files, err := filepath.Glob(filepath.Join(c.Dir(), "gen", "customer", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(name string) bool {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(text, []byte(") ProtoReflect() "))
	})
}

package tried

import (
	"strings"
	"testing"

	"assay/internal/report"
)

// oneField is a schema with a message X.
const oneField = "name = \"x\"\nroots = [\"X\"]\n\n[[messages]]\nname = \"X\"\nfields = [{ number = 1, name = \"id\", type = \"string\" }]\n"

// A run's data may name a message that its schema does not have.
func TestRootOutsideSchema(t *testing.T) {
	for _, root := range []string{"", "Y"} {
		_, err := Source(t.Context(), t.TempDir(), report.TryData{Schema: oneField, Root: root})
		if err == nil || !strings.Contains(err.Error(), "which its schema does not have") {
			t.Errorf("%q: %v", root, err)
		}
	}
}

// A run's data must not name .proto files outside of the run's directory.
func TestProtoOutsideRun(t *testing.T) {
	for _, name := range []string{"../secret.proto", "/etc/secret.proto", "a/../../secret.proto"} {
		_, err := Source(t.Context(), t.TempDir(), report.TryData{
			Schema: oneField, Root: "X", Proto: &report.TryProto{Message: "x.X", Files: []string{name}},
		})
		if err == nil || !strings.Contains(err.Error(), "which is not in the run") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

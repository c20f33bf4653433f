package tried

import (
	"strings"
	"testing"

	"assay/internal/report"
)

// A run's data must not name .proto files outside of the run's directory.
func TestProtoOutsideRun(t *testing.T) {
	for _, name := range []string{"../secret.proto", "/etc/secret.proto", "a/../../secret.proto"} {
		_, err := Source(t.Context(), t.TempDir(), report.TryData{
			Schema: "name = \"x\"\nroots = [\"X\"]\n\n[[messages]]\nname = \"X\"\nfields = [{ number = 1, name = \"id\", type = \"string\" }]\n", Proto: &report.TryProto{Message: "x.X", Files: []string{name}},
		})
		if err == nil || !strings.Contains(err.Error(), "which is not in the run") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package tried

import (
	"strings"
	"testing"

	"assay/internal/report"
)

// A run names no .proto files but the copies that it has.
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

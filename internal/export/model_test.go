package export

import (
	"strings"
	"testing"
)

// Without a package, the model has a test that reads the user's records.
func TestModelAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			o := s.options(t)
			m := moduleOf(t, o)
			if out := write(t, m).run(t); !m.Tested() || strings.Count(out, "--- PASS: Test_sample") != 1 {
				t.Errorf("the model's test does not read the sample:\n%s", out)
			}
			if readme := m.file("README.md"); !strings.Contains(readme, "`go test ./...` builds the Go types and reads records of yours") {
				t.Errorf("the README does not name the test:\n%s", readme)
			}
			o.Records = nil
			if m := moduleOf(t, o); m.Tested() || m.written(modelTestFile) {
				t.Error("without records there is a test")
			}
		})
	}
}

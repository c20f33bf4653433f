package assay_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/live/screen"
)

// recordingBlock matches the console block of README.md that shows a terminal during a run: the
// command and the picture.
var recordingBlock = regexp.MustCompile("(?s)(<!-- recording -->\n```console\n)(.*?)(```\n<!-- /recording -->)")

// TestReadmeRecording checks that the picture of a terminal in README.md is from the stored
// recording: the middle one of the states that show a provisional table of all workloads during
// the measurement.
func TestReadmeRecording(t *testing.T) {
	r, err := screen.Read(strings.NewReader(read(t, "docs/live.cast")))
	if err != nil {
		t.Fatalf("docs/live.cast: %v", err)
	}
	still := r.Still(func(s *screen.Screen) bool {
		lines := s.Lines()
		return len(lines) > 3 && strings.HasPrefix(lines[len(lines)-1], "measuring ") && strings.HasPrefix(lines[len(lines)-2], "~ provisional: ") &&
			!strings.Contains(lines[len(lines)-2], "workloads so far")
	})
	if still == nil {
		t.Fatal("docs/live.cast shows no table while something is measured; go run ./internal/live/record records it anew")
	}
	want := "$ " + r.Title + "\n" + still.Text()
	data := read(t, "README.md")
	block := recordingBlock.FindStringSubmatchIndex(data)
	if block == nil {
		t.Fatal("README.md has no block between <!-- recording --> and <!-- /recording -->")
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(data[:block[4]]+want+data[block[5]:]), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, data[block[4]:block[5]]); diff != "" {
		t.Errorf("README.md shows another picture than docs/live.cast; go test . -update rewrites it (-recorded +shown):\n%s", diff)
	}
}

package assay_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/live/screen"
)

// recordingBlock is the console block of README.md that shows what a terminal shows
// while a run is measured: the command, and the picture.
var recordingBlock = regexp.MustCompile("(?s)(<!-- recording -->\n```console\n)(.*?)(```\n<!-- /recording -->)")

// The picture of a terminal in README.md is one of the recording that is stored: of the
// states in which some rows are settled, and others not, the one in the middle.
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

package behaviour

import (
	"strings"
	"testing"

	"assay/internal/texttab"
)

// No list is wider than COLUMNS. Columns that do not fit are named.
func TestListFits(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	for _, list := range []string{"contenders", "workloads", "sizes", "modes", "axes", "ops", "metrics", "claims"} {
		for line := range strings.Lines(printed(t, "list", list)) {
			if line = strings.TrimSuffix(line, "\n"); texttab.Width(line) > 80 {
				t.Errorf("list %s: %d cells: %s", list, texttab.Width(line), line)
			}
		}
	}
	if text := printed(t, "list", "contenders"); !strings.Contains(text, "no room: version, license (") {
		t.Errorf("what is left out is not named:\n%s", text)
	}
}

// Lists that are wider than COLUMNS wrap to the next line.
func TestListWidth(t *testing.T) {
	for _, list := range []string{"workloads", "modes", "ops", "metrics"} {
		t.Setenv("COLUMNS", "")
		whole := printed(t, "list", list)
		t.Setenv("COLUMNS", "90")
		text := printed(t, "list", list)
		if strings.Join(strings.Fields(text), " ") != strings.Join(strings.Fields(whole), " ") {
			t.Errorf("list %s: the words differ:\n%s", list, text)
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); texttab.Width(line) > 90 {
				t.Errorf("list %s: %d cells: %s", list, texttab.Width(line), line)
			}
		}
	}
}

package behaviour

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/catalog"
	"assay/internal/cli"
	"assay/internal/texttab"
	"assay/result"
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

func TestExplain(t *testing.T) {
	for i, name := range catalog.TopicNames() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		text := printed(t, "explain", name)
		if !strings.HasPrefix(text, name+" is ") || strings.Contains(text, "%!") {
			t.Errorf("assay explain %s prints\n%s", name, text)
		}
		if strings.Count(text, "\n") < 3 {
			t.Errorf("assay explain %s says nothing about it:\n%s", name, text)
		}
	}
}

// Every list in JSON has the schema number and rows. As text it has as many lines as rows and a
// head.
func TestLists(t *testing.T) {
	for _, what := range append(catalog.Kinds(), "runs") {
		var got map[string]json.RawMessage
		decode(t, printed(t, "list", what, "--format", "json", "--results", t.TempDir()), &got)
		if string(got["schema"]) != "1" || got[what] == nil || len(got) != 2 {
			t.Errorf("list %s has the keys of %v", what, got)
		}
		var rows []map[string]any
		decode(t, string(got[what]), &rows)
		if rows == nil || len(rows) == 0 && what != "runs" {
			t.Errorf("list %s has %d rows", what, len(rows))
		}
		if what != "runs" {
			text := printed(t, "list", what)
			if lines := strings.Count(text, "\n"); lines != len(rows)+1 {
				t.Errorf("list %s has %d lines for %d rows", what, lines, len(rows))
			}
		}
	}
}

// An unreadable run does not affect other runs.
func TestDamagedRun(t *testing.T) {
	dir := t.TempDir()
	good := &result.Run{Plan: result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "floor", Op: result.Encode}}}}
	store, err := result.Create(dir, good)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Finish(good); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bad"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad", "run.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := assayed(t, "list", "runs", "--results", dir)
	if code != cli.ExitOK || !strings.Contains(stdout, good.ID) || !strings.Contains(stderr, "warning: ") {
		t.Errorf("list runs: exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, stderr, code := assayed(t, "show", "bad", "--results", dir); code != cli.ExitFailed || !strings.Contains(stderr, "run.json") {
		t.Errorf("show bad: exit code %d, %s", code, stderr)
	}
	if _, stderr, code := assayed(t, "show", "nowhere", "--results", dir); code != cli.ExitUsage || !strings.Contains(stderr, `there is no run "nowhere"`) {
		t.Errorf("show nowhere: exit code %d, %s", code, stderr)
	}
}

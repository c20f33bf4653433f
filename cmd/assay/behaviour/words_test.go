package behaviour

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/catalog"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/result"
)

// triedPage returns the answer of the stored run of assay try, as Markdown.
func triedPage(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "testdata", "runs", "try")
	run, records, _, err := result.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	about, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	var data report.TryData
	if err := json.Unmarshal(about, &data); err != nil {
		t.Fatal(err)
	}
	one := run.Plan.Cases[0]
	r := analysis.Of(run, records, analysis.View{})
	a := answer.Of(answer.Question{
		Results: r, Cell: result.Cell{Workload: one.Workload, Size: one.Size}, Contenders: contenders.All(),
		Records: data.Records, Asked: answer.Asked{Have: measure.Reference, Prices: answer.DefaultPrices},
	})
	var page strings.Builder
	if err := report.TryMarkdown(&page, &report.Try{Results: r, Answer: a, Data: data}); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// pages returns what commands print of the stored runs, as Markdown.
func pages(t *testing.T) string {
	t.Helper()
	results := t.TempDir()
	for _, name := range storedRuns {
		readStored(t, name).Write(t, results, name)
	}
	all := triedPage(t)
	for _, line := range []string{
		"show passes", "show versions", "show try", "show buildcost", "rank passes", "compare versions", "compare passes passes",
		"compare encoding/json protobuf --run passes",
	} {
		all += printed(t, append(strings.Fields(line), "--results", results, "--format", "md", "-q")...)
	}
	for _, name := range []string{"stream-run", "pipeline-run", "whole-run"} {
		all += printed(t, "show", filepath.Join("..", "..", "..", "docs", "evidence", name), "--format", "md", "-q")
	}
	return all
}

// assay explain knows every word in the head of a table, and every word in the lines that say how
// far a run can be trusted.
func TestWords(t *testing.T) {
	known := catalog.TopicNames()
	text := strings.NewReplacer(`\_`, "_", `\|`, "|", `\*`, "*").Replace(pages(t))
	found := map[string]bool{}
	head := regexp.MustCompile(`(?m)^\|(.*)\|\n\|[:-]`)
	for _, m := range head.FindAllStringSubmatch(text, -1) {
		for _, cell := range strings.Split(m[1], "|") {
			word := strings.TrimSpace(cell)
			switch {
			case word == "", word == "passes", word == "as it is", slices.Contains(catalog.ContenderNames(), word):
				continue // the label of a side
			case strings.Contains(word, "="):
				continue // a setting as the label of a side, or a size in a table of growth
			case strings.HasPrefix(word, "vs "):
				word = "vs"
			}
			word, _, _ = strings.Cut(word, ", ") // all, zstd
			word = regexp.MustCompile(`^\d+ (at once)`).ReplaceAllString(word, "$1")
			found[word] = true
			if !slices.Contains(known, word) {
				t.Errorf("assay explain does not know %q, which is in the head of a table", word)
			}
		}
	}
	for _, must := range []string{"time/op", "CPU/op", "letters", "change", "round trip", "binary", "at once", "peak RSS", "zstd", "time/value", "goroutines"} {
		if !found[must] {
			t.Errorf("no table has %q in its head: the test does not see it", must)
		}
	}

	said := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^(grade .*|controls: .*)$`).FindAllString(text, -1) {
		line = regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(line, "")
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !('a' <= r && r <= 'z') }) {
			said[word] = true
		}
	}
	// Common words that have no meaning of their own here.
	plain := strings.Fields("of to not used under are is a s only against itself this machine best run remembered")
	for word := range said {
		one := strings.TrimSuffix(word, "s")
		if strings.HasSuffix(word, "ches") {
			one = strings.TrimSuffix(word, "es")
		}
		if !slices.Contains(plain, word) && !slices.Contains(known, word) && !slices.Contains(known, one) {
			t.Errorf("assay explain does not know %q, which is said of a run's controls", word)
		}
	}
	for _, must := range []string{"grade", "verified", "layouts", "clean"} {
		if !said[must] {
			t.Errorf("no run says %q: the test does not see it", must)
		}
	}
	for _, name := range strings.Fields("sentinel layout launch round cell case control clean stolen load tie interval") {
		if !slices.Contains(known, name) {
			t.Errorf("assay explain does not know %q", name)
		}
	}
}

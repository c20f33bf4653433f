package claims

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// METHODOLOGY's table of words must agree with the bands: the first words in each row must be valid
// in a claims file, with figures in place of N and M.
func TestDocumentedWords(t *testing.T) {
	text, err := os.ReadFile("../../METHODOLOGY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n| words | a figure that is |\n| :-- | :-- |\n")
	table, _, ended := strings.Cut(table, "\n\n")
	if !found || !ended {
		t.Fatal("METHODOLOGY.md has no table of words")
	}
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if strings.Contains(cells[1], "N ns") {
			continue // it adds no words: the unit is the metric's
		}
		rows++
		for _, side := range strings.Split(cells[1], ";") {
			words, _, _ := strings.Cut(side, ",")
			words = regexp.MustCompile(`\bN\b`).ReplaceAllString(strings.TrimSpace(words), "3")
			words = regexp.MustCompile(`\bM\b`).ReplaceAllString(words, "4")
			words = regexp.MustCompile(`\bN%`).ReplaceAllString(words, "3%")
			if _, err := parseBand(words, measure{counted: true}); err != nil {
				t.Errorf("METHODOLOGY.md has %q, and a claims file cannot say %q: %v", strings.TrimSpace(side), words, err)
			}
		}
	}
	if rows < 10 {
		t.Errorf("the table of words has only %d rows", rows)
	}
}

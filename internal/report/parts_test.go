package report

import (
	"slices"
	"strings"
	"testing"
)

// What is said of a run's trust has each fact once, with the precision that was asked for.
func TestTrustParts(t *testing.T) {
	lines := TrustParts(rich())
	text := strings.Join(lines, "\n")
	for _, fact := range []string{"grade C", "verified 1 of 1", "1 to 8 layouts", "±1.0% asked, 2 rows are wider", "not A: ", "controls: "} {
		if n := strings.Count(text, fact); n != 1 {
			t.Errorf("%q is said %d times in\n%s", fact, n, text)
		}
	}
	if i := slices.Index(lines, "±1.0% asked, 2 rows are wider"); i != 1 {
		t.Errorf("the precision is on line %d of\n%s", i, text)
	}
}

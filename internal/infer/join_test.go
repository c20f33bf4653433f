package infer

import (
	"strings"
	"testing"
)

// Values are counted once, even if they are joined with nodes that the same join joins.
func TestJoinedCounts(t *testing.T) {
	sample := `{"r":{"1001":{"m":{},"p":{}},"1002":{"p":{"s":[{"v":{"k":1}}]}},"1003":{"p":{"s":[{"v":[{"k":3},{"k":4}]}]}},"1004":{"p":{"s":[{"v":{"k":1}},{"v":[{"k":5}]}]}},"1005":{"m":{},"p":{}}}}`
	r, err := JSON([]Source{Bytes("f", ndjson(sample))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Guesses {
		if strings.HasSuffix(g.Path, ".v") && strings.Contains(g.Decision, "a union") {
			if want := "it has 2 objects and 2 lists"; g.Reason != want {
				t.Errorf("the reason is %q, want %q", g.Reason, want)
			}
			return
		}
	}
	t.Errorf("no union of objects and lists: %+v", r.Guesses)
}

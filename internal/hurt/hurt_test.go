package hurt

import (
	"bytes"
	"slices"
	"testing"
)

// TestEdit checks that edits are deterministic, that every kind of edit changes some run, and
// that Read returns what Write wrote.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	whole := &Run{
		Lines: [][]byte{[]byte("{\"plan\": {\"cases\": [1, 2]}}\n"), []byte("{\"launch\": {\"series\": [{\"n\": 1}]}}\n"), []byte("{\"count\": {\"ops\": 3}}\n"), []byte("{\"note\": {\"text\": \"x\"}}\n")},
		Data:  []byte("{}\n"),
	}
	whole.Write(t, dir, "whole")
	text := func(r *Run) string { return string(bytes.Join(append([][]byte{r.Data}, r.Lines...), []byte("|"))) }
	if got := Read(t, dir+"/whole"); text(got) != text(whole) {
		t.Fatalf("read %q, want %q", text(got), text(whole))
	}
	changed := map[byte]bool{}
	for kind := range byte(KindsOfEdit) {
		for where := range byte(8) {
			for what := range byte(40) {
				edit := []byte{kind, 0, where, what, what}
				one, same := &Run{Lines: slices.Clone(whole.Lines)}, &Run{Lines: slices.Clone(whole.Lines)}
				for _, r := range []*Run{one, same} {
					r.Edit(t, edit, "hostile", []string{dir + "/whole"})
				}
				if text(one) != text(same) {
					t.Fatalf("edit %v makes two runs", edit)
				}
				changed[kind] = changed[kind] || text(one) != text(&Run{Lines: whole.Lines})
			}
		}
	}
	for kind := range byte(KindsOfEdit) {
		if !changed[kind] {
			t.Errorf("edits of kind %d change nothing", kind)
		}
	}
}

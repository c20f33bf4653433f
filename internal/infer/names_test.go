package infer

import "testing"

// What a comment holds that acts on an editor or a terminal gets into no generated
// code.
func TestDoc(t *testing.T) {
	for comment, want := range map[string]string{
		"One order.\n\nMore.":         "One order.",
		"  A\r\n  list.\n+marker":     "A list.",
		"safe \u202e/* efas */":       `safe \u202e/* efas */`,
		"a\x1b[2Jb\x00\u2028c\xffend": `a\u001b[2Jb\u0000 c` + "\ufffd" + `end`,
	} {
		if got := Doc(comment); got != want {
			t.Errorf("Doc(%q) = %q, want %q", comment, got, want)
		}
	}
}

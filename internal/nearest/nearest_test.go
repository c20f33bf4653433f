package nearest

import (
	"fmt"
	"testing"
)

func TestName(t *testing.T) {
	known := []string{"movie", "tick", "customer", "chain", "sizes", "budget", "encoding/json"}
	for word, want := range map[string]string{
		"movei": "movie", "tik": "tick", "custommer": "customer", "json": "", "bugdet": "budget",
		"encoding/jsn": "encoding/json", "zzzzzz": "", "": "",
	} {
		if got := Name(word, known); got != want {
			t.Errorf("Name(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	known := []string{"gogo/protobuf", "protobuf", "encoding/json", "--budget"}
	for word, want := range map[string]string{
		"protobfu":      "protobuf",
		"gogo/protobfu": "gogo/protobuf",
		"jsno":          "encoding/json",
		"--budgte":      "--budget",
		"nothing":       "",
	} {
		if want != "" {
			want = fmt.Sprintf(" (did you mean %q?)", want)
		}
		if got := Hint(word, known); got != want {
			t.Errorf("Hint(%q) = %q, want %q", word, got, want)
		}
	}
}

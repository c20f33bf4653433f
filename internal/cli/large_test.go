package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A schema whose code takes minutes to compile is said to, with what may make it smaller.
func TestLargeSchema(t *testing.T) {
	sample := func(messages int) string { // the record, groups, and in each at most 50 messages
		var groups []string
		for left, i := messages-1, 0; left > 1; i++ {
			var all []string
			for n := range min(left-1, 50) {
				name := string(rune('a'+i)) + string(rune('a'+n/26)) + string(rune('a'+n%26))
				all = append(all, fmt.Sprintf(`"k%s":{"a%[1]s":1,"b%[1]s":2}`, name))
			}
			left -= 1 + len(all)
			groups = append(groups, fmt.Sprintf(`"group%c":{%s}`, 'a'+i, strings.Join(all, ",")))
		}
		return "{" + strings.Join(groups, ",") + "}"
	}
	file := filepath.Join(t.TempDir(), "sample.json")
	for n, want := range map[int]bool{manyMessages: false, manyMessages + 1: true} {
		if err := os.WriteFile(file, []byte(sample(n)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := assayed(t, "try", file, "--plan", "--quick", "-c", "encoding/json", "--cache", t.TempDir())
		if got := strings.Contains(stderr, fmt.Sprintf("the schema has %d messages, whose code takes minutes", n)); code != exitOK || got != want {
			t.Errorf("of %d messages: exit %d, and the warning is %v\n%s", n, code, got, stderr)
		}
	}
}

package behaviour

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/cli"
)

// For a schema whose code takes minutes to compile, assay try warns and says how to make it
// smaller.
func TestLargeSchema(t *testing.T) {
	sample := func(messages int) string { // the record, groups, and at most 50 messages in each group
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
	for n, want := range map[int]bool{250: false, 251: true} {
		if err := os.WriteFile(file, []byte(sample(n)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := assayed(t, "try", file, "--plan", "--quick", "-c", "encoding/json", "--cache", t.TempDir())
		if got := strings.Contains(stderr, fmt.Sprintf("the schema has %d messages, whose code takes minutes", n)); code != cli.ExitOK || got != want {
			t.Errorf("of %d messages: exit %d, and the warning is %v\n%s", n, code, got, stderr)
		}
	}
}

// If a document takes too long to verify in every mode, the plan has only default modes and names
// the budget that allows more. Modes that a flag selects stay in the plan.
func TestLargeDocument(t *testing.T) {
	t.Setenv("COLUMNS", "400") // sentences on one line
	file := filepath.Join(t.TempDir(), "sample.json")
	for _, test := range []struct {
		points int
		args   []string
		modes  bool
	}{
		{100, nil, true},
		{100_000, nil, false},
		{100_000, []string{"-m", "default|reuse"}, true},
		{100_000, []string{"--budget", "2h"}, true},
	} {
		text := `{"points":[` + strings.Repeat(`[-65.613617,43.420273],`, test.points) + `[0.5,0.25]]}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, _, code := assayed(t, append([]string{"try", file, "--plan", "--cache", t.TempDir()}, test.args...)...)
		if code != cli.ExitOK {
			t.Fatalf("exit %d", code)
		}
		why := strings.Contains(stdout, "not measured: this budget has time for default modes only (try --budget ")
		if why == test.modes {
			t.Errorf("%d points %q: modes give way: %v, want %v\n%s", test.points, test.args, why, !test.modes, stdout)
		}
	}
}

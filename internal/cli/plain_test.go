package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"assay/internal/console"
	"assay/internal/plaintext"
)

// The scripts for shells are printed unchanged, although output is made safe for terminals.
func TestCompletionScripts(t *testing.T) {
	a := &app{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	for _, s := range shells {
		var want strings.Builder
		if err := s.script(a.root(), &want); err != nil {
			t.Fatal(err)
		}
		if got := printed(t, "completion", s.name); got != want.String() {
			t.Errorf("the script for %s is changed on its way out", s.name)
		}
	}
}

// The help texts have no characters that control a terminal.
func TestOwnTextIsPlain(t *testing.T) {
	commands(func(cmd *cobra.Command) {
		for _, text := range []string{cmd.Long, cmd.Short, cmd.Example, cmd.UsageString()} {
			if plaintext.Text(text) != text {
				t.Errorf("%s: %q", cmd.CommandPath(), text)
			}
		}
	})
}

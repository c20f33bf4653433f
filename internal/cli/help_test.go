package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/catalog"
	"assay/internal/console"
	"assay/internal/flags"
	"assay/internal/plan"
	"assay/internal/scaffold"
)

// commands calls visit for every command, the root included.
func commands(visit func(*cobra.Command)) {
	a := &app{Console: console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}}
	var each func(*cobra.Command)
	each = func(cmd *cobra.Command) {
		visit(cmd)
		for _, c := range cmd.Commands() {
			each(c)
		}
	}
	each(a.root())
}

// helpOn returns the help of a command as one line.
func helpOn(t *testing.T, command ...string) string {
	t.Helper()
	return strings.Join(strings.Fields(printed(t, append([]string{"help"}, command...)...)), " ")
}

// The help names defaults that depend on --quick or on the command.
func TestHelpOfDefaults(t *testing.T) {
	for command, x := range map[string]struct{ full, quick flags.Amount }{
		"run": {flags.FullRun, flags.QuickRun}, "try": {flags.FullTry, flags.QuickTry}, "claims": {flags.FullClaims, flags.QuickClaims},
	} {
		text := helpOn(t, command)
		for _, want := range []string{
			fmt.Sprintf("(default %s, with --quick %s)", plan.Brief(x.full.Budget), plan.Brief(x.quick.Budget)),
			fmt.Sprintf("random layouts (default %d, with --quick %d)", x.full.Layouts, x.quick.Layouts),
			"and take " + plan.Brief(x.quick.Budget),
		} {
			if !strings.Contains(text, want) {
				t.Errorf("assay help %s does not say %q:\n%s", command, want, text)
			}
		}
	}
	for command, want := range map[string]string{
		"run":    "all or none (default [cpu])",
		"try":    "all or none (default cpu,compressed, with --quick compressed)",
		"show":   "which is in use now (default: as the run was asked)",
		"export": "csv, md, gobench (default \"gobench\")",
		"verify": "text, json, and md with --probes (default \"text\")",
	} {
		if text := helpOn(t, command); !strings.Contains(text, want) {
			t.Errorf("assay help %s does not say %q:\n%s", command, want, text)
		}
	}
}

// assay help runner new says how many places a new contender has to change.
func TestHelpOfNew(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "contenders"), 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := scaffold.Write(root, scaffold.Contender{Name: "acme/json", Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	places := 0
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		places += strings.Count(string(text), "// CHANGE ")
	}
	if want := fmt.Sprintf("; %d places to change", places); places == 0 || !strings.Contains(helpOn(t, "runner", "new"), want) {
		t.Errorf("assay help runner new does not say that there are %d places to change", places)
	}
}

// verbs are the words that a flag's text may begin with. They say what the flag does.
var verbs = strings.Fields("also build call colour compare compress end exit give go include keep leave let link list look " +
	"make measure pay print read recommend refuse remove run send set show stop store take treat use write")

// begins matches the first word of a flag's text, after a prefix that says what the flag needs.
var begins = regexp.MustCompile(`^(?:(?:with [^:]+|cost): )?([a-z]+)\b`)

// The text of a flag begins with a verb and does not end with a full stop.
func TestFlagTexts(t *testing.T) {
	commands(func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			m := begins.FindStringSubmatch(strings.ReplaceAll(f.Usage, "`", ""))
			if f.Name != "help" && (m == nil || !slices.Contains(verbs, m[1]) || strings.HasSuffix(f.Usage, ".")) {
				t.Errorf("%s --%s: %q does not begin with what the flag does, or ends with a full stop", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
	})
}

// flagNamed matches a flag in a text.
var flagNamed = regexp.MustCompile(`(?:^|[\s(])--([a-z][a-z0-9-]*)`)

// Every flag that help, explanations and exit codes name is a flag of some command.
func TestFlagsNamed(t *testing.T) {
	known := map[string]bool{}
	texts := map[string]string{}
	commands(func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			known[f.Name] = true
			texts[cmd.CommandPath()+" --"+f.Name] = f.Usage
		})
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		texts["help of "+cmd.CommandPath()] = cmd.Long
		for _, e := range exits[cmd.CommandPath()] {
			texts[fmt.Sprintf("exit code %d of %s", e.code, cmd.CommandPath())] = e.text
		}
	})
	for _, name := range catalog.TopicNames() {
		var text bytes.Buffer
		if _, err := catalog.Explain(&text, name); err != nil {
			t.Fatal(err)
		}
		texts["explain "+name] = text.String()
	}
	found := 0
	for where, text := range texts {
		for _, m := range flagNamed.FindAllStringSubmatch(text, -1) {
			if found++; !known[m[1]] {
				t.Errorf("%s names --%s, which no command has", where, m[1])
			}
		}
	}
	if found < 40 {
		t.Errorf("found only %d flags in texts", found)
	}
}

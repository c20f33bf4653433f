package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// assayed runs a command line. It returns the output and the exit code.
func assayed(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := newApp(args, &out, &errs, assay.Source)
	code = a.main(t.Context())
	if of := exitsOf(t, args); !slices.Contains(of, code) {
		t.Errorf("assay %s: exit code %d, which its help does not tell of: %v", strings.Join(args, " "), code, of)
	}
	return out.String(), errs.String(), code
}

// printed is assayed for a command line that must succeed. It returns standard output.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := assayed(t, args...)
	if code != ExitOK {
		t.Fatalf("assay %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// The help of every command names each of its flags and describes it. The help begins like a
// sentence, and the line in the list of commands does not.
func TestHelp(t *testing.T) {
	commands(func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		text := printed(t, append([]string{"help"}, path...)...)
		if by := printed(t, append(path, "--help")...); len(path) > 0 && by != text {
			t.Errorf("assay %s --help and assay help %[1]s differ", strings.Join(path, " "))
		}
		for line := range strings.Lines(text) {
			if n := texttab.Width(strings.TrimSuffix(line, "\n")); n > phrase.Width {
				t.Errorf("%s: a line of %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		if cmd.HasParent() {
			if s := cmd.Short; s == "" || s[:1] != strings.ToLower(s[:1]) || strings.HasSuffix(s, ".") {
				t.Errorf("%s is listed as %q", cmd.CommandPath(), s)
			}
			if l := cmd.Long; l == "" || l[:1] != strings.ToUpper(l[:1]) || !strings.HasSuffix(l, ".") {
				t.Errorf("%s is described as %q", cmd.CommandPath(), l)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || !strings.Contains(text, "--"+f.Name) {
				t.Errorf("the help of %s does not tell of --%s", cmd.CommandPath(), f.Name)
			}
		})
	})
}

// Every example is a valid command line of its command.
func TestExamples(t *testing.T) {
	commands(func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ")
			line, _, _ = strings.Cut(line, " > ")
			words, ok := strings.CutPrefix(line, "assay ")
			if !ok || cmd.Name() == "completion" {
				continue
			}
			of, rest, err := cmd.Root().Find(strings.Fields(words))
			if err != nil || of.Name() != cmd.Name() {
				t.Errorf("%s has the example %q, which runs %s, %v", cmd.CommandPath(), line, of.Name(), err)
				continue
			}
			if err := of.ParseFlags(rest); err != nil {
				t.Errorf("example %q: %v", line, err)
			}
		}
	})
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	other := errors.New("something else")
	if err := interrupted(ctx, other, ""); err != other {
		t.Errorf("without a signal: %v", err)
	}
	cancel(nil)
	if err := interrupted(ctx, other, ""); err != other {
		t.Errorf("another error: %v", err)
	}
	var known *exitError
	err := interrupted(ctx, fmt.Errorf("linking: %w", ctx.Err()), "; what was measured is kept")
	if !errors.As(err, &known) || known.code != ExitInterrupted || err.Error() != "interrupted; what was measured is kept" {
		t.Errorf("interrupted: %v", err)
	}
}

// A full writer fails on every write, like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A result that cannot be printed is an error of every command.
func TestLostResult(t *testing.T) {
	for _, args := range [][]string{{}, {"help"}, {"list"}, {"list", "sizes", "--format", "json"}, {"explain", "time"}, {"version"}, {"run", "--plan"}, {"completion", "bash"}} {
		var stderr bytes.Buffer
		a := newApp(args, full{}, &stderr, assay.Source)
		if code := a.main(t.Context()); code != ExitFailed || !strings.Contains(stderr.String(), "cannot print the result: disk full") {
			t.Errorf("assay %s: exit code %d, %s", strings.Join(args, " "), code, &stderr)
		}
	}
}

// If a record cannot be stored, the run ends with an error that says how to resume. A closed
// store takes the same path as a full disk.
func TestLostRecord(t *testing.T) {
	run := &result.Run{Plan: result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "floor", Op: result.Encode}}}}
	store, err := result.Create(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	err = store.Append(result.Record{})
	if err == nil {
		t.Fatal("a record is stored in what is closed")
	}
	if code := exitCode(err); code != ExitFailed {
		t.Errorf("the exit code is %d, want that of a failure", code)
	}
	err = interrupted(t.Context(), err, "; what was measured is kept: go on with "+run.Resume())
	for _, part := range []string{"cannot append to ", "; what was measured is kept: go on with assay run --resume " + run.ID} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

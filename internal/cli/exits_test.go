package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"assay/internal/console"
	"assay/internal/gate"
	"assay/internal/measure"
)

// exitsOf returns the exit codes in the help of a command line's command.
func exitsOf(t *testing.T, args []string) []int {
	t.Helper()
	a := &app{Console: console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}}
	cmd, _, err := a.root().Find(args)
	if err != nil || strings.HasPrefix(cmd.Name(), "__") {
		t.Fatalf("assay %s: %v", strings.Join(args, " "), err)
	}
	var codes []int
	for _, e := range exits[cmd.CommandPath()] {
		codes = append(codes, e.code)
	}
	return codes
}

// The help of every command has a table of its exit codes, sorted and without duplicates. Every
// command has codes for success, wrong usage and failure.
func TestExits(t *testing.T) {
	known := map[string]bool{}
	commands(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		known[path] = true
		table := exits[path]
		last := -1
		for _, e := range table {
			if e.code <= last || e.text == "" || strings.HasSuffix(e.text, ".") {
				t.Errorf("%s: exit code %d after %d: %q", path, e.code, last, e.text)
			}
			last = e.code
		}
		for _, code := range []int{ExitOK, ExitUsage, ExitFailed} {
			if !slices.ContainsFunc(table, func(e exit) bool { return e.code == code }) {
				t.Errorf("%s has no exit code %d", path, code)
			}
		}
		help := printed(t, append([]string{"help"}, strings.Fields(path)[1:]...)...)
		_, text, ok := strings.Cut(help, "\nExit codes:\n")
		for _, e := range table {
			first, _, _ := strings.Cut(e.text, " ")
			if !ok || !regexp.MustCompile(fmt.Sprintf(`(?m)^  %d +%s`, e.code, regexp.QuoteMeta(first))).MatchString(text) {
				t.Errorf("the help of %s does not tell of exit code %d:\n%s", path, e.code, text)
			}
		}
	})
	for path := range exits {
		if !known[path] {
			t.Errorf("there is no command %q", path)
		}
	}
}

// The exit codes that the test scripts of the program expect are in the help of their commands.
func TestExitsOfScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../cmd/assay/testdata/script/*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	expects := regexp.MustCompile(`(?m)^(?:\[\S+\] )?(?:exits (\d+)|interrupt \S+ \S+(?: module)?) assay ?(.*)$`)
	lines := 0
	for _, file := range files {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range expects.FindAllStringSubmatch(string(script), -1) {
			code := ExitInterrupted
			if m[1] != "" {
				if code, err = strconv.Atoi(m[1]); err != nil {
					t.Fatal(err)
				}
			}
			if strings.HasPrefix(m[2], "__complete") {
				continue // a completion request of a shell
			}
			lines++
			if of := exitsOf(t, strings.Fields(m[2])); !slices.Contains(of, code) {
				t.Errorf("%s: assay %s exits with %d; its help tells of %v", filepath.Base(file), m[2], code, of)
			}
		}
	}
	if lines < 100 {
		t.Errorf("only %d lines of scripts say with which code a command exits", lines)
	}
}

// If package measure refuses a request, that is wrong usage. If measuring fails, that is a
// failure.
func TestExitCodeOfMeasuring(t *testing.T) {
	_, refused := measure.ParseVariant([]string{"protobuf"}, "", nil)
	for _, test := range []struct {
		err  error
		want int
	}{
		{refused, ExitUsage},
		{fmt.Errorf("as it was: %w", refused), ExitUsage},
		{errors.New("no space left on device"), ExitFailed},
		{&exitError{ExitNoisy, refused}, ExitNoisy},
	} {
		if got := exitCode(test.err); got != test.want {
			t.Errorf("%v: exit code %d, want %d", test.err, got, test.want)
		}
	}
}

// If there are many findings, the last line begins with the most serious one, and the others are
// listed before it.
func TestPassMany(t *testing.T) {
	g := &gate.Gate{Name: "check"}
	for i := range 30 {
		g.Add(gate.Failed, "failed %d", i)
	}
	g.Add(gate.No, "no")
	var out strings.Builder
	err := (&app{Console: console.Console{Err: &out}}).pass(g)
	if want := "check: no; failed 0; failed 1; and 28 more"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if diff := cmp.Diff([]string{"assay: no", "assay: failed 0", "assay: failed 18", "assay: and 11 more like these"},
		[]string{lines[0], lines[1], lines[19], lines[20]}); diff != "" || len(lines) != 21 {
		t.Errorf("%d lines (-want +got):\n%s", len(lines), diff)
	}
}

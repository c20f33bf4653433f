package console

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/refusal"
)

// The flag decides over the environment, and NO_COLOR over CLICOLOR_FORCE. A strings.Builder is no
// terminal.
func TestColored(t *testing.T) {
	for _, test := range []struct {
		color, none, force string
		want               bool
	}{
		{color: "auto"},
		{color: "auto", force: "1", want: true},
		{color: "auto", force: "0"},
		{color: "auto", none: "1", force: "1"},
		{color: "always", none: "1", want: true},
		{color: "never", force: "1"},
	} {
		t.Setenv("NO_COLOR", test.none)
		t.Setenv("CLICOLOR_FORCE", test.force)
		c := Console{Out: &strings.Builder{}, Color: test.color}
		if got, err := c.Colored(); got != test.want || err != nil {
			t.Errorf("%+v: %v, %v", test, got, err)
		}
	}
	refused := new(refusal.Error)
	if _, err := (&Console{Color: "blue"}).Colored(); !errors.As(err, &refused) {
		t.Errorf("--color blue: %v", err)
	}
}

func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"": 0, "80": 80, "39": 0, "1001": 0, "wide": 0} {
		t.Setenv("COLUMNS", columns)
		if got := (&Console{Out: &strings.Builder{}}).Width(); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", columns, got, want)
		}
	}
}

// Warnings, hints and errors clear the view first. A quiet console has errors only. Nothing
// controls the terminal.
func TestMessageKinds(t *testing.T) {
	for _, test := range []struct {
		quiet   bool
		cleared int
		want    string
	}{
		{false, 5, "assay: warning: 1 of 2\nstored    here\\u001b[2J\nnext      assay show x       it again\n          assay explain abc  what that is\nassay: no\n"},
		{true, 1, "assay: no\n"},
	} {
		var out, errs strings.Builder
		cleared := 0
		c := Console{Out: &out, Err: &errs, Quiet: test.quiet, Clear: func() { cleared++ }}
		c.Protect()
		c.Warn("%d of %d", 1, 2)
		c.Hint("stored    %s", "here\x1b[2J")
		c.Next([2]string{"assay show x", "it again"}, [2]string{"assay explain abc", "what that is"})
		c.Error("no")
		err := c.Printed()
		c.Close()
		if diff := cmp.Diff(test.want, errs.String()); diff != "" || cleared != test.cleared || out.Len() > 0 || err != nil {
			t.Errorf("quiet %v: cleared %d times, %q on standard output, %v; (-want +got):\n%s", test.quiet, cleared, &out, err, diff)
		}
	}
}

// brief fails after the first write.
type brief struct{ strings.Builder }

func (b *brief) Write(p []byte) (int, error) {
	if b.Len() > 0 {
		return 0, errors.New("disk full")
	}
	return b.Builder.Write(p)
}

// A result that is lost is an error, even if what is printed after it could be printed.
func TestPrintedLost(t *testing.T) {
	c := Console{Out: &brief{}, Err: &strings.Builder{}}
	c.Protect()
	for range 3 {
		_ = c.JSON(map[string]int{"a": 1}) // its error may be ignored
	}
	if err := c.Printed(); err == nil || err.Error() != "cannot print the result: disk full" {
		t.Errorf("a lost result: %v", err)
	}
}

package behaviour

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay"
	"assay/internal/cli"
)

// assayed runs a command line. It returns the output and the exit code, which the help of the
// command must tell of.
func assayed(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, &out, &errs, assay.Source)
	if of := exitsOf(t, args); !slices.Contains(of, code) {
		t.Errorf("assay %s: exit code %d, which its help does not tell of: %v", strings.Join(args, " "), code, of)
	}
	return out.String(), errs.String(), code
}

// exitLine matches an exit code in the help of a command.
var exitLine = regexp.MustCompile(`(?m)^  (\d+) `)

// exitsKnown has what exitsOf returned, by the words of commands.
var exitsKnown sync.Map

// commandWords matches the words of a command, joined by a space.
var commandWords = regexp.MustCompile(`^[a-z]+( [a-z]+)?$`)

// exitsOf returns the exit codes in the help of a command line's command.
func exitsOf(t *testing.T, args []string) (codes []int) {
	t.Helper()
	if words := strings.Join(args[:min(2, len(args))], " "); commandWords.MatchString(words) {
		if known, ok := exitsKnown.Load(words); ok {
			return known.([]int)
		}
		defer func() { exitsKnown.Store(words, codes) }()
	}
	for n := min(2, len(args)); ; n-- {
		var help bytes.Buffer
		if cli.Run(t.Context(), append([]string{"help"}, args[:n]...), &help, &bytes.Buffer{}, assay.Source) != cli.ExitOK && n > 0 {
			continue // an argument and no command
		}
		_, table, _ := strings.Cut(help.String(), "\nExit codes:\n")
		for _, m := range exitLine.FindAllStringSubmatch(table, -1) {
			code, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return codes
	}
}

// printed is assayed for a command line that must succeed. It returns standard output.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := assayed(t, args...)
	if code != cli.ExitOK {
		t.Fatalf("assay %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// decode decodes JSON. JSON with a field that v does not have is an error.
func decode(t *testing.T, text string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

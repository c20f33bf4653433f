package assay_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/internal/cli"
	"assay/published/claims"
)

// The claims files of the published benchmarks, the stored runs behind docs/claims.md, and that
// page.
const (
	ledgerFiles = "published/sources/*/claims.toml"
	claimsRun   = "docs/evidence/claims-run"
	wholeRun    = "docs/evidence/whole-run"
	claimsPage  = "docs/claims.md"
	// reproducedRun rules on times as short as a loop.
	reproducedRun = "docs/evidence/reproduction-customer-run"
)

// ruled returns the arguments of the command that rules on the ledger by the stored runs.
func ruled(format string) []string {
	args := []string{"claims", "--run", claimsRun, "--format", format}
	for _, run := range wholeRuns {
		args = append(args, "--whole", run)
	}
	return append(args, "--reproduced", reproducedRun)
}

// TestLedger checks that every claims file can be read, and that names of claims are unique.
func TestLedger(t *testing.T) {
	if n := len(ledger(t).Claims); n < 30 {
		t.Errorf("the ledger has only %d claims", n)
	}
}

// TestLedgerExhibits checks that the exhibits that claims name exist.
func TestLedgerExhibits(t *testing.T) {
	for _, c := range ledger(t).Claims {
		for _, name := range c.Exhibits {
			if _, err := fs.Stat(assay.Source, "published/exhibits/"+name+"/exhibit.toml"); err != nil {
				t.Errorf("%s:%d: %s names exhibit %s: %v", c.File, c.Line, c.ID, name, err)
			}
		}
	}
}

// TestLedgerWords checks that published claims are ruled on by their own words. A claim without a
// figure or a comparison in its words needs a bound of its own, and a note with the source of
// that bound.
func TestLedgerWords(t *testing.T) {
	for _, c := range ledger(t).Claims {
		figure := c.Untested == "" && c.Predicate != "" && c.Predicate != claims.Order
		sourced := len(c.Published) == 0 && strings.Contains(c.Note, "https://")
		if figure && c.Says == "" && !sourced {
			t.Errorf("%s:%d: %s has bounds of its own in place of says, and no source for them", c.File, c.Line, c.ID)
		}
	}
}

// TestLedgerCites checks the sentences that cite a table, such as "(docs/reproduction/sizes.md:
// Encoding one struct)" or "(docs/claims.md: ID)": the rows below that heading contain their figures.
func TestLedgerCites(t *testing.T) {
	cite := regexp.MustCompile(`\((docs/(?:reproduction/([a-z]+)|claims)\.md): ([^()]+)\)`)
	figure := regexp.MustCompile(`[0-9][0-9,]*(?:\.[0-9]+)?\b`)
	n := 0
	for _, c := range ledger(t).Claims {
		for _, sentence := range strings.Split(c.Differs+". "+c.Note+". "+c.Untested, ". ") {
			if strings.Contains(cite.ReplaceAllString(sentence, ""), "docs/") {
				t.Errorf("%s:%d: %s cites a page without a heading: %s", c.File, c.Line, c.ID, sentence)
			}
			for _, m := range cite.FindAllStringSubmatch(sentence, -1) {
				rows := rowsBelow(t, m[1], m[2], m[3])
				for _, f := range figure.FindAllString(cite.ReplaceAllString(sentence, ""), -1) {
					if n++; !regexp.MustCompile(`(?:^|[^0-9,.])` + regexp.QuoteMeta(f) + `(?:$|[^0-9,.])`).MatchString(rows) {
						t.Errorf("%s:%d: %s cites %s for %s, which it does not have", c.File, c.Line, c.ID, m[0], f)
					}
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d figures are cited", n)
	}
}

// rowsBelow returns the rows and footnotes of the tables below a heading of a page: "### source · heading" of
// docs/reproduction, or "### heading: verdict" of docs/claims.md if source is empty.
func rowsBelow(t *testing.T, page, source, heading string) string {
	t.Helper()
	want := "### " + heading + ":"
	if source != "" {
		want = "### " + source + " · " + heading
	}
	var rows []string
	below, found := false, false
	for line := range strings.Lines(read(t, page)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "#"):
			below = line == want || source == "" && strings.HasPrefix(line, want)
			found = found || below
		case below && (strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ")):
			rows = append(rows, line)
		}
	}
	if !found {
		t.Errorf("%s has no heading %q", page, want)
	}
	return strings.Join(rows, "\n")
}

// TestLedgerDiffers checks that claims whose data are not the published data say so: those of the
// blockchain's source that measure gob, those of the sizes' source on slices by value, which
// huge structs and maps have inside, and all of the customer's source that measure.
func TestLedgerDiffers(t *testing.T) {
	zeros := regexp.MustCompile(`shape=slice|struct=(?:huge|map)`)
	for _, c := range ledger(t).Claims {
		any := func(is func(claims.Term) bool) bool {
			return slices.ContainsFunc(c.Conditions, func(one claims.Condition) bool { return slices.ContainsFunc(one.Terms, is) })
		}
		gob := any(func(t claims.Term) bool { return t.Contender == "encoding/gob" })
		if c.Source == "chain" && gob && !strings.Contains(c.Differs, "pairs of big integers") {
			t.Errorf("%s:%d: %s does not say how its data differ", c.File, c.Line, c.ID)
		}
		half := any(func(t claims.Term) bool { return zeros.MatchString(t.Size) })
		if c.Source == "sizes" && half && !strings.Contains(c.Differs, "zeros") {
			t.Errorf("%s:%d: %s does not say that half of the published slices is zeros", c.File, c.Line, c.ID)
		}
		if c.Source == "customer" && len(c.Conditions) > 0 && !strings.Contains(c.Differs, "each published format has texts of its own") {
			t.Errorf("%s:%d: %s does not say that each published format has texts of its own", c.File, c.Line, c.ID)
		}
	}
}

// TestLedgerSettled checks that the tests that settle claims exist.
func TestLedgerSettled(t *testing.T) {
	n := 0
	for _, c := range ledger(t).Claims {
		if c.Settled == nil {
			continue
		}
		for s := c.Settled; s != nil; s = s.Elsewhere {
			n++
			dir, test, _ := strings.Cut(s.Test, " ")
			files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(files, func(name string) bool {
				return strings.Contains(read(t, name), "\nfunc "+test+"(t *testing.T) {\n")
			}) {
				t.Errorf("%s:%d: %s is settled by %s, which there is not", c.File, c.Line, c.ID, s.Test)
			}
		}
	}
	if n < 9 {
		t.Errorf("only %d claims are settled by tests", n)
	}
}

// TestVerdicts checks the verdicts on the stored run, as published and elsewhere. A verdict
// changes only with the rules or the run, and docs/claims-changes.md says why.
func TestVerdicts(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := cli.Main(ruled("json"), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var got struct {
		Claims []struct {
			ID, Verdict string
			Elsewhere   *string
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, c := range got.Claims {
		found[c.ID] = c.Verdict
		if c.Elsewhere != nil {
			found[c.ID] += "; " + *c.Elsewhere
		}
	}
	if diff := cmp.Diff(verdicts, found); diff != "" {
		t.Errorf("verdicts have flipped (-expected +found):\n%s", diff)
	}
}

func ledger(t *testing.T) *claims.Ledger {
	t.Helper()
	files, err := fs.Glob(assay.Source, ledgerFiles)
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s (%v)", ledgerFiles, err)
	}
	all := &claims.Ledger{}
	for _, name := range files {
		data, err := assay.Source.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := claims.Parse(name, data)
		if err == nil {
			err = all.Add(l)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestClaimsPage checks that docs/claims.md has exactly the claims of the ledger, and is what
// assay prints of the stored run.
func TestClaimsPage(t *testing.T) {
	for _, run := range []string{claimsRun, wholeRun} {
		if _, err := os.Stat(filepath.FromSlash(run)); err != nil {
			t.Fatalf("there is no %s: make one with assay claims --giants --results docs/evidence, name it so, then go test . -update", run)
		}
	}
	t.Setenv("NO_COLOR", "1")
	var stdout, stderr bytes.Buffer
	if code := cli.Main(ruled("md"), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	if *update {
		if err := os.WriteFile(filepath.FromSlash(claimsPage), stdout.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page := read(t, claimsPage)
	var want, got [][2]string
	for _, c := range ledger(t).Claims {
		want = append(want, [2]string{c.ID, c.Statement})
	}
	plain := regexp.MustCompile(`\\(.)`)
	for _, m := range regexp.MustCompile(`(?m)^### ([a-z0-9-]+): [a-z]+(?: where measured \([0-9]+ of [0-9]+\))?\n\n> (.*)$`).FindAllStringSubmatch(page, -1) {
		got = append(got, [2]string{m[1], html.UnescapeString(plain.ReplaceAllString(m[2], "$1"))})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s does not have the claims of the ledger; go test . -update rewrites it (-ledger +page):\n%s", claimsPage, diff)
	}
	if diff := cmp.Diff(stdout.String(), page); diff != "" {
		t.Errorf("%s is not what assay %s prints; go test . -update rewrites it (-printed +page):\n%s", claimsPage, strings.Join(ruled("md"), " "), diff)
	}
}

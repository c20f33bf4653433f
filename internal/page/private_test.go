package page

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/report"
	"assay/published/claims"
	"assay/result"
)

// ledger has no claims.
var ledger = &claims.Ledger{}

// ofStored returns the page's source of a stored run, as assay report has it, with the arguments given.
func ofStored(t *testing.T, name string, args ...string) *Source {
	t.Helper()
	run, records, _, err := result.Read(runs + name)
	if err != nil {
		t.Fatal(err)
	}
	run.Args = args
	return Of(run, records, source(t, runs+name).Try)
}

// Only the owner can read the page of a user's own records, also if only the run beside it is theirs. Of a
// site with one such run, nobody else can read any page. Others can read all other pages.
func TestPrivateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions")
	}
	side := func(name string) *analysis.Side {
		s := ofStored(t, name)
		return &analysis.Side{Label: name, Run: s.Results.Run, Records: s.Records}
	}
	pages := map[string]*Source{
		"built-in": ofStored(t, "passes"), "try": ofStored(t, "try"), "without answer": {Results: ofStored(t, "try").Results},
		"changes of a try": OfComparison(&analysis.Comparison{Kind: analysis.OfRuns, A: side("passes"), B: side("try")}),
		"changes to a try": OfComparison(&analysis.Comparison{Kind: analysis.OfRuns, A: side("try"), B: side("passes")}),
		"changes":          OfComparison(&analysis.Comparison{Kind: analysis.OfRuns, A: side("passes"), B: side("passes")}),
		"claims":           OfClaims(report.Ruled(ledger, ofStored(t, "passes").Results)),
		"no run":           OfClaims(report.Ruled(ledger, nil)),
	}
	open := map[string]bool{"built-in": true, "changes": true, "claims": true, "no run": true}
	for name, s := range pages {
		file := filepath.Join(t.TempDir(), "page.html")
		if err := WriteFile(file, s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkReaders(t, name, file, open[name])
	}
	for name, sources := range map[string][]*Source{"built-in": {pages["built-in"]}, "one private": {pages["built-in"], pages["try"]}} {
		dir := t.TempDir()
		if err := WriteSite(dir, sources); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(file, ".html") {
				checkReaders(t, "site, "+name, file, len(sources) == 1)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkReaders checks whether others than the owner can read a file.
func checkReaders(t *testing.T, name, file string, want bool) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm()&0o044 != 0; got != want {
		t.Errorf("%s: %s has %v; others can read it: %v, want %v", name, filepath.Base(file), info.Mode(), got, want)
	}
}

// The command that measured a run is on its page without the values of records that --only names. A run of
// built-in workloads keeps its arguments.
func TestCommandOfRun(t *testing.T) {
	args := []string{"try", "my orders.ndjson", "--only", "customer.email=alice@example.com"}
	for name, want := range map[string]string{
		"try":    "assay try 'my orders.ndjson' --only 'customer.email=…'",
		"passes": "assay try 'my orders.ndjson' --only customer.email=alice@example.com",
	} {
		if got := ofStored(t, name, args...).Command; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A page names the command that prints the run: by its name, if it has one, and otherwise by its ID. Rulings
// without a stored run have none.
func TestAgain(t *testing.T) {
	s := ofStored(t, "passes")
	rulings := OfClaims(report.Ruled(ledger, s.Results))
	if s.Again != "assay show passes" || rulings.Again != "" {
		t.Errorf("the run: %q, its rulings: %q", s.Again, rulings.Again)
	}
	s.Results.Run.Name = "results/one"
	ruled := report.Ruled(ledger, s.Results)
	ruled.Repeat = "assay claims --all"
	rulings = OfClaims(ruled)
	if got := Of(s.Results.Run, s.Records, nil).Again; got != "assay show results/one" || rulings.Again != got || rulings.Command != "assay claims --all" {
		t.Errorf("the named run: %q, its rulings: %q, measured by %q", got, rulings.Again, rulings.Command)
	}
}

// The page of two runs shows the second, and has the first beside it.
func TestOfRuns(t *testing.T) {
	a, b := ofStored(t, "passes"), ofStored(t, "passes")
	a.Results.Run.ID, b.Results.Run.ID = "first", "second"
	s := OfComparison(&analysis.Comparison{
		Kind: analysis.OfRuns, A: &analysis.Side{Run: a.Results.Run, Records: a.Records}, B: &analysis.Side{Run: b.Results.Run, Records: b.Records},
	})
	if len(s.Beside) != 1 || s.Beside[0].Run.ID != "first" || len(s.Beside[0].Tables) == 0 || s.Results.Run.ID != "second" || s.Again != "assay show second" {
		t.Errorf("%d runs beside run %s, printed by %q", len(s.Beside), s.Results.Run.ID, s.Again)
	}
}

// The page of a try has the results of its answer, which knows more of how far they can be trusted.
func TestOfTry(t *testing.T) {
	s := ofStored(t, "try")
	s.Try.Results.Grade.Lower("the answer needs more layouts")
	if again := Of(s.Results.Run, s.Records, s.Try); again.Results.Grade.Letter != "C" || !strings.Contains(write(t, again), "the answer needs more layouts") {
		t.Errorf("the page has grade %s: %q", again.Results.Grade.Letter, again.Results.Grade.Reasons)
	}
}

// Of streams and whole values, unsupported and oom may come with what a library says.
func TestQuotes(t *testing.T) {
	for _, test := range []struct {
		status result.Status
		mode   string
		want   bool
	}{
		{result.Unverified, "", true}, {result.Panic, "output=reuse", true}, {result.Unsupported, "", false}, {result.OOM, "", false},
		{result.Unsupported, "stream=file", true}, {result.OOM, "stream=file,codec=zstd,cpus=2", true}, {result.Unsupported, "session=whole", true},
		{result.Timeout, "stream=file", false},
	} {
		if got := quotes(test.status, test.mode); got != test.want {
			t.Errorf("%s in mode %q: %v", test.status, test.mode, got)
		}
	}
}

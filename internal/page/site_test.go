package page

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/internal/outfile"
	"assay/internal/report"
	"assay/published/claims"
)

// Each link of a site leads to an existing page, and no page loads anything.
func TestSite(t *testing.T) {
	ledger, again := source(t, runs+"passes"), source(t, runs+"passes")
	for _, s := range []*Source{ledger, again} {
		s.Claims = &report.Claims{Ledger: &claims.Ledger{}, Results: s.Results, Rulings: []claims.Ruling{{Claim: &claims.Claim{ID: "a"}, Verdict: claims.Holds}}}
	}
	hostileRun := renamed(t, hostile[0])
	files, err := Site([]*Source{ledger, source(t, runs+"try"), hostileRun, hostileRun, again})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, f := range files {
		if have[f.Name] || !regexp.MustCompile(`^[a-z0-9-]+\.html$`).MatchString(f.Name) {
			t.Errorf("a page is called %q", f.Name)
		}
		have[f.Name] = true
	}
	links := regexp.MustCompile(`href="([^"#]+)"`)
	for _, f := range files {
		page := string(f.Data)
		checkPolicy(t, page)
		checkText(t, page)
		for _, l := range links.FindAllStringSubmatch(page, -1) {
			if !have[l[1]] && !advised(l[1]) {
				t.Errorf("%s links to %s", f.Name, l[1])
			}
		}
	}
	ruled := 0 // pages of claims: one for each run that rules on claims
	for name := range have {
		if strings.HasPrefix(name, "claims-") {
			ruled++
		}
	}
	if ruled != 2 {
		t.Errorf("%d pages of claims in %v", ruled, have)
	}
	for _, name := range []string{"index.html", "contender-2-encoding-json.html"} {
		if !have[name] {
			t.Errorf("there is no %s in %v", name, have)
		}
	}
}

// A site that is made again has no pages of runs that it no longer shows, and other files stay.
func TestSiteAgain(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "CNAME")
	if err := os.WriteFile(own, []byte("example.com"), 0o666); err != nil {
		t.Fatal(err)
	}
	private := source(t, runs+"try")
	for _, runs := range [][]*Source{{source(t, runs+"passes"), private}, {private}} {
		if err := WriteSite(dir, runs); err != nil {
			t.Fatal(err)
		}
		files, err := Site(runs)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{outfile.ListFile, "CNAME"}
		for _, f := range files {
			want = append(want, f.Name)
		}
		slices.Sort(want)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the directory of the site (-want +got):\n%s", diff)
		}
	}
}

// advised reports whether a link leads to what the authors of a contender say.
func advised(link string) bool {
	return strings.HasPrefix(link, "https://pkg.go.dev/") || slices.ContainsFunc(contenders.All(), func(c *contender.Contender) bool {
		return c.Advice.URL == html.UnescapeString(link)
	})
}

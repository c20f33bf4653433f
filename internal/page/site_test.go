package page

import (
	"regexp"
	"strings"
	"testing"
)

// Each link of a site is to a page that there is, and no page loads anything.
func TestSite(t *testing.T) {
	ledger := source(t, runs+"passes")
	hostileRun := renamed(t, hostile[0])
	files, err := Site([]*Source{ledger, source(t, runs+"try"), hostileRun, hostileRun})
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
			if !have[l[1]] && !strings.HasPrefix(l[1], "https://pkg.go.dev/") {
				t.Errorf("%s links to %s", f.Name, l[1])
			}
		}
	}
	for _, name := range []string{"index.html", "contender-2-encoding-json.html"} {
		if !have[name] {
			t.Errorf("there is no %s in %v", name, have)
		}
	}
}

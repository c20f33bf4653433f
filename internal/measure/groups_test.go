package measure

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/result"
)

// Each layout has a program of its own.
func TestProgramOfLayout(t *testing.T) {
	built := &build.Runner{Dir: "d"}
	for what, binary := range map[string]func(uint64) drive.Binary{
		"a run":                runner{Runner: built}.drive(1).Binary,
		"published benchmarks": publishedConfig(built, time.Second, nil).Binary,
	} {
		for _, layout := range []uint64{1, 7} {
			if got, want := binary(layout).Path, filepath.Join("d", fmt.Sprint("layout-", layout)); got != want {
				t.Errorf("%s: layout %d is the program %s, want %s", what, layout, got, want)
			}
		}
	}
}

func TestOffered(t *testing.T) {
	first := func(group string) string {
		for _, c := range contenders.All() {
			if c.Group == group && !common(c.Name) {
				return c.Name
			}
		}
		t.Fatalf("no contender of group %q", group)
		return ""
	}
	apart := first("more")
	for _, test := range []struct {
		name    string
		pattern string
		all     bool
		want    []string // groups
	}{
		{"nothing asked for", "", false, []string{""}},
		{"all", "", true, nil},
		{"a pattern that matches of every group", ".", false, []string{""}},
		{"a name in full", "^" + apart + "$", false, []string{"more"}},
		{"two names in full", "encoding/gob|" + apart, false, []string{"", "more"}},
		{"a pattern that matches no ordinary one", "^" + apart[:len(apart)-1], false, []string{"more"}},
		{"the Reference alone", "^encoding/json$", false, []string{""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			choice := choose("movie", test.pattern, "", "")
			choice.All, choice.Quick = test.all, true
			sel, err := choice.Select()
			if err != nil {
				t.Fatal(err)
			}
			got := groups(sel.Contenders)
			want := test.want
			if want == nil {
				for _, c := range contenders.All() {
					if holdsMovie(c) && !slices.Contains(want, c.Group) {
						want = append(want, c.Group)
					}
				}
				slices.Sort(want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if hasApart := slices.ContainsFunc(got, func(g string) bool { return g != "" }); hasApart {
				if !slices.ContainsFunc(sel.Cases, func(c result.Case) bool { return c.Contender == Reference }) {
					t.Errorf("%s is not among the cases: ratios of two runners would not meet", Reference)
				}
			}
		})
	}
}

// holdsMovie says whether a contender has code for the workload movie.
func holdsMovie(c *contender.Contender) bool {
	return contenders.Holds(c.Name, "movie")
}

func TestRunnersOf(t *testing.T) {
	rs := runners{{group: ""}, {group: "more"}}
	for name, want := range map[string]string{Reference: "", "floor": "", "encoding/gob": "", "jsoniter": "more"} {
		if got := rs.of(result.Case{Contender: name}); got != want {
			t.Errorf("%s is measured in the runner of group %q, want %q", name, got, want)
		}
	}
	if got := (runners{{group: "more"}}).of(result.Case{Contender: Reference}); got != "more" {
		t.Errorf("without an ordinary runner the Reference is measured in that of group %q, want more", got)
	}
}

//go:build !generated

package contenders_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
)

// A linkage describes the packages that a contender's generated code links besides the standard
// library and assay: whether any has assembly or cgo, or imports package unsafe.
type linkage struct{ assembly, unsafe, libraries bool }

// Traits about the making of a library are true of all packages that a program links with it.
func TestTraitsOfPackages(t *testing.T) {
	var dirs []string
	of := map[string]*contender.Contender{} // by package
	for _, c := range contenders.All() {
		found, err := filepath.Glob(filepath.Join(c.Dir(), "gen", "*", "bind.go"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no generated code of %s is committed, %v", c.Name, err)
		}
		dir := filepath.ToSlash(filepath.Dir(found[0]))
		dirs, of["assay/contenders/"+dir] = append(dirs, "./"+dir), c
	}
	for path, l := range linkages(t, dirs) {
		for _, wrong := range mistaken(of[path], l) {
			t.Errorf("%s: %s", of[path].Name, wrong)
		}
		delete(of, path)
	}
	for _, c := range of {
		t.Errorf("go list does not know the code of %s", c.Name)
	}
}

// linkages asks the go command what packages link, by import path. It always asks for one
// platform, so that the answer is the same on all.
func linkages(t *testing.T, dirs []string) map[string]linkage {
	t.Helper()
	type listed struct {
		ImportPath, Dir                            string
		Standard, DepOnly                          bool
		Imports, Deps, SFiles, CgoFiles, SysoFiles []string
	}
	cmd := exec.Command("go", append([]string{"list", "-tags=golden", "-deps", "-json=ImportPath,Dir,Standard,DepOnly,Imports,Deps,SFiles,CgoFiles,SysoFiles"}, dirs...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux", "GOARCH=amd64")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	all := map[string]listed{}
	var roots []listed
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if all[p.ImportPath] = p; !p.DepOnly {
			roots = append(roots, p)
		}
	}
	out := map[string]linkage{}
	for _, root := range roots {
		var l linkage
		for _, path := range append(root.Deps, root.ImportPath) {
			p := all[path]
			if p.Standard || strings.HasPrefix(path, "assay/") && path != root.ImportPath {
				continue
			}
			l.libraries = l.libraries || path != root.ImportPath
			l.assembly = l.assembly || len(p.CgoFiles)+len(p.SysoFiles) > 0
			for _, f := range p.SFiles { // an empty one only permits functions without bodies
				text, err := os.ReadFile(filepath.Join(p.Dir, f))
				if err != nil {
					t.Fatal(err)
				}
				l.assembly = l.assembly || bytes.Contains(text, []byte("TEXT"))
			}
			l.unsafe = l.unsafe || slices.Contains(p.Imports, "unsafe")
		}
		out[root.ImportPath] = l
	}
	return out
}

// mistaken returns the traits of a contender that disagree with its linkage.
func mistaken(c *contender.Contender, l linkage) (wrong []string) {
	for _, about := range []struct {
		trait contender.Trait
		is    bool
	}{
		{contender.PureGo, !l.assembly},
		{contender.Unsafe, l.unsafe},
		{contender.Standard, !l.libraries && c.Format != "none"},
	} {
		switch in := about.trait.In(); {
		case about.is && !c.Is(about.trait):
			wrong = append(wrong, fmt.Sprintf("%s, and the trait %s is not declared", in.Short, about.trait))
		case !about.is && c.Is(about.trait):
			wrong = append(wrong, fmt.Sprintf("the trait %s is declared: %s", about.trait, in.Without))
		}
	}
	return wrong
}

// A module is the go command's description of a module in go.mod.
type module struct {
	Path, Version, Dir string
	Time               time.Time
}

// modules returns the contenders' modules by path.
func modules(t *testing.T) map[string]module {
	t.Helper()
	var paths []string
	for _, c := range contenders.All() {
		if c.Module != "" {
			paths = append(paths, c.Module)
		}
	}
	slices.Sort(paths)
	data, err := exec.Command("go", append([]string{"list", "-m", "-json=Path,Version,Dir,Time"}, slices.Compact(paths)...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]module{}
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var m module
		if err := dec.Decode(&m); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if m.Time.IsZero() || m.Dir == "" {
			t.Fatalf("the go command says of %s: %+v", m.Path, m)
		}
		all[m.Path] = m
	}
}

// A contender is unmaintained if its release in go.mod is more than three years older than the
// newest release of all contenders, or if its text says so.
func TestUnmaintained(t *testing.T) {
	released, newest := modules(t), time.Time{}
	for _, m := range released {
		if m.Time.After(newest) {
			newest = m.Time
		}
	}
	for _, c := range contenders.All() {
		if c.Module != "" {
			if wrong := outdated(c, released[c.Module].Time, newest); wrong != "" {
				t.Errorf("%s: %s", c.Name, wrong)
			}
		}
	}
}

// outdated returns how the trait unmaintained disagrees with the date of the release.
func outdated(c *contender.Contender, released, newest time.Time) string {
	old, day := released.AddDate(3, 0, 0).Before(newest), released.Format(time.DateOnly)
	switch declared := c.Is(contender.Unmaintained); {
	case old && !declared:
		return "its release is of " + day + ", and the trait unmaintained is not declared"
	case !old && declared && !regexp.MustCompile(`deprecated|unmaintained|not maintained|no longer maintained|archived`).MatchString(c.Text):
		return "its release is of " + day + ", and no text says why it is unmaintained"
	}
	return ""
}

// The authors' advice belongs to the measured release: a page in a repository's tree is of the
// release's tag, and a fragment of a README is a heading in it.
func TestAdviceIsOfTheRelease(t *testing.T) {
	of := modules(t)
	for _, c := range contenders.All() {
		if c.Module == "" {
			continue
		}
		m := of[c.Module]
		var readme []byte
		files, err := os.ReadDir(m.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.EqualFold(f.Name(), "README.md") {
				if readme, err = os.ReadFile(filepath.Join(m.Dir, f.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		if wrong := misplaced(c.Advice.URL, m.Version, string(readme)); wrong != "" {
			t.Errorf("%s: %s: %s", c.Name, c.Advice.URL, wrong)
		}
	}
}

// misplaced returns why an address does not belong to the release of a repository with that
// README. It is empty if the address belongs to it, or is not in a repository.
func misplaced(address, version, readme string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != "github.com" {
		return ""
	}
	if tag := strings.TrimSuffix(version, "+incompatible"); strings.Contains(u.Path, "/blob/") && !strings.Contains(u.Path, "/"+tag+"/") {
		return "go.mod has " + version
	}
	if u.Fragment == "" {
		return ""
	}
	for line := range strings.Lines(readme) {
		heading := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		if strings.ReplaceAll(notInAnchors.ReplaceAllString(heading, ""), " ", "-") == u.Fragment {
			return ""
		}
	}
	return "the README has no such heading"
}

var notInAnchors = regexp.MustCompile(`[^\pL\pN _-]`)

// A contender with the trait streaming has streams or says why assay measures none. A contender
// with streams but without the trait says that the library does not provide their framing.
func TestStreamingIsDeclared(t *testing.T) {
	for _, c := range contenders.All() {
		if wrong := unstreamed(c); wrong != "" {
			t.Errorf("%s: %s", c.Name, wrong)
		}
	}
}

// unstreamed returns how the trait streaming disagrees with Stream.
func unstreamed(c *contender.Contender) string {
	ours := strings.Contains(c.Stream, "The library has no ")
	switch declared := c.Is(contender.Streaming); {
	case declared && ours:
		return "the trait streaming is declared, and Stream says that the library has none"
	case c.Stream != "" && !declared && !ours:
		return "Stream says how the library writes and reads streams, and the trait streaming is not declared"
	case c.Stream != "" && strings.Contains(c.Text, "There is no stream"):
		return "Text says that there is no stream, and Stream says how it is written"
	}
	return ""
}

// A description says what a library is and when to choose it. Only measurements may say how
// fast it is compared with others.
func TestDescriptionsPrejudgeNothing(t *testing.T) {
	for _, c := range contenders.All() {
		for _, text := range []string{c.Title, c.Choose} {
			if found := prejudged(text); found != "" {
				t.Errorf("%s: %q says %q", c.Name, text, found)
			}
		}
	}
}

var comparison = regexp.MustCompile(`\b(faster|fastest|slower|slowest|quicker|smaller|smallest|most used|most Go programs|same speed|times as|factor of)\b|several times`)

func prejudged(text string) string { return comparison.FindString(text) }

// The checks find every kind of fault.
func TestMistaken(t *testing.T) {
	with := func(traits ...contender.Trait) *contender.Contender {
		return &contender.Contender{Format: "x", Traits: traits}
	}
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	stream := func(text, stream string, traits ...contender.Trait) *contender.Contender {
		return &contender.Contender{Text: text, Stream: stream, Traits: traits}
	}
	one := func(s string) []string { return []string{s} }
	for name, test := range map[string]struct{ got, want []string }{
		"pure":             {mistaken(with(contender.PureGo), linkage{libraries: true}), nil},
		"assembly":         {mistaken(with(contender.PureGo), linkage{libraries: true, assembly: true}), one("the trait pure-go is declared: has assembly or cgo")},
		"no assembly":      {mistaken(with(), linkage{libraries: true}), one("no assembly and no cgo, and the trait pure-go is not declared")},
		"unsafe":           {mistaken(with(contender.PureGo), linkage{libraries: true, unsafe: true}), one("uses package unsafe, and the trait unsafe is not declared")},
		"not unsafe":       {mistaken(with(contender.PureGo, contender.Unsafe), linkage{libraries: true}), one("the trait unsafe is declared: does not use package unsafe")},
		"standard":         {mistaken(with(contender.PureGo), linkage{}), one("part of the standard library, and the trait standard is not declared")},
		"not standard":     {mistaken(with(contender.PureGo, contender.Standard), linkage{libraries: true}), one("the trait standard is declared: not part of the standard library")},
		"new":              {one(outdated(with(), day("2023-11-04"), day("2026-11-03"))), one("")},
		"old":              {one(outdated(with(), day("2023-11-02"), day("2026-11-03"))), one("its release is of 2023-11-02, and the trait unmaintained is not declared")},
		"old and declared": {one(outdated(with(contender.Unmaintained), day("2023-11-02"), day("2026-11-03"))), one("")},
		"new and declared": {one(outdated(with(contender.Unmaintained), day("2026-11-02"), day("2026-11-03"))), one("its release is of 2026-11-02, and no text says why it is unmaintained")},
		"streams":          {one(unstreamed(stream("", "One Encoder.", contender.Streaming))), one("")},
		"our streams":      {one(unstreamed(stream("", "A length. The library has no reader."))), one("")},
		"undeclared":       {one(unstreamed(stream("", "One Encoder."))), one("Stream says how the library writes and reads streams, and the trait streaming is not declared")},
		"declared":         {one(unstreamed(stream("", "The library has no reader.", contender.Streaming))), one("the trait streaming is declared, and Stream says that the library has none")},
		"two texts":        {one(unstreamed(stream("There is no stream: so.", "One Encoder.", contender.Streaming))), one("Text says that there is no stream, and Stream says how it is written")},
		"plain":            {one(prejudged("when JSON must be fast, and times are RFC 3339")), one("")},
		"a heading":        {one(misplaced("https://github.com/a/b#how-to-4", "v1.2.3", "# B\n\n### How-to (4)\n")), one("")},
		"no heading":       {one(misplaced("https://github.com/a/b#how-to", "v1.2.3", "# B\n")), one("the README has no such heading")},
		"a tag":            {one(misplaced("https://github.com/a/b/blob/v1.2.3/docs/c.md", "v1.2.3+incompatible", "")), one("")},
		"another tag":      {one(misplaced("https://github.com/a/b/blob/v1.2.2/docs/c.md", "v1.2.3", "")), one("go.mod has v1.2.3")},
		"elsewhere":        {one(misplaced("https://pkg.go.dev/a/b#C", "v1.2.3", "")), one("")},
		"prejudged":        {one(prejudged("JSON, the fastest way to it")), one("fastest")},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

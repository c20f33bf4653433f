package sources_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/published/exhibits"
	"assay/published/sources"
	"assay/workload"
	"assay/workload/builtin"
)

var root = os.DirFS("../..")

func load(t *testing.T) ([]sources.Source, []exhibits.Description) {
	t.Helper()
	s, err := sources.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	e, err := exhibits.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return s, e
}

// Every figure of every published table must be there, and no other.
func TestFigures(t *testing.T) {
	data, err := os.ReadFile("testdata/figures.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	counts := map[string]int{}
	name := ""
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0, f[0] == "#":
		case len(f) == 2:
			name = f[0]
			counts[name], err = strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
		default:
			for i := range f {
				if v, err := strconv.ParseFloat(f[i], 64); err == nil {
					f[i] = number(v)
				}
			}
			want[name] = append(want[name], strings.Join(f, " "))
		}
	}
	got := map[string][]string{}
	list, _ := load(t)
	for _, s := range list {
		for _, table := range s.Tables {
			name := s.ID + "/" + table.ID
			n := 0
			for _, r := range table.Rows {
				if r.Blank {
					continue
				}
				line := []string{"-"}
				if r.Iterations > 0 {
					line[0] = number(float64(r.Iterations))
				}
				for _, m := range sources.Metrics {
					if v, ok := r.Figures[m]; ok {
						line = append(line, number(v))
					} else {
						line = append(line, "-")
					}
				}
				for _, cell := range line {
					if cell != "-" {
						n++
					}
				}
				got[name] = append(got[name], strings.Join(line, " "))
			}
			if n != counts[name] {
				t.Errorf("%s has %d figures, want %d", name, n, counts[name])
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-typed from the documents +source.toml\n" + diff)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Every row must have a case that assay can measure: a size of its workload, and a contender that
// has the op and the mode.
func TestCasesResolve(t *testing.T) {
	list, _ := load(t)
	for _, s := range list {
		w := find(builtin.All(), func(w *workload.Workload) bool { return w.Name == s.ID })
		if w == nil {
			t.Errorf("there is no workload %q", s.ID)
			continue
		}
		for _, table := range s.Tables {
			for _, r := range table.Rows {
				if err := resolve(w, r); err != nil {
					t.Errorf("%s/%s: %q of %s: %v", s.ID, table.ID, r.Label, r.Library, err)
				}
			}
		}
	}
}

func resolve(w *workload.Workload, r sources.Row) error {
	if _, err := w.Size(r.Case.Size); err != nil {
		return err
	}
	c := find(contenders.All(), func(c *contender.Contender) bool { return c.Name == r.Case.Contender })
	switch {
	case c == nil:
		return fmt.Errorf("there is no contender %q", r.Case.Contender)
	case !slices.Contains(c.Ops, r.Case.Op):
		return fmt.Errorf("%s has no op %s", c.Name, r.Case.Op)
	case r.Case.Mode != "" && !slices.ContainsFunc(c.Modes, func(m contender.Mode) bool {
		return m.Key == r.Case.Mode && slices.Contains(m.Ops, r.Case.Op)
	}):
		return fmt.Errorf("%s has no mode %q of %s", c.Name, r.Case.Mode, r.Case.Op)
	}
	return nil
}

func find[T any](list []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return nil
}

// The matrix of every source must be complete: each of its libraries has rows for each size,
// encoding and decoding.
func TestMatrix(t *testing.T) {
	list, _ := load(t)
	rows := map[string]bool{}
	count := map[string]int{}
	for _, s := range list {
		count[s.ID] = 0
		for _, table := range s.Tables {
			for _, r := range table.Rows {
				count[s.ID]++
				rows[strings.Join([]string{s.ID, r.Case.Size, r.Case.Contender, string(r.Case.Op)}, " ")] = true
			}
		}
	}
	want := map[string]int{
		"chain":    32 + 6*2*2,      // 8 published sizes and 6 left out, 2 libraries, 2 ops
		"customer": 3*4*2 + 3 + 3*4, // 3 levels, 4 libraries, 2 ops; open; scan
		"tick":     2 + 2 + 2,       // sizes, encode, decode
		"sizes":    3*4*4*2 + 3*2*2, // 3 shapes, 4 structs, 4 libraries, 2 ops; maps of 2 libraries
		"movie":    3 + 3 + 3,       // sizes, encode, decode
	}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Error("rows: -want +got\n" + diff)
	}
	libraries := map[string][]string{
		"chain":    {"encoding/gob", "protobuf"},
		"customer": {"encoding/json", "protobuf", "flatbuffers", "gogo/protobuf"},
		"tick":     {"protobuf", "protojson"},
		"sizes":    {"encoding/gob", "encoding/json", "encoding/xml", "yaml.v3"},
		"movie":    {"encoding/json", "encoding/xml", "protobuf"},
	}
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			for i, library := range libraries[w.Name] {
				for _, op := range []string{"encode", "decode"} {
					switch {
					case w.Name == "chain" && (strings.HasSuffix(size.Key, "txs=100") || size.Key == "blocks=500,txs=5000"): // sizes of our own
					case size.Key == "payload=realistic": // likewise
					case strings.HasSuffix(size.Key, "struct=map") && i > 1: // gob and JSON only
					case !rows[strings.Join([]string{w.Name, size.Key, library, op}, " ")]:
						t.Errorf("%s has no row of %s, %s, %s", w.Name, size.Key, library, op)
					}
				}
			}
		}
	}
}

// Every exhibit must be about a source, and every exhibit that a source's text names must exist.
func TestExhibits(t *testing.T) {
	list, shown := load(t)
	var ids, names []string
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	for _, e := range shown {
		names = append(names, e.Name)
		if !slices.Contains(ids, e.Source) {
			t.Errorf("exhibit %s is of the source %q, which there is not", e.Name, e.Source)
		}
	}
	dirs, err := fs.Glob(root, "published/exhibits/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range dirs {
		if name := path.Base(path.Dir(file)); !slices.Contains(names, name) {
			t.Errorf("published/exhibits/%s has no exhibit.toml", name)
			names = append(names, name)
		}
	}
	for _, s := range list {
		for _, name := range named(s.Text) {
			if !slices.Contains(names, name) {
				t.Errorf("the text of %s names the exhibit %q, which there is not", s.ID, name)
			}
		}
	}
}

// named returns the parts of a text that are in parentheses.
func named(text string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(text, "(")
		if !ok {
			return names
		}
		name, rest, _ := strings.Cut(rest, ")")
		names, text = append(names, name), rest
	}
}

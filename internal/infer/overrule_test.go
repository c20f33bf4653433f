package infer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/samples"
	"assay/schema/text"
)

// The flag that a guess names overrules it: the records are read with it, and what
// was decided is decided otherwise.
func TestOverrulesWork(t *testing.T) {
	for _, s := range samples.All() {
		overruleAll(t, s.Name, s.Records, Bytes(s.File(), s.JSON(0)))
	}
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		overruleAll(t, f, "", Bytes(filepath.Base(f), data))
	}
}

// overruleAll overrules the guesses of a sample, one after another.
func overruleAll(t *testing.T, name, records string, from Source) {
	read := func(overrules ...Overrule) (*Result, error) {
		return JSON([]Source{from}, Options{Records: records, Overrules: overrules})
	}
	r, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Guesses {
		flag, value, _ := strings.Cut(strings.TrimPrefix(g.Overrule, "--"), " ")
		value = strings.ReplaceAll(strings.Trim(value, "'"), `'\''`, "'")
		o, err := ParseOverrule(flag, value)
		if err != nil {
			t.Errorf("%s: the flag of %s is %s: %v", name, g.Path, g.Overrule, err)
			continue
		}
		other, err := read(o)
		if err != nil {
			t.Errorf("%s: %s: %v", name, g.Overrule, err)
			continue
		}
		if bytes.Equal(text.Format(other.Schema), text.Format(r.Schema)) {
			t.Errorf("%s: %s changes nothing of the schema", name, g.Overrule)
		}
		for _, again := range other.Guesses {
			if again.Path == g.Path && again.Decision == g.Decision {
				t.Errorf("%s: %s changes nothing of %s, which is still %s", name, g.Overrule, g.Path, g.Decision)
			}
		}
	}
}

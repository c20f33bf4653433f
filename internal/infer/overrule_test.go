package infer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/samples"
	"assay/schema/text"
)

// The flag of a guess overrules it: the records can be read with the flag, and the guess is gone or
// different.
func TestOverrulesWork(t *testing.T) {
	for i, s := range samples.All() {
		if testing.Short() && i%4 != 0 {
			continue // each is read once for each of its guesses
		}
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

// overruleAll overrules the guesses of a sample one by one.
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

// A flag applies to all values at its path, which the kinds of a union and the unions in them can have
// in common.
func TestOverrulesWorkInUnions(t *testing.T) {
	kinds := func(value func(i int) (kind, rest string)) []byte {
		var lines []string
		for i := range 24 {
			kind, rest := value(i)
			lines = append(lines, fmt.Sprintf(`{"type":%q,%s}`, kind, rest))
		}
		return ndjson(lines...)
	}
	for name, sample := range map[string][]byte{
		"a number in quotes in one of them": kinds(func(i int) (string, string) {
			if i%2 == 0 {
				return "A", `"release":"0.1","a0":0,"a1":0,"a2":0,"a3":0,"a4":0,"a5":0`
			}
			return "B", `"release":"0.5.2","b0":0,"b1":0,"b2":0,"b3":0,"b4":0,"b5":0`
		}),
		"a union in a union": kinds(func(i int) (string, string) {
			return fmt.Sprintf("k%d", i%5), []string{
				`"value":{"color":"c","mode":"m","q":1}`, `"value":{"fill":"f","dash":[1],"z":1}`, `"value":{"legend":true,"tooltip":true,"viz":true}`, `"value":0`, `"value":"x"`,
			}[i%5]
		}),
		"by kind in one of them": kinds(func(i int) (string, string) {
			if i%2 == 0 {
				return "A", fmt.Sprintf(`"r":%s,"a0":0,"a1":0,"a2":0,"a3":0,"a4":0,"a5":0`, []string{"1", `{"k":1,"l":2}`}[i/2%2])
			}
			return "B", `"r":{"k":1,"l":2},"s":{"l":3,"k":4},"b0":0,"b1":0,"b2":0,"b3":0,"b4":0`
		}),
	} {
		overruleAll(t, name, "", Bytes("f", sample))
	}
}

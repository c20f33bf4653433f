package infer

import (
	"strings"
	"testing"

	"assay/internal/samples"
)

// The flag that a guess names overrules it: the records are read with it, and it
// is no guess any more.
func TestOverrulesWork(t *testing.T) {
	for _, s := range samples.All() {
		n := 0 // as many records as usual
		if testing.Short() {
			n = 5
		}
		data := s.JSON(n)
		read := func(overrules ...Overrule) (*Result, error) {
			return JSON([]Source{Bytes(s.File(), data)}, Options{Records: s.Records, Overrules: overrules})
		}
		r, err := read()
		if err != nil {
			t.Fatal(err)
		}
		tried := map[string]bool{}
		for _, g := range r.Guesses {
			flag, value, _ := strings.Cut(strings.TrimPrefix(g.Overrule, "--"), " ")
			value = strings.ReplaceAll(strings.Trim(value, "'"), `'\''`, "'")
			kind := flag + value[strings.LastIndexByte(value, '=')+1:] + g.Decision
			if tried[kind] && len(r.Guesses) > 40 {
				continue
			}
			tried[kind] = true
			o, err := ParseOverrule(flag, value)
			if err != nil {
				t.Errorf("%s: the flag of %s is %s: %v", s.Name, g.Path, g.Overrule, err)
				continue
			}
			other, err := read(o)
			if err != nil {
				t.Errorf("%s: %s: %v", s.Name, g.Overrule, err)
				continue
			}
			for _, again := range other.Guesses {
				if again == g {
					t.Errorf("%s: %s changes nothing of %s, which is still %s", s.Name, g.Overrule, g.Path, g.Decision)
				}
			}
		}
	}
}

package build

import (
	"bytes"
	"crypto/rand"
	"slices"
	"testing"

	"assay/internal/cachedir"
)

// A sieve gives lines of one word to told and passes everything else on, whatever the sizes of
// the writes.
func TestSieve(t *testing.T) {
	const said = "internal/cpu\n# example.com/x\n./x.go:3:4: undefined: y\nexample.com/a-b/v2\n\ngo: downloading example.com/c v1.2.3\nassay/runner/x~1\nthe end"
	words := []string{"internal/cpu", "example.com/a-b/v2", "assay/runner/x~1"}
	const rest = "# example.com/x\n./x.go:3:4: undefined: y\n\ngo: downloading example.com/c v1.2.3\nthe end"
	for cut := 1; cut <= len(said); cut++ {
		var got []string
		var out bytes.Buffer
		s := &sieve{told: func(w string) { got = append(got, w) }, rest: &out}
		for part := range slices.Chunk([]byte(said), cut) {
			s.Write(part)
		}
		s.end()
		if !slices.Equal(got, words) || out.String() != rest {
			t.Fatalf("in pieces of %d: words %q, rest %q", cut, got, out.String())
		}
	}
}

// Compiled events count the compiled packages one by one.
func TestCompiled(t *testing.T) {
	builds(t)
	o, _ := options(t)
	o.Cache = cachedir.In(t.TempDir())
	o.Env = append(o.Env, "GOFLAGS=-mod=mod -gcflags=-D="+rand.Text()) // flags that nothing was compiled with before
	last, most := 0, 0
	o.Progress = func(e Event) {
		if e.Step != Compiled {
			return
		}
		if e.I != last+1 {
			t.Errorf("package %d comes after %d", e.I, last)
		}
		last, most = e.I, max(most, e.N)
	}
	if _, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick")}, nil); err != nil {
		t.Fatal(err)
	}
	if last == 0 || most > 0 && last > most {
		t.Errorf("%d packages of %d were compiled", last, most)
	}
}

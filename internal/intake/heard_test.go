package intake

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/infer"
)

// Reading is told once a mebibyte, each time anew, with the size of a file that has one;
// what is read is what the file has.
func TestHeard(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", (2<<20)/16+1)
	name := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []Reading
	in := &Options{Heard: func(r Reading) {
		r.Bytes /= heardEvery // how much one read returns is the system's affair
		got = append(got, r)
	}}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	sources := in.heard([]infer.Source{{Name: name, Open: open}, {Name: "standard input", Open: open}})
	for _, k := range []int{0, 0, 1} {
		f, err := sources[k].Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, f, 16); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil { // a look at its beginning is no reading
			t.Fatal(err)
		}
		if f, err = sources[k].Open(); err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(f)
		if err != nil || string(read) != text {
			t.Fatalf("%d bytes were read, %v", len(read), err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(len(text))
	want := []Reading{
		{name, 1, 1, size}, {name, 1, 2, size}, {name, 2, 1, size}, {name, 2, 2, size},
		{"standard input", 1, 1, 0}, {"standard input", 1, 2, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if same := (&Options{}).heard(sources); &same[0] != &sources[0] {
		t.Error("nobody listens, and the sources are others")
	}
}

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

// Every reading of a source is reported once per MiB, with the size of the file if it has one. The
// content that is read does not change.
func TestHeard(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", (2<<20)/16+1)
	name := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []Reading
	in := &Options{Heard: func(r Reading) {
		r.Bytes /= heardEvery // in MiB, because the system decides how much one read returns
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
		if err := f.Close(); err != nil { // reading only the beginning does not count
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

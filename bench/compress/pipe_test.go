package compress

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestPipes: every codec restores a stream, and a reader never returns the original for damaged
// data.
func TestPipes(t *testing.T) {
	plain := []byte(strings.Repeat("a stream of messages; ", 40_000))
	if n := len(Pipes()); n != len(Codecs) {
		t.Fatalf("%d pipes of %d codecs", n, len(Codecs))
	}
	for _, p := range Pipes() {
		t.Run(p.Codec, func(t *testing.T) {
			var file bytes.Buffer
			w, err := p.Writer(&file)
			if err != nil {
				t.Fatal(err)
			}
			for part := range bytes.SplitAfterSeq(plain, []byte(";")) {
				if _, err := w.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if file.Len() >= len(plain)/4 {
				t.Errorf("%d bytes became %d", len(plain), file.Len())
			}
			read := func(file []byte) ([]byte, error) {
				r, err := p.Reader(bytes.NewReader(file))
				if err != nil {
					return nil, err
				}
				return io.ReadAll(r)
			}
			if got, err := read(file.Bytes()); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d of %d bytes came back: %v", len(got), len(plain), err)
			}
			damaged := bytes.Clone(file.Bytes())
			damaged[len(damaged)/2] ^= 0x10
			if got, err := read(damaged); err == nil && bytes.Equal(got, plain) {
				t.Error("damage does not show")
			}
			if got, err := read(file.Bytes()[:file.Len()/2]); err == nil {
				t.Errorf("half a file has %d bytes", len(got))
			}
		})
	}
}

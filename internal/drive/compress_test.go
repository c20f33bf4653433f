//go:build unix

package drive_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench/compress"
	"assay/internal/drive"
	"assay/result"
)

// doubling returns a codec that writes everything twice and returns err.
func doubling(err error) compress.Codec {
	return compress.Codec{Name: "double", New: func() (*compress.Coder, error) {
		return &compress.Coder{Compress: func(dst, src []byte) ([]byte, error) {
			return append(append(dst[:0], src...), src...), err
		}}, nil
	}}
}

func TestCompress(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	decode := encodeCase("a", "good")
	decode.Op, decode.Mode = result.Decode, "target=reuse"
	cases := []result.Case{encodeCase("a", "good"), encodeCase("a", "error"), encodeCase("a", "fine"), decode, encodeCase("a", "panic")}
	libraries := []result.Module{{Path: "example.com/double", Version: "v1.2.3"}}
	outcomes, err := drive.Compress(t.Context(), drive.CompressConfig{
		Runner: r, Cases: cases, Bytes: 100, Codecs: []compress.Codec{doubling(nil), compress.Codecs[0]}, Libraries: libraries,
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Compressed
	notes := 0
	for _, r := range n.records {
		switch {
		case r.Compressed != nil:
			c := *r.Compressed
			if zip := c.Codecs[1]; zip.Codec != "gzip" || zip.Bytes < 60 || zip.Batch >= zip.Bytes {
				t.Errorf("gzip of %s: %+v", c.Case, zip)
			}
			c.Codecs = c.Codecs[:1]
			got = append(got, c)
		case r.Note != nil && strings.Contains(r.Note.Text, "a/s/error/encode: no compress: "):
			notes++
		}
	}
	sizes := []result.CompressedSizes{{Codec: "double", Bytes: 56, Batch: 62}}
	want := []result.Compressed{
		{Case: cases[0], Messages: 3, Encoded: 28, Batch: 31, Codecs: sizes, Libraries: libraries},
		{Case: decode, Messages: 3, Encoded: 28, Batch: 31, Codecs: sizes, Libraries: libraries},
		{Case: cases[2], Messages: 3, Encoded: 28, Batch: 31, Codecs: sizes, Libraries: libraries},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if len(outcomes) != 1 || outcomes[0].Case.Contender != "panic" || notes != 1 {
		t.Errorf("outcomes %+v, %d notes", outcomes, notes)
	}
}

// A codec that fails ends the pass. No record claims that a message has no bytes.
func TestCompressFails(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	broken := errors.New("out of tables")
	_, err := drive.Compress(t.Context(), drive.CompressConfig{
		Runner: r, Cases: []result.Case{encodeCase("a", "good")}, Bytes: 100, Codecs: []compress.Codec{doubling(broken)},
	}, n.sink, n.event)
	if !errors.Is(err, broken) || len(n.records) != 0 {
		t.Errorf("%v, %d records", err, len(n.records))
	}
	_, err = drive.Compress(t.Context(), drive.CompressConfig{Runner: r, Codecs: []compress.Codec{
		{Name: "none", New: func() (*compress.Coder, error) { return nil, broken }},
	}}, n.sink, n.event)
	if !errors.Is(err, broken) {
		t.Errorf("a codec that cannot be made: %v", err)
	}
}

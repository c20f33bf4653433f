package infer

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Compressed data that are cut off or damaged are told from JSON that is, and are an
// error whatever is to be skipped.
func TestCompressedWrongly(t *testing.T) {
	text := []byte(strings.Repeat(good, 500))
	pack := func(w io.WriteCloser, to *bytes.Buffer) []byte {
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return to.Bytes()
	}
	var g, z bytes.Buffer
	zw, err := zstd.NewWriter(&z)
	if err != nil {
		t.Fatal(err)
	}
	for format, data := range map[string][]byte{"gzip": pack(gzip.NewWriter(&g), &g), "zstd": pack(zw, &z)} {
		damaged := bytes.Clone(data)
		damaged[len(damaged)-3] ^= 1 // of the checksum, or of the size
		for want, data := range map[string][]byte{
			"f: its " + format + " data are cut off; give the whole file, or what " + format + " -dc writes of it": data[:len(data)-8],
			"f: its " + format + " data are damaged: ":                                                             damaged,
		} {
			for _, skip := range []bool{false, true} {
				_, err := JSON([]Source{Bytes("f", data)}, Options{SkipBad: skip})
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		}
	}
	if r, err := JSON([]Source{Bytes("f", g.Bytes())}, Options{}); err != nil || r.Records != 500*int64(strings.Count(good, "\n")) {
		t.Errorf("what is whole: %v", err)
	}
}

package infer

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// The error for cut off or damaged compressed data differs from that for such JSON. It is an error
// even with SkipBad.
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
		damaged[len(damaged)-3] ^= 1 // a bit of the checksum or of the size
		for want, data := range map[string][]byte{
			"f: its " + format + " data are cut off, or something else follows them; give the whole file and no more, or what " + format + " -dc writes of it": data[:len(data)-8],
			"f: its " + format + " data are damaged: ": damaged,
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

// If the name of a file is that of another format, the error says what to do.
func TestOtherFormats(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a.csv":     {"id,name\n1,x\n", "a.csv:1:1: this is not JSON: invalid character 'i' at start of value; samples are JSON: convert CSV to it, each record a line"},
		"a.CSV.gz":  {"1,2\n", "a.CSV.gz:1:2: this is not JSON: invalid character ',' after a number; samples are JSON: convert CSV to it, each record a line"},
		"a.yml":     {"id: 1\n", "a.yml:1:1: this is not JSON: invalid character 'i' at start of value; samples are JSON: convert YAML to it, each record a line"},
		"a.ndjson":  {"id: 1\n", "a.ndjson:1:1: this is not JSON: invalid character 'i' at start of value"},
		"a.go":      {"package a\n", "a.go:1:1: this is not JSON: invalid character 'p' at start of value; for a Go type give --type PKG.NAME, as in ./internal/model.Order, and records with --sample"},
		"b.csv":     {good + good + "x", "b.csv:3:1: this is not JSON: invalid character 'x' at start of value; --skip-bad goes on with the next line"},
		"dir.csv/a": {"id: 1\n", "dir.csv/a:1:1: this is not JSON: invalid character 'i' at start of value"},
	} {
		if _, err := JSON([]Source{Bytes(name, []byte(test.text))}, Options{}); err == nil || err.Error() != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

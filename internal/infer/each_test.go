package infer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each leaves out records that are null, and a note says so.
func TestEachNull(t *testing.T) {
	visited := 0
	r, err := Each([]Source{Bytes("f", []byte("{\"id\":1}\nnull\n{\"id\":2}\n"))}, Options{}, func(Record) error { visited++; return nil })
	if err != nil || visited != 2 {
		t.Fatalf("%d records, %v", visited, err)
	}
	if diff := cmp.Diff([]string{"left out because they are null: 1 record"}, r.Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An error names the source and the place of the value that is no object.
func TestEachNoList(t *testing.T) {
	sources := []Source{Bytes("good.json", []byte(`[{"a":1}]`)), Bytes("bad.json", []byte("[{\"a\":1},\n5]"))}
	_, err := Each(sources, Options{}, func(Record) error { return nil })
	const want = "bad.json:2:1: a document begins as a list of objects and is none; say with --records where the records are, with . when each document is one"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

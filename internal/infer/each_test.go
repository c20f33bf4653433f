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

package userdata

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/cachedir"
)

// A file of very many records keeps few offsets, and every record is still found by them.
func TestManyRecords(t *testing.T) {
	const n = 5*mostPlaces/2 + 3
	records := make([]string, n)
	for i := range records {
		records[i] = fmt.Sprintf(`{"id":%d,"pad":%q}`, i, strings.Repeat("x", i%31))
	}
	d, err := New(cachedir.In(t.TempDir()), sample("items", records...))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.places.at) > mostPlaces || d.places.every != 4 || d.Records != n {
		t.Fatalf("%d places of %d records, one in %d", len(d.places.at), d.Records, d.places.every)
	}
	file, err := d.Few(1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines(t, file) {
		if want := records[(2*i+1)*n/2000]; line != want {
			t.Fatalf("record %d of a thousand is %s, want %s", i, line, want)
		}
	}
	var all []string
	for _, b := range d.Blocks(1 << 20) {
		if err := d.Block(b, func(file string) error {
			some := lines(t, file)
			if int(b.First) != len(all) || int(b.N) != len(some) {
				t.Errorf("a block of %d records from %d on has %d, after %d", b.N, b.First, len(some), len(all))
			}
			all = append(all, some...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(all, records) {
		t.Error("the blocks are not all records")
	}
}

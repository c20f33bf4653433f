package userdata

import (
	"encoding/json"
	"fmt"
	"math"
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
	last, bytes := -1, 0
	for i, line := range lines(t, file) {
		var r struct{ ID int }
		if err := json.Unmarshal([]byte(line), &r); err != nil || line != records[r.ID] || r.ID <= last {
			t.Fatalf("record %d of a thousand is %s, after %d: %v", i, line, last, err)
		}
		last, bytes = r.ID, bytes+len(line)+1
	}
	if share := float64(bytes) / 1000 / (float64(d.Neutral()) / n); math.Abs(share-1) > 0.01 {
		t.Errorf("the mean size of a thousand records is %.3f of that of all", share)
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

// The timed records are as large as all records are, on average and in their parts, and come from
// all parts of the file.
func TestRepresentative(t *testing.T) {
	const n = 6400
	for name, size := range map[string]func(i int) int{
		"equal":              func(int) int { return 100 },
		"few large":          func(i int) int { return 20 + 18000*max(0, 1-(i*7919)%53) },
		"large at the end":   func(i int) int { return 20 + max(0, i-n+150)*60 },
		"large first":        func(i int) int { return 10_000/(1+i) + 40 },
		"growing":            func(i int) int { return 50 + i/10 },
		"of 64 sizes":        func(i int) int { return 40 + 5*(i%64) },
		"two kinds by turns": func(i int) int { return 100 + 900*(i%2) },
	} {
		var p places
		var at int64
		for i := range n {
			p.add(at)
			at += int64(size(i))
		}
		p.finish(at)
		for _, k := range []int64{1, 10, 64} {
			chosen := p.representative(k)
			if int64(len(chosen)) != k || !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != int(k) {
				t.Fatalf("%s: %d records, want %d: %v", name, len(chosen), k, chosen)
			}
			if k < 64 {
				continue
			}
			if mean := p.mean(chosen, at); mean < 0.8 || mean > 1.2 {
				t.Errorf("%s: the mean size is %.2f of that of all", name, mean)
			}
			quarters := map[int64]bool{}
			for _, c := range chosen {
				quarters[4*c/n] = true
			}
			if len(quarters) != 4 {
				t.Errorf("%s: they are of %d quarters of the file: %v", name, len(quarters), chosen)
			}
		}
	}
}

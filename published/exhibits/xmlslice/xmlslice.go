// Package xmlslice shows that encoding/xml reads only one element of a slice.
//
// Marshal writes the elements of a slice one after another without a root around them, which is not
// an XML document. Unmarshal reads the first root and returns without an error. So a benchmark of
// decoding reads one element, however long the slice is, and looks faster the more it loses.
package xmlslice

import (
	"encoding/xml"
	"slices"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/xmlslice", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type account struct {
	ID      int     `xml:"id"`
	Owner   string  `xml:"owner"`
	Balance float64 `xml:"balance"`
}

// A document has a single root, as XML requires.
type document struct {
	XMLName  xml.Name  `xml:"accounts"`
	Accounts []account `xml:"account"`
}

func accounts() []account {
	list := make([]account, 100)
	for i := range list {
		list[i] = account{ID: i + 1, Owner: "Ada Lovelace", Balance: 10.24}
	}
	return list
}

// Published decodes a marshalled slice and ignores the result.
func Published(b *testing.B) {
	data, _ := xml.Marshal(accounts())
	var back []account
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		back = nil
		_ = xml.Unmarshal(data, &back)
	}
	b.ReportMetric(float64(len(back)), "elements")
}

// Corrected decodes a document with one root and compares the result with the original.
func Corrected(b *testing.B) {
	want := accounts()
	data, err := xml.Marshal(document{Accounts: want})
	if err != nil {
		b.Fatal(err)
	}
	var back document
	for b.Loop() {
		back = document{}
		if err := xml.Unmarshal(data, &back); err != nil {
			b.Fatal(err)
		}
	}
	if !slices.Equal(back.Accounts, want) {
		b.Fatal("the accounts that came back are not those that were encoded")
	}
	b.ReportMetric(float64(len(back.Accounts)), "elements")
}

package xmlslice

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "elements") }

// The encoded bytes contain all hundred accounts, so it is Unmarshal that loses the others.
func TestOneOfMany(t *testing.T) {
	data, err := xml.Marshal(accounts())
	if err != nil {
		t.Fatal(err)
	}
	var back []account
	if err := xml.Unmarshal(data, &back); err != nil || len(back) != 1 || back[0].ID != 1 {
		t.Errorf("got %+v and error %v, want the first account and no error", back, err)
	}
	d, n := xml.NewDecoder(bytes.NewReader(data)), 0
	for ; ; n++ {
		var a account
		if err := d.Decode(&a); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n != 100 {
		t.Errorf("the bytes hold %d accounts, want 100", n)
	}
}

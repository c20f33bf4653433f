package wholemessage

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "encoded-bytes", "alloc-bytes") }

// Both forms must decode to the same data. The stream is a little longer, by a length and a type
// for each element.
func TestSameData(t *testing.T) {
	list := transactions()
	var whole, stream bytes.Buffer
	if err := gob.NewEncoder(&whole).Encode(list); err != nil {
		t.Fatal(err)
	}
	enc := gob.NewEncoder(&stream)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			t.Fatal(err)
		}
	}
	var back []transaction
	if err := gob.NewDecoder(&whole).Decode(&back); err != nil || !reflect.DeepEqual(back, list) {
		t.Errorf("the whole message does not come back: %v", err)
	}
	dec := gob.NewDecoder(&stream)
	for i := range list {
		var one transaction
		if err := dec.Decode(&one); err != nil || !reflect.DeepEqual(one, list[i]) {
			t.Fatalf("transaction %d does not come back: %v", i, err)
		}
	}
}

package coinspace

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "chance-bytes", "encoded-bytes") }

// A binary has one of the two sizes; which one is outside of our control.
func TestOneOfTwo(t *testing.T) {
	text, err := protojson.Marshal(message())
	if err != nil {
		t.Fatal(err)
	}
	least, most, err := bounds(text)
	if err != nil || least != 1158 || most != 1364 {
		t.Errorf("between %d and %d bytes, want 1158 and 1364: %v", least, most, err)
	}
	if len(text) != least && len(text) != most {
		t.Errorf("%d bytes, want %d or %d", len(text), least, most)
	}
}

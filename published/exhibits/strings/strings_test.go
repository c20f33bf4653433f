package strings

import (
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) {
	publishedtest.CheckExhibit(t, Set, "json-bytes", "protobuf-bytes", "size-ratio")
}

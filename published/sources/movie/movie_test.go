package movie

import (
	"testing"

	"assay/published/publishedtest"
	model "assay/workload/movie"
)

// The sizes are the published ones. Allocations were not published; these are from running the
// published program, except that protobuf's 65 bytes take a block of 80, while the program's 63
// bytes take one of 64, and of decoding, which the program does not do, from running Set.
func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	publishedtest.Check(t, Set, 1000, []publishedtest.Figure{
		{Name: "encode/record=one/json", Allocs: 1, Bytes: 112, Size: 108},
		{Name: "encode/record=one/xml", Allocs: 9, Bytes: 4_672, Size: 150},
		{Name: "encode/record=one/protobuf", Allocs: 1, Bytes: 80, Size: 65},
		{Name: "decode/record=one/json", Allocs: 9, Bytes: 352, Size: 108},
		{Name: "decode/record=one/xml", Allocs: 54, Bytes: 2_256, Size: 150},
		{Name: "decode/record=one/protobuf", Allocs: 5, Bytes: 192, Size: 65},
	})
}

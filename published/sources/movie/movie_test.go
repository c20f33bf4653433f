package movie

import (
	"testing"

	"assay/published/publishedtest"
	model "assay/workload/movie"
)

// The sizes are the published ones. Allocations were not published; these are from running the
// published program, except that protobuf's 65 bytes take a block of 80, while the program's 63
// bytes take one of 64.
func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	publishedtest.Check(t, Set, 1000, []publishedtest.Figure{
		{Name: "encode/record=one/json", Allocs: 1, Bytes: 112, Size: 108},
		{Name: "encode/record=one/xml", Allocs: 9, Bytes: 4_672, Size: 150},
		{Name: "encode/record=one/protobuf", Allocs: 1, Bytes: 80, Size: 65},
		{Name: "decode/record=one/json", Size: 108},
		{Name: "decode/record=one/xml", Size: 150},
		{Name: "decode/record=one/protobuf", Size: 65},
	})
}

package tick

import (
	"testing"

	"assay/published/publishedtest"
	model "assay/workload/tick"
)

func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	publishedtest.Check(t, Set, 1000, []publishedtest.Figure{
		{Name: "encode/payload=published/protobuf", Allocs: 1, Bytes: 576, Size: 559},
		{Name: "encode/payload=published/protojson", Allocs: 123, Bytes: 5_938},
		{Name: "decode/payload=published/protobuf", Size: 559},
	})
}

// protojson was published with 1158 bytes; 206 spaces are in or out.
func TestProtojsonSize(t *testing.T) {
	for _, op := range []string{"encode", "decode"} {
		r := publishedtest.Run(t, Set, op+"/payload=published/protojson", 2)
		if n := r.Extra["encoded-bytes"]; n != 1158 && n != 1364 {
			t.Errorf("%s: %.0f bytes, want 1158 or 1364", op, n)
		}
	}
}

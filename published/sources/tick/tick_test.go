package tick

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"assay/published/publishedtest"
	model "assay/workload/tick"
)

func TestPublished(t *testing.T) {
	publishedtest.CheckNames(t, Set, model.Workload)
	publishedtest.Check(t, Set, 1000, []publishedtest.Figure{
		{Name: "encode/payload=published/protobuf", Allocs: 1, Bytes: 576, Size: 559},
		{Name: "encode/payload=published/protojson", Allocs: 123, Bytes: 5_938},
		{Name: "decode/payload=published/protobuf", Allocs: 13, Bytes: 5_808, Size: 559},
		{Name: "decode/payload=published/protojson", Allocs: 444, Bytes: 14_144},
	})
}

// protojson was published with 1158 bytes. In some programs it writes a space after each of 206
// commas and in others after none, by the program's hash. A list of two elements shows which of
// them this program is.
func TestProtojsonSize(t *testing.T) {
	null := structpb.NewNullValue()
	probe, err := protojson.Marshal(&structpb.ListValue{Values: []*structpb.Value{null, null}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"[null,null]": 1158, "[null, null]": 1364}[string(probe)]
	for _, op := range []string{"encode", "decode"} {
		r := publishedtest.Run(t, Set, op+"/payload=published/protojson", 2)
		if n := r.Extra["encoded-bytes"]; want == 0 || n != want {
			t.Errorf("%s: %.0f bytes, want %.0f in a program that writes %s", op, n, want, probe)
		}
	}
}

package protofile

import (
	"strings"
	"testing"

	"assay/internal/infer"
)

// A message that begins like messages with their lengths before them, the last one cut off, is one
// message.
func TestMessageLikeFrames(t *testing.T) {
	id := strings.Repeat("\x018", 4) + "\x01\x7f" + strings.Repeat("a", 46)
	r, err := Read(t.Context(), Options{
		Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: []infer.Source{infer.Bytes("x", []byte("\x0a8"+id))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if g := r.Guesses[0]; g.Decision != string(Binary) || g.Reason != "it reads as one message" {
		t.Errorf("guessed %+v", g)
	}
}

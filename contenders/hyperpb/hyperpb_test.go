//go:build generated

package hyperpb_test

import (
	"testing"

	"assay/bench"
	moviegen "assay/contenders/hyperpb/gen/movie"
	"assay/workload/movie"
)

// TestPrivateUse pins a fault that the contender's Text tells of: characters
// above U+7FFFF are refused. When this fails the library has been corrected,
// and the Text is to be.
func TestPrivateUse(t *testing.T) {
	for _, test := range []struct {
		title   string
		refused bool
	}{
		{"\U0007FFFF", false},
		{"\U00080000", true},
		{"\U0010FFFF", true},
	} {
		values := []movie.Metadata{{Title: test.title}}
		b := moviegen.Bindings[0]
		codec, err := b.New(values)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.Encode(1); err != nil {
			t.Fatal(err)
		}
		for what, op := range map[string]bench.Op{"decode": codec.Decode, "open": codec.Open, "scan": codec.Scan} {
			codec.Use([][]byte{codec.Encoded()})
			if _, err := op(1); (err != nil) != test.refused {
				t.Errorf("%s of %q: error %v, want one: %v", what, test.title, err, test.refused)
			}
		}
	}
}

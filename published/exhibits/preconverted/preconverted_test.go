package preconverted

import (
	"math/big"
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "encoded-bytes", "allocs") }

func TestMessages(t *testing.T) {
	list := transactions()
	for i, m := range messages(list).GetTransaction() {
		r, s := new(big.Int).SetBytes(m.GetSignature()[:32]), new(big.Int).SetBytes(m.GetSignature()[32:])
		if r.Cmp(list[i].signature.r) != 0 || s.Cmp(list[i].signature.s) != 0 || m.GetNonce() != list[i].nonce {
			t.Fatalf("message %d does not say what transaction %d does", i, i)
		}
	}
}

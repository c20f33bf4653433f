//go:build generated

package parquet

import (
	"bytes"
	"fmt"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"assay/contender"
)

// The probes need messages that are no lists of records, so this test takes their place for the trait
// deterministic: the library sorts the entries of maps with every kind of key that schemas have.
func TestMapsAreSorted(t *testing.T) {
	type inner struct {
		Names map[uint32]string
		List  []string `parquet:",list"`
	}
	type record struct {
		Texts  map[string]int64
		Inner  map[int64]inner
		Small  map[int32]bool
		Large  map[uint64]float64
		Record *inner
	}
	var first []byte
	for i := range 10 {
		r := record{Texts: map[string]int64{}, Inner: map[int64]inner{}, Small: map[int32]bool{}, Large: map[uint64]float64{}, Record: &inner{Names: map[uint32]string{}}}
		for n := range 12 {
			text := fmt.Sprint(n)
			r.Texts[text], r.Small[int32(n)], r.Large[uint64(n)], r.Record.Names[uint32(n)] = int64(n), true, 0.5, text
			r.Inner[int64(n)] = inner{Names: r.Record.Names, List: []string{text}}
		}
		var out bytes.Buffer
		if err := library.Write(&out, []record{r, r}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = out.Bytes()
		} else if equal := bytes.Equal(first, out.Bytes()); equal != Contender.Is(contender.Deterministic) {
			t.Fatalf("equal maps have equal bytes: %v", equal)
		}
	}
}

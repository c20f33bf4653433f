package halfzero

import (
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "zero-elements", "json-gob-ratio") }

func TestFill(t *testing.T) {
	if half, whole := fill(make([]account, 50), 50), fill(make([]account, 0, 50), 50); len(half) != 100 || len(whole) != 50 ||
		half[49] != (account{}) || half[50] != whole[0] {
		t.Errorf("%d accounts, of which the 51st is %+v, and %d", len(half), half[50], len(whole))
	}
}

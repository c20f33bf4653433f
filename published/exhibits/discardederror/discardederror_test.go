package discardederror

import (
	"bytes"
	"encoding/gob"
	"strings"
	"testing"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "elements") }

// Encode returns an error that says what is wrong.
func TestRefused(t *testing.T) {
	err := gob.NewEncoder(new(bytes.Buffer)).Encode(fill(make([]*account, 1)))
	if err == nil || !strings.Contains(err.Error(), "nil element") {
		t.Errorf("got error %v, want one about a nil element", err)
	}
}

package gobtypes

import (
	"testing"

	"assay/internal/exhibittest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { exhibittest.Check(t, Set, "encoded-bytes") }

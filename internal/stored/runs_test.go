package stored

import (
	"path/filepath"
	"testing"
)

func TestName(t *testing.T) {
	for dir, want := range map[string]string{
		filepath.FromSlash(".assay/runs/20260102-150405-ab12"):   "20260102-150405-ab12",
		filepath.FromSlash("./.assay/runs/20260102-150405-ab12"): "20260102-150405-ab12",
		filepath.FromSlash("r/20260102-150405-ab12"):             filepath.FromSlash("r/20260102-150405-ab12"),
	} {
		if got := Name(dir); got != want {
			t.Errorf("Name(%s) = %s, want %s", dir, got, want)
		}
	}
}

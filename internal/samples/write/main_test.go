package main

import (
	"os"
	"path/filepath"
	"testing"

	"assay/internal/samples"
)

// The named samples are written. A name that no sample has is an error, and nothing is written.
func TestFiles(t *testing.T) {
	all := samples.All()
	dir := filepath.Join(t.TempDir(), "samples")
	if err := files(dir, []string{all[0].Name, "nosuch"}); err == nil || err.Error() != `there is no sample "nosuch"` {
		t.Errorf("an unknown sample: %v", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("something was written, %v", err)
	}
	if err := files(dir, []string{all[0].Name}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, all[0].File())); err != nil {
		t.Error(err)
	}
}

package userfile

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestAbove(t *testing.T) {
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	want := []string{filepath.Join(root, "a", "b"), filepath.Join(root, "a"), root}
	if got := slices.Collect(Above(want[0])); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for dir := range Above(want[0]) {
		if dir != want[0] {
			t.Errorf("after its end: %s", dir)
		}
		break
	}
}

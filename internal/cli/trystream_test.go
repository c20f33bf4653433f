package cli

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestWithoutLimit checks that streams read all of a file, and of a pipe or device, which may have no
// end, no more than a third of what there is room for.
func TestWithoutLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records.ndjson")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		files []string
		room  int64
		want  int64
	}{
		{"a file", []string{file}, 30, math.MaxInt64},
		{"no such file", []string{file + "x"}, 30, math.MaxInt64},
		{"standard input", []string{"-"}, 30, 10},
		{"a device", []string{os.DevNull}, 30, 10},
		{"a file and a pipe", []string{file, "-"}, 30, 10},
		{"nobody knows the room", []string{"-"}, 0, math.MaxInt64},
	} {
		if got := withoutLimit(test.files, test.room); got != test.want {
			t.Errorf("%s: %d bytes, want %d", test.name, got, test.want)
		}
	}
}

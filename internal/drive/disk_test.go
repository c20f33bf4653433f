package drive_test

import (
	"context"
	"os"
	"runtime"
	"testing"

	"assay/internal/drive"
)

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	d, err := drive.Disk(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if d.Bytes <= 0 || d.Write <= 0 || runtime.GOOS == "linux" && d.Read <= 0 {
		t.Errorf("%+v", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := drive.Disk(ctx, dir); err == nil {
		t.Errorf("after the end: %+v", d)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	if d, err := drive.Disk(t.Context(), dir+"/none"); err == nil {
		t.Errorf("no directory: %+v", d)
	}
}

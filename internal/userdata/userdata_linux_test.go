package userdata

import (
	"strings"
	"syscall"
	"testing"

	"assay/internal/cachedir"
	"assay/internal/rootonly"
)

// A cache on a read-only file system is sufficient for records that it has, and for no others.
func TestReadOnly(t *testing.T) {
	base := t.TempDir()
	if err := syscall.Mount("tmpfs", base, "tmpfs", 0, "size=1m"); err != nil {
		rootonly.Skip(t, "a read-only file system needs the right to mount one: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(base, 0); err != nil {
			t.Error(err)
		}
	})
	cache := cachedir.In(base)
	first, err := New(cache, sample("items", `{"id":1}`, `{"id":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", base, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=1m"); err != nil {
		t.Fatal(err)
	}
	again, err := New(cache, sample("items", `{"id":1}`, `{"id":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash != first.Hash || again.Records != 2 || strings.Join(lines(t, again.All()), " ") != `{"id":1} {"id":2}` {
		t.Errorf("records that it has: %d, %s", again.Records, again.Hash)
	}
	if _, err := New(cache, sample("items", `{"id":3}`)); err == nil || !strings.Contains(err.Error(), "cannot be written: read-only file system") {
		t.Errorf("other records: %v", err)
	}
	if _, err := New(cache, sample("items")); err == nil {
		t.Error("no records were stored")
	}
}

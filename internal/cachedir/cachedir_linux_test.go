package cachedir

import (
	"strings"
	"syscall"
	"testing"

	"assay/internal/rootonly"
)

// TestReadOnly checks that a read-only cache is usable as long as nothing new must be written,
// and that every new write returns an error.
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
	readOnly := func(on uintptr) {
		if err := syscall.Mount("", base, "", syscall.MS_REMOUNT|on, "size=1m"); err != nil {
			t.Fatal(err)
		}
	}
	readOnly(syscall.MS_RDONLY)
	d := In(base)
	if err := d.Check(); err == nil || err.Error() != "the cache "+d.path+" cannot be written: read-only file system; choose another with --cache" {
		t.Errorf("cold: %v", err)
	}
	readOnly(0)
	e := d.Entry(Sources, key(1))
	if err := e.WriteFile("a/b", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := d.Keep(Failures, key(1), []byte("x")); err != nil {
		t.Fatal(err)
	}
	readOnly(syscall.MS_RDONLY)
	if err := d.Check(); err != nil {
		t.Errorf("warm: %v", err)
	}
	if err := e.WriteFile("a/b", []byte("x")); err != nil {
		t.Errorf("a file that is right: %v", err)
	}
	if err := d.Keep(Failures, key(1), []byte("x")); err != nil {
		t.Errorf("a record that is right: %v", err)
	}
	if err := e.WriteFile("a/c", []byte("x")); err == nil || !strings.Contains(err.Error(), "cannot be written: read-only file system; choose another with --cache") {
		t.Errorf("a new file: %v", err)
	}
	if _, ok := d.Recall(Failures, key(1)); !ok || !e.Exists() {
		t.Error("what is there is not found")
	}
	e.Touch()
	if _, err := d.Temp(false); err == nil || !strings.Contains(err.Error(), "cannot be written: read-only file system; choose another with --cache") {
		t.Errorf("something new: %v", err)
	}
	if _, err := d.Clean(false); err == nil || !strings.Contains(err.Error(), "read-only file system") {
		t.Errorf("clean: %v", err)
	}
}

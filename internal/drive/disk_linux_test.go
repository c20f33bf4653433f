package drive

import (
	"syscall"
	"testing"
)

// Free blocks are counted in fragments of Frsize bytes, whatever size suits reading and writing.
func TestFreeBytes(t *testing.T) {
	s := syscall.Statfs_t{Bavail: 10, Bsize: 1 << 20, Frsize: 4096}
	if got := freeBytes(&s); got != 40960 {
		t.Errorf("%d bytes are free, want 40960", got)
	}
	s.Frsize = 0 // as on file systems that do not set it
	if got := freeBytes(&s); got != 10<<20 {
		t.Errorf("%d bytes are free, want %d", got, 10<<20)
	}
}

package drive

import (
	"syscall"
	"testing"
)

// Blocks are counted in fragments, whatever the size is that suits reading and writing.
func TestFreeBytes(t *testing.T) {
	s := syscall.Statfs_t{Bavail: 10, Bsize: 1 << 20, Frsize: 4096}
	if got := freeBytes(&s); got != 40960 {
		t.Errorf("%d bytes are free, want 40960", got)
	}
	s.Frsize = 0 // of file systems that do not say
	if got := freeBytes(&s); got != 10<<20 {
		t.Errorf("%d bytes are free, want %d", got, 10<<20)
	}
}

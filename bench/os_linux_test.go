package bench

import (
	"os"
	"syscall"
	"testing"
)

// TestResetPeak: the peak begins anew, so that it has nothing that was freed before.
func TestResetPeak(t *testing.T) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skip(err)
	}
	const size = 64 << 20
	block, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(block); at += pageSize {
		block[at] = 1
	}
	if err := syscall.Munmap(block); err != nil {
		t.Fatal(err)
	}
	before := peakMemory()
	resetPeak()
	if after := peakMemory(); before < size || after > before-size/2 {
		t.Errorf("the peak is %d MiB, and was %d MiB with %d MiB that are freed", after>>20, before>>20, size>>20)
	}
}

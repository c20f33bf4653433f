package bench

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestMeanwhile: meanwhile gives signs of life during long work, and none after done.
func TestMeanwhile(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for signs of life for seconds")
	}
	path := filepath.Join(t.TempDir(), "mark")
	m, err := openMark(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	sign := func() time.Time {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	signs := 0
	done := m.meanwhile()
	for last := sign(); signs < 2; time.Sleep(10 * time.Millisecond) {
		if now := sign(); now != last {
			last = now
			signs++
		}
	}
	done()
	last := sign()
	time.Sleep(2 * beatEvery)
	if sign() != last {
		t.Error("a sign of life after the work was done")
	}
	m.meanwhile()() // done returns at once
	(*mark)(nil).meanwhile()()
}

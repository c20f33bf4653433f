package cachedir

import (
	"os"
	"testing"
	"time"
)

// TestHold checks that touchUsed protects the touched entries from eviction, whatever the limit,
// and no other entries.
func TestHold(t *testing.T) {
	d := marked(t)
	held, left := d.Entry(Programs, key(1)), d.Entry(Programs, key(2))
	for _, e := range []Entry{held, left} {
		if err := e.WriteFile("a", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	held.Touch()
	long := time.Now().Add(-inUse - time.Hour)
	for _, e := range []Entry{held, left} {
		if err := os.Chtimes(e.Path(), long, long); err != nil {
			t.Fatal(err)
		}
	}
	touchUsed()
	if _, err := d.Evict(0, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !held.Exists() || left.Exists() {
		t.Errorf("what is used is there: %t, and what is not: %t", held.Exists(), left.Exists())
	}
	// Touching a removed entry, or one with an invalid key, has no effect.
	if err := held.Remove(); err != nil {
		t.Fatal(err)
	}
	d.Entry(Programs, "no key").Touch()
	touchUsed()
	if held.Exists() {
		t.Error("it is there again")
	}
}

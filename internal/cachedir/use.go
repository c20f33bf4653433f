package cachedir

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// again is how often it is noted that a process still uses its entries.
const again = inUse / 4

// used are the entries that this process has touched, by their paths.
var used struct {
	sync.Mutex
	entries map[string]Entry
}

// Touch notes that the entry was used now, so that it is kept for longer. That it
// cannot be noted, as on a file system that is read-only, is no error.
func (e Entry) Touch() {
	if e.check() != nil {
		return
	}
	used.Lock()
	if used.entries == nil {
		used.entries = map[string]Entry{}
	}
	used.entries[e.Path()] = e
	used.Unlock()
	e.touch()
}

func (e Entry) touch() {
	root, err := e.dir.open()
	if err != nil {
		return
	}
	defer root.Close()
	now := time.Now()
	_ = root.Chtimes(e.name(), now, now)
}

// Hold goes on touching what this process has touched until the context ends: a
// measurement may take longer than another process leaves alone what nobody touches.
func Hold(ctx context.Context) {
	go func() {
		for tick := time.NewTicker(again); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				touchUsed()
			}
		}
	}()
}

// touchUsed touches what this process has touched.
func touchUsed() {
	used.Lock()
	entries := slices.Collect(maps.Values(used.entries))
	used.Unlock()
	for _, e := range entries {
		e.touch()
	}
}

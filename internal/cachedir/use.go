package cachedir

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// again is the interval at which a process marks its entries as used.
const again = inUse / 4

// used are the entries that this process has touched, by path.
var used struct {
	sync.Mutex
	entries map[string]Entry
}

// Touch marks the entry as used now, so that it is kept for longer. Failure, as on a read-only
// file system, is ignored.
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

// Hold repeats the touches of this process until the context ends. A measurement may take longer
// than inUse, after which another process may evict untouched entries.
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

// touchUsed touches all entries that this process has touched before.
func touchUsed() {
	used.Lock()
	entries := slices.Collect(maps.Values(used.entries))
	used.Unlock()
	for _, e := range entries {
		e.touch()
	}
}

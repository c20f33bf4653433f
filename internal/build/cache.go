package build

import (
	"os"
	"slices"
	"strings"
	"time"

	"assay/internal/cachedir"
)

// cacheLimit is how many bytes the cache may keep: about sixteen runners of
// sixteen layouts.
const cacheLimit = 4 << 30

// labelFile is the file beside the layouts that holds the variant's label.
const labelFile = "variant"

// A Kept is a runner in the cache.
type Kept struct {
	Key     string
	Variant string // label of what it was built with; empty for the ordinary
	Own     bool   // whether it is for a user's own data
	Size    int64  // bytes of all layouts
	Layouts int
	Used    time.Time // when it was last asked for
}

// List returns the runners in the cache, the last used first. A cache that does
// not exist is empty.
func List(cache cachedir.Dir) ([]Kept, error) {
	var runners []Kept
	for _, own := range []bool{false, true} {
		entries, err := cache.Entries(cachedir.Programs.Of(own))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			k := Kept{Key: e.Key(), Own: own, Size: e.Size, Used: e.Used}
			files, err := os.ReadDir(e.Path())
			if err != nil {
				continue // another process removed it
			}
			for _, f := range files {
				if layoutFile.MatchString(f.Name()) {
					k.Layouts++
				}
			}
			label, _ := os.ReadFile(e.Path(labelFile)) // it is only for people
			k.Variant = strings.TrimSpace(string(label))
			runners = append(runners, k)
		}
	}
	slices.SortFunc(runners, func(a, b Kept) int { return b.Used.Compare(a.Used) })
	return runners, nil
}

// evict keeps the cache within its size and tells what that removed. A cache that
// cannot be kept within it is one that works, so that is only told.
func (m *maker) evict(keep ...string) {
	freed, err := m.cache.Evict(cacheLimit, time.Now(), keep...)
	if freed.Entries > 0 || err != nil {
		m.emit(Event{Step: Evicted, N: freed.Entries, Bytes: freed.Bytes, Err: err})
	}
}

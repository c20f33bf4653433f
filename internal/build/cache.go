package build

import (
	"os"
	"slices"
	"strings"
	"time"

	"assay/internal/cachedir"
)

// labelFile is the file beside the layouts that holds the variant's label.
const labelFile = "variant"

// A Kept is a runner in the cache.
type Kept struct {
	Key     string
	Variant string // label of its variant; empty for the ordinary runner
	Own     bool   // whether it was built for a user's own data
	Size    int64  // bytes of all layouts
	Layouts int
	Used    time.Time // when it was last requested
}

// List returns the runners in the cache, the most recently used first. A cache that does not
// exist is empty.
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
			label, _ := (&Runner{entry: e.Entry}).read(labelFile) // only shown to people, so an error does not matter
			k.Variant = strings.TrimSpace(string(label))
			runners = append(runners, k)
		}
	}
	slices.SortFunc(runners, func(a, b Kept) int { return b.Used.Compare(a.Used) })
	return runners, nil
}

// evict keeps the cache within its size and reports what it removed. It only reports an error,
// because a cache that is too large still works.
func (m *maker) evict(keep ...string) {
	freed, err := m.cache.Evict(cachedir.SizeLimit, time.Now(), keep...)
	if freed.Entries > 0 || err != nil {
		m.emit(Event{Step: Evicted, N: freed.Entries, Bytes: freed.Bytes, Err: err})
	}
}

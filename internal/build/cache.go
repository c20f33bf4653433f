package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// cacheLimit is how many bytes the cache may keep: about sixteen runners of
	// sixteen layouts.
	cacheLimit = 4 << 30
	// inUse is how long after its last use a runner is taken to be in use by
	// another process, and never removed.
	inUse = 2 * time.Hour
)

// parts are the directories of the cache: programs, source, exported git
// revisions, what is being made, users' records and the code generated for them,
// contenders that failed, and the modules of variants. The last two are small
// and never evicted.
var parts = struct{ large, small []string }{
	large: []string{"bin", "src", "tree", "new", "data", "generated", "own"},
	small: []string{"failed", "mod"},
}

// labelFile is the file beside the layouts that holds the variant's label.
const labelFile = "variant"

// An Entry is a runner in the cache.
type Entry struct {
	Key     string
	Variant string // label of what it was built with; empty for the ordinary
	Size    int64  // bytes of all layouts
	Layouts int
	Used    time.Time // when it was last asked for
}

// List returns the runners in the cache, the last used first. An empty cache
// directory name is that of Options. A cache that does not exist is empty.
func List(cache string) ([]Entry, error) {
	cache, err := cacheDir(cache)
	if err != nil {
		return nil, err
	}
	found, err := places(filepath.Join(cache, "bin"))
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, p := range found {
		layouts, err := filepath.Glob(filepath.Join(p.dir, "layout-*"))
		if err != nil {
			return nil, err
		}
		label, _ := os.ReadFile(filepath.Join(p.dir, labelFile)) // it is only for people
		entries = append(entries, Entry{Variant: strings.TrimSpace(string(label)), Key: filepath.Base(p.dir), Size: p.size, Layouts: len(layouts), Used: p.used})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return b.Used.Compare(a.Used) })
	return entries, nil
}

// Clean empties the cache and returns how many bytes that freed. An empty cache
// directory name is that of Options.
func Clean(cache string) (freed int64, err error) {
	cache, err = cacheDir(cache)
	if err != nil {
		return 0, err
	}
	// Only what Make writes is removed: a directory that was named by mistake
	// keeps its files.
	for _, part := range slices.Concat(parts.large, parts.small) {
		dir := filepath.Join(cache, part)
		size, err := dirSize(dir)
		if err != nil {
			return freed, err
		}
		if err := os.RemoveAll(dir); err != nil {
			return freed, fmt.Errorf("emptying the runner cache: %w", err)
		}
		freed += size
	}
	return freed, nil
}

// cacheDir returns the cache's directory as an absolute path.
func cacheDir(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a directory for the runner cache: %w; name one with --cache", err)
	}
	return filepath.Join(user, "assay"), nil
}

// temporary makes a directory on the cache's file system, so that what is made
// in it can be renamed into its place.
func temporary(cache string) (string, error) {
	parent := filepath.Join(cache, "new")
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, "")
}

// touch marks directories as used now.
func touch(dirs ...string) error {
	now := time.Now()
	for _, dir := range dirs {
		if err := os.Chtimes(dir, now, now); err != nil {
			return err
		}
	}
	return nil
}

// A place is a directory of the cache that is kept or removed as a whole.
type place struct {
	dir  string
	size int64
	used time.Time
}

// places returns the directories directly below dir. What another process
// removes meanwhile is not an error.
func places(dir string) ([]place, error) {
	found, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []place
	for _, d := range found {
		info, err := d.Info()
		if err != nil || !d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		p := place{dir: filepath.Join(dir, d.Name()), used: info.ModTime()}
		if p.size, err = dirSize(p.dir); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// dirSize adds up the sizes of the files below dir, which may not exist.
func dirSize(dir string) (int64, error) {
	var size int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size, err
}

// evict removes the runners, sources, exported revisions and remains of
// interrupted builds that were not used for longest, until the cache is within
// the limit. Those to keep, and those that another process may be using, stay.
func evict(cache string, limit int64, now time.Time, keep ...string) error {
	var all []place
	for _, part := range parts.large {
		found, err := places(filepath.Join(cache, part))
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	var total int64
	for _, p := range all {
		total += p.size
	}
	slices.SortFunc(all, func(a, b place) int { return a.used.Compare(b.used) })
	for _, p := range all {
		if total <= limit {
			break
		}
		if slices.Contains(keep, p.dir) || now.Sub(p.used) < inUse {
			continue
		}
		// Windows does not remove a program that runs; it goes another time.
		if os.RemoveAll(p.dir) == nil {
			total -= p.size
		}
	}
	return nil
}

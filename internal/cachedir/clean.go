package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// inUse is how long after its last use an entry is taken to be in use by
	// another process, and not evicted.
	inUse = 2 * time.Hour
	// abandoned is how long after its last change what is being made is taken for
	// what an interrupted process left.
	abandoned = 24 * time.Hour
)

// Kept is an entry that exists.
type Kept struct {
	Entry
	Size int64     // bytes of all files in it
	Used time.Time // when it was last asked for

	halves []half // files in it that are being written, or were once
}

// A half is a file in an entry that has the name of one that is being written.
type half struct {
	name string // within the cache
	size int64
	used time.Time
}

// Freed is what was removed.
type Freed struct {
	// Bytes and Entries are how much it was.
	Bytes   int64
	Entries int
	// Left are the paths in the cache's directory that assay did not make, and that
	// were left alone.
	Left []string
}

// Entries returns the entries of a part. A cache that does not exist has none.
func (d Dir) Entries(p Part) ([]Kept, error) {
	root, err := d.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	kept, _, err := d.entries(root, p)
	return kept, err
}

// entries returns the entries of a part, and the names in it that are none. What
// another process removes meanwhile is not an error.
func (d Dir) entries(root *os.Root, p Part) (kept []Kept, left []string, err error) {
	found, err := list(root, string(p))
	for _, f := range found {
		info, err := f.Info()
		if err != nil {
			continue
		}
		e := d.Entry(p, f.Name())
		if !p.fits(f.Name(), info.Mode()) {
			left = append(left, e.name())
			continue
		}
		k := Kept{Entry: e, Used: info.ModTime()}
		if k.Size, k.halves, err = sizeOf(root, e.name()); err != nil {
			return nil, nil, err
		}
		kept = append(kept, k)
	}
	return kept, left, err
}

// list returns what is in a directory, which may not exist.
func list(root *os.Root, name string) ([]fs.DirEntry, error) {
	found, err := fs.ReadDir(root.FS(), name)
	return found, ignoring(err, fs.ErrNotExist)
}

// sizeOf adds up the sizes of a file or of the files below a directory, and returns
// which of those have the name of one that is being written.
func sizeOf(root *os.Root, name string) (size int64, halves []half, err error) {
	err = fs.WalkDir(root.FS(), name, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err == nil {
			size += info.Size()
			if path != name && info.Mode().IsRegular() && halfShape.MatchString(e.Name()) {
				halves = append(halves, half{path, info.Size(), info.ModTime()})
			}
		}
		return nil
	})
	return size, halves, err
}

// Clean removes all entries, or those only that hold a user's own data, and the
// go command's build cache. It returns what that freed. What assay did not make is
// left alone, and so are the mark and what is known of this machine.
func (d Dir) Clean(ownOnly bool) (Freed, error) {
	var freed Freed
	root, err := d.removing()
	if errors.Is(err, fs.ErrNotExist) {
		return freed, nil
	}
	if err != nil {
		return freed, err
	}
	defer root.Close()
	for _, p := range parts {
		if ownOnly && !p.own() {
			continue
		}
		if err := freed.part(d, root, p); err != nil {
			return freed, err
		}
	}
	// It has what was compiled of a user's own data among the rest.
	if err := freed.goBuild(root); err != nil {
		return freed, d.unwritable(err)
	}
	left, err := strangers(root)
	freed.Left = append(freed.Left, left...)
	slices.Sort(freed.Left)
	return freed, err
}

// removing opens the cache to remove something from it, which it must belong to
// this very user for.
func (d Dir) removing() (*os.Root, error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	if uid, me, ok := owner(info); ok && uid != me {
		root.Close()
		return nil, &ForeignError{d.path, fmt.Sprintf("it belongs to another user (%d, and this is %d)", uid, me)}
	}
	return root, nil
}

// part removes the entries of a part.
func (f *Freed) part(d Dir, root *os.Root, p Part) error {
	kept, left, err := d.entries(root, p)
	if err != nil {
		return err
	}
	f.Left = append(f.Left, left...)
	for _, k := range kept {
		if err := erase(root, k.name()); err != nil {
			return d.unwritable(err)
		}
		f.Bytes += k.Size
		f.Entries++
	}
	return nil
}

// buildShape matches what the go command keeps in its build cache.
var buildShape = regexp.MustCompile(`^([0-9a-f]{2}|README|trim\.txt|testexpire\.txt|fuzz)$`)

// goBuild removes the go command's build cache that is in ours.
func (f *Freed) goBuild(root *os.Root) error {
	found, err := list(root, goBuild)
	if err != nil {
		return err
	}
	for _, e := range found {
		name := goBuild + "/" + e.Name()
		if !buildShape.MatchString(e.Name()) || e.Type()&fs.ModeSymlink != 0 {
			f.Left = append(f.Left, name)
			continue
		}
		size, _, err := sizeOf(root, name)
		if err != nil {
			return err
		}
		if err := erase(root, name); err != nil {
			return err
		}
		f.Bytes += size
	}
	return nil
}

// erase removes an entry, or something in it. It is the one place where something
// in the cache is removed, and refuses every name that no entry has.
func erase(root *os.Root, name string) error {
	if !fs.ValidPath(name) {
		return fmt.Errorf("%q is no path within the cache", name)
	}
	elems := strings.Split(name, "/")
	for _, p := range parts {
		n := strings.Count(string(p), "/") + 1
		if len(elems) <= n || strings.Join(elems[:n], "/") != string(p) {
			continue
		}
		if keyShape.MatchString(elems[n]) || tmpShape.MatchString(elems[n]) || halfShape.MatchString(elems[n]) && len(elems) == n+1 && slices.Contains(files, p) {
			return root.RemoveAll(name)
		}
	}
	if len(elems) == 2 && elems[0] == goBuild && buildShape.MatchString(elems[1]) {
		return root.RemoveAll(name)
	}
	return fmt.Errorf("%q is nothing that assay makes in the cache", name)
}

// strangers returns what is in the directory, and in that of a user's own data,
// that assay did not make.
func strangers(root *os.Root) ([]string, error) {
	var left []string
	for _, dir := range []string{".", strings.TrimSuffix(user, "/")} {
		found, err := list(root, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			name := e.Name()
			if dir != "." {
				name = dir + "/" + name
			}
			if name != tagFile && name != learnedFile && !slices.Contains(directories, name) {
				left = append(left, name)
			}
		}
	}
	return left, nil
}

// Evict removes the entries that were not used for longest, until all together
// have no more bytes than the limit. Entries that hold one of the paths to keep
// stay, and so do those that another process may be using. What interrupted
// processes left is removed whatever the limit.
func (d Dir) Evict(limit int64, now time.Time, keep ...string) (Freed, error) {
	var freed Freed
	root, err := d.removing()
	if err != nil {
		return freed, ignoring(err, fs.ErrNotExist)
	}
	defer root.Close()
	var all []Kept
	var total int64
	for _, p := range parts {
		kept, _, err := d.entries(root, p)
		if err != nil {
			return freed, err
		}
		for _, k := range kept {
			total += k.Size
		}
		all = append(all, kept...)
	}
	slices.SortFunc(all, func(a, b Kept) int { return a.Used.Compare(b.Used) })
	var errs []error
	for _, k := range all {
		idle := now.Sub(k.Used)
		gone := (strings.HasSuffix(string(k.part), temporary) || halfShape.MatchString(k.key)) && idle >= abandoned
		if !gone && (total <= limit || idle < inUse || k.holds(keep)) {
			bytes, err := k.eraseHalves(root, now)
			if err != nil {
				errs = append(errs, err)
			}
			total -= bytes
			freed.Bytes += bytes
			continue
		}
		// Windows does not remove a program that runs; it goes another time.
		if err := k.erase(root); err != nil {
			if !errors.Is(err, errUsed) {
				errs = append(errs, err)
			}
			continue
		}
		total -= k.Size
		freed.Bytes += k.Size
		freed.Entries++
	}
	if total > limit {
		return freed, d.unwritable(errors.Join(errs...))
	}
	return freed, nil
}

// errUsed is the error of removing an entry that somebody used since it was listed.
var errUsed = errors.New("it is in use")

// erase removes the entry unless it was used since it was listed: to list all entries may
// take seconds, in which another process takes one up.
func (k Kept) erase(root *os.Root) error {
	if info, err := root.Lstat(k.name()); err == nil && !info.ModTime().Equal(k.Used) {
		return errUsed
	}
	return erase(root, k.name())
}

// eraseHalves removes the files in an entry that a process was writing when it was
// killed, and returns their bytes.
func (k Kept) eraseHalves(root *os.Root, now time.Time) (bytes int64, err error) {
	for _, h := range k.halves {
		if now.Sub(h.used) < abandoned {
			continue
		}
		if failed := erase(root, h.name); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		bytes += h.size
	}
	return bytes, err
}

// holds says whether one of the paths is the entry's or in it.
func (k Kept) holds(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(k.Path(), p)
		return err == nil && filepath.IsLocal(rel)
	})
}

// The layout before this one had its parts directly in the directory that the
// user chose, without a mark. Their entries are told by the shape of their names.
var earlierShapes = map[string]*regexp.Regexp{
	"bin": keyShape, "src": keyShape, "tree": keyShape, "data": keyShape, "generated": keyShape, "own": keyShape,
	"failed": regexp.MustCompile(`^[0-9a-f]{20}\.json$`), "mod": regexp.MustCompile(`^[0-9a-f]{20}\.json$`),
}

// Earlier returns the directories of a cache that a version of assay before the
// mark made in the same place, as far as everything in them has a name of the
// shape that it gave. They are neither used nor removed.
func (d Dir) Earlier() []string {
	if d.path == "" {
		return nil
	}
	var found []string
	for name, shape := range earlierShapes {
		dir := filepath.Join(d.earlier, name)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		entries, err := os.ReadDir(dir)
		strange := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !shape.MatchString(e.Name()) })
		if err == nil && len(entries) > 0 && !strange {
			found = append(found, dir)
		}
	}
	slices.Sort(found)
	return found
}

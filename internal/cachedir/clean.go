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
	// inUse is the time after its last use during which an entry may be in use by another process,
	// and is not evicted.
	inUse = 2 * time.Hour
	// abandoned is the time after its last change at which an unfinished file counts as left
	// behind by an interrupted process.
	abandoned = 24 * time.Hour
)

// Kept is an existing entry.
type Kept struct {
	Entry
	Size int64     // bytes of all files in it
	Used time.Time // time of the last use

	halves []half // unfinished files in the entry, whose writer may be running or gone
}

// A half is an unfinished file in an entry, recognized by its name.
type half struct {
	name string // path within the cache
	size int64
	used time.Time
}

// Freed describes what was removed.
type Freed struct {
	// Bytes and Entries are the amounts that were removed.
	Bytes   int64
	Entries int
	// Left are the paths below the cache's directory that assay did not make and did not remove.
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

// entries returns the entries of a part, and the names in it that are no entries. It is no error
// if another process removes entries meanwhile.
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

// list returns the content of a directory, or nothing if it does not exist.
func list(root *os.Root, name string) ([]fs.DirEntry, error) {
	found, err := fs.ReadDir(root.FS(), name)
	return found, ignoring(err, fs.ErrNotExist)
}

// sizeOf returns the total size of a file or of the files below a directory, and the unfinished
// files among them.
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

// Clean removes the go command's build cache and all entries, or only those with a user's own
// data. It returns the amounts that it freed. It keeps the mark, the measurements of this
// machine, and all files that assay did not make.
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
	// The build cache also holds compiled code that was made from a user's own data.
	if err := freed.goBuild(root); err != nil {
		return freed, d.unwritable(err)
	}
	left, err := strangers(root)
	freed.Left = append(freed.Left, left...)
	slices.Sort(freed.Left)
	return freed, err
}

// removing opens the cache for removal, for which it must belong to the current user.
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

// buildShape matches the names in the go command's build cache.
var buildShape = regexp.MustCompile(`^([0-9a-f]{2}|README|trim\.txt|testexpire\.txt|fuzz)$`)

// goBuild removes the go command's build cache in our cache.
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

// erase removes an entry, or something in it. All removals from the cache go through erase, which
// refuses every name that assay does not make.
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

// strangers returns the names in the cache's directory and in its user directory that assay did
// not make.
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

// SizeLimit is the largest size of the cache in bytes: about sixteen runners of sixteen layouts. It does not
// count the directory of GoBuild, which the go command trims.
const SizeLimit = 4 << 30

// Evict removes the least recently used entries until the total size is at most limit. It keeps
// entries that hold one of the paths in keep, and entries that another process may be using. It
// always removes what interrupted processes left behind.
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
		// Windows does not remove a running program; a later Evict does.
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

// errUsed reports that an entry was used after it was listed.
var errUsed = errors.New("it is in use")

// erase removes the entry unless it was used after it was listed. Listing all entries may take
// seconds, in which another process may begin to use the entry.
func (k Kept) erase(root *os.Root) error {
	if info, err := root.Lstat(k.name()); err == nil && !info.ModTime().Equal(k.Used) {
		return errUsed
	}
	return erase(root, k.name())
}

// eraseHalves removes the entry's abandoned unfinished files and returns their total size.
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

// holds reports whether one of the paths is the entry or lies in it.
func (k Kept) holds(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(k.Path(), p)
		return err == nil && filepath.IsLocal(rel)
	})
}

// The previous layout had its parts directly in the directory that the user chose, without a
// mark. The shape of the names identifies their entries.
var earlierShapes = map[string]*regexp.Regexp{
	"bin": keyShape, "src": keyShape, "tree": keyShape, "data": keyShape, "generated": keyShape, "own": keyShape,
	"failed": regexp.MustCompile(`^[0-9a-f]{20}\.json$`), "mod": regexp.MustCompile(`^[0-9a-f]{20}\.json$`),
}

// Earlier returns the directories of a cache that an earlier version of assay, without a mark,
// made in the same place. It includes only directories whose names all have the shape that this
// version used. They are neither used nor removed.
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

package cachedir

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Part is a directory of the cache that holds entries of one kind. Each entry is a directory or
// a file whose name is its key.
type Part string

// The parts. Those from Records on hold a user's own data, or data derived from them.
const (
	Programs Part = "bin"    // directories: a program, one file for each layout
	Sources  Part = "src"    // directories: the source of programs
	Trees    Part = "tree"   // directories: exported revisions of modules
	Failures Part = "failed" // files: contenders that do not build
	Modules  Part = "mod"    // files: the modules of variants
	Tools    Part = "tool"   // directories: a generator of code, as a program
	Compiled Part = "base"   // directories: a build cache of the go command, the base of measured build costs

	Generated Part = "generated" // files: the code of one contender for a schema
	Verified  Part = "verified"  // files: what was measured of a program with given values

	Records Part = user + "data" // directories: records in neutral form
	Types   Part = user + "own"  // directories: the program of a user's own type
)

// user is the directory of the parts that hold a user's own data.
const user = "user/"

// The directories of unfinished entries, and of the go command's build cache.
const (
	temporary = "new"
	goBuild   = "go-build"
)

// files are the parts whose entries are files.
var files = []Part{Failures, Modules, Generated, Verified, Failures.Of(true), Modules.Of(true), Generated.Of(true), Verified.Of(true)}

// parts are all parts.
var parts = []Part{
	Programs, Sources, Trees, Failures, Modules, Tools, Compiled, Generated, Verified, temporary,
	Records, Types, Programs.Of(true), Sources.Of(true), Failures.Of(true), Modules.Of(true), Generated.Of(true), Verified.Of(true), Compiled.Of(true), Part(temporary).Of(true),
}

// directories are all directories that assay makes for parts. An outer directory comes before its
// inner ones.
var directories = func() []string {
	list := []string{path.Clean(user), goBuild}
	for _, p := range parts {
		list = append(list, string(p))
	}
	return list
}()

// Of returns the variant of the part for data derived from a user's own data if own is set, and p
// otherwise.
func (p Part) Of(own bool) Part {
	if own && !p.own() {
		return user + p
	}
	return p
}

// own reports whether the part holds a user's own data.
func (p Part) own() bool { return strings.HasPrefix(string(p), user) }

// KeySize is the number of bytes of the hash that makes a key.
const KeySize = 10

// keyShape matches keys, tmpShape directories of unfinished entries, and halfShape unfinished
// files.
var (
	keyShape  = regexp.MustCompile(`^[0-9a-f]{20}$`)
	tmpShape  = regexp.MustCompile(`^new-[0-9a-z]{1,13}$`)
	halfShape = regexp.MustCompile(`^\.new-[0-9a-z]{1,13}$`)
)

// fits reports whether assay makes entries with that name and mode in the part.
func (p Part) fits(name string, info fs.FileMode) bool {
	switch {
	case p == temporary || p == Part(temporary).Of(true):
		return tmpShape.MatchString(name) && info.IsDir()
	case halfShape.MatchString(name):
		return slices.Contains(files, p) && info.IsRegular()
	case !keyShape.MatchString(name):
		return false
	case slices.Contains(files, p):
		return info.IsRegular()
	}
	return info.IsDir()
}

// An Entry is a directory or a file of the cache that is kept or removed as a
// whole. It need not exist.
type Entry struct {
	dir  Dir
	part Part
	key  string
}

// Entry returns the entry of a key. A key has 20 hexadecimal digits; an entry with any other key
// can be neither read nor written.
func (d Dir) Entry(p Part, key string) Entry { return Entry{d, p, key} }

// Key returns the entry's key.
func (e Entry) Key() string { return e.key }

// name returns the entry's path in the cache.
func (e Entry) name() string { return string(e.part) + "/" + e.key }

// Path returns the path of the entry, or of a file in it.
func (e Entry) Path(elems ...string) string {
	return filepath.Join(append([]string{e.dir.path, filepath.FromSlash(e.name())}, elems...)...)
}

// check checks the key.
func (e Entry) check() error {
	if !keyShape.MatchString(e.key) {
		return fmt.Errorf("%q cannot be the key of something in the cache", e.key)
	}
	return nil
}

// open opens the entry's directory. If it does not exist, the error is fs.ErrNotExist.
func (e Entry) open() (*os.Root, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	root, err := e.dir.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return e.within(root)
}

// within opens the entry's directory in the open cache.
func (e Entry) within(root *os.Root) (*os.Root, error) {
	info, err := root.Lstat(e.name())
	if err != nil {
		return nil, err
	}
	if err := genuine(e.Path(), info); err != nil {
		return nil, err
	}
	return root.OpenRoot(e.name())
}

// make opens the entry's directory, and makes it if it does not exist.
func (e Entry) make() (*os.Root, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	root, err := e.dir.make()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	in, err := e.within(root)
	if !errors.Is(err, fs.ErrNotExist) {
		return in, err
	}
	if err := root.MkdirAll(e.name(), 0o700); err != nil {
		return nil, e.dir.unwritable(err)
	}
	return e.within(root)
}

// Exists reports whether the entry exists with the type that assay gives it.
func (e Entry) Exists() bool {
	if e.check() != nil {
		return false
	}
	root, err := e.dir.open()
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Lstat(e.name())
	return err == nil && e.part.fits(e.key, info.Mode())
}

// Open opens a regular file in the entry for reading.
func (e Entry) Open(name string) (*os.File, error) {
	in, err := e.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return openRegular(in, name)
}

// openRegular opens a file that is not a link, pipe or device.
func openRegular(in *os.Root, name string) (*os.File, error) {
	info, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("no regular file")}
	}
	return in.Open(name)
}

// Remove removes the entry. It is no error if the entry does not exist.
func (e Entry) Remove() error {
	if err := e.check(); err != nil {
		return err
	}
	root, err := e.dir.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	return e.dir.unwritable(erase(root, e.name()))
}

// A Writer writes files into one entry.
type Writer struct {
	entry Entry
	root  *os.Root
}

// Fill calls do with a Writer for the entry. It makes the entry's directory if it does not exist.
func (e Entry) Fill(do func(*Writer) error) error {
	in, err := e.make()
	if err != nil {
		return err
	}
	defer in.Close()
	return e.dir.unwritable(do(&Writer{e, in}))
}

// WriteFile sets the content of a file of the entry: see Writer.WriteFile.
func (e Entry) WriteFile(name string, data []byte) error {
	return e.Fill(func(w *Writer) error { return w.WriteFile(name, data) })
}

// WriteFile sets the content of a file atomically; its name is a slash-separated path within the
// entry. A file that already has this content is not touched, so that the go command need not
// read it again, and so that a read-only file system is no problem.
func (w *Writer) WriteFile(name string, data []byte) error { return w.writeFile(name, data, 0o600) }

// WriteProgram is WriteFile for an executable file.
func (w *Writer) WriteProgram(name string, data []byte) error { return w.writeFile(name, data, 0o700) }

func (w *Writer) writeFile(name string, data []byte, perm fs.FileMode) error {
	if !fs.ValidPath(name) {
		return fmt.Errorf("%q is no path within the cache", name)
	}
	info, err := w.root.Lstat(name)
	if err == nil && info.Mode().IsRegular() && info.Size() == int64(len(data)) {
		if old, err := w.root.ReadFile(name); err == nil && bytes.Equal(old, data) {
			return nil
		}
	}
	return w.write(name, perm, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// Write sets the content of a file atomically to what write writes. The temporary name begins
// with a dot, which the go command ignores.
func (w *Writer) Write(name string, write func(io.Writer) error) error {
	return w.write(name, 0o600, write)
}

func (w *Writer) write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	dir := path.Dir(name)
	if err := w.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp := path.Join(dir, ".new-"+random())
	f, err := w.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = w.root.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, ignoring(w.root.Remove(tmp), fs.ErrNotExist))
	}
	return nil
}

// random returns a part of a name that no other process is likely to choose.
func random() string { return strconv.FormatUint(rand.Uint64N(1<<62), 36) }

// Keep stores data and their hash in the file of a key, atomically.
func (d Dir) Keep(p Part, key string, data []byte) error {
	e := d.Entry(p, key)
	if err := e.check(); err != nil {
		return err
	}
	root, err := d.make()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(string(p), 0o700); err != nil {
		return d.unwritable(err)
	}
	w := &Writer{e, root}
	return d.unwritable(w.WriteFile(e.name(), append(seal(data), data...)))
}

// Recall returns the data that Keep stored for a key. It returns false if there are none or if
// they are damaged.
func (d Dir) Recall(p Part, key string) ([]byte, bool) {
	e := d.Entry(p, key)
	if e.check() != nil {
		return nil, false
	}
	root, err := d.open()
	if err != nil {
		return nil, false
	}
	defer root.Close()
	if info, err := root.Lstat(e.name()); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := root.ReadFile(e.name())
	if err != nil {
		return nil, false
	}
	return unsealed(text)
}

// seal returns the line with the hash that precedes data.
func seal(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(hex.AppendEncode(nil, sum[:]), '\n')
}

// unsealed returns the data after the line with their hash, and whether the hash is right.
func unsealed(text []byte) ([]byte, bool) {
	end := bytes.IndexByte(text, '\n') + 1
	data := text[end:]
	return data, bytes.Equal(text[:end], seal(data))
}

// A Temp is a temporary directory of the cache. What is made in it is then renamed into its
// place.
type Temp struct {
	dir  Dir
	name string // its path in the cache
}

// Temp makes a temporary directory, for a user's own data if own is set. The caller must remove
// it.
func (d Dir) Temp(own bool) (*Temp, error) {
	root, err := d.make()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	part := Part(temporary).Of(own)
	if err := root.MkdirAll(string(part), 0o700); err != nil {
		return nil, d.unwritable(err)
	}
	t := &Temp{d, string(part) + "/new-" + random()}
	if err := root.Mkdir(t.name, 0o700); err != nil {
		return nil, d.unwritable(err)
	}
	return t, nil
}

// Path returns the path of the directory, or of a file in it.
func (t *Temp) Path(elems ...string) string {
	return filepath.Join(append([]string{t.dir.path, filepath.FromSlash(t.name)}, elems...)...)
}

// Remove removes the directory and its remaining content. Entries that Keep or KeepFile renamed
// are no longer in it.
func (t *Temp) Remove() error {
	root, err := t.dir.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return erase(root, t.name)
}

// Fill calls do with a Writer for the directory.
func (t *Temp) Fill(do func(*Writer) error) error {
	root, err := t.dir.open()
	if err != nil {
		return err
	}
	defer root.Close()
	in, err := root.OpenRoot(t.name)
	if err != nil {
		return t.dir.unwritable(err)
	}
	defer in.Close()
	return t.dir.unwritable(do(&Writer{root: in}))
}

// Copy copies an entry to a directory in t. It uses hard links if the file system has them, so it
// is only for files whose content never changes, such as those of the go command's build cache.
// If the context ends, Copy returns its cause.
func (t *Temp) Copy(ctx context.Context, from Entry, to string) error {
	if err := from.check(); err != nil {
		return err
	}
	root, err := t.dir.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), from.name(), func(name string, e fs.DirEntry, err error) error {
		if err = errors.Join(ignoring(err, fs.ErrNotExist), context.Cause(ctx)); err != nil || e == nil {
			return err // what another process removes meanwhile is compiled again
		}
		target := t.name + "/" + to + strings.TrimPrefix(name, from.name())
		if e.IsDir() {
			return root.MkdirAll(target, 0o700)
		}
		if root.Link(name, target) == nil {
			return nil
		}
		data, err := root.ReadFile(name)
		if err != nil {
			return ignoring(err, fs.ErrNotExist)
		}
		return root.WriteFile(target, data, 0o600)
	})
}

// RemoveIn removes a directory in t.
func (t *Temp) RemoveIn(name string) error {
	root, err := t.dir.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return erase(root, t.name+"/"+name)
}

// Keep renames a directory in t to the entry. If another process has made the entry meanwhile,
// that entry stays.
func (t *Temp) Keep(name string, e Entry) error {
	_, err := t.rename(name, e)
	return err
}

// KeepWhole is Keep, but replaces an existing entry that is damaged, for which whole returns
// false. An entry that another process has made is not removed before whole is asked about it:
// that process may be using it.
func (t *Temp) KeepWhole(name string, e Entry, whole func() bool) error {
	kept, err := t.rename(name, e)
	if err != nil || kept || whole() {
		return err
	}
	if err := e.Remove(); err != nil {
		return err
	}
	return t.Keep(name, e)
}

// rename is Keep, and returns whether the entry is now what was in t.
func (t *Temp) rename(name string, e Entry) (bool, error) {
	return t.keep(name, e, func(root *os.Root) error {
		return root.MkdirAll(string(e.part), 0o700)
	}, e.name())
}

// KeepFile renames a file in t to a file of the entry, whose directory is made if necessary. The
// file replaces an existing one. If an existing file cannot be replaced, such as a running
// program on Windows, it stays.
func (t *Temp) KeepFile(name string, e Entry, as string) error {
	to := e.name() + "/" + as
	_, err := t.keep(name, e, func(root *os.Root) error {
		if err := root.MkdirAll(e.name(), 0o700); err != nil {
			return err
		}
		if info, err := root.Lstat(to); err == nil && !info.Mode().IsRegular() {
			return erase(root, to)
		}
		return nil
	}, to)
	return err
}

// keep calls prepare, which makes room, and renames a file or directory in t to its place. It
// returns false if what is in that place cannot be replaced.
func (t *Temp) keep(name string, e Entry, prepare func(*os.Root) error, to string) (bool, error) {
	if err := e.check(); err != nil {
		return false, err
	}
	root, err := t.dir.open()
	if err != nil {
		return false, err
	}
	defer root.Close()
	if err := prepare(root); err != nil {
		return false, t.dir.unwritable(err)
	}
	if err := root.Rename(path.Join(t.name, name), to); err != nil {
		if _, there := root.Lstat(to); there != nil {
			return false, t.dir.unwritable(err)
		}
		return false, nil
	}
	return true, nil
}

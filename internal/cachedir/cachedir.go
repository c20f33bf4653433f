// Package cachedir manages the directory in which assay keeps files that it can make again:
// programs, the source that they are built from, and copies of a user's records. It owns one
// directory, assay-cache, which carries a mark. This package makes every path in the cache and
// removes every file that assay removes from it.
//
// A directory without the mark is never written to or emptied. In a marked directory, only names
// of the shapes that this package makes are removed. No symbolic link is followed to a file that
// is removed or replaced. New directories have mode 0700, and new files 0600, or 0700 for
// programs, whatever the umask. A file that Temp.KeepFile moves into an entry keeps its mode. Where
// others can read the directories of a user's own data, their mode becomes 0700 again.
//
// Several processes may use one cache at the same time, without locks: every file is written
// beside its place and renamed into it. A name is a hash of the inputs of the file, so that two
// writers of one name write the same content.
package cachedir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Name is the name of the cache below the directory that a user chooses, or below the user's
// cache directory.
const Name = "assay-cache"

// Layout is the version of the directory's structure. A cache with another layout is not used.
const Layout = 2

// tagFile marks the directory, also for backup programs: see https://bford.info/cachedir/.
const tagFile = "CACHEDIR.TAG"

// The first line of the mark is the same for every cache directory. The second line identifies
// assay and ends with the layout.
const (
	tagSignature = "Signature: 8a477f597d28d172789f06886806bc55"
	tagOurs      = "# This is the cache of assay, layout "
)

const tagText = `# assay removes what it made in here when it needs the room, and assay runner clean
# does at once. Keep nothing of your own in here.
`

// A Dir is assay's cache. Its directory need not exist: the first write makes it, with its mark.
// The zero Dir is no cache: it is empty, and writing to it is an error.
type Dir struct {
	base    string // the directory that contains path
	path    string
	earlier string // where the previous layout was
	err     error  // why there is no directory
}

// In returns the cache DIR/assay-cache. If dir is empty, it returns the cache in the user's cache
// directory. If there is no such directory, every use of the Dir returns an error that says so.
func In(dir string) Dir {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Dir{err: fmt.Errorf("finding a directory for the cache: %w; name one with --cache", err)}
		}
		return Dir{base: user, path: filepath.Join(user, Name), earlier: filepath.Join(user, "assay")}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Dir{err: fmt.Errorf("finding the cache directory %s: %w; name another with --cache", dir, err)}
	}
	return Dir{base: abs, path: filepath.Join(abs, Name), earlier: abs}
}

// Path returns the marked directory, or the empty string if there is none.
func (d Dir) Path() string { return d.path }

// A ForeignError reports that a directory is not a cache of this version of assay, or that assay
// did not make something in it. Nothing in the directory was touched.
type ForeignError struct {
	// Path is the path that is not as expected.
	Path string
	// Reason describes the problem.
	Reason string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is left alone: %s; move it away, or choose another directory with --cache", e.Path, e.Reason)
}

// Check makes the directory if it does not exist. It returns an error if the directory is not
// ours or cannot be made. It does not check single entries.
func (d Dir) Check() error {
	root, err := d.make()
	if err != nil {
		return err
	}
	return root.Close()
}

// open checks that the directory is ours and opens it. If there is no such directory, the error
// is fs.ErrNotExist.
func (d Dir) open() (*os.Root, error) {
	if d.path == "" {
		return nil, d.missing()
	}
	info, err := os.Lstat(d.path)
	if err != nil {
		return nil, err
	}
	if err := genuine(d.path, info); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, err
	}
	if err := d.ours(root, info); err != nil {
		root.Close()
		return nil, err
	}
	restrict(root)
	return root, nil
}

// restrict takes a user's own data, and what was compiled for them, from other users, who may read
// them in a cache that was copied without its modes. It ignores errors, as of a read-only file
// system.
func restrict(root *os.Root) {
	for _, name := range []string{strings.TrimSuffix(user, "/"), goBuild} {
		info, err := root.Lstat(name)
		if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if uid, me, ok := owner(info); ok && uid == me {
			_ = root.Chmod(name, 0o700)
		}
	}
}

// missing returns the error for a cache without a directory.
func (d Dir) missing() error {
	if d.err != nil {
		return d.err
	}
	return errors.New("there is no directory for the cache; name one with --cache")
}

// genuine checks that a path is a directory, not a link, and belongs to the current user or to
// root. Otherwise another user could change the programs that assay runs.
func genuine(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &ForeignError{path, "it is a symbolic link, and assay makes none"}
	case !info.IsDir():
		return &ForeignError{path, "it is no directory"}
	}
	return owned(path, info)
}

// owned checks that a file belongs to the current user or to root.
func owned(path string, info fs.FileInfo) error {
	uid, me, ok := owner(info)
	if ok && uid != me && uid != 0 {
		return &ForeignError{path, fmt.Sprintf("it belongs to another user (%d, and this is %d)", uid, me)}
	}
	return nil
}

// ours checks that an open directory is the same one that was checked before, that it has the
// mark, and that its parts are directories.
func (d Dir) ours(root *os.Root, looked fs.FileInfo) error {
	now, err := root.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(looked, now) {
		return &ForeignError{d.path, "another directory took its place just now"}
	}
	if err := d.marked(root); err != nil {
		return err
	}
	for _, name := range directories {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := genuine(filepath.Join(d.path, filepath.FromSlash(name)), info); err != nil {
			return err
		}
	}
	return nil
}

// marked checks the mark.
func (d Dir) marked(root *os.Root) error {
	foreign := func(reason string) error { return &ForeignError{d.path, reason} }
	info, err := root.Lstat(tagFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return foreign("it has no " + tagFile + ", so assay did not make it")
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return foreign("its " + tagFile + " is no regular file")
	}
	if err := owned(filepath.Join(d.path, tagFile), info); err != nil {
		return err
	}
	f, err := root.Open(tagFile)
	if err != nil {
		return err
	}
	defer f.Close()
	const most = 4 << 10
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return err
	}
	return markOf(string(text), foreign)
}

// markOf checks the text of a mark.
func markOf(text string, foreign func(reason string) error) error {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSuffix(first, "\r") != tagSignature {
		return foreign("its " + tagFile + " does not begin as that of a cache does")
	}
	second, _, _ := strings.Cut(rest, "\n")
	layout, ok := strings.CutPrefix(strings.TrimSuffix(second, "\r"), tagOurs)
	switch {
	case !ok:
		return foreign("its " + tagFile + " is that of another program")
	case layout != fmt.Sprint(Layout):
		return foreign(fmt.Sprintf("another version of assay made it (layout %.20s; this one has layout %d)", layout, Layout))
	}
	return nil
}

// tag returns the text of the mark.
func tag() []byte { return fmt.Appendf(nil, "%s\n%s%d\n%s", tagSignature, tagOurs, Layout, tagText) }

// make opens the directory, and makes it first if it does not exist.
func (d Dir) make() (*os.Root, error) {
	root, err := d.open()
	if !errors.Is(err, fs.ErrNotExist) {
		return root, d.unwritable(err)
	}
	if err := d.create(); err != nil {
		return nil, d.unwritable(err)
	}
	return d.open()
}

// create makes the directory and its mark in one step, so that no other process finds one without
// the other. A directory that another process has made meanwhile stays as it is.
func (d Dir) create() error {
	if err := os.MkdirAll(d.base, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(d.base, "."+Name+"-")
	if err != nil {
		return err
	}
	mark := filepath.Join(tmp, tagFile)
	if err = writeNew(mark, tag()); err == nil {
		err = os.Rename(tmp, d.path)
	}
	if err == nil {
		return nil
	}
	err = errors.Join(err, ignoring(os.Remove(mark), fs.ErrNotExist), os.Remove(tmp))
	if _, there := os.Lstat(d.path); there == nil {
		return nil // another process was faster, or open will report what is there
	}
	return err
}

// writeNew writes a new file. It is an error if the file exists.
func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ignoring returns err, or nil if err is other.
func ignoring(err, other error) error {
	if errors.Is(err, other) {
		return nil
	}
	return err
}

// unwritable adds the cause and the remedy to an error of writing.
func (d Dir) unwritable(err error) error {
	var foreign *ForeignError
	if err == nil || errors.As(err, &foreign) || d.path == "" {
		return err
	}
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return fmt.Errorf("the cache %s cannot be written: %w; choose another with --cache", d.path, err)
}

// learnedFile is the only file beside the mark. It stores measurements of machines, and is only
// appended to.
const learnedFile = "sentinel.jsonl"

// Learned returns the lines that AppendLearned added, or nil if there are none or they cannot be
// read.
func (d Dir) Learned() []byte {
	root, err := d.open()
	if err != nil {
		return nil
	}
	defer root.Close()
	if info, err := root.Lstat(learnedFile); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := root.ReadFile(learnedFile)
	if err != nil {
		return nil
	}
	return data
}

// AppendLearned appends lines in one write, so that several processes need no lock.
func (d Dir) AppendLearned(lines []byte) error {
	root, err := d.make()
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(learnedFile); err == nil && !info.Mode().IsRegular() {
		return &ForeignError{filepath.Join(d.path, learnedFile), "it is no regular file"}
	}
	f, err := root.OpenFile(learnedFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return d.unwritable(err)
	}
	_, err = f.Write(lines)
	return d.unwritable(errors.Join(err, f.Close()))
}

// GoBuild makes a directory for the go command's build cache, and returns it.
func (d Dir) GoBuild() (string, error) {
	root, err := d.make()
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := ignoring(root.Mkdir(goBuild, 0o700), fs.ErrExist); err != nil {
		return "", d.unwritable(err)
	}
	return filepath.Join(d.path, goBuild), nil
}

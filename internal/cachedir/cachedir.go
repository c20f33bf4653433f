// Package cachedir is the directory in which assay keeps what it can make again:
// programs, the source that they are built from, and copies of a user's records.
// It owns one directory, assay-cache, which carries its mark, and nothing else:
// every path in the cache is made here, and every file that assay removes from
// it is removed here.
//
// A directory without the mark is never written to and never emptied, and of one
// that has it only what has a name of the shape that this package makes. No
// symbolic link is followed to a file that is removed or replaced. All
// directories are 0700 and all files 0600, whatever the umask.
//
// Several processes may use one cache at the same time. There are no locks:
// every file is written beside its place and renamed into it, and a name is made
// of a hash of what the file is made from, so that two writers of one name write
// the same thing.
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

// Name is the directory's name in the directory that a user chooses, or in the
// user's cache directory.
const Name = "assay-cache"

// Layout is the version of what is where in the directory. A cache of another
// layout is not used.
const Layout = 2

// tagFile marks the directory, for backup programs as well: the form is that of
// https://bford.info/cachedir/.
const tagFile = "CACHEDIR.TAG"

// The first line of the mark is that of every cache directory, the second that
// of assay, which the layout follows.
const (
	tagSignature = "Signature: 8a477f597d28d172789f06886806bc55"
	tagOurs      = "# This is the cache of assay, layout "
)

const tagText = `# assay removes what it made in here when it needs the room, and assay runner clean
# does at once. Keep nothing of your own in here.
`

// A Dir is assay's cache. Its directory need not exist: it is made, with its
// mark, when something is first written. The zero Dir is no cache: nothing can be
// written to it, and nothing is in it.
type Dir struct {
	base    string // of which path is made
	path    string
	earlier string // where the layout before this one was
	err     error  // why there is no directory
}

// In returns the cache in a directory: DIR/assay-cache. Empty: that in the user's
// cache directory. Where there is none, whatever is done with the Dir says so.
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

// Path returns the directory that carries the mark; empty: there is none.
func (d Dir) Path() string { return d.path }

// A ForeignError says that a directory is not a cache of this assay, or that
// something in it is not as assay makes it. Nothing in it was touched.
type ForeignError struct {
	// Path is what is not as it should be.
	Path string
	// Reason says why.
	Reason string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is left alone: %s; move it away, or choose another directory with --cache", e.Path, e.Reason)
}

// Check returns why the cache cannot be used, as far as that can be told without
// knowing what is looked for: it is not ours, or does not exist and cannot be
// made. It makes the directory.
func (d Dir) Check() error {
	root, err := d.make()
	if err != nil {
		return err
	}
	return root.Close()
}

// open opens the directory after it was found to be ours. The error is an
// fs.ErrNotExist when there is no such directory.
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
	return root, nil
}

// missing is the error of a cache that has no directory.
func (d Dir) missing() error {
	if d.err != nil {
		return d.err
	}
	return errors.New("there is no directory for the cache; name one with --cache")
}

// genuine checks that a path is a directory itself and that it belongs to whoever
// runs this, or to root: what others can write is not run.
func genuine(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &ForeignError{path, "it is a symbolic link, and assay makes none"}
	case !info.IsDir():
		return &ForeignError{path, "it is no directory"}
	}
	return owned(path, info)
}

// owned checks whose a file is.
func owned(path string, info fs.FileInfo) error {
	uid, me, ok := owner(info)
	if ok && uid != me && uid != 0 {
		return &ForeignError{path, fmt.Sprintf("it belongs to another user (%d, and this is %d)", uid, me)}
	}
	return nil
}

// ours checks that an open directory is the one that was looked at, that it has
// the mark, and that its parts are directories.
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

// markOf judges the text of a mark.
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

// make is open, and makes the directory first where there is none.
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

// create makes the directory and its mark at once, so that no other process ever
// finds one without the other. A directory that is there by then is left alone.
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
		return nil // another process was faster, or open says what is there
	}
	return err
}

// writeNew writes a file that is not there yet.
func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ignoring returns the error unless it is the other.
func ignoring(err, other error) error {
	if errors.Is(err, other) {
		return nil
	}
	return err
}

// unwritable returns an error that says what to do about one of writing.
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

// learnedFile is the one file beside the mark: what was learned of machines. Lines are
// only ever added to it.
const learnedFile = "sentinel.jsonl"

// Learned returns the lines that AppendLearned added, nil where there are none
// or they cannot be read.
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

// AppendLearned adds lines in one write, so that several processes need no lock.
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

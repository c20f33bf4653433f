package outfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ListFile is the file that lists what assay wrote to a directory. Each line has the SHA-256 and
// the slash-separated path of a file, in the format that sha256sum -c reads.
const ListFile = ".assay-files"

// listHead is the first line of the list.
const listHead = "# Files that assay wrote here. One that still has its hash may be written over by assay."

// setHead begins the line of the list that names the mark of a set of files, see ReplaceDir.
const setHead = "# set: "

// A File is a file to write, named by its slash-separated path in the directory.
type File struct {
	Name string
	Data []byte
	// Private reports whether only the owner may read the file.
	Private bool
}

// CheckDir returns an error if WriteDir would write no files with these names to a directory: one of
// them belongs to a file that assay did not write or that has changed since, or the directory has a
// set of ReplaceDir, or no file can be created in it, which CheckDir tries. The directory need not
// exist; then the nearest existing directory above it must take files.
func CheckDir(dir string, names ...string) error { return checkDir(dir, "", names) }

// CheckReplaceDir is CheckDir for the files of ReplaceDir.
func CheckReplaceDir(dir, mark string, names ...string) error { return checkDir(dir, mark, names) }

func checkDir(dir, mark string, names []string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return creatable(dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no directory; name one that is, or is not there yet", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var files []File
	for _, name := range names {
		files = append(files, File{Name: name})
	}
	if _, err = checked(root, dir, mark, files); err != nil {
		return err
	}
	if err := takes(dir); err != nil {
		return fmt.Errorf("%s takes no file: %w; name another directory", dir, err)
	}
	return nil
}

// creatable returns an error if a directory cannot be made together with its missing parents.
func creatable(dir string) error {
	in := filepath.Dir(filepath.Clean(dir))
	for in != filepath.Dir(in) {
		if _, err := os.Stat(in); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		in = filepath.Dir(in)
	}
	return hosts(in, dir, "directory")
}

// CheckOwn returns an error unless the directory can be made, is empty, or is one to which
// ReplaceDir wrote files with that mark.
func CheckOwn(dir, mark string) error {
	found, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return creatable(dir)
	case err != nil:
		return err
	case len(found) == 0:
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if ours, _, err := listed(root); err == nil && ours[mark] != nil {
		return nil
	}
	return fmt.Errorf("%s is not empty, it has %s; name another directory", dir, found[0].Name())
}

// WriteDir writes files to a directory, which is made if necessary. It writes nothing if one of
// the names belongs to an existing file, unless assay wrote that file and it is unchanged, or it
// already has the same content. Earlier files with other names stay. WriteDir writes nothing to a
// directory with a set of ReplaceDir, which would remove the files together with the set.
func WriteDir(dir string, files []File) error { return writeDir(dir, "", files) }

// ReplaceDir is WriteDir for files that belong together, such as those of a module: it removes
// the files that assay wrote there before and that are not among the new ones. mark is the name
// of a file that all sets of this kind contain. ReplaceDir writes nothing to a directory to which
// assay wrote files of another kind, and nothing if a file to remove has changed since.
func ReplaceDir(dir, mark string, files []File) error { return writeDir(dir, mark, files) }

func writeDir(dir, mark string, files []File) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	ours, err := checked(root, dir, mark, files)
	if err != nil {
		return err
	}
	var old []string
	if mark != "" {
		if old, err = stale(root, dir, ours, files); err != nil {
			return err
		}
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return foreign(root, f, ours[f.Name]) })
	if err := announce(root, ours, mark, files); err != nil {
		return err
	}
	for _, name := range old {
		if err := remove(root, name); err != nil {
			return err
		}
		delete(ours, name)
	}
	for _, f := range files {
		if err := write(root, f); err != nil {
			return err
		}
		ours[f.Name] = []string{hash(f.Data)}
	}
	return write(root, File{Name: ListFile, Data: list(ours, mark)})
}

// foreign reports whether a file that may be written exists but was not written by assay: then it
// already has that content. It stays as it is and is not listed. Otherwise the next ReplaceDir
// would remove a user's own file.
func foreign(root *os.Root, f File, listed []string) bool {
	_, err := root.Lstat(f.Name)
	return err == nil && len(listed) == 0
}

// stale returns the names of earlier files that are not among the new ones. It returns an error
// if one of them has changed since assay wrote it.
func stale(root *os.Root, dir string, ours map[string][]string, files []File) (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			continue
		}
		unchanged, err := replaceable(root, File{Name: name}, ours[name])
		if err != nil {
			return nil, err
		}
		if !unchanged {
			return nil, fmt.Errorf("%s: assay wrote that, it was changed since, and it does not belong to what is written now; move it away, or name another directory", filepath.Join(dir, filepath.FromSlash(name)))
		}
		names = append(names, name)
	}
	return names, nil
}

// remove removes a file, if it exists, and the directories that become empty. A link in the place of
// a directory stays.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if info, err := root.Lstat(at); err != nil || !info.IsDir() || root.Remove(at) != nil {
			break // the directory is not empty
		}
	}
	return nil
}

// announce adds the files to the list before they are written, beside the hashes of what they
// replace. If the writing ends early, all files that were written are already listed as assay's.
func announce(root *os.Root, ours map[string][]string, mark string, files []File) error {
	both := maps.Clone(ours)
	for _, f := range files {
		if sum := hash(f.Data); !slices.Contains(both[f.Name], sum) {
			both[f.Name] = append(slices.Clip(both[f.Name]), sum)
		}
	}
	return write(root, File{Name: ListFile, Data: list(both, mark)})
}

// checked returns the hashes of what assay wrote, by name. It returns an error if a file's name
// is taken, or is the directory of another file, or if assay wrote other files to the directory with
// which the files must not be mixed. mark is that of the files' set; empty: they are no set.
func checked(root *os.Root, dir, mark string, files []File) (map[string][]string, error) {
	ours, set, err := listed(root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; move it away, or name another directory", filepath.Join(dir, ListFile), err)
	}
	if err := apart(files); err != nil {
		return nil, err
	}
	var taken []string
	for _, f := range files {
		if !fs.ValidPath(f.Name) || f.Name == ListFile {
			return nil, fmt.Errorf("%q cannot be the name of a file in %s", f.Name, dir)
		}
		free, err := replaceable(root, f, ours[f.Name])
		if err != nil {
			return nil, err
		}
		if !free {
			taken = append(taken, f.Name)
		}
	}
	if len(taken) == 0 {
		// The list of an earlier version names no set, so a set's mark has to be there too.
		if len(ours) > 0 && len(files) > 0 && (set != "" && set != mark || mark != "" && ours[mark] == nil) {
			return nil, fmt.Errorf("%s has other files that assay wrote; name another directory", dir)
		}
		return ours, nil
	}
	slices.Sort(taken)
	more := ""
	if n := len(taken) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return nil, fmt.Errorf("%s%s: assay did not write that, or it was changed since; move it away, or name another directory", filepath.Join(dir, filepath.FromSlash(taken[0])), more)
}

// apart returns an error if one of the files would be a directory of another.
func apart(files []File) error {
	names := map[string]bool{}
	for _, f := range files {
		names[f.Name] = true
	}
	for _, f := range files {
		for at := path.Dir(f.Name); at != "." && at != "/"; at = path.Dir(at) {
			if names[at] {
				return fmt.Errorf("%q and %q cannot both be files: one is a directory of the other; give one another name", at, f.Name)
			}
		}
	}
	return nil
}

// replaceable reports whether a file may be written: it does not exist, or it already has the new
// content, or it has one of its listed hashes.
func replaceable(root *os.Root, f File, listed []string) (bool, error) {
	info, err := root.Lstat(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	old, err := root.ReadFile(f.Name)
	if err != nil {
		return false, err
	}
	return slices.Contains(listed, hash(old)) || f.Data != nil && bytes.Equal(old, f.Data), nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// write writes a file atomically.
func write(root *os.Root, f File) (err error) {
	dir := path.Dir(f.Name)
	if err := root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp := path.Join(dir, ".assay-"+random())
	perm := fs.FileMode(0o666)
	if f.Private {
		perm = 0o600
	}
	to, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = to.Write(f.Data)
	if err = errors.Join(err, to.Close()); err == nil {
		err = root.Rename(tmp, f.Name)
	}
	if err != nil {
		err = errors.Join(err, root.Remove(tmp))
	}
	return err
}

// listed reads the list of a directory, and the mark of the set that it names. A missing list is empty.
func listed(root *os.Root) (ours map[string][]string, set string, err error) {
	info, err := root.Lstat(ListFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]string{}, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "", errors.New("it is no regular file, so assay did not write it")
	}
	text, err := root.ReadFile(ListFile)
	if err != nil {
		return nil, "", err
	}
	ours, err = parse(string(text))
	return ours, setOf(string(text)), err
}

// parse reads the text of a list. A file has several hashes if an earlier writing ended early.
func parse(text string) (map[string][]string, error) {
	head, rest, _ := strings.Cut(text, "\n")
	if head != listHead {
		return nil, errors.New("it is no list of files that assay wrote")
	}
	ours := map[string][]string{}
	for line := range strings.Lines(rest) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != sha256.Size || !fs.ValidPath(name) {
			continue // a file with a damaged line is not replaced
		}
		ours[name] = append(ours[name], sum)
	}
	return ours, nil
}

// setOf returns the mark of the set that the text of a list names; empty if it names none.
func setOf(text string) string {
	for line := range strings.Lines(text) {
		if mark, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), setHead); ok {
			return mark
		}
	}
	return ""
}

// list returns the text of a list. mark is that of a set; empty: the files are no set.
func list(ours map[string][]string, mark string) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, listHead)
	if mark != "" {
		fmt.Fprintln(&b, setHead+mark)
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		for _, sum := range ours[name] {
			fmt.Fprintf(&b, "%s  %s\n", sum, name)
		}
	}
	return b.Bytes()
}

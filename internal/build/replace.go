package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"assay/internal/cachedir"
	"assay/internal/userfile"
)

// normal returns the replacement with an absolute directory and with its module path and name
// filled in.
func (r Replacement) normal() (Replacement, error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return Replacement{}, err
	}
	data, err := userfile.ReadRegular(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Replacement{}, fmt.Errorf("%s holds no module that can be read: %w; name the directory of its go.mod", r.Dir, err)
	}
	if r.Path == "" {
		if r.Path = modfile.ModulePath(data); r.Path == "" {
			return Replacement{}, fmt.Errorf("%s does not name its module", filepath.Join(r.Dir, "go.mod"))
		}
	}
	if r.Name == "" {
		r.Name = filepath.Base(dir)
	}
	r.Dir, err = filepath.EvalSymlinks(dir) // filepath.WalkDir does not follow a link as its root
	return r, err
}

// Overruled returns the modules that directives replace and exclude in the go.mod of the
// replacement are about. The go command follows only those of the module that it builds, so the
// code is measured with what its go.mod requires, as users of the module get it.
func (r Replacement) Overruled() []string {
	name := filepath.Join(r.Dir, "go.mod")
	data, err := userfile.ReadRegular(name)
	if err != nil {
		return nil
	}
	mod, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil // the go command says what is wrong
	}
	var all []string
	for _, d := range mod.Replace {
		all = append(all, d.Old.Path)
	}
	for _, d := range mod.Exclude {
		all = append(all, d.Mod.Path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// notModule are directories that do not belong to a module: version control, vendored copies,
// the runs that assay stores in the directory where it is started, and its cache.
var notModule = []string{".git", ".hg", ".svn", ".bzr", "vendor", ".assay", cachedir.Name}

// moduleFiles calls visit for the files of a module's directory, in order, with slash-separated
// relative paths. It leaves out nested modules and the directories of notModule.
func moduleFiles(dir string, visit func(rel string, f io.Reader) error) error {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == dir {
				return nil
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil || slices.Contains(notModule, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == ".git" { // that of a worktree or of a submodule is a file, which names a directory
			return nil
		}
		// A link to a file is followed, as the go command does.
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return visit(filepath.ToSlash(rel), f)
	})
	if err != nil {
		return fmt.Errorf("reading the module in %s: %w", dir, err)
	}
	return nil
}

// sumModule returns a hash of the content of a module's directory: equal for equal files. The
// first shownSum digits name the content to people.
func sumModule(dir string) (string, error) {
	h := sha256.New()
	err := moduleFiles(dir, func(rel string, f io.Reader) error {
		content := sha256.New()
		if _, err := io.Copy(content, f); err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %x\n", rel, content.Sum(nil))
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

const shownSum = 10

// mostModule is the largest size in bytes of a module's files that kept copies.
const mostModule = 1 << 30

var errTooLarge = errors.New("the files of the module have more than 1 GiB, which is too much to copy; move what is no part of the module elsewhere")

// kept returns the replacement with a copy of its directory in the cache as Dir, and the first
// shownSum digits of the content's hash.
//
// The go command writes the path of a replaced module into the program, and a path of another
// length changes the program's layout: two directories with the same code differed by 0.8%, in
// every layout. Paths in the cache have one length. The copy also fixes the content at the
// moment when the build began.
func (r Replacement) kept(cache cachedir.Dir) (Replacement, string, error) {
	hash, err := sumModule(r.Dir)
	if err != nil {
		return r, "", err
	}
	sum := sha256.Sum256([]byte("copy of " + hash))
	e := cache.Entry(cachedir.Trees, hex.EncodeToString(sum[:cachedir.KeySize]))
	if !exported(e, hash) {
		rest := int64(mostModule)
		err := exportInto(cache, e, hash, func(w *cachedir.Writer, to string) error {
			return moduleFiles(r.Dir, func(rel string, f io.Reader) error {
				return w.Write(path.Join(to, rel), func(out io.Writer) error {
					n, err := io.Copy(out, io.LimitReader(f, rest+1))
					if rest -= n; rest < 0 {
						return errTooLarge
					}
					return err
				})
			})
		})
		if errors.Is(err, errChanged) {
			return r, "", fmt.Errorf("the module in %s %w", r.Dir, err)
		}
		if err != nil {
			return r, "", err
		}
	}
	e.Touch()
	r.given, r.Dir = r.Dir, e.Path(exportDir)
	return r, hash[:shownSum], nil
}

// exportDir and exportSum are the names in an entry of the exported directory and of the file
// with its hash.
const exportDir, exportSum = "module", "sum"

// errChanged says that the files of a module changed while they were copied.
var errChanged = errors.New("was changed while it was read; start again")

// exported says whether the entry holds an intact export, with the given hash unless hash is
// empty.
func exported(e cachedir.Entry, hash string) bool {
	want, err := os.ReadFile(e.Path(exportSum))
	if err != nil || !e.Exists() {
		return false
	}
	got, err := sumModule(e.Path(exportDir))
	return err == nil && got == string(want) && (hash == "" || got == hash)
}

// exportInto calls write to write the files of a module below a directory, and keeps them in
// the entry, as a whole or not at all. If hash is not empty and the files have another hash,
// the error is errChanged.
func exportInto(cache cachedir.Dir, e cachedir.Entry, hash string, write func(w *cachedir.Writer, to string) error) error {
	tmp, err := cache.Temp(false)
	if err != nil {
		return err
	}
	defer tmp.Remove()
	const whole = "revision"
	if err := tmp.Fill(func(w *cachedir.Writer) error { return write(w, path.Join(whole, exportDir)) }); err != nil {
		return err
	}
	sum, err := sumModule(tmp.Path(whole, exportDir))
	if err != nil {
		return err
	}
	if hash != "" && sum != hash {
		return errChanged
	}
	if err := tmp.Fill(func(w *cachedir.Writer) error { return w.WriteFile(path.Join(whole, exportSum), []byte(sum)) }); err != nil {
		return err
	}
	return tmp.KeepWhole(whole, e, func() bool { return exported(e, hash) })
}

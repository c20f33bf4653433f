package build

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"assay/internal/cachedir"
	"assay/internal/process"
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
						return fmt.Errorf("the files of the module have more than 1 GiB, which is too much to copy; move what is no part of the module elsewhere")
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

// Checkout returns the module in directory dir as of a git revision: a branch, a tag or a
// commit. It exports the revision into the cache and does not touch the working tree. The
// revision "." or "worktree" is the directory as it is, uncommitted changes included.
//
// The files are those of git archive: files that .gitattributes marks export-ignore and files
// in submodules are absent.
func Checkout(ctx context.Context, cache cachedir.Dir, dir, revision string) (Replacement, error) {
	if revision == "." || revision == "worktree" {
		return Replacement{Dir: dir, Name: "worktree"}.normal()
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return Replacement{}, errors.New("git is not on PATH, so that revisions cannot be read; install git, or give the directories of the two versions")
	}
	g := repository{git, dir}
	prefix, err := g.run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return Replacement{}, fmt.Errorf("%s is not in a git repository: %w", dir, err)
	}
	commit, err := g.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return Replacement{}, fmt.Errorf("the repository of %s has no revision %q; git log shows those it has", dir, revision)
	}
	id, sub := strings.TrimSpace(string(commit)), strings.Trim(strings.TrimSpace(string(prefix)), "/")
	sum := sha256.Sum256([]byte(id + " " + sub))
	e := cache.Entry(cachedir.Trees, hex.EncodeToString(sum[:cachedir.KeySize]))
	r := Replacement{Dir: e.Path(exportDir), Name: id[:min(len(id), 10)]}
	if !exported(e, "") {
		if err := g.export(ctx, cache, id, sub, e); err != nil {
			return Replacement{}, fmt.Errorf("exporting revision %s of %s: %w", revision, dir, err)
		}
	}
	e.Touch()
	n, err := r.normal()
	if errors.Is(err, fs.ErrNotExist) {
		return Replacement{}, fmt.Errorf("revision %s of %s has no go.mod there", revision, dir)
	}
	return n, err
}

// A repository runs git in a directory of a working tree.
type repository struct{ git, dir string }

// run returns what git prints. If the command fails, the error is git's message in one line.
func (g repository) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.Command(g.git, args...)
	cmd.Dir = g.dir
	// Within a hook, git names the repository of the hook, which is another one than that of dir.
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_PREFIX"}, name)
	})
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := process.Run(ctx, cmd)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if said := strings.TrimSpace(stderr.String()); err != nil && said != "" {
		return nil, errors.New(oneLine(said))
	}
	return stdout.Bytes(), err
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

// export writes a directory of a commit into the entry, as a whole or not at all.
func (g repository) export(ctx context.Context, cache cachedir.Dir, commit, sub string, e cachedir.Entry) error {
	// In a subdirectory, git archive restricts itself to it and does not find the tree.
	top, err := g.run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	g.dir = strings.TrimSpace(string(top))
	// Keep the commit's line ends, whatever git's configuration converts them to.
	archive, err := g.run(ctx, "-c", "core.autocrlf=false", "archive", "--format=tar", commit+":"+sub)
	if err != nil {
		return err
	}
	return exportInto(cache, e, "", func(w *cachedir.Writer, to string) error { return untar(bytes.NewReader(archive), w, to) })
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

// untar writes the regular files of an archive into directory dir. It leaves out links, as the
// go command does for downloaded modules.
func untar(archive io.Reader, w *cachedir.Writer, dir string) error {
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if !fs.ValidPath(h.Name) || path.Clean(h.Name) != h.Name || !filepath.IsLocal(filepath.FromSlash(h.Name)) {
			return fmt.Errorf("the archive holds %q, which is not a path within it", h.Name)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := w.WriteFile(path.Join(dir, h.Name), data); err != nil {
			return err
		}
	}
}

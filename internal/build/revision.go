package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/internal/cachedir"
	"assay/internal/process"
)

// Checkout returns the module in directory dir as of a git revision: a branch, a tag or a
// commit. It exports the revision into the cache and does not touch the working tree. The
// revision "." or "worktree" is the directory as it is, uncommitted changes included.
//
// The files are those of the commit, byte for byte: no attribute of git leaves out or changes a file,
// as in a module that the go command downloads. Files in submodules are absent.
func Checkout(ctx context.Context, cache cachedir.Dir, dir, revision string) (Replacement, error) {
	if revision == "." || revision == "worktree" {
		return Replacement{Dir: dir, Name: "worktree"}.normal()
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return Replacement{}, errors.New("git is not on PATH, so that revisions cannot be read; install git, or give the directories of the two versions")
	}
	g := repository{git, dir}
	prefix, err := g.run(ctx, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return Replacement{}, fmt.Errorf("%s is not in a git repository: %w", dir, err)
	}
	commit, err := g.run(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return Replacement{}, fmt.Errorf("the repository of %s has no revision %q; git log shows those it has", dir, revision)
	}
	id, sub := strings.TrimSpace(string(commit)), strings.Trim(strings.TrimSpace(string(prefix)), "/")
	sum := sha256.Sum256([]byte("files of " + id + " " + sub))
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

// run returns what git prints when it reads the input. If the command fails, the error is git's message in one line.
func (g repository) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := exec.Command(g.git, args...)
	cmd.Dir, cmd.Stdin = g.dir, bytes.NewReader(input)
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

// export writes a directory of a commit into the entry, as a whole or not at all.
func (g repository) export(ctx context.Context, cache cachedir.Dir, commit, sub string, e cachedir.Entry) error {
	files, err := g.files(ctx, commit+":"+sub)
	if err != nil {
		return err
	}
	contents, err := g.contents(ctx, files)
	if err != nil {
		return err
	}
	return exportInto(cache, e, "", func(w *cachedir.Writer, to string) error {
		for i, f := range files {
			if err := w.WriteFile(path.Join(to, f.name), contents[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// A blob is a regular file of a commit.
type blob struct {
	name, id string
	size     int64
}

// files returns the regular files of a tree. It leaves out links, as the go command does for
// downloaded modules, and submodules.
func (g repository) files(ctx context.Context, tree string) (files []blob, err error) {
	list, err := g.run(ctx, nil, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	rest := int64(mostModule)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		words := strings.Fields(about) // the mode, the kind, the ID and the size
		if len(words) != 4 || words[1] != "blob" || words[0] == "120000" {
			continue
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git says that %q has %q bytes", name, words[3])
		}
		if rest -= size; rest < 0 {
			return nil, errTooLarge
		}
		if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the commit holds %q, which is not a path within it", name)
		}
		files = append(files, blob{name, words[2], size})
	}
	return files, nil
}

// contents returns the contents of files.
func (g repository) contents(ctx context.Context, files []blob) ([][]byte, error) {
	var ids bytes.Buffer
	for _, f := range files {
		ids.WriteString(f.id + "\n")
	}
	out, err := g.run(ctx, ids.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	contents := make([][]byte, len(files))
	for i, f := range files {
		head := fmt.Sprintf("%s blob %d\n", f.id, f.size)
		rest, ok := bytes.CutPrefix(out, []byte(head))
		if !ok || int64(len(rest)) <= f.size {
			return nil, fmt.Errorf("git does not have the content of %s", f.name)
		}
		contents[i], out = rest[:f.size], rest[f.size+1:]
	}
	return contents, nil
}

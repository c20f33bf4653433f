package protofile

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"assay/internal/userfile"
)

// A goModule is a Go module that may have .proto files. Imports of them begin with the module's path,
// as in Kubernetes.
type goModule struct {
	path, dir string
}

// modulesAround returns the module that contains a file and the modules that its go.mod requires, as
// far as they are on this machine, the longest paths first. It takes the versions from that go.mod
// alone, without version selection: for .proto files that is close enough, and asking the go command
// would take longer than everything else.
func modulesAround(file string) []goModule {
	for dir := range userfile.Above(filepath.Dir(file)) {
		if data, err := userfile.ReadRegular(filepath.Join(dir, "go.mod")); err == nil {
			return modulesOf(dir, data)
		}
	}
	return nil
}

func modulesOf(dir string, gomod []byte) []goModule {
	f, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil { // it may be for a later version of Go
		f, err = modfile.ParseLax("go.mod", gomod, nil)
	}
	if err != nil || f.Module == nil {
		return nil
	}
	found := []goModule{{f.Module.Mod.Path, dir}}
	cache := moduleCache(dir)
	for _, r := range f.Require {
		if d := requiredDir(f, dir, cache, r.Mod); d != "" {
			found = append(found, goModule{r.Mod.Path, d})
		}
	}
	slices.SortStableFunc(found, func(a, b goModule) int { return len(b.path) - len(a.path) })
	return found
}

// requiredDir returns the directory of a required module, or "" if it is not on this machine.
func requiredDir(f *modfile.File, dir, cache string, m module.Version) string {
	if vendored := filepath.Join(dir, "vendor", filepath.FromSlash(m.Path)); isDir(vendored) {
		return vendored
	}
	for _, r := range f.Replace {
		if r.Old.Path != m.Path || r.Old.Version != "" && r.Old.Version != m.Version {
			continue
		}
		if r.New.Version == "" {
			to := filepath.FromSlash(r.New.Path)
			if filepath.IsAbs(to) {
				return to
			}
			return filepath.Join(dir, to)
		}
		m = r.New
		break
	}
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return ""
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return ""
	}
	if d := filepath.Join(cache, filepath.FromSlash(path)+"@"+version); isDir(d) {
		return d
	}
	return ""
}

// moduleCache returns the module cache that contains dir, or else the user's module cache.
func moduleCache(dir string) string {
	const sep = string(filepath.Separator)
	if before, _, ok := strings.Cut(dir, "@v"); ok {
		if i := strings.LastIndex(before, sep+"mod"+sep); i >= 0 {
			return before[:i+len(sep+"mod")]
		}
	}
	if cache := os.Getenv("GOMODCACHE"); cache != "" {
		return cache
	}
	return filepath.Join(filepath.SplitList(build.Default.GOPATH + string(filepath.ListSeparator))[0], "pkg", "mod")
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

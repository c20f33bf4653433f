package build

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Alike reports whether two variants ask for the same thing, so that their runners cannot differ:
// the same Go, the same variables, modules at the same versions, and directories with the same
// files. Source is what runners are built from; a module at the version of its go.mod is no
// difference. Nor is a variable or a release of Go that the go command uses anyway. GoCmd names the go
// command of the ordinary variant; Alike runs it only if variables or releases differ.
func (v Variant) Alike(ctx context.Context, other Variant, source fs.FS, goCmd string) (bool, error) {
	data, err := fs.ReadFile(source, "go.mod")
	if err != nil {
		return false, fmt.Errorf("reading the source's go.mod: %w", err)
	}
	base, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return false, fmt.Errorf("reading the source's go.mod: %w", err)
	}
	pinned := versions(base)
	one, err := v.differences(pinned)
	if err != nil {
		return false, err
	}
	two, err := other.differences(pinned)
	if err != nil {
		return false, err
	}
	if one.goes != two.goes || !slices.Equal(one.env, two.env) {
		usual, err := usualEnv(ctx, goCmd, data)
		if err != nil {
			return false, err
		}
		one.leaveOut(usual)
		two.leaveOut(usual)
	}
	return one.goes == two.goes && slices.Equal(one.env, two.env) && slices.Equal(one.with, two.with) && maps.Equal(one.modules, two.modules), nil
}

// usualEnv returns the settings of the go command in a module with that go.mod, which may ask for
// another toolchain.
func usualEnv(ctx context.Context, goCmd string, mod []byte) (goEnv, error) {
	dir, err := os.MkdirTemp("", "assay-env-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666); err != nil {
		return nil, err
	}
	return envIn(ctx, goCmd, dir)
}

// leaveOut removes what the usual settings are anyway.
func (d *differences) leaveOut(usual goEnv) {
	if d.goes == usual["GOVERSION"] {
		d.goes = ""
	}
	d.env = slices.DeleteFunc(d.env, func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		return usual[name] == value
	})
}

// differences is what a variant changes. Modules are hashes of the content of their directories.
type differences struct {
	goes    string
	env     []string
	with    []ModuleVersion
	modules map[string]string // by module path
}

// differences returns what the variant changes. pinned are the versions of go.mod.
func (v Variant) differences(pinned map[string]string) (differences, error) {
	n, err := v.normal()
	if err != nil {
		return differences{}, err
	}
	d := differences{goes: releaseName(n.Go), modules: map[string]string{}, env: slices.Concat(n.Env)}
	for _, w := range n.With {
		if pinned[w.Path] != w.Version {
			d.with = append(d.with, w)
		}
	}
	for _, r := range n.Replace {
		if d.modules[r.Path], err = sumModule(r.Dir); err != nil {
			return d, err
		}
	}
	return d, nil
}

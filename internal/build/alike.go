package build

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"golang.org/x/mod/modfile"
)

// Alike reports whether two variants ask for the same thing, so that their runners cannot differ:
// the same Go, the same variables, modules at the same versions, and directories with the same
// files. Source is what runners are built from; a module at the version of its go.mod is no
// difference.
func (v Variant) Alike(other Variant, source fs.FS) (bool, error) {
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
	return reflect.DeepEqual(one, two), err
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

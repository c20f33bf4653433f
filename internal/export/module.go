package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"assay/contender"
	"assay/internal/build"
)

// pins are the requirements of this module, and their checksums.
type pins struct {
	*modfile.File
	sums []byte
}

// readPins reads go.mod and go.sum of the source.
func readPins(source fs.FS) (pins, error) {
	mod, err := fs.ReadFile(source, "go.mod")
	if err != nil {
		return pins{}, err
	}
	sums, err := fs.ReadFile(source, "go.sum")
	if err != nil {
		return pins{}, err
	}
	f, err := modfile.Parse("go.mod", mod, nil)
	return pins{f, sums}, err
}

// all returns the paths of the required modules.
func (p pins) all() map[string]bool {
	all := map[string]bool{}
	for _, r := range p.Require {
		all[r.Mod.Path] = true
	}
	return all
}

// finish adds go.mod and go.sum. They require the modules that the packages import, at the
// versions that this module pins. To find these modules, finish runs the go command in a copy
// that requires all pinned modules.
func (m *Module) finish(ctx context.Context, o Options) error {
	p, err := readPins(o.Build.Source)
	if err != nil {
		return err
	}
	if len(m.Packages) == 0 {
		mod, err := m.gomod(p, nil)
		m.add("go.mod", mod)
		return err
	}
	dir, err := os.MkdirTemp("", "assay-export-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := m.tidied(ctx, o, dir, p); err != nil {
		return fmt.Errorf("finding the modules of %s: %w", m.Path, err)
	}
	return nil
}

// trial returns a module of the files with a go.mod and a go.sum that have all pinned modules.
func (m *Module) trial(p pins, files []contender.File) (*Module, error) {
	t := &Module{Path: m.Path, Files: slices.Clone(files)}
	mod, err := t.gomod(p, p.all())
	t.add("go.mod", mod)
	t.add("go.sum", p.sums)
	return t, err
}

// compiles returns the compiler's error for a package that is generated from the user's .proto
// file. No test of a contender covers such code.
func (m *Module) compiles(ctx context.Context, o Options, c *contender.Contender, files []contender.File) error {
	p, err := readPins(o.Build.Source)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "assay-export-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var code []contender.File
	for _, f := range files {
		if !strings.HasSuffix(f.Name, "_test.go") {
			code = append(code, contender.File{Name: c.Dir() + "/" + f.Name, Data: f.Data})
		}
	}
	trial, err := m.trial(p, code)
	if err != nil {
		return err
	}
	if err := trial.Write(dir); err != nil {
		return err
	}
	if _, err := build.Go(ctx, o.Build.Go, dir, "build", "-mod=readonly", "./..."); err != nil {
		return fmt.Errorf("its code does not compile: %w", err)
	}
	return nil
}

// tidied writes the files to dir, finds the needed modules, and adds go.mod and go.sum.
func (m *Module) tidied(ctx context.Context, o Options, dir string, p pins) error {
	trial, err := m.trial(p, m.Files)
	if err != nil {
		return err
	}
	if err := trial.Write(dir); err != nil {
		return err
	}
	out, err := build.Go(ctx, o.Build.Go, dir, "list", "-mod=readonly", "-deps", "-test", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./...")
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, mod := range strings.Fields(string(out)) {
		needed[mod] = true
	}
	mod, err := m.gomod(p, needed)
	if err != nil {
		return err
	}
	trial.add("go.mod", mod)
	if err := trial.Write(dir); err != nil {
		return err
	}
	// Check that these modules alone are enough.
	if _, err := build.Go(ctx, o.Build.Go, dir, "list", "-mod=readonly", "-deps", "-test", "./..."); err != nil {
		return err
	}
	graph, err := build.Go(ctx, o.Build.Go, dir, "mod", "graph")
	if err != nil {
		return err
	}
	m.add("go.mod", mod)
	if sum := sumsOf(p.sums, needed, graph); len(sum) > 0 {
		m.add("go.sum", sum)
	}
	return nil
}

// gomod returns a go.mod that requires the needed ones of the pinned modules.
func (m *Module) gomod(p pins, needed map[string]bool) ([]byte, error) {
	var f modfile.File
	err := errors.Join(f.AddModuleStmt(m.Path), f.AddGoStmt(p.Go.Version))
	var require []*modfile.Require
	for _, r := range p.Require {
		if needed[r.Mod.Path] {
			require = append(require, &modfile.Require{Mod: r.Mod, Indirect: !m.direct(r.Mod.Path)})
		}
	}
	f.SetRequireSeparateIndirect(require)
	for _, r := range p.Replace {
		if needed[r.Old.Path] {
			err = errors.Join(err, f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
		}
	}
	f.Cleanup()
	text, failed := f.Format()
	return text, errors.Join(err, failed)
}

// direct reports whether a file imports a package of the module mod.
func (m *Module) direct(mod string) bool {
	for _, f := range m.Files {
		if strings.HasSuffix(f.Name, ".go") && (bytes.Contains(f.Data, []byte(`"`+mod+`/`)) || bytes.Contains(f.Data, []byte(`"`+mod+`"`))) {
			return true
		}
	}
	return false
}

// sumsOf returns the lines of go.sum that the module needs: the content of the needed modules,
// and the go.mod files of all modules in the graph.
func sumsOf(sums []byte, needed map[string]bool, graph []byte) []byte {
	known := map[string]bool{}
	for _, mod := range strings.Fields(string(graph)) {
		known[mod] = true
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(sums)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		version, onlyMod := strings.CutSuffix(f[1], "/go.mod")
		if known[f[0]+"@"+version] && (onlyMod || needed[f[0]]) {
			out.WriteString(line)
		}
	}
	return out.Bytes()
}

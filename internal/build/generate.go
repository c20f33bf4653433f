package build

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/protoc"
)

// assemble returns the package of a contender: the files of its emitter's output, and the files
// of its plugins, which run runs.
func assemble(name string, out contender.Output, run func(contender.Plugin) ([]byte, error)) ([]contender.File, error) {
	files := slices.Clone(out.Files)
	for _, p := range out.Plugins {
		more, err := answer(p, run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, more...)
	}
	if err := finish(files); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return files, nil
}

// Go runs the go command in a module's directory and returns its standard output. If the
// command fails, the error is its message.
func Go(ctx context.Context, goCmd, dir string, args ...string) ([]byte, error) {
	path, err := findGo(goCmd)
	if err != nil {
		return nil, err
	}
	return gocmd{path: path, dir: dir}.run(ctx, nil, nil, args...)
}

// answer runs a plugin and returns the files of its answer.
func answer(p contender.Plugin, run func(contender.Plugin) ([]byte, error)) ([]contender.File, error) {
	out, err := run(p)
	if said := (*goError)(nil); errors.As(err, &said) {
		return nil, fmt.Errorf("running %s: %s", path.Base(p.Tool), oneLine(said.reason(nil)))
	}
	if err != nil {
		return nil, err
	}
	files, err := protoc.Files(out, p.Below)
	if err != nil {
		return nil, fmt.Errorf("reading the answer of %s: %w", path.Base(p.Tool), err)
	}
	return files, nil
}

// finish formats and sorts the files of one package, in place.
func finish(files []contender.File) error {
	slices.SortFunc(files, func(a, b contender.File) int { return strings.Compare(a.Name, b.Name) })
	for i, f := range files {
		if !fs.ValidPath(f.Name) || f.Name == "." {
			return fmt.Errorf("generated file %q is no path within the package", f.Name)
		}
		if i > 0 && files[i-1].Name == f.Name {
			return fmt.Errorf("two generated files are named %s", f.Name)
		}
		if path.Ext(f.Name) != ".go" {
			continue
		}
		data, err := format.Source(f.Data)
		if err != nil {
			return fmt.Errorf("generated file %s is not Go: %w", f.Name, err)
		}
		files[i].Data = data
	}
	return nil
}

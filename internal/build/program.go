package build

import (
	"context"
	"fmt"
	"io/fs"
	"path"
)

// Program builds a main package of the source as it is, in the given layouts. Pkg is the
// package's directory, such as published/program. The cache, its keys and the variants are
// those of Make. A package that does not build is an error.
func Program(ctx context.Context, o Options, pkg string, layouts []uint64) (*Runner, error) {
	files, err := fs.Glob(o.Source, path.Join(pkg, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("finding the package %s: %w", pkg, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the source has no package %s", pkg)
	}
	return produce(ctx, o, Spec{Main: pkg}, layouts)
}

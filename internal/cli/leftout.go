package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"assay/contender"
	"assay/internal/build"
)

// warnLeftOut says which of the selected contenders could not be built. Of many it
// says so on one line, with the reason of the first: the tables have all.
func (a *app) warnLeftOut(r *build.Runner, sel []*contender.Contender, side string) {
	var names []string
	for _, c := range sel {
		if _, ok := r.Failed[c.Name]; ok {
			names = append(names, c.Name)
		}
	}
	if len(names) > mostNamed {
		a.warn("%s%d of %s cannot be built and are left out: %s and %d more; %s: %s", side, len(names), count(len(sel), "contender"),
			strings.Join(names[:mostNamed], ", "), len(names)-mostNamed, names[0], firstLine(r.Failed[names[0]].Reason))
		return
	}
	for _, name := range names {
		f := r.Failed[name]
		a.warn("%s%s is left out of %s: %s", side, name, strings.Join(f.Workloads, ", "), f.Reason)
	}
}

// unwritable says of an error of building that the cache cannot be written, where it
// is that.
func (a *app) unwritable(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) || !strings.HasPrefix(at.Path, a.cacheDir()) {
		return err
	}
	for _, cause := range []error{fs.ErrPermission, syscall.EROFS, syscall.ENOTDIR} {
		if errors.Is(err, cause) {
			return fmt.Errorf("the cache %s cannot be written: %w; choose another with --cache", a.cacheDir(), at)
		}
	}
	return err
}

package cli

import (
	"strings"

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

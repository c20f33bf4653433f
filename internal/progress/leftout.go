package progress

import (
	"fmt"
	"strings"

	"assay/internal/measure"
	"assay/internal/phrase"
)

// mostNamed is how many contenders a warning names.
const mostNamed = 3

// leftOut warns about the selected contenders that a runner lacks. If there are many, it prints
// one line with the reason of the first one, because the tables have all reasons.
func (p *Progress) leftOut(e measure.Built, side string) {
	if n := len(e.LeftOut); n > mostNamed {
		var names []string
		for _, l := range e.LeftOut {
			names = append(names, l.Contender)
		}
		p.warn(fmt.Sprintf("%s%d of %s cannot be built and are left out: %s; %s: %s", side, n, phrase.Count(e.Selected, "contender"),
			phrase.Some(names, mostNamed), names[0], phrase.FirstLine(e.LeftOut[0].Reason)))
		return
	}
	for _, l := range e.LeftOut {
		p.warn(fmt.Sprintf("%s%s is left out of %s: %s", side, l.Contender, strings.Join(l.Workloads, ", "), l.Reason))
	}
}

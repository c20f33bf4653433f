package analysis

import (
	"regexp"

	"assay/result"
)

// DefaultMode is how the default mode is called where an empty string would
// not be seen: in tables and for filters.
const DefaultMode = "default"

// A Match selects names by unanchored regular expressions. The zero Match
// selects all.
type Match struct {
	Include *regexp.Regexp // nil: every name
	Exclude *regexp.Regexp // nil: no name
}

// Name says whether the name is selected.
func (m Match) Name(name string) bool {
	return (m.Include == nil || m.Include.MatchString(name)) &&
		(m.Exclude == nil || !m.Exclude.MatchString(name))
}

// A View says which cases are shown. It never changes a number: what a case is
// compared with may itself be out of view. The zero View shows all.
type View struct {
	Workload, Size, Contender, Op Match
	// Mode is matched with DefaultMode for the default mode.
	Mode Match
	// Side is the label of the version whose launches are used, where a run
	// compares two in lock step. Empty: launches without a label, or, if there
	// are none, those of the first label.
	Side string
}

// Case says whether the case is in view.
func (v View) Case(c result.Case) bool {
	return v.cell(c.Cell()) && v.Contender.Name(c.Contender) && v.Mode.Name(ModeName(c.Mode))
}

func (v View) cell(c result.Cell) bool {
	return v.Workload.Name(c.Workload) && v.Size.Name(c.Size) && v.Op.Name(string(c.Op))
}

// trip says whether a round trip is in view: a case without an op.
func (v View) trip(c result.Case) bool {
	return v.Workload.Name(c.Workload) && v.Size.Name(c.Size) && v.Contender.Name(c.Contender) && v.Mode.Name(ModeName(c.Mode))
}

// ModeName returns the mode as people read it: DefaultMode for the empty one.
func ModeName(mode string) string {
	if mode == "" {
		return DefaultMode
	}
	return mode
}

package analysis

import (
	"regexp"

	"assay/result"
)

// DefaultMode is the name of the default mode where an empty string would be invisible: in tables
// and for filters.
const DefaultMode = "default"

// A Match selects names by unanchored regular expressions. The zero Match selects every name.
type Match struct {
	Include *regexp.Regexp // nil: every name
	Exclude *regexp.Regexp // nil: no name
}

// Name reports whether the name is selected.
func (m Match) Name(name string) bool {
	return (m.Include == nil || m.Include.MatchString(name)) &&
		(m.Exclude == nil || !m.Exclude.MatchString(name))
}

// A View selects the cases to show. It never changes a number: the reference of a case may itself
// be out of view. The zero View shows all cases.
type View struct {
	Workload, Size, Contender, Op Match
	// Mode matches the name DefaultMode for the default mode.
	Mode Match
	// Side is the label of the version whose launches are used if a run compares two versions in
	// lock step. Empty selects the launches without a label or, if there are none, those of the
	// first label.
	Side string
}

// Case reports whether the case is in view.
func (v View) Case(c result.Case) bool {
	return v.cell(c.Cell()) && v.Contender.Name(c.Contender) && v.Mode.Name(ModeName(c.Mode))
}

func (v View) cell(c result.Cell) bool {
	return v.Workload.Name(c.Workload) && v.Size.Name(c.Size) && v.Op.Name(string(c.Op))
}

// trip reports whether a round trip, which is a case without an op, is in view.
func (v View) trip(c result.Case) bool {
	return v.Workload.Name(c.Workload) && v.Size.Name(c.Size) && v.Contender.Name(c.Contender) && v.Mode.Name(ModeName(c.Mode))
}

// ModeName returns the mode's name for display: DefaultMode for the empty mode.
func ModeName(mode string) string {
	if mode == "" {
		return DefaultMode
	}
	return mode
}

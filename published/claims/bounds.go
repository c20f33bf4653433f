package claims

import (
	"slices"
	"strings"

	"assay/internal/analysis"
)

// bounds reads the bounds and the other keys that depend on the predicate.
func (r *reader) bounds() {
	bounded := r.limits()
	r.claim.Bounds.Tolerance = r.Number("tolerance", 0, maxFigure)
	r.claim.PerItem = r.Bool("per_item")
	if r.words(bounded) {
		return
	}
	switch r.claim.Predicate {
	case Order, Constant:
		r.unbounded()
	default:
		r.figured(bounded)
	}
}

// The keys of a claim's bounds, below and above.
var (
	lowKeys   = []string{"at_least", "above"}
	highKeys  = []string{"at_most", "below"}
	boundKeys = slices.Concat(lowKeys, highKeys)
)

// limits reads the bounds that a claim gives by itself, and reports whether it has any.
func (r *reader) limits() (bounded bool) {
	b := &r.claim.Bounds
	to := map[string]**float64{"at_least": &b.AtLeast, "above": &b.Above, "at_most": &b.AtMost, "below": &b.Below}
	for _, key := range boundKeys {
		*to[key] = r.OptionalNumber(key, 0, maxFigure)
		bounded = bounded || r.Has(key)
	}
	for _, low := range lowKeys {
		for _, high := range highKeys {
			from, until := *to[low], *to[high]
			if from != nil && until != nil && impossible(low, high, *from, *until) {
				r.Fail(r.At(low), "%s is %v and %s is %v: nothing can be both", low, r.Value(low), high, r.Value(high))
			}
		}
	}
	for _, pair := range [][]string{lowKeys, highKeys} {
		if r.Has(pair[0]) && r.Has(pair[1]) {
			r.Fail(r.At(pair[1]), "a claim has %s or %s, not both", pair[0], pair[1])
		}
	}
	return bounded
}

// unbounded checks the keys of a claim without words whose predicate compares no figure with
// bounds.
func (r *reader) unbounded() {
	c := r.claim
	for _, key := range boundKeys {
		if r.Has(key) {
			r.Fail(r.At(key), "predicate %s has no bounds: leave out %s", c.Predicate, key)
		}
	}
	switch {
	case c.Predicate == Constant && !r.Has("tolerance"):
		r.Fail(r.Offset(), "predicate constant needs says = \"the same\", or a tolerance, such as tolerance = 0.1 for 10%%")
	case c.Predicate == Order && r.Has("tolerance"):
		r.Fail(r.At("tolerance"), "predicate order has no tolerance: what differs by less than 2%% is a tie")
	}
}

// figured checks that a claim without words has a figure to compare with: bounds, or a published
// figure that a measured one can equal.
func (r *reader) figured(bounded bool) {
	c := r.claim
	m, _ := analysis.MetricNamed(c.Metric)
	switch {
	case bounded && r.Has("tolerance"):
		r.Fail(r.At("tolerance"), "tolerance is for the published figure; a claim with bounds of its own needs none")
	case bounded:
	case !r.Has("published"):
		r.Fail(r.Offset(), "predicate %s needs the claim's words, such as says = \"about 3 times\", or a bound (at_least, above, at_most or below)", c.Predicate)
	case r.Has("tolerance"):
	case len(c.Published) == 2: // a range over which the figures may spread, as in says
		c.Every = c.Every || !c.Most
	case c.Predicate != Exact || !m.Exact:
		r.Fail(r.Offset(), "no measured %s is exactly the published figure: give says, such as says = \"about 3 times\", or bounds", figureName(c))
	}
}

// words reads the claim's words on its figure; false if it has none.
func (r *reader) words(bounded bool) bool {
	c := r.claim
	if !r.Has("says") {
		return false
	}
	for _, key := range append(slices.Clone(boundKeys), "tolerance") {
		if r.Has(key) {
			r.Fail(r.At(key), "a claim has says or %s, not both", key)
		}
	}
	if c.Predicate == Order {
		r.Fail(r.At("says"), "predicate order says what it says: leave out says")
		return true
	}
	m, _ := analysis.MetricNamed(c.Metric)
	own := c.Predicate == Exact
	about := measure{counted: m.Exact, absolute: own && (m.Unit == "ns" || m.Unit == "B/s"), rate: strings.HasSuffix(m.Unit, "/s")}
	if own {
		about.units = unitWords[m.Unit]
	}
	said := r.Text("says")
	if said == "" {
		return true // reported already
	}
	c.Says = plainWords(said, about)
	band, err := parseBand(said, about)
	if err != nil {
		r.Fail(r.At("says"), "%s", err)
		return true
	}
	if c.Predicate == Constant && c.Says != "the same" && c.Says != "about the same" {
		r.Fail(r.At("says"), "predicate constant says \"the same\" or \"about the same\"")
	}
	if own && (strings.Contains(c.Says, "%") || !strings.ContainsAny(c.Says, "0123456789") && !namedForm.MatchString(c.Says)) {
		r.Fail(r.At("says"), "says is %q, and predicate exact compares with nothing: give the figure, or predicate ratio or constant", said)
		return true
	}
	if own && m.Unit != "1" && (strings.HasSuffix(c.Says, " "+Times) || namedForm.MatchString(c.Says)) {
		r.Fail(r.At("says"), "says is %q, and the figure is in %s: give the figure, or predicate ratio", said, m.Unit)
		return true
	}
	for _, v := range c.Published {
		if (own || c.Predicate == Ratio) && !band.about(v) {
			r.Fail(r.At("says"), "says is %q, and the published figure is %v: the claim's words are of its own figure", said, v)
			break
		}
	}
	c.Band = band
	c.Every = c.Every || band.spread && !c.Most
	return true
}

// maxFigure is larger than any figure.
const maxFigure = 1e18

// figureName returns what the predicate's figure is called.
func figureName(c *Claim) string {
	if c.Predicate == Exact {
		return c.Metric
	}
	return "ratio"
}

// impossible reports whether no figure is within two bounds.
func impossible(low, high string, lo, hi float64) bool {
	return lo > hi || lo == hi && (low == "above" || high == "below")
}

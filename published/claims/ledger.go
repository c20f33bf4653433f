package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// FalseDiscovery is the share of the ledger's decisions that may be wrong on average.
const FalseDiscovery = 0.05

// tests returns the timed findings that were measured, and the tests of "up to N".
func (r *Ruling) tests() []*Finding {
	all := slices.Clone(r.reach[:])
	for i := range r.Findings {
		all = append(all, &r.Findings[i])
	}
	return slices.DeleteFunc(all, func(f *Finding) bool { return f == nil || !f.Timed || f.Measured == nil })
}

// family returns the timed findings of all rulings that were measured, in groups that are one test: of
// the same cases, metric and limits. Two claims may state the same thing. Tests of largest figures are
// one if they have the same level too.
func family(rulings []Ruling) [][]*Finding {
	var groups [][]*Finding
	at := map[string]int{}
	for i := range rulings {
		r := &rulings[i]
		for _, f := range r.tests() {
			reaches := "" // the test of a largest figure rests on other conditions too, which its level tells
			if f == r.reach[0] || f == r.reach[1] {
				reaches = fmt.Sprint("reaches ", f.P)
			}
			by := ""
			if f.OwnMethod != "" {
				by = fmt.Sprint(f.OwnMethod, r.Claim.Source, r.Claim.Benchmarks.at(f.Size))
			}
			test := fmt.Sprintf("%v %v %v %#v %v %v %v %v %v", r.Claim.Workload, r.Claim.Predicate, r.Claim.Only, f.Terms, f.Metric, r.Claim.PerItem, r.Claim.limits(), reaches, by)
			if k, ok := at[test]; ok {
				groups[k] = append(groups[k], f)
				continue
			}
			at[test] = len(groups)
			groups = append(groups, []*Finding{f})
		}
	}
	return groups
}

// adjust sets the adjusted level of every timed finding that was measured, by Benjamini and
// Hochberg, "Controlling the false discovery rate", 1995, over the family. A finding
// that is not decided at FalseDiscovery becomes undecided.
func adjust(rulings []Ruling) {
	tests := family(rulings)
	slices.SortStableFunc(tests, func(a, b []*Finding) int { return cmp.Compare(a[0].P, b[0].P) })
	q := 1.0
	for i := len(tests) - 1; i >= 0; i-- {
		q = min(q, tests[i][0].P*float64(len(tests))/float64(i+1))
		for _, f := range tests[i] {
			f.adjusted(q)
		}
	}
}

// adjusted sets the adjusted level, and the verdict that it leaves.
func (f *Finding) adjusted(q float64) {
	if f.Q = q; q <= FalseDiscovery || f.Verdict == Undecided {
		return
	}
	why := fmt.Sprintf("%s by itself, but not at a false discovery rate of 5%% over the ledger (q %.2g)", f.Verdict, q)
	f.Verdict, f.Reason, f.open = Undecided, joinWords(f.Reason, why), why
}

// A Discovery counts what the adjustment did to a ledger.
type Discovery struct {
	// Timed is the number of timed conditions that were measured. Decided is how many of them are
	// decided, and Withdrawn how many more would be without the adjustment. Conditions that are one
	// test count once. The test whether the largest figure of "up to N" comes near N counts as one
	// condition.
	Timed, Decided, Withdrawn int
}

// Discoveries counts the timed conditions of rulings.
func Discoveries(rulings []Ruling) Discovery {
	var d Discovery
	for _, test := range family(rulings) {
		switch f := test[0]; {
		case f.Verdict != Undecided:
			d.Decided++
		case f.P <= FalseDiscovery:
			d.Withdrawn++
		}
		d.Timed++
	}
	return d
}

// String returns in one line what the adjustment did.
func (d Discovery) String() string {
	return fmt.Sprintf("false discovery rate over the ledger (Benjamini–Hochberg): %d of %d timed conditions decided, of which at most %.0f%% are expected to be wrong; %d more would be decided without this adjustment",
		d.Decided, d.Timed, 100*FalseDiscovery, d.Withdrawn)
}

// conclude sets both verdicts, from the findings or as the claim itself says.
func (r *Ruling) conclude() {
	c := r.Claim
	published, elsewhere := r.Part(false), r.Part(true)
	r.Measured, r.Range = stated(c, r.Findings)
	if len(elsewhere) > 0 {
		r.Elsewhere = c.overall(elsewhere, r.reaches(elsewhere))
		r.ElsewhereReason = r.reason(r.Elsewhere, elsewhere)
	}
	switch {
	case c.Untested != "":
		r.Verdict, r.Reason, r.Q = Untested, c.Untested, math.NaN()
	case c.Settled != nil:
		r.Verdict, r.Reason, r.Q = c.Settled.Verdict, c.Settled.Why, math.NaN()
		if e := c.Settled.Elsewhere; e != nil {
			r.Elsewhere, r.ElsewhereReason = e.Verdict, e.Why
		}
	default:
		reach := r.reaches(published)
		r.Verdict = c.headline(published, reach)
		r.Reason = r.reason(r.Verdict, published)
		r.Q = restsOn(r.Verdict, published, reach, c)
	}
}

// Part returns the findings as published, or those elsewhere.
func (r *Ruling) Part(elsewhere bool) []Finding {
	var part []Finding
	for _, f := range r.Findings {
		if f.Elsewhere == elsewhere {
			part = append(part, f)
		}
	}
	return part
}

// Counts returns the number of conditions as published, and how many of them were measured. A
// settled claim has one condition.
func (r *Ruling) Counts() (all, measured int) {
	if r.Claim.Settled != nil {
		return 1, 1
	}
	return counts(r.Part(false))
}

func counts(findings []Finding) (all, measured int) {
	for _, f := range findings {
		if f.Verdict != Untested {
			measured++
		}
	}
	return len(findings), measured
}

// headline returns the verdict on a claim as published. reach is the result of reaches.
func (c *Claim) headline(findings []Finding, reach *Finding) Verdict {
	n := tally(findings)
	all, measured := counts(findings)
	if c.Same != "" {
		all = measured // the rest cannot differ
	}
	switch {
	case measured == 0:
		return Untested
	case c.Every && n[Refuted] > 0:
		return Refuted
	case reach != nil:
		return reached(reach.Verdict, all > measured)
	case !c.Most:
	case 2*n[Holds] > all:
		return Holds
	case 2*n[Refuted] >= all:
		return Refuted
	case n[Undecided] > 0: // undecided conditions could decide the majority, as could those that were not measured
		return Undecided
	}
	return ofCounts(n, all > measured)
}

// reaching tests whether the largest figure of "up to N" comes near N. It returns nil if there is
// nothing to test, which includes that a measured figure is above N or may be.
//
// One figure that comes near is enough. The test is by the largest figure that certainly comes near
// or, if none does, by the largest one that may. To refute the claim, all figures must be too
// small, which is no more certain than the least certain of them.
func (c *Claim) reaching(findings []Finding) *Finding {
	if c.Band == nil || c.Band.reach == 0 {
		return nil
	}
	near := limit{at: c.Band.reach}
	rank := map[Verdict]int{Refuted: 1, Undecided: 2, Holds: 3}
	var test *Finding
	short := 0.0
	for _, f := range findings {
		if f.Verdict == Untested {
			continue
		}
		if f.Verdict != Holds {
			return nil
		}
		one := figure{Interval: *f.Measured, exact: !f.Timed, layouts: f.layouts}
		f.Verdict, f.P = one.meets(near), one.level([]limit{near})
		if f.Verdict == Refuted {
			short = max(short, f.P)
		}
		if test == nil || cmp.Or(cmp.Compare(rank[f.Verdict], rank[test.Verdict]), cmp.Compare(f.Measured.Value, test.Measured.Value)) > 0 {
			test = &f
		}
	}
	if test != nil && test.Verdict == Refuted {
		test.P = short
	}
	return test
}

// reaches returns the result of reaching for the findings, if all measured figures are still known
// to be at most N; otherwise nil, because the test does not matter.
func (r *Ruling) reaches(findings []Finding) *Finding {
	if len(findings) == 0 || slices.ContainsFunc(findings, func(f Finding) bool { return f.Verdict != Holds && f.Verdict != Untested }) {
		return nil
	}
	if findings[0].Elsewhere {
		return r.reach[1]
	}
	return r.reach[0]
}

// reached returns the verdict on "up to N" if no figure is above N. v is the verdict on the largest
// figure.
func reached(v Verdict, short bool) Verdict {
	switch {
	case v == Holds && short:
		return HoldsMeasured
	case v == Refuted && short:
		return RefutedMeasured
	}
	return v
}

// overall returns the verdict on conditions to which no quantifier applies. reach is the result of
// reaches.
func (c *Claim) overall(findings []Finding, reach *Finding) Verdict {
	n := tally(findings)
	switch all, measured := counts(findings); {
	case measured == 0:
		return Untested
	case reach != nil:
		return reached(reach.Verdict, all > measured)
	default:
		return ofCounts(n, all > measured)
	}
}

func tally(findings []Finding) map[Verdict]int {
	n := map[Verdict]int{}
	for _, f := range findings {
		n[f.Verdict]++
	}
	return n
}

// ofCounts returns the verdict on conditions with counts n. short says that some were not measured.
func ofCounts(n map[Verdict]int, short bool) Verdict {
	switch {
	case n[Holds] > 0 && n[Refuted] > 0:
		return Depends
	case n[Undecided] > 0:
		return Undecided
	case n[Holds] > 0 && short:
		return HoldsMeasured
	case n[Holds] > 0:
		return Holds
	case short:
		return RefutedMeasured
	}
	return Refuted
}

// restsOn returns the largest adjusted level of the timed findings that a verdict rests on; NaN if
// none is timed. These are the decided findings, or the undecided ones too if the verdict is
// Undecided. For a claim about every condition that is refuted, it is the most certain exception. A
// verdict on "up to N" also rests on the test of its largest figure, and only on that if the figure
// is too small.
func restsOn(v Verdict, findings []Finding, reach *Finding, c *Claim) float64 {
	switch {
	case reach == nil:
	case v.Plain() == Refuted:
		findings = []Finding{*reach}
	default:
		findings = append(slices.Clone(findings), *reach)
	}
	all, exception := math.NaN(), math.NaN()
	for _, f := range findings {
		if !f.Timed || f.Measured == nil || f.Verdict == Undecided && v != Undecided {
			continue
		}
		if !(f.Q <= all) {
			all = f.Q
		}
		if f.Verdict == Refuted && !(f.Q >= exception) {
			exception = f.Q
		}
	}
	if c.Every && v == Refuted && !math.IsNaN(exception) {
		return exception
	}
	return all
}

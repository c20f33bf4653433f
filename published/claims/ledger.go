package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// FalseDiscovery is the share of the ledger's decisions that may be wrong in the mean.
const FalseDiscovery = 0.05

// tests are the timed findings that were measured, and the tests of "up to N" with them.
func (r *Ruling) tests() []*Finding {
	all := slices.Clone(r.reach[:])
	for i := range r.Findings {
		all = append(all, &r.Findings[i])
	}
	return slices.DeleteFunc(all, func(f *Finding) bool { return f == nil || !f.Timed || f.Measured == nil })
}

// adjust sets the adjusted level of every timed finding, by Benjamini and Hochberg,
// "Controlling the false discovery rate", 1995, over all timed findings that were
// measured. What is not decided at FalseDiscovery becomes undecided.
func adjust(rulings []Ruling) {
	var family []*Finding
	for i := range rulings {
		family = append(family, rulings[i].tests()...)
	}
	slices.SortStableFunc(family, func(a, b *Finding) int { return cmp.Compare(a.P, b.P) })
	q := 1.0
	for i := len(family) - 1; i >= 0; i-- {
		q = min(q, family[i].P*float64(len(family))/float64(i+1))
		f := family[i]
		if f.Q = q; q <= FalseDiscovery || f.Verdict == Undecided {
			continue
		}
		why := fmt.Sprintf("%s by itself, but not at a false discovery rate of 5%% over the ledger (q %.2g)", f.Verdict, q)
		f.Verdict, f.Reason, f.open = Undecided, joinWords(f.Reason, why), why
	}
}

// A Discovery is what the adjustment did to a ledger.
type Discovery struct {
	// Timed is how many timed conditions were measured, Decided how many of them are
	// decided, Withdrawn how many would be without the adjustment. Whether the largest figure
	// of "up to N" comes near N counts as one.
	Timed, Decided, Withdrawn int
}

// Discoveries counts the timed conditions of rulings.
func Discoveries(rulings []Ruling) Discovery {
	var d Discovery
	for _, r := range rulings {
		for _, f := range r.tests() {
			switch {
			case f.Verdict != Undecided:
				d.Decided++
			case f.P <= FalseDiscovery:
				d.Withdrawn++
			}
			d.Timed++
		}
	}
	return d
}

// String says what the adjustment did, in one line.
func (d Discovery) String() string {
	return fmt.Sprintf("false discovery rate 5%% over the ledger (Benjamini–Hochberg): %d of %d timed conditions decided, of which on average at most 5%%, or %.1f, wrongly; %d withdrawn",
		d.Decided, d.Timed, FalseDiscovery*float64(d.Decided), d.Withdrawn)
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
	default:
		reach := r.reaches(published)
		r.Verdict = c.headline(published, reach)
		r.Reason = r.reason(r.Verdict, published)
		r.Q = restsOn(r.Verdict, published, reach, c)
	}
}

// Part are the findings as published, or those elsewhere.
func (r *Ruling) Part(elsewhere bool) []Finding {
	var part []Finding
	for _, f := range r.Findings {
		if f.Elsewhere == elsewhere {
			part = append(part, f)
		}
	}
	return part
}

// Counts returns how many conditions as published there are and how many were
// measured. What a test settles is one condition.
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

// headline is the verdict on a claim as published. Reach is that of reaches.
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
	case n[Undecided] > 0: // which could make the majority, as could what was not measured
		return Undecided
	}
	return ofCounts(n, all > measured)
}

// reaching is the test of "up to N" whether the largest figure comes near N, where no measured
// figure is known to be above N or may be; nil where there is nothing to test. One figure that
// comes near is enough: the test is by the largest that does for certain, or else by the largest
// of those that may. To refute it all have to be less, which is no more certain than the least
// certain of them.
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

// reaches is the test of reaching of those findings, where all that were measured are still known
// to be no more than N; nil where its answer is not asked.
func (r *Ruling) reaches(findings []Finding) *Finding {
	if len(findings) == 0 || slices.ContainsFunc(findings, func(f Finding) bool { return f.Verdict != Holds && f.Verdict != Untested }) {
		return nil
	}
	if findings[0].Elsewhere {
		return r.reach[1]
	}
	return r.reach[0]
}

// reached is the verdict on "up to N" where no figure is above N, by that on the largest figure.
func reached(v Verdict, short bool) Verdict {
	switch {
	case v == Holds && short:
		return HoldsMeasured
	case v == Refuted && short:
		return RefutedMeasured
	}
	return v
}

// overall is the verdict on conditions that no quantifier is about. Reach is that of reaches.
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

// ofCounts is the verdict on conditions of which some were measured, and all unless
// short.
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

// restsOn is the largest adjusted level of the timed findings that a verdict rests on: those
// that are decided, unless the verdict is that they are not, and of a claim about every condition
// the most certain exception. A verdict of "up to N" rests on that of its largest figure too, and on
// nothing else where this is too small. It is NaN where none is timed.
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

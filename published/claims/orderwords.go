package claims

import (
	"slices"
	"strings"
)

// ordered returns in words what an order claims of conditions, which are of the same contenders. If a
// contender is not used in the same way in all of them, its name stands without the way of use.
func (c *Claim) ordered(conditions []Condition) string {
	var names []string
	for i, t := range conditions[0].Terms {
		name := t.among(conditions[0].Terms)
		for _, one := range conditions[1:] {
			if one.Terms[i].among(one.Terms) != name {
				name = t.Contender
			}
		}
		names = append(names, name)
	}
	switch c.Only {
	case "first":
		return names[0] + " first, before " + strings.Join(names[1:], ", ")
	case "last":
		return names[len(names)-1] + " last, after " + strings.Join(names[:len(names)-1], ", ")
	}
	return strings.Join(names, " < ")
}

// statedOf returns what the claim says of findings: the same as Stated, but of an order by the cases
// of these findings.
func (r *Ruling) statedOf(findings []Finding) string {
	if r.Claim.Predicate != Order {
		return r.Claim.Stated()
	}
	var conditions []Condition
	for _, f := range findings {
		if !slices.EqualFunc(f.Terms, findings[0].Terms, func(a, b Term) bool { return a.Contender == b.Contender }) {
			return r.Claim.Stated() // the orders are of other contenders
		}
		conditions = append(conditions, f.Condition)
	}
	return r.Claim.ordered(conditions)
}

package verify

import "slices"

// quarrels are the pairs of contenders of which at least one does not read the other's
// messages, with the first reason.
type quarrels map[pair]string

// A pair is two contenders in alphabetical order.
type pair struct{ a, b string }

func pairOf(x, y string) pair { return pair{min(x, y), max(x, y)} }

func (q quarrels) add(x, y, reason string) {
	if p := pairOf(x, y); q[p] == "" {
		q[p] = reason
	}
}

// A fault is a contender and the reason why it is at fault.
type fault struct{ name, reason string }

// blame returns the contenders at fault. While there are quarrels, the contender with most of
// them is at fault and is removed; if several have as many, all of them are.
func (q quarrels) blame(names []string) []fault {
	var out []fault
	left := slices.Clone(names)
	for {
		counts := make([]int, len(left))
		most := 0
		for i, x := range left {
			counts[i] = len(q.with(x, left))
			most = max(most, counts[i])
		}
		if most == 0 {
			return out
		}
		var rest []string
		var worst []string
		for i, x := range left {
			if counts[i] == most {
				worst = append(worst, x)
			} else {
				rest = append(rest, x)
			}
		}
		for _, x := range worst {
			out = append(out, fault{x, q.reason(x, left, worst)})
		}
		left = rest
	}
}

// with returns the names that x quarrels with.
func (q quarrels) with(x string, names []string) []string {
	var out []string
	for _, y := range names {
		if _, ok := q[pairOf(x, y)]; ok && x != y {
			out = append(out, y)
		}
	}
	return out
}

// reason says why x is at fault, and names the contender that it quarrels with.
func (q quarrels) reason(x string, names, worst []string) string {
	others := q.with(x, names)
	y := others[0]
	reason := "does not agree with " + y + ": " + q[pairOf(x, y)]
	switch {
	case slices.Contains(worst, y):
		return reason + "; which of the two is wrong is not clear"
	case len(others) > 1:
		return reason + "; nor with " + others[1]
	}
	return reason
}

package analysis

import "slices"

// letters returns a compact letter display for n things in order: two things share a letter exactly
// when told says that they are not told apart. The method is "insert and absorb" (Piepho, An
// Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, 2004). Letters are
// assigned in the order of the first thing that has them.
func letters(n int, told func(i, j int) bool) []string {
	// A column lists the things that have one letter. At first all things share one column; each
	// pair that is told apart splits the columns that contain both things.
	all := make([]bool, n)
	for i := range all {
		all[i] = true
	}
	columns := [][]bool{all}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if told(i, j) {
				columns = split(columns, i, j)
			}
		}
	}
	first := func(column []bool) int { return slices.Index(column, true) }
	slices.SortStableFunc(columns, func(a, b []bool) int { return first(a) - first(b) })
	texts := make([]string, n)
	for k, column := range columns {
		for i, in := range column {
			if in {
				texts[i] += letter(k)
			}
		}
	}
	return texts
}

// split replaces each column that holds both i and j with two columns, one without i and one
// without j, and drops columns that are subsets of another column.
func split(columns [][]bool, i, j int) [][]bool {
	var next [][]bool
	for _, column := range columns {
		if !column[i] || !column[j] {
			next = append(next, column)
			continue
		}
		for _, without := range []int{i, j} {
			part := slices.Clone(column)
			part[without] = false
			next = append(next, part)
		}
	}
	var kept [][]bool
	for a, column := range next {
		absorbed := slices.ContainsFunc(next[a+1:], func(other []bool) bool { return subset(column, other) }) ||
			slices.ContainsFunc(kept, func(other []bool) bool { return subset(column, other) })
		if !absorbed {
			kept = append(kept, column)
		}
	}
	return kept
}

// subset reports whether every element of a is in b.
func subset(a, b []bool) bool {
	for i := range a {
		if a[i] && !b[i] {
			return false
		}
	}
	return true
}

// letter returns the k-th letter: a to z, A to Z, and then the Unicode characters from the Greek
// alpha on.
func letter(k int) string {
	switch {
	case k < 26:
		return string(rune('a' + k))
	case k < 52:
		return string(rune('A' + k - 26))
	}
	return string(rune('α' + k - 52))
}

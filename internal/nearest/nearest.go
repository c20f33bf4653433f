// Package nearest finds the name that a mistyped one was meant to be.
package nearest

// Name returns the known name nearest to word, or nothing when none is near:
// at most two letters in five may have to change.
func Name(word string, known []string) string {
	best, least := "", 0.4
	for _, k := range known {
		d := float64(distance(word, k)) / float64(max(len(word), len(k), 1))
		if d <= least && (best == "" || d < least) {
			best, least = k, d
		}
	}
	return best
}

// distance returns how many bytes must be inserted, deleted, replaced or
// swapped with their neighbour to turn a into b: the restricted
// Damerau-Levenshtein distance.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

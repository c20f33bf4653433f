// Package nearest finds the known name that a mistyped name was probably meant to be, and
// suggests it in an error.
package nearest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Name returns the known name nearest to word, or the empty string if none is near. A name is
// near if at most two letters in five must change.
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

// distance returns the number of bytes that must be inserted, deleted, replaced or swapped with
// their neighbour to turn a into b: the restricted Damerau-Levenshtein distance.
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

// Hint returns a question with the known name that word was probably meant to be, as in ` (did
// you mean "gogo/protobuf"?)`, or the empty string if none is near. A known name is also near if
// its last element is.
func Hint(word string, known []string) string {
	full := map[string]string{}
	names := slices.Clone(known)
	for _, k := range known {
		if base := path.Base(k); base != k && !slices.Contains(known, base) {
			full[base] = k
			names = append(names, base)
		}
	}
	near := Name(word, names)
	if near == "" {
		return ""
	}
	if k := full[near]; k != "" {
		near = k
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// Listed is the largest number of names that an error lists.
const Listed = 16

// Otherwise returns the end of an error about an unknown name: the hint or, if no name is near,
// the known names. If there are more than Listed, it says how to find a list.
func Otherwise(word string, known []string) string {
	return otherwise(word, known, "assay help list says what lists there are")
}

// OtherwiseListed is Otherwise for names that assay list shows under the name list.
func OtherwiseListed(list, word string, known []string) string {
	return otherwise(word, known, "assay list "+list+" shows what there is")
}

func otherwise(word string, known []string, more string) string {
	near := Hint(word, known)
	switch {
	case near != "":
		return near
	case len(known) > Listed:
		return "; " + more
	}
	return "; there are: " + strings.Join(known, ", ")
}

package infer

import (
	"slices"
	"strings"
)

// What notes begin with that are about the records left out, and can show values of them.
const (
	leftOutBy  = "left out by "
	leftOutBad = "left out because they cannot be read or do not fit: "
)

// BadNote says how many records SkipBad left out, and what is wrong with the first.
func BadNote(n int64, first *Error) string {
	return leftOutBad + plural(n, "record") + ", the first at " + first.Error()
}

// WithoutValues returns the notes that show no value of a record, for those who must not
// see the records.
func WithoutValues(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		return strings.HasPrefix(n, leftOutBy) || strings.HasPrefix(n, leftOutBad)
	})
}

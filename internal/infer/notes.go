package infer

import (
	"slices"
	"strings"
)

// severalKinds is in the notes that say by which keys, or texts of records, those of one kind are taken.
const severalKinds = " has several kinds: "

// What notes begin with that are about what is left out, and can show values of records, or
// keys of them that no schema has.
const (
	leftOutBy  = "left out by "
	leftOutBad = "left out because they cannot be read or do not fit: "
	leftOutKey = "left out: the key "
	unknown    = "keys that the type does not have are left out"
)

var showing = []string{leftOutBy, leftOutBad, leftOutKey, unknown}

// BadNote says how many records SkipBad left out, and what is wrong with the first.
func BadNote(n int64, first *Error) string {
	return leftOutBad + plural(n, "record") + ", the first at " + first.Error()
}

// UnknownNote says which keys of the records a Go type does not have.
func UnknownNote(keys string) string {
	return unknown + ", the first of each record being, with the number of records: " + keys
}

// notRecords say what of the text is no record, and no bad one.
func (p *pass) notRecords() (notes []string) {
	if p.nulls > 0 {
		notes = append(notes, "left out because they are null: "+plural(p.nulls, "record"))
	}
	if p.commas > 0 {
		notes = append(notes, "left out behind records: "+plural(p.commas, "comma"))
	}
	return notes
}

// WithoutValues returns the notes that show no value of a record, for those who must not
// see the records.
func WithoutValues(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		_, only, _ := strings.Cut(n, severalKinds)
		only, _, _ = strings.Cut(only, " measures ")
		return strings.Contains(only, "=") || slices.ContainsFunc(showing, func(head string) bool { return strings.HasPrefix(n, head) })
	})
}

package infer

import (
	"slices"
	"strings"
)

// severalKinds is in each note that says how to select the records of one kind, by a key or a text.
const severalKinds = " has several kinds: "

// The beginnings of notes that can show values of records, or keys that the schema does not have.
const (
	leftOutBy  = "left out by "
	leftOutBad = "left out because they cannot be read or do not fit: "
	leftOutKey = "left out: the key "
	byOrder    = "keys that no struct tag can hold, which have their fields by their order in the sample: "
	unknown    = "keys that the type does not have are left out"
)

var showing = []string{leftOutBy, leftOutBad, leftOutKey, byOrder, unknown}

// BadNote says how many records SkipBad left out, and what is wrong with the first.
func BadNote(n int64, first *Error) string {
	return leftOutBad + plural(n, "record") + ", the first at " + first.Error()
}

// UnknownNote says which keys of the records a Go type does not have.
func UnknownNote(keys string) string {
	return unknown + ", the first of each record being, with the number of records: " + keys
}

// notRecords returns notes on what was left out without being a bad record: nulls and commas.
func (p *pass) notRecords() (notes []string) {
	if p.nulls > 0 {
		notes = append(notes, "left out because they are null: "+plural(p.nulls, "record"))
	}
	if p.commas > 0 {
		notes = append(notes, "left out behind records: "+plural(p.commas, "comma"))
	}
	return notes
}

// WithoutValues returns the notes that show no value of a record, for readers who must not see the
// records.
func WithoutValues(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		_, only, _ := strings.Cut(n, severalKinds)
		only, _, _ = strings.Cut(only, " measures ")
		return strings.Contains(only, "=") || slices.ContainsFunc(showing, func(head string) bool { return strings.HasPrefix(n, head) })
	})
}

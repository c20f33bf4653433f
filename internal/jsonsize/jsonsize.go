// Package jsonsize explains how the measured JSON differs in size from the JSON of a user's
// sample. It writes records as encoding/json does with the types of their schema, compares
// the two texts value by value, and adds up the differences by cause. The sum of the
// differences is always the difference of the sizes.
package jsonsize

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"assay/result"
	"assay/schema"
)

// A Cause is a reason why written JSON differs from the sample.
type Cause string

// The causes.
const (
	NullLeftOut  Cause = "null-left-out"
	EmptyLeftOut Cause = "empty-left-out"
	LeftOut      Cause = "left-out"
	AbsentNull   Cause = "absent-as-null"
	Added        Cause = "added"
	NullEmpty    Cause = "null-as-empty"
	EmptyNull    Cause = "empty-as-null"
	EmptyMap     Cause = "empty-list-as-map"
	Keys         Cause = "keys"
	HTML         Cause = "html"
	Separators   Cause = "separators"
	Escapes      Cause = "escapes"
	Times        Cause = "times"
	Numbers      Cause = "numbers"
	Rounded      Cause = "rounded"
	Texts        Cause = "texts"
	Types        Cause = "types"
)

// CauseText describes each cause in a few words.
var CauseText = map[Cause]string{
	NullLeftOut:  "fields that are null are left out",
	EmptyLeftOut: "fields that are empty, 0 or false are left out",
	LeftOut:      "fields with a value are left out",
	AbsentNull:   "fields that are absent are written as null",
	Added:        "fields that are absent are written with a value",
	NullEmpty:    "null is written as an empty value",
	EmptyNull:    "empty values are written as null",
	EmptyMap:     "empty lists are written as maps without keys",
	Keys:         "keys are written otherwise, since a struct tag cannot hold them",
	HTML:         "<, > and & are escaped in texts",
	Separators:   "U+2028 and U+2029 are escaped in texts, as encoding/json always does",
	Escapes:      "escapes that are not needed are written as their characters",
	Times:        "times are written without zeros at their end, and UTC as Z",
	Numbers:      "numbers are written as Go writes them",
	Rounded:      "numbers are rounded to float64",
	Texts:        "texts are changed",
	Types:        "values are written as another type",
}

// lossy lists the causes that leave out something of the sample.
var lossy = []Cause{NullLeftOut, EmptyLeftOut, LeftOut}

// Omits reports whether the cause leaves out something of the sample.
func (c Cause) Omits() bool { return slices.Contains(lossy, c) }

// InTexts reports whether the cause changes texts, which may be those of JSON values.
func (c Cause) InTexts() bool {
	return c == HTML || c == Separators || c == Escapes || c == Texts
}

// Account compares every record of the first compared bytes of a sample, and then one of
// every records, because comparing takes longer than reading.
const compared, every = 64 << 20, 16

// An Account adds up the sizes and differences of the records of a sample.
type Account struct {
	writer  writer
	root    place
	size    result.JSONSize
	changes map[Cause]*change
	unions  map[string]bool // paths of numbers in a union by kind
	compact bytes.Buffer
	written []byte
	records int64
	failed  error
}

// A change sums the effects of one cause.
type change struct {
	bytes, count int64
	where        map[string]int64 // number of values, by path
}

// maxPaths is the largest number of paths that are counted for one cause.
const maxPaths = 1000

// New returns an account of records of the schema's root message.
func New(s *schema.Schema, root string) *Account {
	of := shapesOf(s)
	return &Account{
		writer: writer{schema: of}, root: place{schema: of, typ: schema.Type{Kind: schema.MessageKind, Ref: root}},
		changes: map[Cause]*change{}, unions: map[string]bool{},
	}
}

// Add adds a record: sample is its JSON in the sample, and neutral its neutral form. In a
// large sample, Add compares only some of the records.
func (a *Account) Add(sample, neutral []byte) error {
	a.records++
	if a.size.Compared > compared && a.records%every != 0 {
		a.size.Compact += compactSize(sample)
		return nil
	}
	a.compact.Reset()
	if err := json.Compact(&a.compact, sample); err != nil {
		return fmt.Errorf("a record of the sample: %w", err)
	}
	var err error
	if a.written, err = a.writer.append(a.written[:0], a.root.typ, neutral); err != nil {
		// encoding/json cannot write the value, such as NaN, and there is nothing
		// to compare.
		a.failed = cmp.Or(a.failed, err)
		return nil
	}
	return a.Compare(a.compact.Bytes(), a.written)
}

// Compare adds a record: sample is its JSON without spaces, and written the JSON that was
// written for it.
func (a *Account) Compare(sample, written []byte) error {
	a.size.Compact += int64(len(sample))
	a.size.Compared += int64(len(sample))
	a.size.Written += int64(len(written))
	if bytes.Equal(sample, written) {
		return nil
	}
	return a.value(a.root, sample, written, nil)
}

// compactSize returns the size of a JSON text without spaces between values.
func compactSize(text []byte) (n int64) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++ // the escaped character is part of the string
			n++
		case !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		n++
	}
	return n
}

// Size returns the sums, or nil if encoding/json cannot write some record. The largest change
// comes first.
func (a *Account) Size() *result.JSONSize {
	if a.failed != nil {
		return nil
	}
	out := a.size
	out.Unescaped = a.writer.schema.Unescaped
	out.Changes = []result.JSONChange{}
	for _, c := range slices.Sorted(maps.Keys(a.changes)) {
		one := a.changes[c]
		change := result.JSONChange{
			Cause: string(c), Bytes: one.bytes, Count: one.count, Where: one.most(c.paths()), Places: len(one.where),
		}
		for _, path := range change.Where {
			if c == Numbers && a.unions[path] {
				change.Unions = append(change.Unions, path)
			}
		}
		out.Changes = append(out.Changes, change)
	}
	slices.SortStableFunc(out.Changes, func(a, b result.JSONChange) int { return cmp.Compare(abs(b.Bytes), abs(a.Bytes)) })
	return &out
}

func abs(n int64) int64 { return max(n, -n) }

// paths is how many paths a change names. It is larger for numbers, because a user can choose
// a type for each path that keeps the digits.
func (c Cause) paths() int {
	if c == Numbers {
		return 8
	}
	return 3
}

// most returns the n most frequent paths of a change.
func (c *change) most(n int) []string {
	paths := slices.SortedFunc(maps.Keys(c.where), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.where[b], c.where[a]), cmp.Compare(a, b))
	})
	return paths[:min(len(paths), n)]
}

// add records a change of a value at a path.
func (a *Account) add(c Cause, bytes int, at *step) {
	one := a.changes[c]
	if one == nil {
		one = &change{where: map[string]int64{}}
		a.changes[c] = one
	}
	one.bytes += int64(bytes)
	one.count++
	path := at.String()
	if _, ok := one.where[path]; ok || len(one.where) < maxPaths {
		one.where[path]++
	}
}

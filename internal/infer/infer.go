// Package infer makes a schema from a sample of JSON records. It determines the fields of the
// records, and reports what it had to guess, why, and how to overrule each guess. If the user gives
// a schema, the package checks the sample against it instead.
//
// A record is one document. A file holds records one after another, as NDJSON does; commas between
// objects or lists are ignored. The elements of a file that is one array of objects are records,
// and Options.Records names any other place. null is no record. Records are merged one at a time,
// so memory use depends on the number of different fields and on the largest record, not on the
// number of records.
//
// How values become types:
//   - Whole numbers are int64, or uint64 if one is too large for int64. If one number has a
//     fraction or an exponent, all are float64. Whole numbers are also float64 if related numbers
//     have fractions, such as a latitude whose longitude has a fraction.
//   - Texts are timestamps if each is a time by RFC 3339 in the years 1 to 9999; otherwise they are
//     strings. Other meanings of texts and numbers, such as UUIDs and times since 1970, are only
//     suggested: the user has to ask for them.
//   - Objects are messages or maps. They are maps if their keys look like data or cannot be in a
//     struct tag; if one object has many keys whose values are objects of one shape, or very many
//     whose values are objects of any shape; if their keys differ from record to record and hold
//     objects of one shape under a plural; if they look like a map beside them or under the same
//     key elsewhere, as labels beside annotations; or if they are the levels of a tree, each with
//     its own keys, as the properties in JSON schemas.
//   - Lists are lists, even in lists. Lists of one length with different kinds of value at
//     different places are rows: messages with a field for each place. Lists that are nested
//     sometimes to one depth and sometimes to another are kept as the text of their JSON.
//   - A value of several kinds is a union with a variant for each kind. If lists are among the
//     values, their elements may be such unions too. If lists of lists are among them, the value is
//     kept as the text of its JSON, as is a number that neither float64 nor 64 bits hold.
//   - A null or absent value makes its field optional, and the field says which of the two it is.
//     An element of a list that may be null is a message that wraps the value.
//   - Objects of several kinds, each with its own fields, are a union: a message with a field for
//     each kind, exactly one of which is set. A text in the objects tells the kinds apart, or else
//     the keys of the objects do.
//   - A tree in which a text in each object says what the object is, as in a syntax tree, has one
//     message for each kind, wherever its objects are. A place with several kinds has a union, and
//     places with nearly the same kinds share it. A user's answer for a field then applies
//     everywhere its kind is.
//   - Values that are sometimes a single value and sometimes a list of none or several are lists;
//     the schema says that JSON writes a list of one element without brackets.
//   - An empty text stands for an absent value and becomes null if all other values are objects, or
//     all are lists: a tree whose leaves have "" for replies.
//   - An empty list among objects is how PHP writes an object without keys. It makes the field a
//     list of at most one object that JSON writes without brackets, or is an empty map.
//   - Messages are one type if they have the same fields, in any order, apart from which fields are
//     optional. Under one key, or keys with the same last word, nearly the same fields are enough.
//     A message that looks like a message around it is that message: a tree. A field of a shared
//     message is optional if it is optional in one place; at least half of the fields stay
//     required, and in formats that encode presence an optional field costs no bytes. Messages with
//     one field are shared unless the field has a name that says nothing, such as name, id or
//     value. A shared message gets the name that most places use, or the last word that their keys
//     share, or a name for its fields, such as Point for lat and lon.
//   - A user's answer for a text, number or truth value of a type applies to all places that share
//     the type. A place whose values do not fit the answer gets its own type.
//   - A field whose values are all null or empty is a string, a list of strings or a map of
//     strings.
//
// If the other records are rows, the first record of a source may be a list with the names of the
// columns.
//
// A key that occurs twice in one object is an error, because a reader may take either value. Text
// that is not UTF-8 is an error too, and so is a record of another kind than the first, such as a
// list among objects.
package infer

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/internal/guess"
	"assay/schema"
)

// Options say how a sample is read.
type Options struct {
	// Name is the name of the schema and, in the singular, of its root. If it is empty, the
	// last key of Records gives the name, or else the first source.
	Name string
	// Records is the path of the records within each document, as in
	// "statuses[]". "." takes each document whole. If it is empty, the records are the
	// elements of a document that is an array of objects, and otherwise the documents.
	Records string
	// Overrules has the user's answers, which replace guesses.
	Overrules []Overrule
	// Schema, if set, is the schema against which the records are checked; nothing is
	// guessed then. Its first root is the message of the records. A number or a truth
	// value may stand for a string of the schema, a text with a number for a number, and a
	// list for a message with as many fields. Keys that the schema does not have are left
	// out, and Result.Notes says so.
	Schema *schema.Schema
	// Only has conditions on records. A record is left out unless all of them hold.
	Only []Only
	// SkipBad leaves out records that cannot be read or do not fit the schema, and lists
	// them in Result.Bad. Otherwise the first such record ends the reading with an error.
	SkipBad bool
	// MaxRecords and MaxBytes end the reading early, and Result.Notes then says so: a
	// sample need not be complete. MaxBytes counts the uncompressed text, including the
	// text between records; no record begins beyond it. 0 means a million records and
	// 1 GiB.
	MaxRecords, MaxBytes int64
	// MaxRecord is the largest size of one record in bytes; 0 means 16 MiB. A whole record
	// is in memory at once.
	MaxRecord int64
	// MaxDepth is how deep the values of a record may be nested; 0 means 256.
	MaxDepth int
}

// WithDefaults returns the options with every limit that is 0 set.
func (o Options) WithDefaults() Options {
	set := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&o.MaxRecords, 1_000_000)
	set(&o.MaxBytes, 1<<30)
	set(&o.MaxRecord, 16<<20)
	if o.MaxDepth <= 0 {
		o.MaxDepth = 256
	}
	return o
}

// A Result describes a sample: its schema, and what was found while reading it.
type Result struct {
	// Schema is valid. Equal samples and options give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records, the first of the schema's roots.
	Root string
	// Name is the name from which the names of an inferred schema and its root are made:
	// Options.Name, or its default.
	Name string
	// Guesses has the guesses in the order of the schema. It is empty if the user gave a schema.
	Guesses []guess.Guess
	// Notes has further facts for the user, a sentence each.
	Notes []string
	// Limited is the note that says that a limit ended the reading; empty: none did. Only Each sets it.
	Limited string
	// Bad has the first hundred errors of records that SkipBad left out. BadCount counts all of
	// them.
	Bad      []*Error
	BadCount int64
	// Records is the number of records. Bytes is their total size in bytes, as written in the
	// sample.
	Records, Bytes int64

	sources []Source
	options Options
	records path     // where the records are; see Options.Records
	columns []string // the names of the columns, if the first record of a source has them
	noNames bool     // the first record is a list of texts, and they do not name columns
	// keys has the key in the sample for each field of a message, by the message's name. It is
	// nil if the user gave the schema.
	keys map[string][]string
	// renamed has, if the user gave the schema, the keys in the sample that a struct tag cannot
	// hold, by Message.field. fitted says that it is complete. plain has the keys that are the
	// text names of their fields, by message; it is nil unless they are needed.
	renamed map[string]string
	fitted  bool
	plain   map[string][]string
	tags    []*union // unions whose variants are named after texts beside the objects
	// loose says that some value was converted from another kind of value; see Spelling.Loose.
	loose bool
	// kind is the kind of all records, and first the position of the first record. They are
	// empty if the user wants each record as a text.
	kind, first string
}

// JSON reads all records of the sources. The methods of the result read the sources again. The
// error is an *Error if it is about a place in a source.
func JSON(sources []Source, o Options) (*Result, error) {
	if len(sources) == 0 {
		return nil, fmt.Errorf("there is no file to read; name one, or - for standard input")
	}
	o = o.WithDefaults()
	if o.Schema != nil {
		return check(sources, o)
	}
	return guessed(sources, o)
}

// guessed infers a schema.
func guessed(sources []Source, o Options) (*Result, error) {
	r := &Result{sources: sources, options: o}
	in := inference{options: o, result: r, surveyed: map[string]bool{}}
	for {
		err := in.observeAll()
		switch {
		case err == nil:
			err = in.conclude()
		case in.observer != nil && in.observer.nodes > maxNodes && in.learn(false) == errAgain:
			err = errAgain // a tree has too many paths, but its kinds have few fields
		}
		switch {
		case err == nil:
			return r, nil
		case err != errAgain:
			return nil, err
		}
		*r = Result{sources: sources, options: o, noNames: r.noNames}
	}
}

// check checks the records against the schema that the user gave.
func check(sources []Source, o Options) (*Result, error) {
	if len(o.Overrules) > 0 {
		return nil, fmt.Errorf("%s overrules a guess, and with a schema nothing is guessed; edit the schema instead", o.Overrules[0])
	}
	r := &Result{sources: sources, options: o, Schema: o.Schema, Root: o.Schema.Roots[0]}
	if err := r.place(o.Schema.Message(r.Root)); err != nil {
		return nil, err
	}
	c, err := r.fit()
	if err != nil && r.records == nil {
		// A list that begins like a list of records may itself be a record.
		r.records, r.loose, r.renamed, r.plain = path{}, false, nil, nil
		whole, wholeErr := r.fit()
		switch {
		case wholeErr == nil, errors.Is(err, errWhole):
			c, err = whole, wholeErr
		default:
			r.records = nil
		}
	}
	if err != nil {
		return nil, err
	}
	if err := r.settle(c.pass); err != nil {
		return nil, err
	}
	r.fitted = true
	r.Notes = slices.Concat(r.Notes, c.numbered(), c.leftOut())
	return r, nil
}

func discard(Record, []byte) error { return nil }

// settle takes the counts of a pass over into the result. It returns an error if the pass found no
// records.
func (r *Result) settle(p *pass) error {
	r.Records, r.Bytes = p.seen-p.headers, p.bytes-p.headerBytes
	r.Bad, r.BadCount = p.bad, p.badCount
	if r.Records == 0 {
		return r.nothing(p)
	}
	r.Notes = append(r.Notes, p.stopped...)
	if p.unwanted > 0 {
		r.Notes = append(r.Notes, leftOutBy+r.options.onlyText()+": "+plural(p.unwanted, "record"))
	}
	r.Notes = append(r.Notes, p.notRecords()...)
	if n := p.badCount - p.between; n > 0 {
		first := slices.IndexFunc(p.bad, func(e *Error) bool { return !e.between })
		r.Notes = append(r.Notes, BadNote(n, p.bad[max(first, 0)]))
	}
	return nil
}

// nothing returns an error that says why there are no records.
func (r *Result) nothing(p *pass) error {
	names := r.sources[0].Name
	if more := len(r.sources) - 1; more > 0 {
		names += " and " + plural(int64(more), "other file")
	}
	switch {
	case p.unwanted > 0 && p.badCount == 0:
		return fmt.Errorf("%s: %s takes none of %s; give a PATH=VALUE that a record has, in the sample's own keys", names, r.options.onlyText(), plural(p.unwanted, "record"))
	case p.badCount > 0:
		return fmt.Errorf("there is no record that can be read; the first of %s: %w", plural(p.badCount, "bad one"), p.bad[0])
	case p.cut && len(r.records) > 0:
		return fmt.Errorf("%s: there is nothing at %s in the first %s; --records takes the path of the records, as in data.items[], and --max-bytes how much is read", names, r.records, byteSize(r.options.MaxBytes))
	case p.cut:
		return fmt.Errorf("%s: there is no record in the first %s; give JSON documents one after another, or read more with --max-bytes", names, byteSize(r.options.MaxBytes))
	case p.nulls == 1:
		return fmt.Errorf("%s: the only record is null; give records that hold something", names)
	case p.nulls > 0:
		return fmt.Errorf("%s: all %s are null; give records that hold something", names, plural(p.nulls, "record"))
	case len(r.records) > 0:
		return fmt.Errorf("%s: there is nothing at %s; --records takes the path of the records in the sample's own keys, as in data.items[]", names, r.records)
	}
	return fmt.Errorf("%s: there are no records, the text is empty or has only empty lists; give JSON documents one after another, or one array of objects", names)
}

// Write writes the records in the neutral form of the schema (package neutral), one on each line.
func (r *Result) Write(w io.Writer) error {
	return r.Lines(func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// Lines visits the records, each as written in the sample and in the neutral form of the schema
// (package neutral). visit may append to the neutral form.
func (r *Result) Lines(visit func(sample, neutral []byte) error) error {
	c, err := r.convert(func(rec Record, line []byte) error { return visit(rec.Raw, line) })
	if err != nil {
		return err
	}
	if n := c.pass.seen - c.pass.headers; n != r.Records {
		return fmt.Errorf("%s has %s now and had %s before; it must not change while it is read", r.sources[0].Name, plural(n, "record"), plural(r.Records, "record"))
	}
	return nil
}

// Package infer makes a schema of a sample: of JSON records it reads what their
// fields are, and it says what it had to guess, why, and how to overrule it. A
// schema that is given is checked against the sample instead.
//
// A record is one document. A file holds records one after another, as NDJSON
// does, and commas between objects or lists are left out; a file that is one array of
// objects is a list of records; and Options.Records names any other place. null is no
// record. Records are merged one at a time, so the memory in use depends on how many
// different fields there are and on the largest record, not on how many records there are.
//
// What becomes of a value:
//   - whole numbers are int64, or uint64 when one is too large for that; with a
//     fraction or an exponent among them they are float64. So are whole ones of one
//     column with others: a latitude whose longitude has a fraction;
//   - texts are timestamps when every one is a time by RFC 3339, of the years 1 to
//     9999, and strings otherwise; what else texts and numbers may stand for, such as UUIDs and
//     times since 1970, is suggested and has to be asked for;
//   - objects are messages, or maps when their keys look like data or can be in no struct
//     tag, when one object has many keys whose values are objects of one shape, or very
//     many with objects of any, when their keys differ from record to record and hold
//     objects of one shape under a plural, when they look like a map
//     beside them or under the same key elsewhere, labels beside annotations, or when
//     they are the levels of a tree, each with keys of its own: properties of schemas;
//   - lists are lists, nested ones too; lists of one length that hold different kinds
//     at different places are rows, messages whose fields have places for names; lists
//     nested now to one depth and now to another are kept as the text of their JSON;
//   - a value that is now of one kind and then of another is a union, of which each kind
//     is a variant; of lists among them the elements may be such unions too. With lists of
//     lists among them it is kept as the text of its JSON, as is a number that is beyond
//     float64 or beyond 64 bits;
//   - a value that is null, or not there, makes its field optional, and the
//     field says which of the two it is; an element of a list that may be null
//     is a message that wraps the value;
//   - objects of several kinds, each with fields of its own, are a union: a message
//     with a field for each kind, of which one is set. What tells the kinds apart is a
//     text in the objects or their keys;
//   - a tree whose objects say with a text what they are, as the nodes of a syntax tree do,
//     has a message for each kind wherever its objects are, and a union of kinds where a
//     place has several: places that have nearly the same kinds share it. What the user says
//     of a field is then so wherever its kind is;
//   - values that are now one of a kind and now a list of none or several are lists; the
//     schema says that JSON has one element without brackets;
//   - an empty text where all other values are objects, or are lists, stands for none
//     and becomes null: a tree whose leaves have "" for replies;
//   - an empty list where all other values are objects, which is how PHP writes an object
//     without keys, is a list of none or one that JSON writes without brackets, or an empty
//     map;
//   - messages are one type when they have the same fields, in any order, but for what
//     is optional; under one key, or keys with one last word, when they are nearly the
//     same; and one that looks like the message around it is that one: a tree. A field
//     is optional in what is shared when it is so in one place: in formats that tell
//     by presence that costs no bytes, and half of the fields stay required at least.
//     Messages with one field are shared unless the field is called name, id, value or
//     the like, which says nothing. The name is that of most places, or the last word
//     that their keys share, or one for the fields, as Point for lat and lon;
//   - what the user says of a text, number or truth value of a type is about all places
//     that have the type; of those whose values do not fit, each has a type of its own;
//   - a field that is never anything but null or empty is a string, a list or a
//     map of strings.
//
// The first record of a source may be a list of the names of the columns, when the
// others are rows.
//
// A key that is there twice in one object is an error, because a reader may
// take either value; so are text that is not UTF-8, and a record that is of
// another kind than the first, a list among objects.
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
	// Name names the schema, and its root in the singular. Empty: the name of
	// the first source.
	Name string
	// Records is the path of the records within each document, as in
	// "statuses[]". "." takes each document whole. Empty: the elements of a
	// document that is an array of objects, otherwise documents.
	Records string
	// Overrules are the user's own answers to what would be guessed.
	Overrules []Overrule
	// Schema is a schema that the records are checked against; nothing is
	// guessed then. Its first root is that of the records. A number or a truth
	// value is taken where the schema has a string, and a text that is one where
	// the schema has a number; a list is taken for a message of as many fields.
	// Keys that the schema does not have are left out, which Result.Notes says.
	Schema *schema.Schema
	// Only are conditions on records: those of which one is not true are left out.
	Only []Only
	// SkipBad leaves records out that cannot be read or do not fit the schema,
	// and lists them in Result.Bad, instead of ending with the first.
	SkipBad bool
	// MaxRecords and MaxBytes end the reading early, which Result.Notes then
	// says: a sample need not be complete. MaxBytes counts the text,
	// uncompressed, with what is between the records: none begins beyond it. 0: a
	// million, and 1 GiB.
	MaxRecords, MaxBytes int64
	// MaxRecord is the most bytes that one record may have; 0: 16 MiB. All of a
	// record is in memory at once.
	MaxRecord int64
	// MaxDepth is how deep a record may be nested; 0: 256.
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

// A Result is what is known of a sample.
type Result struct {
	// Schema is valid. Equal samples and options give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records, the first of the schema's roots.
	Root string
	// Name is what a schema that was inferred and its root are called after: Options.Name, or
	// what stands in for it.
	Name string
	// Guesses are in the order of the schema. There are none when a schema was
	// given.
	Guesses []guess.Guess
	// Notes are what else a reader should know, a sentence each.
	Notes []string
	// Bad are the records that SkipBad left out, the first hundred of them;
	// BadCount is how many there are.
	Bad      []*Error
	BadCount int64
	// Records and Bytes are how many records there are and how many bytes they
	// have together, as they are in the file.
	Records, Bytes int64

	sources []Source
	options Options
	records path     // where the records are; see Options.Records
	columns []string // what the first record of a source calls the columns of the others
	// Of a schema that was inferred: the key in the sample for each field of a
	// message, by the message's name. Nil: the schema was given.
	keys map[string][]string
	tags []*union // whose variants are called after texts beside them
	// loose says that a value was taken for one of another kind; see Spelling.
	loose bool
	// The kind of all records, unless the user wants each as a text, and where
	// the first is.
	kind, first string
}

// JSON reads all records of the sources, which are read again by the methods of
// the result. The error is an *Error when it has a place.
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
			err = errAgain // the kinds of a tree have few fields, whatever its paths have
		}
		switch {
		case err == nil:
			return r, nil
		case err != errAgain:
			return nil, err
		}
		*r = Result{sources: sources, options: o}
	}
}

// check reads the records as a given schema wants them.
func check(sources []Source, o Options) (*Result, error) {
	if len(o.Overrules) > 0 {
		return nil, fmt.Errorf("%s overrules a guess, and with a schema nothing is guessed; edit the schema instead", o.Overrules[0])
	}
	r := &Result{sources: sources, options: o, Schema: o.Schema, Root: o.Schema.Roots[0]}
	if err := r.place(o.Schema.Message(r.Root)); err != nil {
		return nil, err
	}
	c, err := r.convert(discard)
	if err != nil && r.records == nil {
		// A list that begins as a list of records may be a record.
		r.records = path{}
		whole, wholeErr := r.convert(discard)
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
	r.Notes = append(r.Notes, c.leftOut()...)
	return r, nil
}

func discard(Record, []byte) error { return nil }

// settle takes over what a pass counted, which must have found records.
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

// nothing says why there are no records.
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

// Write writes the records in the neutral form of the schema (package neutral),
// one a line.
func (r *Result) Write(w io.Writer) error {
	return r.Lines(func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// Lines visits the records, each as it is in the sample and in the neutral form
// of the schema (package neutral), which the visitor may append to.
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

package infer

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/phrase"
	"assay/schema"
)

// A Record is one record of a sample.
type Record struct {
	// Source is the name of the source.
	Source string
	// Line and Col are where the record begins, counted as in Error.
	Line, Col int64
	// Raw is the JSON of the record. It is valid until the next record.
	Raw []byte
	// Number counts the records of all sources from 1, also bad ones.
	Number int64
	// First says that no record of this source came before it.
	First bool
}

func (r Record) String() string { return fmt.Sprintf("%s:%d:%d", r.Source, r.Line, r.Col) }

// next returns the offset at which the next token after an offset begins.
func (r Record) next(offset int64) int64 {
	rest := r.Raw[min(offset, int64(len(r.Raw))):]
	return offset + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

// fail returns an error at an offset of the record.
func (r Record) fail(offset int64, format string, args ...any) *Error {
	before := r.Raw[:min(offset, int64(len(r.Raw)))]
	e := &Error{File: r.Source, Line: r.Line, Col: r.Col + int64(len(before)), Reason: fmt.Sprintf(format, args...)}
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		e.Line += int64(n)
		e.Col = int64(len(before) - bytes.LastIndexByte(before, '\n'))
	}
	return e
}

// errWhole says that a document began like a list of records, but is not one.
var errWhole = errors.New("a document begins as a list of objects and is none")

// ErrEnough is returned by a visit function to end the reading early. It is not an error for the
// user.
var ErrEnough = errors.New("enough")

// errHeader says that a record has the names of the columns.
var errHeader = errors.New("names of columns")

// maxBad is how many errors of bad records are kept for the user to see.
const maxBad = 100

// place decides where the records are. root is the root of a schema that the user gave; nil: the
// schema is inferred.
func (r *Result) place(root *schema.Message) error {
	r.records = nil
	if r.options.Records != "" {
		p, err := parsePath(r.options.Records)
		r.records = p
		return err
	}
	if root != nil && root.Bare && root.Fields[0].Type.Kind == schema.List {
		r.records = path{}
	}
	return nil
}

// A pass is one reading of all records.
type pass struct {
	*Result
	visit func(Record) error

	seen, bytes int64 // records visited and their bytes, without bad records
	passed      int64 // bytes of text in the sources that are done
	cut         bool  // a limit ended the reading before the first record
	headers     int64 // records with the names of columns; seen counts them too
	headerBytes int64
	nulls       int64
	commas      int64 // after documents
	unwanted    int64 // records that Options.Only leaves out
	bad         []*Error
	badCount    int64
	between     int64    // errors in badCount that are about the text between records
	stopped     []string // notes on why not everything was read
	limited     string   // the one that says that a limit ended the reading
	elements    bool     // a document was a list of records
	documents   int64
}

// each calls visit for every record. With SkipBad, a record is left out if visit returns an *Error.
func (r *Result) each(visit func(Record) error) (*pass, error) {
	p := &pass{Result: r, visit: visit}
	for _, s := range r.sources {
		err := p.source(s)
		if errors.Is(err, ErrEnough) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// skips counts the bad record of an *Error and reports true, if bad records are left out.
func (p *pass) skips(err error) bool {
	var e *Error
	if !p.options.SkipBad || !errors.As(err, &e) {
		return false
	}
	e.skip = ""
	p.badCount++
	if len(p.bad) < maxBad {
		p.bad = append(p.bad, e)
	}
	return true
}

const tooDeep = "a value is nested more than 10,000 deep; nothing that is compared here could hold it"

// nextLine says what SkipBad does about a text that is not JSON if records stand one after another.
const nextLine = "; --skip-bad goes on with the next line"

// leftOut says what SkipBad does about a bad record that is JSON.
const leftOut = "; --skip-bad leaves the record out"

// syntaxReason returns what is wrong with a text, and what SkipBad would do about it. That is remedy
// if the text is not JSON. at is the text from the error on; it may be cut off, or empty if the text
// was JSON before.
func syntaxReason(e *jsontext.SyntacticError, at []byte, remedy string) (why, skip string) {
	why = strings.TrimPrefix(e.Err.Error(), "jsontext: ")
	switch {
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("the key %q is there twice in one object, and a reader may take either value", shorten(e.JSONPointer.LastToken())), leftOut
	case strings.Contains(why, "max depth"):
		return tooDeep, ""
	case strings.Contains(why, "UTF-8"), strings.Contains(why, "surrogate"):
		return "a text is not valid UTF-8, or has half of a surrogate pair", leftOut
	}
	return "this is not JSON: " + why + instead(why, at), remedy
}

// digitAfter matches the decoder's message about a digit after a complete value, such as the second
// digit of 01.
var digitAfter = regexp.MustCompile(`^invalid character '[0-9]' after (object value|array element) `)

// instead says what to write instead of a syntax that JSON does not have. why is the decoder's
// message, and at is the text from the error on. A word of another language is known by its letters:
// lines of logs and headers of tables begin with the same one.
func instead(why string, at []byte) string {
	for _, word := range []struct{ word, text string }{
		{"NaN", "; JSON has neither NaN nor None: write null, or a text"},
		{"None", "; JSON has neither NaN nor None: write null, or a text"},
		{"Infinity", "; JSON has no Infinity: write null, or a text"},
		{"True", "; JSON writes true and false in lower case"},
		{"False", "; JSON writes true and false in lower case"},
		{"undefined", "; JSON has no undefined: write null, or leave the key out"},
	} {
		if rest, ok := bytes.CutPrefix(bytes.TrimPrefix(at, []byte("-")), []byte(word.word)); ok && !strings.Contains(why, "at start of string") && !beginsWord(rest) {
			return word.text
		}
	}
	for _, known := range []struct{ begins, text string }{
		{"invalid character '/'", "; JSON has no comments: take them out"},
		{"invalid character '#'", "; JSON has no comments: take them out"},
		{`invalid character '\''`, "; texts are in double quotes"},
		{"invalid character ',' at start of", "; there is a comma too many"},
		{"invalid character '}' at start of string", "; take out the comma before it"},
		{"invalid character '}' at start of value", "; a value is missing before it, or it is a bracket too many"},
		{"invalid character ']' at start of value", "; take out the comma before it, or the bracket itself if none is open"},
		{"invalid character ')' at start of value", "; some servers begin with )]}' against scripts: take that out"},
		{`invalid character '"' after object value`, "; a comma is missing before it"},
		{`invalid character '"' after array element`, "; a comma is missing before it"},
		{"invalid character '{' after array element", "; a comma is missing before it"},
		{"invalid character '<' at start of value", "; HTML and XML begin so: convert it to JSON"},
		{"invalid character '+' at start of value", "; a number begins with a digit or with -"},
		{"invalid character '.' at start of value", "; a number begins with a digit or with -"},
		{`invalid character '\x1e'`, "; in JSON text sequences (RFC 7464) it begins a record: without it they are NDJSON, which can be read"},
	} {
		if strings.HasPrefix(why, known.begins) {
			return known.text
		}
	}
	switch {
	case strings.Contains(why, " after object name "):
		return "; a colon is missing between a key and its value"
	case strings.HasSuffix(why, "at start of string (expecting '\"')"):
		return "; keys are in double quotes"
	case digitAfter.MatchString(why):
		return "; a number has no zero before its first digit"
	}
	return ""
}

// beginsWord reports whether a text begins with what may be a part of a word.
func beginsWord(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return r == '_' || len(text) > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// formatOf says what to do about a text that is not JSON if its file has the extension of another
// format; otherwise it returns "".
func formatOf(name string) string {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	format := map[string]string{
		".csv": "CSV", ".tsv": "TSV", ".yaml": "YAML", ".yml": "YAML", ".toml": "TOML", ".avro": "Avro", ".orc": "ORC", ".bson": "BSON", ".cbor": "CBOR", ".msgpack": "MessagePack",
	}[filepath.Ext(name)]
	switch {
	case filepath.Ext(name) == ".go":
		return "; for a Go type give --type PKG.NAME, as in ./internal/model.Order, and records with --sample"
	case format == "":
		return ""
	}
	return "; samples are JSON: convert " + format + " to it, each record a line"
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a truth value"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "nothing"
}

// unquote returns the text of a valid JSON string.
func unquote(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	out, _ := jsontext.AppendUnquote(nil, raw)
	return string(out)
}

// shorten cuts a text to 60 characters for use in a message.
func shorten(s string) string {
	const limit = 60
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

func plural(n int64, what string) string {
	return phrase.Grouped(n) + " " + phrase.Things(n, what)
}

// byteSize formats a number of bytes exactly, in the largest unit that divides it.
func byteSize(n int64) string {
	for _, u := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.bytes && n%u.bytes == 0 {
			return fmt.Sprintf("%d %s", n/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

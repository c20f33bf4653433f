package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads a source and finds the records. It drops everything around them: white space, other
// values and brackets. It checks only the JSON grammar; duplicate keys and UTF-8 are checked record
// by record, so that a bad record can be left out wherever it is.
type reader struct {
	*pass
	window
	name    string
	decoder *jsontext.Decoder
	text    bytes.Buffer // what the decoder reads
	first   bool         // no record was read yet
	begun   bool         // a record is being read
	whole   bool         // the records are within documents, so that a bad part ends the reading
	// indent is the indentation of the first document in bytes. scalar says that the document is
	// neither an object nor a list. nextLine uses both to find a line that begins with a record.
	indent int64
	scalar bool
}

func (p *pass) newReader(name string, in io.Reader) *reader {
	return &reader{pass: p, window: window{in: in}, name: name, decoder: jsontext.NewDecoder(new(bytes.Buffer)), first: true}
}

// source visits the records of one source.
func (p *pass) source(s Source) error {
	elements := false
	if p.records == nil {
		var err error
		if elements, err = p.beginsAsList(s); err != nil {
			return err
		}
	}
	in, err := s.open()
	if err != nil {
		return err
	}
	defer in.Close()
	r := p.newReader(s.Name, in)
	r.whole = elements || len(p.records) > 0
	defer func() { p.passed += r.offset() }()
	if elements {
		p.elements = true
		return r.leave(r.list())
	}
	for {
		switch c, err := r.peek(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return r.broken(err)
		case r.first:
			_, col := r.place(0)
			r.indent, r.scalar = col-1, begins(c) && c != '{' && c != '['
		}
		err := r.descend(p.records)
		if err == nil {
			p.documents++
			err = r.comma()
		}
		switch {
		case err == nil:
		case len(p.records) > 0:
			return r.leave(err)
		case !p.skips(err):
			return err
		default:
			if more, err := r.nextLine(); !more {
				return err
			}
		}
	}
}

// comma skips a comma after a document, as on lines that were copied from a list. It does not skip
// commas between scalars, which are more likely a table such as CSV.
func (r *reader) comma() error {
	if r.scalar {
		return nil
	}
	switch c, err := r.peek(); {
	case err == io.EOF:
	case err != nil:
		return r.broken(err)
	case c == ',':
		r.drop(1)
		r.commas++
	}
	return nil
}

// beginsAsList reports whether the source's first document is an empty list, or a list whose first
// element that is not null is an object. It reads at most MaxRecord bytes: a longer list would be too
// large for a record anyway.
func (p *pass) beginsAsList(s Source) (bool, error) {
	in, err := s.open()
	if err != nil {
		return false, err
	}
	defer in.Close()
	r := (&pass{Result: p.Result, passed: p.passed}).newReader(s.Name, in)
	// Ignore the error: reading the records will return it again.
	if c, err := r.peek(); err != nil || c != '[' {
		return false, nil
	}
	empty := true
	for m := r.enter(); r.offset() <= r.options.MaxRecord; empty = false {
		more, _, err := m.next(nil)
		if err != nil || !more {
			return err == nil && empty, nil
		}
		if c := r.rest()[0]; c != 'n' {
			return c == '{', nil
		}
		raw, err := r.value()
		if err != nil {
			return false, nil
		}
		r.drop(len(raw))
	}
	return false, nil
}

// leave ends a source within whose documents something is bad: where the next record begins is
// unknown. It returns err unless bad records are left out.
func (r *reader) leave(err error) error {
	var e *Error
	if !errors.As(err, &e) || !r.skips(err) {
		return err
	}
	why := ""
	if e.between = !r.begun; e.between {
		r.pass.between++
		why = ": " + e.Error()
	}
	r.stopped = append(r.stopped, fmt.Sprintf("%s is read up to line %d only%s", r.name, e.Line, why))
	return nil
}

// read returns how many bytes of this source and the sources before it were passed.
func (r *reader) read() int64 { return r.passed + r.offset() }

// enough ends the reading of all sources, because a limit is reached. It returns ErrEnough.
func (r *reader) enough() error {
	if n := r.seen - r.headers; n > 0 {
		r.limited = OnlyFirst(n)
		r.stopped = append(r.stopped, r.limited)
	} else {
		r.cut = true
	}
	return ErrEnough
}

// OnlyFirst returns a note that says that only the first n records were read.
func OnlyFirst(n int64) string {
	which := "the first record is"
	if n != 1 {
		which = "the first " + plural(n, "record") + " are"
	}
	return "only " + which + " read; --max-records and --max-bytes say how much"
}

// peek passes white space and returns the next byte without passing it. The error is ErrEnough, an
// error of reading, or io.EOF at the end of the text.
func (r *reader) peek() (byte, error) {
	for {
		for i, c := range r.rest() {
			if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				r.drop(i)
				return c, nil
			}
		}
		r.drop(len(r.rest()))
		if !r.fill(1) {
			return 0, r.err
		}
		if r.read() >= r.options.MaxBytes {
			return 0, r.enough()
		}
	}
}

// within is peek for places at which the text must not end.
func (r *reader) within() (byte, error) {
	c, err := r.peek()
	if err != nil {
		return 0, r.broken(err)
	}
	return c, nil
}

// begins reports whether a value can begin with a byte.
func begins(c byte) bool { return bytes.IndexByte([]byte(`{["-0123456789tfn`), c) >= 0 }

// value returns the value that begins at rest, without passing it. It is valid until the reader
// reads or passes more text.
func (r *reader) value() ([]byte, error) {
	for {
		rest := r.rest()
		r.text = *bytes.NewBuffer(rest)
		r.decoder.Reset(&r.text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		raw, err := r.decoder.ReadValue()
		switch {
		case err == nil && int64(len(raw)) > r.options.MaxRecord:
			return nil, r.tooLarge()
		case err == nil && (len(raw) < len(rest) || bytes.IndexByte([]byte(`{["`), raw[0]) >= 0):
			return raw, nil
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil, r.broken(err)
		case int64(len(rest)) > r.options.MaxRecord:
			return nil, r.tooLarge()
		}
		// The next try parses the text again from its beginning. Doubling the text each time keeps
		// the work linear.
		if r.fill(int(min(2*int64(len(rest)), r.options.MaxRecord)) + 1) {
			continue
		}
		if err == nil && r.err == io.EOF {
			return raw, nil // a number at the end of the text, where no digit can follow
		}
		return nil, r.broken(r.err)
	}
}

func (r *reader) tooLarge() error {
	return r.fail(0, "a record that begins here is larger than %s; name smaller parts of it with --records, or allow more with --max-record", byteSize(r.options.MaxRecord))
}

// nextLine passes a bad record up to the next line that begins like a record, and reports whether
// there is one. The beginning must be at most as far indented as that of the first record.
func (r *reader) nextLine() (more bool, err error) {
	blanks := int64(-1) // how many blanks may still come before a record; negative: not at a line's start
	for {
		if len(r.rest()) == 0 {
			if r.read() >= r.options.MaxBytes {
				return false, r.enough()
			}
			switch {
			case r.fill(1):
			case r.err == io.EOF:
				return false, nil
			default:
				return false, r.broken(r.err)
			}
		}
		c := r.rest()[0]
		if blanks > 0 && (c == ' ' || c == '\t') {
			r.drop(1)
			blanks--
			continue
		}
		if blanks >= 0 && (c == '{' || c == '[' || r.scalar && begins(c)) {
			return true, nil
		}
		i := bytes.IndexByte(r.rest(), '\n')
		if blanks = r.indent; i < 0 {
			i, blanks = len(r.rest())-1, -1
		}
		r.drop(i + 1)
	}
}

// members iterates over the members of an object or the elements of a list. The opening bracket was
// passed.
type members struct {
	*reader
	object bool
	any    bool // a member was passed
}

// enter passes an opening bracket and returns an iterator over the members.
func (r *reader) enter() *members {
	m := &members{reader: r, object: r.rest()[0] == '{'}
	r.drop(1)
	return m
}

// next goes to the beginning of the next value. more is false if next passed the closing bracket
// instead. In an object, want is the result of wanted for the quoted name of the value, and false if
// wanted is nil. In a list, want is true, and wanted is not called.
func (m *members) next(wanted func(name []byte) bool) (more, want bool, err error) {
	c, err := m.within()
	switch {
	case err != nil:
		return false, false, err
	case m.object && c == '}', !m.object && c == ']':
		m.drop(1)
		return false, false, nil
	case m.any && c != ',':
		return false, false, m.misplaced(`{"":0`, `[0`)
	case m.any:
		line, col := m.place(0)
		m.drop(1)
		if c, err = m.within(); err != nil {
			return false, false, err
		}
		if c == '}' || c == ']' { // the comma is wrong, so the error is about its position
			e := m.misplaced(`{"":0,`, `[0,`)
			e.Line, e.Col = line, col
			return false, false, e
		}
	}
	if !m.object {
		m.any = true
		return true, true, nil
	}
	if c != '"' {
		if m.any {
			return false, false, m.misplaced(`{"":0,`, "")
		}
		return false, false, m.misplaced(`{`, "")
	}
	m.any = true
	name, err := m.value()
	if err != nil {
		return false, false, err
	}
	want = wanted != nil && wanted(name)
	m.drop(len(name))
	if c, err = m.within(); err != nil {
		return false, false, err
	}
	if c != ':' {
		return false, false, m.misplaced(`{""`, "")
	}
	m.drop(1)
	_, err = m.within()
	return true, want, err
}

// misplaced returns a syntax error for the text at rest. To get the decoder's message, it parses the
// text after a short beginning of an object or of a list.
func (m *members) misplaced(object, list string) *Error {
	before := list
	if m.object {
		before = object
	}
	text := append([]byte(before), m.rest()[:min(len(m.rest()), 16)]...)
	d := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		_, err := d.ReadToken()
		if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
			at := max(0, int(syntax.ByteOffset)-len(before))
			why, skip := syntaxReason(syntax, m.rest()[min(at, len(m.rest())):], m.remedy())
			return m.fail(at, "%s", why).Or(skip)
		}
		if err != nil { // the decoder found no syntax error
			return m.fail(0, "this is not JSON")
		}
	}
}

// list visits the elements of the source's only document, a list of objects. The error is errWhole
// if an element is neither an object nor null, or if another document follows.
func (r *reader) list() error {
	if _, err := r.within(); err != nil {
		return err
	}
	for m := r.enter(); ; {
		more, _, err := m.next(nil)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		switch c := r.rest()[0]; {
		case c == '{', c == 'n':
			err = r.record()
		case begins(c):
			err = r.noList()
		default:
			_, err = r.value()
		}
		if err != nil {
			return err
		}
	}
	r.documents++
	switch c, err := r.peek(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return r.broken(err)
	case begins(c):
		return r.noList()
	}
	_, err := r.value()
	return err
}

// noList returns an error that is errWhole, at the next value.
func (r *reader) noList() error {
	line, col := r.place(0)
	return fmt.Errorf("%s:%d:%d: %w", r.name, line, col, errWhole)
}

// descend visits the records at the path p in the next value.
func (r *reader) descend(p path) error {
	if len(p) == 0 {
		return r.record()
	}
	open, want := byte('['), "a list"
	if p[0].kind != inList {
		open, want = '{', "an object"
	}
	switch c := r.rest()[0]; {
	case c == open:
	case c == 'n', !begins(c):
		raw, err := r.value()
		r.drop(len(raw))
		return err
	default:
		return r.fail(0, "the path of the records, %s, wants %s here, and there is %s", r.records, want, kindName(jsontext.Value(r.rest()[:1]).Kind()))
	}
	wanted := func(name []byte) bool { return p[0].kind != inKey || unquote(name) == p[0].key }
	for m := r.enter(); ; {
		more, want, err := m.next(wanted)
		if err != nil || !more {
			return err
		}
		if want {
			err = r.descend(p[1:])
		} else {
			err = r.skip()
		}
		if err != nil {
			return err
		}
	}
}

// maxNesting is how deep a skipped value may be nested. jsontext has the same limit for values that
// are read.
const maxNesting = 10_000

// skip passes a value. It holds only one text or number of the value in memory at a time.
func (r *reader) skip() error {
	var around []*members
	for {
		if r.read() >= r.options.MaxBytes {
			return r.enough()
		}
		if c := r.rest()[0]; c == '{' || c == '[' {
			if len(around) == maxNesting {
				return r.fail(0, "%s", tooDeep)
			}
			around = append(around, r.enter())
		} else {
			raw, err := r.value()
			if err != nil {
				return err
			}
			r.drop(len(raw))
		}
		for {
			if len(around) == 0 {
				return nil
			}
			more, _, err := around[len(around)-1].next(nil)
			if err != nil {
				return err
			}
			if more {
				break
			}
			around = around[:len(around)-1]
		}
	}
}

// record visits the next value as a record, unless it is null or Options.Only leaves it out.
func (r *reader) record() error {
	if r.seen-r.headers >= r.options.MaxRecords || r.read() >= r.options.MaxBytes {
		return r.enough()
	}
	r.begun = true
	raw, err := r.value()
	if err == nil && !r.whole {
		err = r.apart(raw)
	}
	if err != nil {
		return err
	}
	r.begun = false
	if string(raw) == "null" {
		r.nulls++
		r.drop(len(raw))
		return nil
	}
	if len(r.options.Only) > 0 && !(r.first && r.mayName(raw)) && !r.options.wanted(raw) {
		r.unwanted++
		r.first = false
		r.drop(len(raw))
		return nil
	}
	line, col := r.place(0)
	err = r.visit(Record{Source: r.name, Line: line, Col: col, Raw: raw, Number: r.seen - r.headers + r.badCount - r.between + 1, First: r.first})
	r.first = false
	switch {
	case err == errHeader:
		r.headers++
		r.headerBytes += int64(len(raw))
	case err != nil && !r.skips(err):
		return r.alone(err, len(raw))
	case err != nil:
		r.drop(len(raw))
		return nil
	}
	r.seen++
	r.pass.bytes += int64(len(raw))
	r.drop(len(raw))
	return nil
}

// apart returns an error if the text goes on directly after a number, a truth value or null, because
// 2024-01-01 must not be read as three numbers.
func (r *reader) apart(raw []byte) error {
	rest := r.rest()[len(raw):]
	if bytes.IndexByte([]byte(`{["`), raw[0]) >= 0 || len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n{[\""), rest[0]) >= 0 || rest[0] == ',' && !r.scalar {
		return nil
	}
	c, _ := utf8.DecodeRune(rest)
	why := fmt.Sprintf("this is not JSON: invalid character %q after %s", c, kindName(jsontext.Value(raw).Kind()))
	if r.seen < 2 {
		why += formatOf(r.name)
	}
	return r.fail(len(raw), "%s", why).Or(r.remedy())
}

// alone removes the advice to leave a record out from its error if the record is the only one. The
// record is the first n bytes of rest.
func (r *reader) alone(err error, n int) error {
	var e *Error
	if r.seen > 0 || len(r.sources) > 1 || !errors.As(err, &e) {
		return err
	}
	r.drop(n)
	if r.comma() != nil {
		return err
	}
	if _, end := r.peek(); end == io.EOF {
		e.skip = ""
	}
	return err
}

// fail returns an error at rest[i].
func (r *reader) fail(i int, format string, args ...any) *Error {
	line, col := r.place(i)
	return &Error{File: r.name, Line: line, Col: col, Reason: fmt.Sprintf(format, args...)}
}

// remedy says what SkipBad would do about a text that is not JSON, or nothing if it is of no use.
func (r *reader) remedy() string {
	switch {
	case r.first:
		return ""
	case r.whole:
		return "; --skip-bad uses what comes before"
	}
	return nextLine
}

// broken returns the error for the user that corresponds to an error of the decoder or of reading.
func (r *reader) broken(err error) error {
	var syntax *jsontext.SyntacticError
	before := ""
	if r.seen > r.headers {
		before = ", and --skip-bad uses what comes before"
	}
	switch {
	case err == io.EOF && !r.begun:
		return r.fail(len(r.rest()), "the text ends within a list or an object around the records; it is cut off there").Or(before)
	case err == io.EOF:
		line, _ := r.place(0)
		return r.fail(len(r.rest()), "the text ends within a record that begins on line %d; it is cut off there", line).Or(before)
	case err == ErrEnough:
		return err
	case errors.As(err, &syntax):
		at := r.rest()[min(int(syntax.ByteOffset), len(r.rest())):]
		why, skip := syntaxReason(syntax, at, r.remedy())
		if r.seen < 2 { // a table such as 1,2 begins like numbers
			why += formatOf(r.name)
		}
		return r.fail(int(syntax.ByteOffset), "%s", why).Or(skip)
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// A Record is one record of a sample.
type Record struct {
	// Source is the name of the source.
	Source string
	// Line and Col are where it begins, as in Error.
	Line, Col int64
	// Raw is its JSON, valid until the next record.
	Raw []byte
	// First says that no record of this source came before it.
	First bool
}

func (r Record) String() string { return fmt.Sprintf("%s:%d:%d", r.Source, r.Line, r.Col) }

// next returns the offset at which the next token begins.
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

// errWhole says that a document which began like a list of records is none.
var errWhole = errors.New("not a list of objects")

// errEnough ends the reading early.
var errEnough = errors.New("enough")

// errHeader says that a record has the names of the columns of the others.
var errHeader = errors.New("names of columns")

// maxBad is how many bad records are kept for the user to see.
const maxBad = 100

// place decides where the records are, when a schema is given or nothing is
// known of the records yet.
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

	seen, bytes int64 // records visited and their bytes, bad ones left out
	headers     int64 // records that name columns, which are among seen
	headerBytes int64
	nulls       int64
	bad         []*Error
	badCount    int64
	stopped     []string // why not everything was read
	elements    bool     // a document was a list of records
	documents   int64
}

// each calls visit for every record. With SkipBad an *Error of visit leaves the
// record out.
func (r *Result) each(visit func(Record) error) (*pass, error) {
	p := &pass{Result: r, visit: visit}
	for _, s := range r.sources {
		err := p.source(s)
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// A reader is a source that is being read. Its decoder checks the grammar only:
// the rest is checked record by record, so that a bad record can be left out
// wherever it is.
type reader struct {
	*pass
	name    string
	meter   *meter
	pending []byte // bytes to read before the meter's
	decoder *jsontext.Decoder
	base    int64 // the offset at which the decoder began
	first   bool
}

// Read gives the decoder its bytes.
func (r *reader) Read(p []byte) (int, error) {
	if len(r.pending) > 0 {
		n := copy(p, r.pending)
		r.pending = r.pending[n:]
		return n, nil
	}
	return r.meter.Read(p)
}

// restart puts a new decoder at an offset.
func (r *reader) restart(offset int64) {
	r.base = offset
	r.decoder = jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func (r *reader) offset() int64 { return r.base + r.decoder.InputOffset() }

// allow lets the decoder read as much as one record may have.
func (r *reader) allow() { r.meter.limit = r.offset() + r.options.MaxRecord }

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
	r := &reader{pass: p, name: s.Name, meter: &meter{r: in}, first: true}
	r.restart(0)
	if elements {
		p.elements = true
		return r.leave(r.list())
	}
	for {
		r.allow()
		r.meter.forget(r.offset())
		if r.decoder.PeekKind() == 0 && r.atEnd() {
			return nil
		}
		err := r.descend(p.records)
		switch {
		case err == nil:
			p.documents++
		case len(p.records) > 0:
			return r.leave(err)
		case !p.skips(err):
			return err
		case !r.nextLine():
			return nil
		}
	}
}

// skips notes a bad record, if bad records are left out.
func (p *pass) skips(err error) bool {
	var e *Error
	if !p.options.SkipBad || !errors.As(err, &e) {
		return false
	}
	p.badCount++
	if len(p.bad) < maxBad {
		p.bad = append(p.bad, e)
	}
	return true
}

// leave ends a source of which a part is bad that is no record: what is beyond
// it cannot be told.
func (r *reader) leave(err error) error {
	var e *Error
	if errors.As(err, &e) && r.skips(err) {
		r.stopped = append(r.stopped, fmt.Sprintf("%s is read up to line %d only", r.name, e.Line))
		return nil
	}
	return err
}

// beginsAsList reports whether the source's first document is a list whose first
// element is an object, or which is empty.
func (p *pass) beginsAsList(s Source) (bool, error) {
	in, err := s.open()
	if err != nil {
		return false, err
	}
	defer in.Close()
	d := jsontext.NewDecoder(in)
	if d.PeekKind() != '[' {
		return false, nil
	}
	if _, err := d.ReadToken(); err != nil {
		return false, nil
	}
	kind := d.PeekKind()
	return kind == '{' || kind == ']', nil
}

// atEnd reports whether nothing but white space is left.
func (r *reader) atEnd() bool {
	_, err := r.decoder.ReadToken()
	return err == io.EOF
}

// nextLine goes from a bad record to the next line that begins as records do,
// and reports whether there is one.
func (r *reader) nextLine() bool {
	r.meter.limit = math.MaxInt64
	at := r.begin()
	text := r.decoder.UnreadBuffer()
	rest := append(bytes.Clone(text[at-r.offset():]), r.pending...)
	more := func() bool {
		buf := make([]byte, 64<<10)
		n, _ := io.ReadFull(r.meter, buf)
		rest = buf[:n]
		return n > 0
	}
	for inLine := true; ; {
		if len(rest) == 0 && !more() {
			return false
		}
		if !inLine && (rest[0] == '{' || rest[0] == '[') {
			break
		}
		i := bytes.IndexByte(rest, '\n')
		if inLine = i < 0; inLine {
			i = len(rest) - 1
		}
		at += int64(i) + 1
		rest = rest[i+1:]
	}
	r.pending = rest
	r.restart(at)
	return true
}

// begin returns the offset of the next value.
func (r *reader) begin() int64 {
	text := r.decoder.UnreadBuffer()
	return r.offset() + int64(len(text)-len(bytes.TrimLeft(text, " \t\r\n,:")))
}

// list visits the elements of a document that is a list of objects and all
// there is.
func (r *reader) list() error {
	if _, err := r.token(); err != nil {
		return err
	}
	for {
		switch r.decoder.PeekKind() {
		case '{', 'n':
			if err := r.record(); err != nil {
				return err
			}
		case ']', 0:
			if _, err := r.token(); err != nil {
				return err
			}
			r.documents++
			r.allow()
			if r.decoder.PeekKind() != 0 {
				return errWhole
			}
			if !r.atEnd() {
				_, err := r.token()
				return err
			}
			return nil
		default:
			return errWhole
		}
	}
}

// descend visits the records at a path in the next value.
func (r *reader) descend(p path) error {
	if len(p) == 0 {
		return r.record()
	}
	r.allow()
	open, want := jsontext.Kind('['), "a list"
	if p[0].kind != inList {
		open, want = '{', "an object"
	}
	switch kind := r.decoder.PeekKind(); kind {
	case open:
	case 'n', 0:
		_, err := r.token()
		return err
	default:
		return r.fail(r.begin(), "the path of the records, %s, wants %s here, and there is %s", r.records, want, kindName(kind))
	}
	if _, err := r.token(); err != nil {
		return err
	}
	for {
		switch r.decoder.PeekKind() {
		case ']', '}', 0:
			_, err := r.token()
			return err
		}
		if p[0].kind != inList {
			name, err := r.decoder.ReadValue()
			if err != nil {
				return r.broken(err)
			}
			if p[0].kind == inKey && unquote(name) != p[0].key {
				if err := r.skip(); err != nil {
					return err
				}
				continue
			}
		}
		if err := r.descend(p[1:]); err != nil {
			return err
		}
	}
}

// token reads one token, the only one in memory.
func (r *reader) token() (jsontext.Kind, error) {
	r.allow()
	t, err := r.decoder.ReadToken()
	if err != nil {
		return 0, r.broken(err)
	}
	return t.Kind(), nil
}

// skip reads a value a token at a time.
func (r *reader) skip() error {
	for depth := 0; ; {
		kind, err := r.token()
		if err != nil {
			return err
		}
		switch kind {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// record visits the next value.
func (r *reader) record() error {
	if r.seen >= r.options.MaxRecords || r.pass.bytes >= r.options.MaxBytes {
		r.stopped = append(r.stopped, fmt.Sprintf("only the first %s are read; --max-records and --max-bytes say how much", plural(r.seen, "record")))
		return errEnough
	}
	r.allow()
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	start := r.offset() - int64(len(raw))
	r.meter.forget(start)
	if string(raw) == "null" {
		r.nulls++
		return nil
	}
	line, col := r.meter.place(start)
	err = r.visit(Record{Source: r.name, Line: line, Col: col, Raw: raw, First: r.first})
	r.first = false
	switch {
	case err == errHeader:
		r.headers++
		r.headerBytes += int64(len(raw))
	case err != nil:
		if r.skips(err) {
			return nil
		}
		return err
	}
	r.seen++
	r.pass.bytes += int64(len(raw))
	return nil
}

// fail returns an error at an offset of the source.
func (r *reader) fail(offset int64, format string, args ...any) *Error {
	line, col := r.meter.place(offset)
	return &Error{r.name, line, col, fmt.Sprintf(format, args...)}
}

// broken says what an error of the decoder means.
func (r *reader) broken(err error) error {
	start := r.begin()
	line, _ := r.meter.place(start)
	if r.meter.over {
		r.meter.over = false
		return r.fail(start, "a record that begins here is larger than %s; name smaller parts of it with --records, or allow more with --max-record", byteSize(r.options.MaxRecord))
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		at := r.base + r.decoder.InputOffset() + int64(len(r.decoder.UnreadBuffer()))
		return r.fail(at, "the text ends within a record that begins on line %d; it is cut off there, and --skip-bad uses what comes before", line)
	case errors.As(err, &syntax):
		return r.fail(r.base+syntax.ByteOffset, "%s", syntaxReason(syntax, r.first))
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// syntaxReason says what is wrong with a text. Nothing says that not even the
// first value is JSON.
func syntaxReason(e *jsontext.SyntacticError, nothing bool) string {
	why := strings.TrimPrefix(e.Err.Error(), "jsontext: ")
	switch {
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("the key %q is there twice in one object, and a reader may take either value; --skip-bad leaves the record out", shorten(e.JSONPointer.LastToken()))
	case strings.Contains(why, "max depth"):
		return "the record is nested more than 10,000 deep; nothing that is compared here could hold it"
	case strings.Contains(why, "UTF-8"), strings.Contains(why, "surrogate"):
		return "a text is not valid UTF-8, or has half of a surrogate pair; --skip-bad leaves the record out"
	case nothing:
		return "this is not JSON: " + why
	}
	return "this is not JSON: " + why + "; --skip-bad goes on with the next line"
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

// unquote returns the text of a JSON string that was read.
func unquote(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	out, _ := jsontext.AppendUnquote(nil, raw)
	return string(out)
}

// shorten cuts a text that is too long for a message.
func shorten(s string) string {
	const limit = 60
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "y") {
		what = what[:len(what)-1] + "ie"
	}
	return group(n) + " " + what + "s"
}

// group writes a number with a comma between thousands.
func group(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func byteSize(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

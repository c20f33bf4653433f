package protofile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/internal/infer"
	"assay/internal/userfile"
	"assay/schema/protoform"
)

// maxBad is how many errors of bad records are kept for the user to see.
const maxBad = 100

// Texts in errors that say what SkipBad does. orLeaveOut and leavesOut are about a bad record;
// orLeaveOut follows other advice. usesBefore is about a sample that is cut off or damaged.
const (
	orLeaveOut = ", or leave such records out with --skip-bad"
	leavesOut  = "; --skip-bad leaves such records out"
	usesBefore = "; --skip-bad uses what comes before"
)

// skips returns what SkipBad does about the error of a record.
func skips(err error) string {
	if errors.As(err, new(*requiredError)) || errors.As(err, new(*protoform.EnumError)) {
		return orLeaveOut
	}
	return leavesOut
}

// A decoder decodes messages. It does not check that required fields are set.
type decoder struct {
	resolver interface {
		protoregistry.MessageTypeResolver
		protoregistry.ExtensionTypeResolver
	}
}

func (d decoder) decode(form Form, data []byte, m proto.Message) error {
	switch form {
	case JSON:
		return protojson.UnmarshalOptions{Resolver: d.resolver, RecursionLimit: maxDepth, AllowPartial: true}.Unmarshal(data, m)
	case Text:
		return prototext.UnmarshalOptions{Resolver: d.resolver, RecursionLimit: maxDepth, AllowPartial: true}.Unmarshal(data, m)
	}
	return proto.UnmarshalOptions{Resolver: d.resolver, RecursionLimit: maxDepth, AllowPartial: true}.Unmarshal(data, m)
}

// A pass is one reading of all records.
type pass struct {
	*Result
	write func(original, line []byte) error
	line  []byte
	// left counts the records from which something is left out, by a description of it. now has
	// these descriptions for the current record.
	left map[string]int64
	now  map[string]bool

	seen, bytes int64 // records written and their bytes, without bad records
	passed      int64 // bytes of all records; an empty one counts as one
	bad         []*infer.Error
	badCount    int64
	stopped     []string // notes on why not everything was read
}

// convert passes every record to write, as the original of Lines and in the neutral form. write may
// append to the neutral form.
func (r *Result) convert(write func(original, line []byte) error) (*pass, error) {
	p := &pass{Result: r, write: write, left: map[string]int64{}, now: map[string]bool{}}
	for i, s := range r.options.Samples {
		err := p.sample(s, r.forms[i])
		if errors.Is(err, infer.ErrEnough) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if p.seen > 0 {
		return p, nil
	}
	if p.badCount > 0 {
		return nil, fmt.Errorf("there is no record that can be read; the first of %s: %w", count(p.badCount, "bad one"), p.bad[0])
	}
	return nil, fmt.Errorf("%s: there are no records; give messages of %s", r.options.Samples[0].Name, r.Message)
}

// Binary returns an original of Lines in protobuf's binary form, and whether it was in protobuf's
// JSON. It takes raw for JSON if it begins like JSON and the decoder accepts it.
func (r *Result) Binary(raw []byte) (data []byte, inJSON bool, err error) {
	m := dynamicpb.NewMessage(r.desc)
	if !looksJSON(raw) || r.decoder.decode(JSON, raw, m) != nil {
		return raw, false, nil
	}
	data, err = proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	return data, true, err
}

// notes returns notes on what was not read and on what was left out of records.
func (p *pass) notes() []string {
	var left []string
	for what, n := range p.left {
		left = append(left, fmt.Sprintf("%s (%s)", what, count(n, "record")))
	}
	slices.Sort(left)
	out := slices.Clone(p.stopped)
	if len(left) > 0 {
		out = append(out, "left out of records: "+some(left))
	}
	return out
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// sample converts the records of one sample.
func (p *pass) sample(s infer.Source, form Form) error {
	switch form {
	case JSON:
		return p.json(s)
	case Delimited:
		return p.delimited(s)
	}
	skipped := func(how string) string {
		if len(p.options.Samples) == 1 {
			return "" // there is no other record
		}
		return how
	}
	data, err := whole(s, p.options.MaxRecord)
	if large := (*infer.Error)(nil); errors.As(err, &large) {
		return p.skip(large.Or(skipped(orLeaveOut)))
	}
	if err != nil {
		return err
	}
	fail := func(err error) *infer.Error {
		e := (&infer.Error{File: s.Name, Reason: reason(err)}).Or(skipped(skips(err)))
		if form == Text {
			offset, why := position(err, data)
			e.Line, e.Col = place(data, offset)
			e.Reason = why
		} else {
			e.Reason = fmt.Sprintf("as one message of %s: %s%s", p.Message, reason(err), envelope(data))
		}
		return e
	}
	if len(data) == 0 && form == Binary {
		return p.skip((&infer.Error{File: s.Name, Reason: "the file is empty, which is a message with nothing set; remove it"}).Or(skipped(orLeaveOut)))
	}
	return p.record(form, data, fail)
}

// record converts one record, or leaves it out if it is bad. fail adds the position to an error.
func (p *pass) record(form Form, data []byte, fail func(error) *infer.Error) error {
	err := p.one(form, data, fail)
	if bad := (*infer.Error)(nil); errors.As(err, &bad) {
		return p.skip(bad)
	}
	return err
}

// one converts one record. If the record is bad, the error is an *infer.Error made by fail.
func (p *pass) one(form Form, data []byte, fail func(error) *infer.Error) error {
	if p.seen >= p.options.MaxRecords || p.passed >= p.options.MaxBytes {
		p.stopped = append(p.stopped, infer.OnlyFirst(p.seen))
		return infer.ErrEnough
	}
	p.passed += max(1, int64(len(data)))
	m := dynamicpb.NewMessage(p.desc)
	err := p.decoder.decode(form, data, m)
	if err == nil {
		err = p.complete(m.ProtoReflect())
	}
	if err != nil {
		return fail(err)
	}
	clear(p.now)
	line, err := p.form.Append(p.line[:0], m.ProtoReflect(), func(what string) { p.now[what] = true })
	p.line = line
	if err != nil {
		return fail(err)
	}
	for what := range p.now {
		p.left[what]++
	}
	p.seen++
	p.bytes += int64(len(data))
	if form == Text || form == JSON && !p.InJSON() {
		if data, err = proto.Marshal(m); err != nil {
			return fail(err)
		}
	}
	return p.write(data, line)
}

// skip counts a bad record if bad records are left out; otherwise it returns the error.
func (p *pass) skip(e *infer.Error) error {
	if !p.options.SkipBad {
		return e
	}
	p.badCount++
	if len(p.bad) < maxBad {
		p.bad = append(p.bad, e.Or(""))
	}
	return nil
}

// json converts the records of a sample of JSON documents.
func (p *pass) json(s infer.Source) error {
	o := infer.Options{MaxRecords: oneMore(p.options.MaxRecords), MaxBytes: oneMore(p.options.MaxBytes), MaxRecord: p.options.MaxRecord, SkipBad: p.options.SkipBad}
	var enough error
	before := p.seen + p.badCount
	found, err := infer.Each([]infer.Source{s}, o, func(r infer.Record) error {
		err := p.one(JSON, r.Raw, func(err error) *infer.Error {
			offset, why, skip := p.misfit(err, r.Raw)
			return r.Errorf(offset, "record %d: %s", before+r.Number, why).Or(skip)
		})
		if errors.Is(err, infer.ErrEnough) {
			enough = err
		}
		return err
	})
	if err != nil {
		return err
	}
	p.badCount += found.BadCount
	p.bad = append(p.bad, found.Bad[:min(len(found.Bad), maxBad-len(p.bad))]...)
	notes := found.Notes
	if found.Limited != "" { // by white space, which pass.one does not see
		notes = slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return n == found.Limited })
		notes, enough = append(notes, infer.OnlyFirst(p.seen)), infer.ErrEnough
	}
	p.stopped = append(p.stopped, notes...)
	return enough
}

// oneMore returns a limit plus one, so that pass.one reaches the limit before infer.Each does.
func oneMore(limit int64) int64 { return min(limit, math.MaxInt64-1) + 1 }

// delimited converts the records of a sample of messages with their lengths before them.
func (p *pass) delimited(s infer.Source) error {
	in, err := s.Decompressed()
	if err != nil {
		return err
	}
	defer in.Close()
	r := &frames{in: bufio.NewReaderSize(in, 64<<10), most: p.options.MaxRecord}
	for i := 1; ; i++ {
		at := r.offset
		data, err := r.next()
		fail := func(err error, skip string) *infer.Error {
			return (&infer.Error{File: s.Name, Reason: fmt.Sprintf("record %d, at byte %d: %s", i, at, reason(err))}).Or(skip)
		}
		if err == io.EOF {
			return nil
		}
		if bad := new(frameError); !errors.As(err, bad) && err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if err != nil { // where the next message begins is unknown
			before := usesBefore
			if p.seen == 0 {
				before = ""
			}
			if err := p.skip(fail(err, before)); err != nil {
				return err
			}
			p.stopped = append(p.stopped, fmt.Sprintf("%s is read up to byte %d only", s.Name, at))
			return nil
		}
		if err := p.record(Delimited, data, func(err error) *infer.Error { return fail(err, skips(err)) }); err != nil {
			return err
		}
	}
}

// frames reads messages with their lengths before them.
type frames struct {
	in     *bufio.Reader
	most   int64 // the largest size of a message in bytes
	offset int64
	buf    []byte
	short  bool // the file ends within a message or its length
}

// A frameError says why the next message cannot be read: its length is invalid or too large, or the
// file ends within it.
type frameError string

func (e frameError) Error() string { return string(e) }

// next returns the next message, which is valid until the next call, and io.EOF after the last one.
// Other errors are a frameError or an error of reading.
func (f *frames) next() ([]byte, error) {
	head, err := f.in.Peek(binary.MaxVarintLen64 + 1) // one more, to recognize too long varints
	if len(head) == 0 {
		return nil, err
	}
	size, n := binary.Uvarint(head)
	switch {
	case n == 0 && err != io.EOF:
		return nil, err
	case n == 0:
		f.short = true
		return nil, frameError("the file ends within the length of a message")
	case n < 0:
		return nil, frameError("there is no varint here, so no length of a message; the file is probably not length-delimited: use --proto-form binary if it is one message")
	case size > uint64(f.most):
		return nil, frameError(fmt.Sprintf("a message of %d bytes is announced, more than the %d that one may have: allow more with --max-record, or the file is not length-delimited", size, f.most))
	}
	_, _ = f.in.Discard(n) // cannot fail: the bytes are in the buffer
	if err := f.fill(int64(size)); err != nil {
		return nil, err
	}
	f.offset += int64(n) + int64(size)
	return f.buf, nil
}

// fill reads a message of a size. Memory grows only with the bytes that are really there.
func (f *frames) fill(size int64) (err error) {
	if size <= int64(cap(f.buf)) {
		var n int
		n, err = io.ReadFull(f.in, f.buf[:size])
		f.buf = f.buf[:n]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = nil
		}
	} else {
		f.buf, err = userfile.All(io.LimitReader(f.in, size), size)
	}
	if got := int64(len(f.buf)); err == nil && got < size {
		f.short = true
		err = frameError(fmt.Sprintf("the file ends after %d of the %d bytes of a message", got, size))
	}
	return err
}

// whole returns the content of a sample. The error is an *infer.Error if it has more than most bytes.
func whole(s infer.Source, most int64) ([]byte, error) {
	in, err := s.Decompressed()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := userfile.All(in, most)
	switch {
	case errors.Is(err, userfile.ErrTooLarge):
		return nil, &infer.Error{File: s.Name, Reason: fmt.Sprintf("the message is larger than %d bytes; allow more with --max-record, or say --proto-form delimited if it is many messages", most)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return data, nil
}

// envelope returns advice if data begins with an envelope that some system puts before messages.
func envelope(data []byte) string {
	if bytes.HasPrefix(data, []byte("k8s\x00")) {
		return "; it begins with the envelope of Kubernetes: give the message inside"
	}
	return ""
}

// at matches the position in an error of protojson or prototext.
var at = regexp.MustCompile(`^(.*?)\(line (\d+):(\d+)\): (.*)$`)

// position returns the offset of the position in a decoder's error, and the rest of its text.
func position(err error, data []byte) (offset int64, why string) {
	text := reason(err)
	m := at.FindStringSubmatch(text)
	if m == nil {
		return 0, text
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	rest := data
	for ; line > 1; line-- {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
	}
	offset = int64(len(data) - len(rest))
	for ; col > 1 && len(rest) > 0; col-- { // columns count characters
		_, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		offset += int64(n)
	}
	return offset, strings.TrimSpace(m[1] + m[4])
}

// place returns the line and column of an offset. Both count from 1, columns in bytes.
func place(data []byte, offset int64) (line, col int64) {
	before := data[:min(offset, int64(len(data)))]
	return int64(bytes.Count(before, []byte{'\n'})) + 1, int64(len(before) - bytes.LastIndexByte(before, '\n'))
}

// reason returns the text of an error of protobuf-go. The library sometimes writes a non-breaking
// space, to keep programs from comparing the text.
func reason(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	text = strings.TrimPrefix(text, "proto: ")
	if strings.Contains(text, "cannot parse invalid wire-format data") {
		return "these bytes are not such a message"
	}
	return text
}

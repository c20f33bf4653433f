// Package program decodes JSON with a Go type of the user's and writes what the
// type then holds in the neutral form (package neutral). It is compiled into the
// user's own module, where internal packages can be imported, and so uses the
// standard library alone.
//
// It is told a plan, one line of JSON, and then records, each its length in
// bytes on a line and the JSON after it. It answers each with a line that begins
// with Mark; what else is on its standard output is the user's.
package program

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
)

// Mark begins the lines of answers.
const Mark = "\x01"

// The answers, after the mark: a record with the length of its JSON and its
// neutral form, a record's error with its offset and a quoted text, the report
// after the last record, and an error that ends all.
const (
	Good = '+'
	Bad  = '!'
	End  = '='
	Fail = '?'
)

// A Plan says what of a type is written, and how.
type Plan struct {
	Root     string
	Messages map[string][]Field
	// Bare are the messages that are nothing but a list or a map.
	Bare map[string]Type
	// Texts are the types of How JSON whose JSON is written as the text that it
	// is.
	Texts []string
	// MaxRecords and MaxBytes end the records of a function early, and MaxRecord is
	// how large one of them may be, in bytes of its JSON. 0: any.
	MaxRecords, MaxBytes, MaxRecord int64
}

// A Field is a field of a message.
type Field struct {
	// Name is its key.
	Name string
	// Index leads to it through embedded structs.
	Index []int
	Path  string // for errors
	Type  Type
	// OmitEmpty says that encoding/json leaves the field out when it is empty. A
	// list or a map without elements then is none, as it is after a round trip.
	OmitEmpty bool
	// OmitZero says that it leaves the field out when it is zero. What may be
	// absent is then absent.
	OmitZero bool
}

// A Type is how a value is written.
type Type struct {
	How      How
	Optional bool   // null where a pointer is nil
	Ref      string // of a message, or the Go type of an enum or of what writes itself
	Elem     *Type
	Key      How             // Text for keys that write themselves
	Values   map[string]bool // the numbers of an enum
}

// How is a way to write a value.
type How string

// The ways. Those in the second group ask the type's own methods.
const (
	Bool     How = "bool"
	Int      How = "int"
	Uint     How = "uint"
	Float32  How = "float32"
	Float64  How = "float64"
	String   How = "string"
	Bytes    How = "bytes"
	Time     How = "time"
	Duration How = "duration"
	Enum     How = "enum"
	Message  How = "message"
	List     How = "list"
	Map      How = "map"
	True     How = "true"    // a struct that holds nothing
	Wrapped  How = "wrapped" // a struct around a time or a duration

	Text   How = "text"   // MarshalText, a string
	Binary How = "binary" // MarshalBinary, bytes
	JSON   How = "json"   // encoding/json, the text of its JSON
)

// A Report is what was found in all records.
type Report struct {
	// Beyond are enums that held a number they do not have, and the number.
	Beyond map[string]string
	// Mixed are types of How JSON whose JSON is not always a string.
	Mixed []string
	// Unknown counts records that have a key which the type does not have.
	Unknown map[string]int64
	// Cut says that a function made more records than the plan allows.
	Cut bool `json:",omitempty"`
}

// Main answers on standard input and output. sample, when there is one, makes the
// records instead: a slice of the type or of pointers to it.
func Main(t reflect.Type, sample func() (any, error)) {
	out := os.Stdout
	os.Stdout = os.Stderr // what the user's code prints from here on is no answer
	if err := Run(os.Stdin, out, t, sample); err != nil {
		fmt.Fprintf(out, "%s%c%q\n", Mark, Fail, err)
		os.Exit(1)
	}
}

// Run is Main with streams of the caller's.
func Run(in io.Reader, out io.Writer, t reflect.Type, sample func() (any, error)) error {
	r := &runner{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10)}
	line, err := r.in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	if err := json.Unmarshal(line, &r.plan); err != nil {
		return fmt.Errorf("reading the plan: %w", err)
	}
	r.w = &writer{plan: r.plan, texts: map[string]bool{}, beyond: map[string]string{}, mixed: map[string]bool{}}
	for _, t := range r.plan.Texts {
		r.w.texts[t] = true
	}
	r.unknown = map[string]int64{}
	if sample != nil {
		err = r.call(sample)
	} else {
		err = r.records(t)
	}
	if err != nil {
		return err
	}
	return r.end()
}

type runner struct {
	in      *bufio.Reader
	out     *bufio.Writer
	plan    Plan
	w       *writer
	unknown map[string]int64
	cut     bool
	line    []byte
}

// records answers the records of the input.
func (r *runner) records(t reflect.Type) error {
	var buf bytes.Buffer
	for {
		head, err := r.in.ReadString('\n')
		if err == io.EOF && head == "" {
			return nil
		}
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(head), 10, 64)
		if err != nil {
			return fmt.Errorf("reading the length of a record: %w", err)
		}
		buf.Reset()
		if _, err := io.CopyN(&buf, r.in, n); err != nil {
			return fmt.Errorf("reading a record: %w", err)
		}
		v := reflect.New(t)
		offset, err := r.decode(buf.Bytes(), v)
		if err == nil {
			err = r.write(v.Elem(), n)
		}
		if err != nil {
			fmt.Fprintf(r.out, "%s%c%d %s\n", Mark, Bad, offset, strconv.Quote(err.Error()))
		}
		if err := r.out.Flush(); err != nil {
			return err
		}
	}
}

// decode decodes a record, and again without complaint if it has keys that the
// type does not have.
func (r *runner) decode(data []byte, v reflect.Value) (offset int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the type's own code panics: %v", p)
		}
	}()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(v.Interface())
	if err == nil {
		return 0, nil
	}
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		v.Elem().SetZero()
		if err = json.Unmarshal(data, v.Interface()); err == nil {
			r.unknown[key]++
			return 0, nil
		}
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if typ := (*json.UnmarshalTypeError)(nil); errors.As(err, &typ) {
		offset = typ.Offset
	}
	return max(offset-1, 0), err
}

// write answers a record that was decoded.
func (r *runner) write(v reflect.Value, size int64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the type's own code panics: %v", p)
		}
	}()
	line, err := r.w.value(r.line[:0], Type{How: Message, Ref: r.plan.Root}, v)
	r.line = line
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%s%c%d ", Mark, Good, size)
	_, err = r.out.Write(append(line, '\n'))
	return err
}

// call answers the records that a function makes.
func (r *runner) call(sample func() (any, error)) error {
	made, err := sample()
	if err != nil {
		return fmt.Errorf("the function returns an error: %w", err)
	}
	list := reflect.ValueOf(made)
	var read int64
	for i := range list.Len() {
		if over(int64(i), r.plan.MaxRecords) || over(read, r.plan.MaxBytes) {
			r.cut = true
			return nil
		}
		v := list.Index(i)
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() == reflect.Pointer {
			fmt.Fprintf(r.out, "%s%c0 %q\n", Mark, Bad, fmt.Sprintf("record %d is nil", i+1))
			continue
		}
		var size int64
		if text, err := json.Marshal(v.Interface()); err == nil {
			size = int64(len(text))
		}
		if read += size; over(size-1, r.plan.MaxRecord) {
			fmt.Fprintf(r.out, "%s%c0 %q\n", Mark, Bad, fmt.Sprintf("record %d is larger than %d bytes; allow more with --max-record", i+1, r.plan.MaxRecord))
			continue
		}
		if err := r.write(addressable(v), size); err != nil {
			fmt.Fprintf(r.out, "%s%c0 %q\n", Mark, Bad, fmt.Sprintf("record %d: %v", i+1, err))
		}
	}
	return nil
}

// over reports whether a limit, if there is one, is reached.
func over(n, limit int64) bool { return limit > 0 && n >= limit }

// end answers with the report.
func (r *runner) end() error {
	report := Report{Beyond: r.w.beyond, Unknown: r.unknown, Cut: r.cut}
	for t := range r.w.mixed {
		report.Mixed = append(report.Mixed, t)
	}
	text, err := json.Marshal(report)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%s%c%s\n", Mark, End, text)
	return r.out.Flush()
}

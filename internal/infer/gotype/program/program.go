// Package program decodes JSON with a user's Go type and writes the decoded values in the neutral form
// (package neutral). It is compiled into the user's own module, where it can import internal packages,
// so it uses only the standard library.
//
// Its input is a plan, as one line of JSON, followed by records. Each record is a line with its length
// in bytes, followed by its JSON. The program answers each record with a line that begins with Mark;
// other output is from the user's code.
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

// Mark is at the beginning of each line with an answer.
const Mark = "\x01"

// The kinds of answers, after the mark.
const (
	Good = '+' // a record: the length of its JSON, and its neutral form
	Bad  = '!' // an error of a record: its offset, and a quoted text
	End  = '=' // the report after the last record
	Fail = '?' // an error that ends the program, as a quoted text
)

// A Plan says which parts of a type are written, and how.
type Plan struct {
	Root     string
	Messages map[string][]Field
	// Bare has the messages that are only a list or a map.
	Bare map[string]Type
	// Texts has the types with How JSON whose JSON is always a string. That string is written
	// itself, not the text of its JSON.
	Texts []string
	// MaxRecords and MaxBytes end the records of a function early. MaxRecord is the largest size
	// of one of them, in bytes of its JSON. 0 means no limit.
	MaxRecords, MaxBytes, MaxRecord int64
}

// A Field is a field of a message.
type Field struct {
	// Name is its key in the neutral form.
	Name string
	// Index leads to the field through embedded structs, as in reflect.Value.FieldByIndex.
	Index []int
	Path  string // for errors
	Type  Type
	// OmitEmpty says that encoding/json leaves the field out if it is empty. A list or a map
	// without elements is then written as absent, as it is after a round trip.
	OmitEmpty bool
	// OmitZero says that encoding/json leaves the field out if it is zero. A zero value is then
	// written as absent if the type is optional.
	OmitZero bool
}

// A Type says how a value is written.
type Type struct {
	How      How
	Optional bool   // a nil pointer is written as null
	Ref      string // the name of a message, or the Go type of an enum or of How JSON
	Elem     *Type
	Key      How             // Text for keys with MarshalText
	Values   map[string]bool // the numbers of an enum
}

// How is a way to write a value.
type How string

// The ways to write a value. Those in the second group call the type's own methods.
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
	True     How = "true"    // a struct without fields
	Wrapped  How = "wrapped" // a struct around a time or a duration

	Text   How = "text"   // MarshalText, a string
	Binary How = "binary" // MarshalBinary, bytes
	JSON   How = "json"   // encoding/json, the text of its JSON
)

// A Report says what was found in all records.
type Report struct {
	// Beyond has the enums for which a value had a number without a constant, and that number.
	Beyond map[string]string
	// Mixed has the types with How JSON whose JSON was not always a string.
	Mixed []string
	// Unknown counts records by a key in them that the type does not have.
	Unknown map[string]int64
	// Cut says that a function made more records than the plan allows.
	Cut bool `json:",omitempty"`
}

// Main reads records from standard input and writes answers to standard output. If sample is not nil,
// it makes the records instead: a slice of the type or of pointers to it.
func Main(t reflect.Type, sample func() (any, error)) {
	out := os.Stdout
	os.Stdout = os.Stderr // the user's code must not print among the answers
	if err := Run(os.Stdin, out, t, sample); err != nil {
		fmt.Fprintf(out, "%s%c%q\n", Mark, Fail, err)
		os.Exit(1)
	}
}

// Run is Main with the streams in and out.
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

// records reads records from the input and answers them.
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

// decode decodes a record. If the record has keys that the type does not have, decode counts them and
// decodes the record again without them.
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
	return max(offsetOf(data, v.Type().Elem(), err)-1, 0), err
}

// offsetOf returns the offset of an error in a record; 0 if it is unknown. A method that parses a part
// of a record may return an error with an offset in that part, and encoding/json returns it as if it
// were its own. So offsetOf decodes the record once more behind spaces, which shift the offsets of the
// record and no others.
func offsetOf(data []byte, t reflect.Type, err error) (offset int64) {
	defer func() {
		if recover() != nil {
			offset = 0
		}
	}()
	const spaces = 8
	at := typeErrorAt(err)
	if at == 0 {
		return 0
	}
	again := json.Unmarshal(append(bytes.Repeat([]byte{' '}, spaces), data...), reflect.New(t).Interface())
	if typeErrorAt(again) != at+spaces {
		return 0
	}
	return at
}

// typeErrorAt returns the offset of a value that has not the type of its field; 0 if err is another
// error. Records are JSON, so syntax errors are always of parts.
func typeErrorAt(err error) int64 {
	if typ := (*json.UnmarshalTypeError)(nil); errors.As(err, &typ) {
		return typ.Offset
	}
	return 0
}

// write answers a decoded record.
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

// call calls a function that makes records, and answers them.
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
		size, err := sizeOf(v)
		if err != nil {
			fmt.Fprintf(r.out, "%s%c0 %q\n", Mark, Bad, fmt.Sprintf("record %d: %v", i+1, err))
			continue
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

// sizeOf returns the size of a value's JSON; 0 if it has none. The error is a panic of the type's own
// code.
func sizeOf(v reflect.Value) (size int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the type's own code panics: %v", p)
		}
	}()
	text, failed := json.Marshal(v.Interface())
	if failed != nil {
		return 0, nil
	}
	return int64(len(text)), nil
}

// over reports whether n reaches a limit; 0 is no limit.
func over(n, limit int64) bool { return limit > 0 && n >= limit }

// end writes the answer with the report.
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

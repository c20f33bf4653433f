// Package own is a contender for a type of the user's module with encoding/json. It is compiled into
// that module, together with package bench and the packages that bench needs, so it imports only
// these and the standard library.
package own

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"assay/bench"
	"assay/internal/infer/gotype/own/first"
	"assay/internal/infer/gotype/program"
	"assay/result"
	"assay/schema/neutral"
	"assay/workload"
)

// A Type represents a type T as a value. A program can make it from what the user named: the type, or
// a function that returns a slice of T. The function is not called.
type Type[T any] struct{}

// Slice returns the Type of the elements of a function's result.
func Slice[S ~[]T, T any](func() S) Type[T] { return Type[T]{} }

// SliceOr is Slice for a function that also returns an error.
func SliceOr[S ~[]T, T any](func() (S, error)) Type[T] { return Type[T]{} }

// Pointers is Slice for a function that returns a slice of pointers.
func Pointers[S ~[]*T, T any](func() S) Type[T] { return Type[T]{} }

// PointersOr is Pointers for a function that also returns an error.
func PointersOr[S ~[]*T, T any](func() (S, error)) Type[T] { return Type[T]{} }

// Main serves the runner protocol. plan is the JSON of a program.Plan for T. Its root is the message
// of the workload's values.
func Main[T any](_ Type[T], contender, plan string, w *workload.Workload) {
	b, err := Bindings[T](contender, plan, w)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout = first.Stdout
	own := *w
	own.Read = func(size workload.Size, file string) (any, error) {
		bare, err := withoutHeader(file)
		if err != nil {
			return nil, err
		}
		if bare != file {
			defer os.Remove(bare)
		}
		return w.Read(size, bare)
	}
	bench.Main(bench.Program{Workloads: []*workload.Workload{&own}, Bindings: b})
}

// withoutHeader returns a file with only the values, which is file itself if it has no header.
// External contenders get files that begin with a header, but workloads read files without one.
func withoutHeader(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	line, err := r.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	var h neutral.Header
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if d.Decode(&h) != nil || len(h.Schema.Messages) == 0 {
		return file, nil
	}
	out, err := os.CreateTemp("", "assay-values-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, r)
	if err = errors.Join(err, out.Close()); err != nil {
		return "", errors.Join(err, os.Remove(out.Name()))
	}
	return out.Name(), nil
}

// Bindings returns a binding of the type with encoding/json for each mode.
func Bindings[T any](contender, plan string, w *workload.Workload) ([]bench.Binding, error) {
	var p program.Plan
	if err := json.Unmarshal([]byte(plan), &p); err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	form, err := neutral.Of(w.Schema, p.Root)
	if err != nil {
		return nil, err
	}
	var all []bench.Binding
	for _, m := range modes[T]() {
		all = append(all, bench.Binding{
			Contender: contender, Workload: w.Name, Root: p.Root, Mode: m.key, Ops: m.ops,
			New: func(values any) (*bench.Codec, error) { return bind(m, p, form, values) },
		})
	}
	return all, nil
}

// A mode is a way to call encoding/json. Like other contenders, each mode has its own batch loops.
type mode[T any] struct {
	key            string
	ops            []result.Op
	encode, decode func(c *codec[T], n int) (sum uint64, err error)
}

// modes returns the modes of the contender encoding/json, and one that decodes into a reused value.
func modes[T any]() []mode[T] {
	both := []result.Op{result.Encode, result.Decode}
	return []mode[T]{
		{"", both, (*codec[T]).encode, (*codec[T]).decode},
		{"output=reuse", both[:1], (*codec[T]).encodeKept, nil},
		{"target=reuse", both[1:], nil, (*codec[T]).decodeKept},
		{"output=reuse,session=stream", both, (*codec[T]).encodeStream, (*codec[T]).decodeStream},
	}
}

// A codec binds the type to values.
type codec[T any] struct {
	plan  program.Plan
	form  neutral.Form
	model reflect.Type

	at       int
	in       []*T
	messages [][]byte
	v        *T
	out      []byte

	buf bytes.Buffer
	enc *json.Encoder
	r   message
	dec *json.Decoder
}

// bind converts the values to the type through the neutral form, which is slow, but not timed.
func bind[T any](m mode[T], p program.Plan, form neutral.Form, values any) (*bench.Codec, error) {
	src := reflect.ValueOf(values)
	if src.Kind() != reflect.Slice {
		return nil, fmt.Errorf("values are %T, want a slice", values)
	}
	c := &codec[T]{plan: p, form: form, model: src.Type().Elem(), in: make([]*T, src.Len()), v: new(T)}
	c.enc, c.dec = json.NewEncoder(&c.buf), json.NewDecoder(&c.r)
	for i := range c.in {
		c.in[i] = new(T)
		if err := c.fill(i, src.Index(i).Addr().Interface()); err != nil {
			return nil, err
		}
	}
	out := &bench.Codec{
		Fill:    c.fill,
		Seek:    func(i int) { c.at = i },
		Encoded: func() []byte { return c.out },
		Use:     func(messages [][]byte) { c.messages, c.at = messages, 0 },
		Decoded: c.decoded,
		Value:   func() any { return c.v },
	}
	if m.encode != nil {
		out.Encode = func(n int) (uint64, error) { return m.encode(c, n) }
	}
	if m.decode != nil {
		out.Decode = func(n int) (uint64, error) { return m.decode(c, n) }
	}
	return out, nil
}

// fill puts the content of v, a pointer to a model value, into input i.
func (c *codec[T]) fill(i int, v any) error {
	line, err := c.form.Append(nil, v)
	if err != nil {
		return err
	}
	*c.in[i] = *new(T)
	if err := c.plan.Read(line, reflect.ValueOf(c.in[i]).Elem()); err != nil {
		return fmt.Errorf("input %d as a %T: %w", i, *c.in[i], err)
	}
	return nil
}

// A message is the reader from which a reused decoder reads one message after another. It has ReadByte
// because some decoders wrap a reader without it in a bufio.Reader.
type message struct{ data []byte }

func (m *message) Read(p []byte) (int, error) {
	if len(m.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.data)
	m.data = m.data[n:]
	return n, nil
}

func (m *message) ReadByte() (byte, error) {
	if len(m.data) == 0 {
		return 0, io.EOF
	}
	b := m.data[0]
	m.data = m.data[1:]
	return b, nil
}

func (c *codec[T]) encode(n int) (sum uint64, err error) {
	in, i, out := c.in, c.at, c.out
	for ; n > 0; n-- {
		out, err = json.Marshal(in[i])
		if err != nil {
			return sum, err
		}
		sum += uint64(len(out))
		if i++; i == len(in) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

func (c *codec[T]) decode(n int) (sum uint64, err error) {
	messages, i, v := c.messages, c.at, c.v
	for ; n > 0; n-- {
		data := messages[i]
		v = new(T)
		err = json.Unmarshal(data, v)
		if err != nil {
			return sum, err
		}
		sum++
		if i++; i == len(messages) {
			i = 0
		}
	}
	c.at, c.v = i, v
	return sum, nil
}

// encodeKept encodes into a reused buffer.
func (c *codec[T]) encodeKept(n int) (sum uint64, err error) {
	in, i, out := c.in, c.at, c.out
	for ; n > 0; n-- {
		c.buf.Reset()
		if err = c.enc.Encode(in[i]); err != nil {
			return sum, err
		}
		out = c.buf.Bytes()
		out = out[:len(out)-1] // without the newline
		sum += uint64(len(out))
		if i++; i == len(in) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

// decodeKept decodes into a reused value. It sets the value to zero first, because encoding/json does
// not change fields that a message does not mention.
func (c *codec[T]) decodeKept(n int) (sum uint64, err error) {
	messages, i, v := c.messages, c.at, c.v
	var zero T
	for ; n > 0; n-- {
		data := messages[i]
		*v = zero
		err = json.Unmarshal(data, v)
		if err != nil {
			return sum, err
		}
		sum++
		if i++; i == len(messages) {
			i = 0
		}
	}
	c.at, c.v = i, v
	return sum, nil
}

// encodeStream encodes with a reused encoder, which writes a newline after each value.
func (c *codec[T]) encodeStream(n int) (sum uint64, err error) {
	in, i, out := c.in, c.at, c.out
	for ; n > 0; n-- {
		c.buf.Reset()
		err = c.enc.Encode(in[i])
		if err != nil {
			return sum, err
		}
		out = c.buf.Bytes()
		sum += uint64(len(out))
		if i++; i == len(in) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

// decodeStream decodes with a reused decoder.
func (c *codec[T]) decodeStream(n int) (sum uint64, err error) {
	messages, i, v := c.messages, c.at, c.v
	for ; n > 0; n-- {
		c.r.data = messages[i]
		v = new(T)
		err = c.dec.Decode(v)
		if err != nil {
			return sum, err
		}
		sum++
		if i++; i == len(messages) {
			i = 0
		}
	}
	c.at, c.v = i, v
	return sum, nil
}

// decoded returns the last value as a pointer to the model type. If the model cannot hold the value,
// it returns an empty model, which verification then finds different from the input.
func (c *codec[T]) decoded() any {
	m := reflect.New(c.model)
	line, err := c.plan.Append(nil, reflect.ValueOf(c.v).Elem())
	if err == nil {
		err = c.form.Parse(line, m.Interface())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "a decoded value cannot be compared:", err)
		return reflect.New(c.model).Interface()
	}
	return m.Interface()
}

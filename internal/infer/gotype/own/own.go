// Package own is a contender of the user's own: a type of the user's module with
// encoding/json. It is compiled into that module, together with package bench and
// what bench needs, and so imports the standard library and those only.
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

// Main serves the runner protocol. The plan is the JSON of a program.Plan for T,
// whose root is that of the workload's values.
func Main[T any](contender, plan string, w *workload.Workload) {
	b, err := Binding[T](contender, plan, w)
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
	bench.Main(bench.Program{Workloads: []*workload.Workload{&own}, Bindings: []bench.Binding{b}})
}

// withoutHeader returns a file of the values only: guests are given files that
// begin with a header, and workloads read files that do not.
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

// Binding is what encoding/json can do with the type.
func Binding[T any](contender, plan string, w *workload.Workload) (bench.Binding, error) {
	var p program.Plan
	if err := json.Unmarshal([]byte(plan), &p); err != nil {
		return bench.Binding{}, fmt.Errorf("reading the plan: %w", err)
	}
	form, err := neutral.Of(w.Schema, p.Root)
	if err != nil {
		return bench.Binding{}, err
	}
	return bench.Binding{
		Contender: contender, Workload: w.Name, Root: p.Root,
		Ops: []result.Op{result.Encode, result.Decode},
		New: func(values any) (*bench.Codec, error) { return bind[T](p, form, values) },
	}, nil
}

// A codec is the type bound to values.
type codec[T any] struct {
	plan  program.Plan
	form  neutral.Form
	model reflect.Type

	at       int
	in       []*T
	messages [][]byte
	v        *T
	out      []byte
}

// bind converts the values to the type by way of the neutral form, which is slow
// and not timed.
func bind[T any](p program.Plan, form neutral.Form, values any) (*bench.Codec, error) {
	src := reflect.ValueOf(values)
	if src.Kind() != reflect.Slice {
		return nil, fmt.Errorf("values are %T, want a slice", values)
	}
	c := &codec[T]{plan: p, form: form, model: src.Type().Elem(), in: make([]*T, src.Len())}
	for i := range c.in {
		line, err := form.Append(nil, src.Index(i).Addr().Interface())
		if err != nil {
			return nil, err
		}
		c.in[i] = new(T)
		if err := p.Read(line, reflect.ValueOf(c.in[i]).Elem()); err != nil {
			return nil, fmt.Errorf("input %d as a %T: %w", i, *c.in[i], err)
		}
	}
	return &bench.Codec{
		Seek:    func(i int) { c.at = i },
		Encode:  c.encode,
		Encoded: func() []byte { return c.out },
		Use:     func(messages [][]byte) { c.messages, c.at = messages, 0 },
		Decode:  c.decode,
		Decoded: c.decoded,
		Value:   func() any { return c.v },
	}, nil
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

// decoded returns the last value as a pointer to the model type. A value that the
// model cannot hold is a model with nothing in it, which verification then tells
// from the input.
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

// Package contendertest checks that a contender does what its description and the contract of
// its bindings say: every round trip gives back what went in, modes do what their names say,
// and damaged input causes at most an error. The generated test of every contender calls Check.
package contendertest

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/workload"
	"assay/workload/probes"
)

const seed = 1

// inputs returns the number of values to check at a size. It is at least two, because one value
// must be able to overwrite another.
func inputs(size workload.Size) int {
	if Large(size) {
		return 2
	}
	return 3
}

// Large reports whether values of a size are so large that contenders with text formats take
// seconds to read one.
func Large(size workload.Size) bool { return size.Bytes > 1<<16 }

// Small returns the workload's size whose key is that of size with every number replaced by 2.
// If the workload has no such size, it returns size.
func Small(w *workload.Workload, size workload.Size) workload.Size {
	small, err := w.Size(numbers.ReplaceAllString(size.Key, "=2"))
	if err != nil {
		return size
	}
	return small
}

var numbers = regexp.MustCompile(`=\d+`)

// Check checks the bindings of one contender to one workload, with few inputs. It checks every
// default size, and the smallest size of each other root. With -short it checks every quick
// size instead.
//
// For large values Check checks only the default mode with the last root, and everything else
// with small values of each root: chain's lists of blocks hold all that its lists of
// transactions hold. For the workload probes it checks every size, and that the declared losses
// are exactly the observed ones. It checks ownership with the other workloads, whose values
// differ more.
func Check(t *testing.T, c *contender.Contender, bindings []bench.Binding, w *workload.Workload) {
	t.Helper()
	t.Run(w.Name, func(t *testing.T) {
		t.Run("bindings", func(t *testing.T) {
			for _, wrong := range undeclared(c, bindings, w) {
				t.Error(wrong)
			}
		})
		server := Serve(t, bench.Program{Workloads: []*workload.Workload{w}, Bindings: bindings})
		watched := server.watch.bindings(bindings)
		if w == probes.Workload {
			checkProbes(t, c, bindings, server)
			t.Run(probes.Base+"/hostile", func(t *testing.T) {
				report(t)(unsafeReads(c, bindings, values(t, w, w.Sizes[0], 1)))
			})
			return
		}
		sizes := checked(w, testing.Short())
		for _, size := range sizes {
			brief := Large(size) && Small(w, size) != size
			t.Run(size.Key, func(t *testing.T) {
				n := inputs(size)
				if brief && c.Format == "yaml" { // reading a large one takes seconds; small ones show interference
					n = 1
				}
				server.Load(t, bench.Load{Workload: w.Name, Size: size.Key, Seed: seed, Inputs: n})
				for _, b := range bindings {
					if b.Root != size.Root || brief && b.Mode != "" {
						continue
					}
					got := server.Verify(t, bench.Verify{
						Subject: result.Subject{Contender: c.Name, Mode: b.Mode},
						Losses:  LossesIn(c, b.Mode),
					})
					if !got.OK {
						t.Errorf("mode %q: %s: %s", b.Mode, got.Op, got.Reason)
					}
				}
				if !brief {
					report(t)(misowned(c, of(watched, size.Root), values(t, w, size, n)))
				}
			})
		}
		for _, size := range smallest(sizes) {
			t.Run(size.Key+"/hostile", func(t *testing.T) {
				report(t)(unsafeReads(c, of(bindings, size.Root), values(t, w, size, 1)))
			})
		}
	})
}

// checked returns the sizes at which bindings are checked. They include a size with small
// values for every root that can have one.
func checked(w *workload.Workload, short bool) (sizes []workload.Size) {
	declared := slices.DeleteFunc(slices.Clone(w.Sizes), func(s workload.Size) bool {
		return !s.Quick && (!s.Default || short)
	})
	for i, size := range declared {
		small := Small(w, size)
		if !Large(size) || small == size || !slices.ContainsFunc(declared[i+1:], Large) {
			sizes = append(sizes, size)
		}
		if Large(size) && small != size {
			sizes = append(sizes, small)
		}
	}
	if short {
		return sizes
	}
	for _, size := range smallest(w.Sizes) {
		if !Large(size) && !slices.ContainsFunc(sizes, func(s workload.Size) bool { return s.Root == size.Root }) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// smallest returns the smallest size of each root.
func smallest(sizes []workload.Size) []workload.Size {
	var out []workload.Size
	for _, size := range sizes {
		i := slices.IndexFunc(out, func(s workload.Size) bool { return s.Root == size.Root })
		switch {
		case i < 0:
			out = append(out, size)
		case size.Bytes < out[i].Bytes:
			out[i] = size
		}
	}
	return out
}

// report returns a function that reports what a check found. An operation that does not end
// keeps a CPU busy, so the function then ends the process.
func report(t *testing.T) func(wrong []string, err error) {
	return func(wrong []string, err error) {
		t.Helper()
		for _, w := range wrong {
			t.Error(w)
		}
		if errors.Is(err, errHangs) {
			giveUp(t.Name() + ": " + err.Error())
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// Losses returns the names of the losses that a contender declares.
func Losses(c *contender.Contender) []string { return LossesIn(c, "") }

// LossesIn returns the names of the losses that a contender declares for a mode.
func LossesIn(c *contender.Contender, mode string) []string {
	var names []string
	for _, l := range c.LossesIn(mode) {
		names = append(names, string(l))
	}
	return names
}

// undeclared returns how the bindings differ from what the contender and the workload declare:
// every root must have every mode, and every mode exactly its ops.
func undeclared(c *contender.Contender, bindings []bench.Binding, w *workload.Workload) []string {
	type place struct{ root, mode string }
	want := map[place][]result.Op{}
	for _, root := range w.Schema.Roots {
		want[place{root, ""}] = c.Ops
		for _, m := range c.ModesFor(w.Schema) {
			want[place{root, m.Key}] = m.Ops
		}
	}
	var wrong []string
	for _, b := range bindings {
		at := place{b.Root, b.Mode}
		ops, ok := want[at]
		switch {
		case b.Contender != c.Name || b.Workload != w.Name:
			wrong = append(wrong, fmt.Sprintf("a binding of %s to %s is among those of %s to %s", b.Contender, b.Workload, c.Name, w.Name))
		case !ok:
			wrong = append(wrong, fmt.Sprintf("the binding of %s in mode %q is declared by nobody, or there are two", b.Root, b.Mode))
		case !slices.Equal(b.Ops, ops):
			wrong = append(wrong, fmt.Sprintf("%s in mode %q has the ops %v, declared are %v", b.Root, b.Mode, b.Ops, ops))
		}
		delete(want, at)
	}
	for at := range want {
		wrong = append(wrong, fmt.Sprintf("%s has no binding in mode %q", at.root, at.mode))
	}
	slices.Sort(wrong)
	return wrong
}

// of returns the bindings to one root.
func of(bindings []bench.Binding, root string) []bench.Binding {
	var out []bench.Binding
	for _, b := range bindings {
		if b.Root == root {
			out = append(out, b)
		}
	}
	return out
}

// values returns n values of a size, as a slice of the root's model type.
func values(t *testing.T, w *workload.Workload, size workload.Size, n int) any {
	t.Helper()
	v, err := w.Generate(size, seed, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// model returns a pointer to value i of a slice.
func model(values any, i int) any { return reflect.ValueOf(values).Index(i).Addr().Interface() }

// messages returns the encoded bytes of every value. If the mode does not encode, the default
// mode encodes them.
func messages(all []bench.Binding, b bench.Binding, values any) ([][]byte, error) {
	if !slices.Contains(b.Ops, result.Encode) {
		i := slices.IndexFunc(all, func(b bench.Binding) bool { return b.Mode == "" })
		if i < 0 {
			return nil, fmt.Errorf("mode %q does not encode, and there is no default mode", b.Mode)
		}
		b = all[i]
	}
	codec, err := b.New(values)
	if err != nil {
		return nil, fmt.Errorf("mode %q: bind: %w", b.Mode, err)
	}
	codec.Seek(0)
	out := make([][]byte, reflect.ValueOf(values).Len())
	for i := range out {
		if _, err := codec.Encode(1); err != nil {
			return nil, fmt.Errorf("mode %q: encode: %w", b.Mode, err)
		}
		out[i] = slices.Clone(codec.Encoded())
	}
	return out, nil
}

// has reports whether a mode contains an axis, such as strings=alias.
func has(mode, axis string) bool { return slices.Contains(strings.Split(mode, ","), axis) }

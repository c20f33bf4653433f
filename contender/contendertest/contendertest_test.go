package contendertest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/schema"
	"assay/workload"
	"assay/workload/sizes"
)

// text is the model type of the tests. Its encoding is the text itself.
type text struct{ Text string }

func (v *text) LeafSum() uint64 { return workload.LeafText(v.Text) }

var texts = &workload.Workload{
	Name:   "texts",
	Schema: &schema.Schema{Name: "texts", Roots: []string{"Text"}},
	Sizes:  []workload.Size{{Key: "n=1", Root: "Text", Default: true, Quick: true, Bytes: 10}},
	Generate: func(_ workload.Size, _ uint64, n int) (any, error) {
		return []text{{"one"}, {"two"}, {"six"}}[:n], nil
	},
}

// A fault is what a fake contender does wrong.
type fault int

const (
	none fault = iota
	reusesOutput
	reusesTarget
	aliases
	sharesOutput
	sharesTarget
	panics
	hangs
	gorges
)

// The fakes with the faults sharesOutput and sharesTarget share these between all codecs.
var (
	sharedOutput []byte
	sharedTarget = new(text)
)

// gorged keeps what a fake contender allocates.
var gorged []byte

// fake returns a contender for texts with a fault, and its bindings.
func fake(f fault, traits ...contender.Trait) (*contender.Contender, []bench.Binding) {
	ops := []result.Op{result.Encode, result.Decode}
	c := &contender.Contender{Name: "fake", Format: "msgpack", Ops: ops, Traits: traits}
	return c, []bench.Binding{{Contender: "fake", Workload: "texts", Root: "Text", Ops: ops, New: func(values any) (*bench.Codec, error) {
		in := values.([]text)
		var i int
		var out, aliased []byte
		var messages [][]byte
		var v *text
		shared := new(text)
		return &bench.Codec{
			Seek: func(at int) { i = at },
			Encode: func(n int) (sum uint64, err error) {
				for range n {
					switch {
					case f == sharesOutput:
						out = sharedOutput
					case f != reusesOutput, cap(out) < len(in[i].Text):
						out = make([]byte, 0, len(in[i].Text))
					}
					out = append(out[:0], in[i].Text...)
					if f == sharesOutput {
						sharedOutput = out
					}
					i = (i + 1) % len(in)
					sum += uint64(len(out))
				}
				return sum, nil
			},
			Encoded: func() []byte { return out },
			Use:     func(m [][]byte) { messages = m },
			Decode: func(n int) (uint64, error) {
				for range n {
					data := messages[i]
					i = (i + 1) % len(messages)
					switch {
					case len(data) == 3, len(data) == 5:
					case f == panics:
						panic("bad length")
					case f == hangs:
						select {}
					case f == gorges && len(data) > 3:
						gorged = make([]byte, plenty+1)
						return 0, errors.New("bad length")
					default:
						return 0, errors.New("bad length")
					}
					switch v = new(text); f {
					case reusesTarget:
						v = shared
					case sharesTarget:
						v = sharedTarget
					}
					v.Text, aliased = string(data), data
				}
				return uint64(n), nil
			},
			Value: func() any { return v },
			Decoded: func() any {
				if f == aliases {
					v.Text = string(aliased)
				}
				return v
			},
		}, nil
	}}}
}

func TestCheck(t *testing.T) {
	c, bindings := fake(none)
	Check(t, c, bindings, texts)
}

// checked covers every root except those that only have large values.
func TestChecked(t *testing.T) {
	roots := func(short bool) (roots []string) {
		for _, size := range checked(sizes.Workload, short) {
			roots = append(roots, size.Root)
		}
		return roots
	}
	want := []string{"Tiny", "Medium", "Big", "MediumSlice", "TinySlice", "BigSlice", "TinyPtrSlice", "MediumPtrSlice", "BigPtrSlice"}
	if diff := cmp.Diff(want, roots(false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Medium"}, roots(true)); diff != "" {
		t.Errorf("with -short (-want +got):\n%s", diff)
	}
}

// Every fault makes its check fail.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name   string
		fault  fault
		traits []contender.Trait
		want   string // empty: nothing is wrong
	}{
		{name: "none"},
		{name: "output", fault: reusesOutput, want: "output=reuse"},
		{name: "target", fault: reusesTarget, want: "target=reuse"},
		{name: "alias", fault: aliases, want: "strings=alias"},
		{name: "output of all", fault: sharesOutput, want: "encode of one codec overwrites the bytes of another, and two of them may work at a time"},
		{name: "target of all", fault: sharesTarget, want: "decode of one codec changes the value of another: Text: "},
		{name: "panic", fault: panics, want: "a message of no bytes panics: bad length"},
		{name: "panic of a format that is read in place", fault: panics, traits: []contender.Trait{contender.Lazy}, want: "a message of no bytes panics: bad length"},
		{name: "panic that is declared", fault: panics, traits: []contender.Trait{contender.Panics}},
		{name: "hang", fault: hangs, want: "fake: decode of a message of no bytes has not ended after 1ms"},
		{name: "memory", fault: gorges, want: "decode of a message with 0xdd and 33 million at byte 0 of 3 allocates 512 MiB"},
		{name: "memory that is declared", fault: gorges, traits: []contender.Trait{contender.Unbounded}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, bindings := fake(test.fault, test.traits...)
			values := []text{{"one"}, {"seven"}, {"two"}}
			owned, err := misowned(c, bindings, values)
			if err != nil {
				t.Fatal(err)
			}
			if test.fault == hangs {
				defer func(before time.Duration) { Patience = before }(Patience)
				Patience = time.Millisecond
			}
			wrong, err := unsafeReads(c, bindings, values)
			if errors.Is(err, errHangs) {
				wrong, err = append(wrong, err.Error()), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			wrong = append(wrong, owned...)
			if test.want == "" && len(wrong) > 0 || test.want != "" && !strings.Contains(strings.Join(wrong, "\n"), test.want) {
				t.Errorf("found %q, want %q", wrong, test.want)
			}
		})
	}
}

// A mode that says that it reuses must do so.
func TestReuses(t *testing.T) {
	for _, test := range []struct {
		mode string
		f    fault
		want string // empty: nothing is wrong
	}{
		{"output=reuse", reusesOutput, ""},
		{"output=reuse", none, "the mode reuses no output"},
		{"target=reuse", reusesTarget, ""},
		{"target=reuse", none, "the mode reuses no target"},
	} {
		c, bindings := fake(test.f)
		bindings[0].Mode = test.mode
		wrong, err := misowned(c, bindings, []text{{"one"}, {"two"}, {"six"}})
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(wrong, "\n"); test.want == "" && text != "" || !strings.Contains(text, test.want) {
			t.Errorf("%s, fault %d: found %q, want %q", test.mode, test.f, text, test.want)
		}
	}
}

func TestUndeclared(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*contender.Contender, []bench.Binding) []bench.Binding
		want   string
	}{
		{"a mode is missing", func(c *contender.Contender, b []bench.Binding) []bench.Binding {
			c.Modes = []contender.Mode{{Key: "output=reuse", Ops: []result.Op{result.Encode}}}
			return b
		}, `Text has no binding in mode "output=reuse"`},
		{"a mode too many", func(_ *contender.Contender, b []bench.Binding) []bench.Binding {
			return append(b, bench.Binding{Contender: "fake", Workload: "texts", Root: "Text", Mode: "x=y"})
		}, `the binding of Text in mode "x=y" is declared by nobody, or there are two`},
		{"twice the same", func(_ *contender.Contender, b []bench.Binding) []bench.Binding {
			return append(b, b[0])
		}, `the binding of Text in mode "" is declared by nobody, or there are two`},
		{"other ops", func(c *contender.Contender, b []bench.Binding) []bench.Binding {
			c.Ops = []result.Op{result.Encode}
			return b
		}, `Text in mode "" has the ops [encode decode], declared are [encode]`},
		{"another contender", func(_ *contender.Contender, b []bench.Binding) []bench.Binding {
			b[0].Contender = "other"
			return b
		}, "a binding of other to texts is among those of fake to texts"},
	} {
		c, bindings := fake(none)
		if got := undeclared(c, test.change(c, bindings), texts); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: found %q, want %q", test.name, got, test.want)
		}
	}
}

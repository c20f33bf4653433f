package bench

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"assay/result"
)

// big makes every message size bytes long.
func big(size int) func(f *fake, c *Codec) {
	return func(f *fake, _ *Codec) {
		f.encode = func(*item) ([]byte, error) { return bytes.Repeat([]byte{'x'}, size), nil }
	}
}

// handedProgram returns the program of the tests with more contenders, for messages of the
// first inputs.
func handedProgram() Program {
	p := program()
	add := func(name string, ops []result.Op, borrows bool, change func(f *fake, c *Codec)) {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: ops, Borrows: borrows,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				if name == "needy" && len(f.values) == 0 {
					return nil, errors.New("needs a value")
				}
				if name == "fragile" {
					_ = f.values[0]
				}
				c := f.codec()
				change(f, c)
				return c, nil
			},
		})
	}
	both := []result.Op{result.Encode, result.Decode}
	as := func(f *fake, c *Codec) {}
	add("large", both, false, big(3<<20))
	add("huge", both, false, big(5<<20))
	add("writer", both[:1], false, as)
	add("borrower", both[1:], true, as)
	add("placed", both, false, func(_ *fake, c *Codec) { c.Placed = true })
	add("needy", both, false, as)
	add("fragile", both, false, as)
	// The message of index holds the place of the value among the values that the codec is
	// bound to.
	add("index", both, false, func(f *fake, _ *Codec) {
		f.encode = func(v *item) ([]byte, error) {
			for i := range f.values {
				if v == &f.values[i] {
					return []byte{byte(i)}, nil
				}
			}
			return nil, errors.New("no value of mine")
		}
		f.decode = func(b []byte) (*item, error) {
			if int(b[0]) >= len(f.values) {
				return nil, errors.New("no such value")
			}
			v := f.values[b[0]]
			return &v, nil
		}
	})
	return p
}

// Write with First returns as many messages of the first inputs as fit, and at least one. It
// returns none if no binding would read them.
func TestWriteFirst(t *testing.T) {
	for _, test := range []struct {
		who   result.Subject
		first int
		bytes int64
		want  int
	}{
		{result.Subject{Contender: "json"}, 2, 1 << 30, 2},
		{result.Subject{Contender: "json"}, 16, 1 << 30, 3},
		{result.Subject{Contender: "json"}, 16, 100, 1},
		{result.Subject{Contender: "json"}, 16, 5, 0},
		{result.Subject{Contender: "json", Mode: "output=reuse"}, 16, 1 << 30, 3},
		{result.Subject{Contender: "json", Mode: "target=reuse"}, 16, 1 << 30, 3},
		{result.Subject{Contender: "large"}, 16, 1 << 30, 1},
		{result.Subject{Contender: "huge"}, 16, 1 << 30, 1},
		{result.Subject{Contender: "writer"}, 16, 1 << 30, 0},
		{result.Subject{Contender: "borrower"}, 16, 1 << 30, 3},
		{result.Subject{Contender: "placed"}, 16, 1 << 30, 0},
		{result.Subject{Contender: "wrongconvert"}, 16, 1 << 30, 0},
	} {
		a := ask(t, handedProgram(), 3, Command{Cmd: "write", Write: &Write{Subject: test.who, First: test.first, Bytes: test.bytes}})
		if a.Written == nil || len(a.Written.Messages) != test.want {
			t.Errorf("%s, first %d: error %q, want %d messages", test.who, test.first, a.Error, test.want)
		}
	}
	a := ask(t, handedProgram(), 3, Command{Cmd: "write", Write: &Write{Subject: result.Subject{Contender: "json"}, First: -1, Bytes: 1}})
	if want := "first is -1"; !strings.Contains(a.Error, want) {
		t.Errorf("error %q, want %q", a.Error, want)
	}
}

// Messages of the first inputs are decoded by a contender that is bound to no values, so a
// contender that looks its values up fails.
func TestVerifyFirst(t *testing.T) {
	messages := func(name string) [][]byte {
		a := ask(t, handedProgram(), 3, Command{Cmd: "write", Write: &Write{Subject: result.Subject{Contender: name}, First: 2, Bytes: 1 << 30}})
		if a.Written == nil || len(a.Written.Messages) != 2 {
			t.Fatalf("%s: %+v", name, a)
		}
		return a.Written.Messages
	}
	own := messages("json")
	for _, test := range []struct {
		who      result.Subject
		messages [][]byte
		reason   string
		fault    string
	}{
		{who: result.Subject{Contender: "json"}, messages: own},
		{who: result.Subject{Contender: "json"}, messages: own[:1]},
		{who: result.Subject{Contender: "json", Mode: "output=reuse"}, messages: own},
		{who: result.Subject{Contender: "json", Mode: "target=reuse"}, messages: own},
		{who: result.Subject{Contender: "json"}, messages: [][]byte{own[1], own[0]}, reason: "ID: "},
		{who: result.Subject{Contender: "borrower"}, messages: own},
		{who: result.Subject{Contender: "needy"}, messages: own},
		{who: result.Subject{Contender: "fragile"}, messages: own},
		{who: result.Subject{Contender: "index"}, messages: messages("index"), reason: "decode: no such value"},
		{who: result.Subject{Contender: "json"}, fault: "there are 0 messages for the first of 3 inputs"},
		{who: result.Subject{Contender: "json"}, messages: [][]byte{{}, {}, {}, {}}, fault: "there are 4 messages for the first of 3 inputs"},
		{who: result.Subject{Contender: "writer"}, messages: own, fault: "writer offers no decode"},
	} {
		a := ask(t, handedProgram(), 3, Command{Cmd: "verify", Verify: &Verify{Subject: test.who, Messages: test.messages, First: true}})
		switch got := a.Verified; {
		case test.fault != "":
			if !strings.Contains(a.Error, test.fault) {
				t.Errorf("%s: error %q, want %q", test.who, a.Error, test.fault)
			}
		case got == nil || got.OK != (test.reason == "") || !strings.Contains(got.Reason, test.reason):
			t.Errorf("%s: %+v %q, want reason %q", test.who, got, a.Error, test.reason)
		}
	}
}

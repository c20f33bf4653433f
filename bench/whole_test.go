package bench

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"assay/result"
)

// wholeOf runs one op of a contender on the whole values of the tests, in a new session.
func wholeOf(t *testing.T, p Program, name string, op result.Op, file string, change func(*Stream)) (*Streamed, error) {
	t.Helper()
	c := Stream{Subject: result.Subject{Contender: name}, Whole: true, Workload: "items", Size: "n=1", Seed: 1, Op: op, File: file}
	if change != nil {
		change(&c)
	}
	s := &session{program: p}
	defer s.drop()
	return s.stream(c)
}

func TestWhole(t *testing.T) {
	file := streamFile(t)
	wrote, err := wholeOf(t, program(), "json", result.Encode, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if wrote.Messages != 64 || wrote.Items != 64 || wrote.Bytes != int64(len(text)-64*8) || wrote.Wall <= 0 || wrote.Wall > wrote.Elapsed ||
		len(wrote.Sum) != 16 || wrote.Root != "Item" || wrote.AllocBytes < wrote.Bytes || wrote.Allocs < 64 {
		t.Errorf("%+v of a file of %d bytes", wrote, len(text))
	}
	if hasProcessCPU && (wrote.Peak <= 0 || wrote.Sentinel <= 0) {
		t.Errorf("%+v has no peak or sentinel", wrote)
	}
	read, err := wholeOf(t, program(), "json", result.Decode, file, func(c *Stream) { c.Sum = wrote.Sum })
	if err != nil {
		t.Fatal(err)
	}
	if read.Sum != wrote.Sum || read.Bytes != wrote.Bytes || read.Messages != 64 || read.Items != 64 || read.Root != "Item" || len(read.Losses) > 0 {
		t.Errorf("read %+v, wrote %+v", read, wrote)
	}
}

// TestWholeConvert: convert converts every value there and back, and writes nothing.
func TestWholeConvert(t *testing.T) {
	file := streamFile(t)
	got, err := wholeOf(t, program(), "json", result.Convert, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 0 {
		t.Errorf("the file has %v, %v", info, err)
	}
	if got.Messages != 64 || got.Items != 64 || got.Bytes != 0 || got.Wall <= 0 || len(got.Sum) != 16 || got.Root != "Item" || got.Allocs < 64 {
		t.Errorf("%+v", got)
	}
}

// TestWholeWrong: errors of the op are reported, and wrong results are charged to the
// contender.
func TestWholeWrong(t *testing.T) {
	file := streamFile(t)
	wrote, err := wholeOf(t, program(), "json", result.Encode, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		contender string
		op        result.Op
		change    func(*Stream)
		err       string
		wrong     bool // the error reports a wrong result
	}{
		{contender: "late", op: result.Decode, err: `late decode: input 2: Name: "xxx" became "y"`, wrong: true},
		{contender: "lossy", op: result.Decode, err: "Tags: 1 element became", wrong: true},
		{contender: "failing", op: result.Decode, err: "failing decode: cannot read"},
		{contender: "wrongcount", op: result.Decode, err: "1 operations returned the sum 2, want 1"},
		{contender: "wrongsum", op: result.Encode, err: "wrongsum encode: the sum is "},
		{contender: "mutating", op: result.Encode, err: "the contender changed its inputs", wrong: true},
		{contender: "unbound", op: result.Encode, err: "does not fit"},
		{contender: "unbound", op: result.Decode, err: "does not fit"},
		{contender: "nobody", op: result.Encode, err: `unknown contender "nobody"`},
		{contender: "json", op: result.Scan, err: "want encode, decode or convert"},
		{contender: "wrongconvert", op: result.Convert, err: "wrongconvert convert: ID: ", wrong: true},
		{contender: "json", op: result.Encode, change: func(c *Stream) { c.Codec = "zstd" }, err: "leave out data, more and codec"},
		{contender: "json", op: result.Encode, change: func(c *Stream) { c.Room = 100 }, err: "does not fit on the disk"},
		{contender: "json", op: result.Decode, change: func(c *Stream) { c.Workload = "none" }, err: "is not in this runner"},
		{contender: "json", op: result.Decode, change: func(c *Stream) { c.Sum = "0123" }, err: "another checksum", wrong: true},
	} {
		at := file
		if test.op == result.Encode {
			at = streamFile(t)
		}
		_, err := wholeOf(t, program(), test.contender, test.op, at, func(c *Stream) {
			c.Sum = wrote.Sum
			if test.change != nil {
				test.change(c)
			}
		})
		var known *wrong
		if err == nil || !strings.Contains(err.Error(), test.err) || errors.As(err, &known) != test.wrong {
			t.Errorf("%s %s: error %v, want one with %q, of a wrong result: %v", test.contender, test.op, err, test.err, test.wrong)
		}
	}
}

// TestWholeForgives: values that differ by a declared loss are accepted.
func TestWholeForgives(t *testing.T) {
	file := streamFile(t)
	wrote, err := wholeOf(t, program(), "negzero", result.Encode, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	read, err := wholeOf(t, program(), "negzero", result.Decode, file, func(c *Stream) { c.Sum, c.Losses = wrote.Sum, []string{"neg-zero"} })
	if err != nil || len(read.Losses) != 1 || read.Losses[0] != "neg-zero" {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestWholeOfDamage: files that no runner wrote are errors.
func TestWholeOfDamage(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "has no messages",
		"abc":                                 "unexpected EOF",
		"\x05\x00\x00\x00\x00\x00\x00\x00ab":  "a message of 5 bytes where 2 are left",
		strings.Repeat("\xff", 8):             "bytes where 0 are left",
		"\x01\x00\x00\x00\x00\x00\x00\x00{":   "unexpected end of JSON",
		"\x02\x00\x00\x00\x00\x00\x00\x00{}x": "unexpected EOF",
	} {
		file := streamFile(t)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := wholeOf(t, program(), "json", result.Decode, file, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestWholeAlone: a second op in one process is refused, because the process is warm.
func TestWholeAlone(t *testing.T) {
	s := &session{program: program()}
	defer s.drop()
	c := Stream{Subject: result.Subject{Contender: "json"}, Whole: true, Workload: "items", Size: "n=1", Seed: 1, Op: result.Encode, File: streamFile(t)}
	if _, err := s.stream(c); err != nil {
		t.Fatal(err)
	}
	if _, err := s.stream(c); err == nil || !strings.Contains(err.Error(), "start a new runner") {
		t.Errorf("a second op: %v", err)
	}
}

// TestWholeOfPicky: a contender that panics on empty values is bound to the values of the size.
func TestWholeOfPicky(t *testing.T) {
	p := program()
	p.Bindings = append(p.Bindings, Binding{
		Contender: "picky", Workload: "items", Root: "Item", Ops: blockOps,
		New: func(values any) (*Codec, error) {
			if len(values.([]item)[0].Tags) == 0 {
				panic("no tags")
			}
			return newFake(values).codec(), nil
		},
	})
	file := streamFile(t)
	wrote, err := wholeOf(t, p, "picky", result.Encode, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := wholeOf(t, p, "picky", result.Decode, file, func(c *Stream) { c.Sum = wrote.Sum }); err != nil || read.Sum != wrote.Sum {
		t.Errorf("%+v, %v", read, err)
	}
}

// TestWholeChangesMessages: a contender that changes the message it decodes is reported.
func TestWholeChangesMessages(t *testing.T) {
	p := program()
	p.Bindings = append(p.Bindings, Binding{
		Contender: "careless", Workload: "items", Root: "Item", Ops: blockOps,
		New: func(values any) (*Codec, error) {
			f := newFake(values)
			decode := f.decode
			f.decode = func(b []byte) (*item, error) {
				v, err := decode(b)
				copy(b, bytes.Repeat([]byte{' '}, len(b)))
				return v, err
			}
			return f.codec(), nil
		},
	})
	file := streamFile(t)
	if _, err := wholeOf(t, p, "careless", result.Encode, file, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := wholeOf(t, p, "careless", result.Decode, file, nil); err == nil || !strings.Contains(err.Error(), errChanged.Error()) {
		t.Errorf("error %v, want %v", err, errChanged)
	}
}

package bench

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/contender"
	"assay/result"
	"assay/workload"
)

// streamOf makes streams of n items.
func streamOf(n int) func(workload.Size, uint64) (*workload.Stream, error) {
	return func(_ workload.Size, seed uint64) (*workload.Stream, error) {
		done := 0
		return &workload.Stream{Root: "Item", Messages: int64(n), Items: 2, Bytes: streamBatch / 4, Next: func(most int) (any, error) {
			list := make([]item, min(most, n-done))
			for i := range list {
				list[i] = item{ID: int64(done + i), Name: strings.Repeat("x", done+i), Tags: []string{"t"}, Rate: float64(seed)}
			}
			done += len(list)
			return list, nil
		}}, nil
	}
}

// gobStream returns a codec that applies change to each message that it reads, and drops it if
// change returns nil.
func gobStream(change func(i int, v *item) *item) *StreamCodec {
	var in, v []item
	var enc *gob.Encoder
	var dec *gob.Decoder
	read := 0
	return &StreamCodec{
		Fill:   func(values any) error { in = values.([]item); return nil },
		Create: func(w *bufio.Writer) error { enc = gob.NewEncoder(w); return nil },
		Write: func() error {
			for _, one := range in {
				if err := enc.Encode(one); err != nil {
					return err
				}
			}
			return nil
		},
		Close: func() error { return nil },
		Open:  func(r *bufio.Reader) error { dec, read = gob.NewDecoder(r), 0; return nil },
		Read: func(n int) (int, error) {
			v = nil
			for range n {
				var one item
				if err := dec.Decode(&one); err != nil {
					return len(v), err
				}
				if got := change(read, &one); got != nil {
					v = append(v, *got)
				}
				read++
			}
			return len(v), nil
		},
		Value: func(i int) any { return &v[i] },
	}
}

// streamSession returns a session with a stream of 11 items.
func streamSession(change func(i int, v *item) *item) *session {
	w := testWorkload()
	w.Stream = streamOf(11)
	return &session{program: Program{
		Workloads: []*workload.Workload{w},
		Streams:   []StreamBinding{{"gob", "items", "Item", func() *StreamCodec { return gobStream(change) }}},
	}}
}

func unchanged(_ int, v *item) *item { return v }

// streamFile makes an empty file and returns its name.
func streamFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func streamCommand(op result.Op, file string) Stream {
	return Stream{Subject: result.Subject{Contender: "gob", Mode: "stream=file"}, Workload: "items", Size: "n=1", Seed: 3, Op: op, File: file}
}

// TestStreamOfData: values come from a file if the workload reads them, and a workload that
// makes its values refuses a file.
func TestStreamOfData(t *testing.T) {
	session := streamSession(unchanged)
	made := session.program.Workloads[0].Stream
	session.program.Workloads[0].Stream, session.program.Workloads[0].ReadStream = nil, func(size workload.Size, file string) (*workload.Stream, error) {
		if file != "records" {
			t.Errorf("values are read from %q", file)
		}
		return made(size, 3)
	}
	file := streamFile(t)
	write := streamCommand(result.Encode, file)
	if _, err := session.stream(write); err == nil || !strings.Contains(err.Error(), "are a user's, in a file, or made from the seed") {
		t.Errorf("without a file: %v", err)
	}
	write.Data = "records"
	wrote, err := session.stream(write)
	if err != nil || wrote.Messages != 11 {
		t.Fatalf("%+v, %v", wrote, err)
	}
	read := write
	read.Op, read.Sum = result.Decode, "0123"
	if _, err := session.stream(read); err == nil || !strings.Contains(err.Error(), "another checksum") {
		t.Errorf("a wrong sum: %v", err)
	}
	if _, err := streamSession(unchanged).stream(write); err == nil {
		t.Error("a workload that makes its values takes a file")
	}
}

func TestStream(t *testing.T) {
	file := streamFile(t)
	wrote, err := streamSession(unchanged).stream(streamCommand(result.Encode, file))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if wrote.Messages != 11 || wrote.Items != 22 || wrote.Bytes != info.Size() || wrote.Wall <= 0 || wrote.Elapsed < wrote.Wall || len(wrote.Sum) != 16 {
		t.Errorf("%+v of a file of %d bytes", wrote, info.Size())
	}
	for _, test := range []struct {
		name   string
		change func(int, *item) *item
		losses []contender.Loss
		sum    string // empty: the sum of the values written
		err    string
		lost   int
	}{
		{name: "as written", change: unchanged},
		{name: "one value differs", change: func(i int, v *item) *item {
			if i == 7 {
				v.Name = "y"
			}
			return v
		}, err: "message 7: Name: "},
		{name: "order", change: func(i int, v *item) *item {
			if i == 4 {
				v.ID = 5
			}
			return v
		}, err: "message 4: ID: 4 became 5"},
		{name: "one is missing", change: func(i int, v *item) *item {
			if i == 9 {
				return nil
			}
			return v
		}, err: "10 messages, want 11"},
		{name: "nil for empty, undeclared", change: emptied, err: "message 0: Tags"},
		{name: "a wrong sum of equal values", change: unchanged, sum: "0123", err: "another checksum"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := streamCommand(result.Decode, file)
			c.Sum = wrote.Sum
			if test.sum != "" {
				c.Sum = test.sum
			}
			read, err := streamSession(test.change).stream(c)
			switch {
			case test.err == "" && err != nil:
				t.Fatal(err)
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Fatalf("error %v, want one with %q", err, test.err)
			case err == nil && (read.Sum != wrote.Sum || read.Bytes != wrote.Bytes || read.Messages != 11):
				t.Errorf("read %+v, wrote %+v", read, wrote)
			}
		})
	}
}

func emptied(_ int, v *item) *item {
	v.Tags = nil
	return v
}

// TestStreamForgives: values that differ by a loss are an error unless the loss is declared.
func TestStreamForgives(t *testing.T) {
	s := streamSession(func(_ int, v *item) *item { v.Tags = []string{}; return v })
	s.program.Workloads[0].Stream = func(size workload.Size, seed uint64) (*workload.Stream, error) {
		out, err := streamOf(11)(size, seed)
		next := out.Next
		out.Next = func(n int) (any, error) {
			list, err := next(n)
			for i := range list.([]item) {
				list.([]item)[i].Tags = nil
			}
			return list, err
		}
		return out, err
	}
	file := streamFile(t)
	wrote, err := s.stream(streamCommand(result.Encode, file))
	if err != nil {
		t.Fatal(err)
	}
	c := streamCommand(result.Decode, file)
	c.Sum = wrote.Sum
	if _, err := s.stream(c); err == nil || !strings.Contains(err.Error(), "message 0: Tags") {
		t.Errorf("undeclared: %v", err)
	}
	c.Losses = []string{string(contender.NilEmpty)}
	read, err := s.stream(c)
	if err != nil || len(read.Losses) != 1 || read.Losses[0] != string(contender.NilEmpty) {
		t.Errorf("declared: %+v, %v", read, err)
	}
}

// TestStreamRoom: writing a stream is an error if the room is too small for it.
func TestStreamRoom(t *testing.T) {
	file := streamFile(t)
	wrote, err := streamSession(unchanged).stream(streamCommand(result.Encode, file))
	if err != nil {
		t.Fatal(err)
	}
	c := streamCommand(result.Encode, file)
	for _, room := range []int64{1, wrote.Bytes / 4, wrote.Bytes - 1} {
		c.Room = room
		if _, err := streamSession(unchanged).stream(c); !errors.Is(err, errRoom) {
			t.Errorf("room for %d of %d: %v", room, wrote.Bytes, err)
		}
	}
	c.Room = 4 * wrote.Bytes
	if _, err := streamSession(unchanged).stream(c); err != nil {
		t.Errorf("room enough: %v", err)
	}
}

// TestStreamDamaged: reading a file that was cut short is an error.
func TestStreamDamaged(t *testing.T) {
	file := streamFile(t)
	wrote, err := streamSession(unchanged).stream(streamCommand(result.Encode, file))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{0, 1, wrote.Bytes / 2, wrote.Bytes - 1} {
		if err := os.Truncate(file, n); err != nil {
			t.Fatal(err)
		}
		c := streamCommand(result.Decode, file)
		c.Sum = wrote.Sum
		if out, err := streamSession(unchanged).stream(c); err == nil {
			t.Errorf("%d of %d bytes: %+v", n, wrote.Bytes, out)
		}
	}
}

// TestStreamRefuses: commands that cannot be carried out are errors and do not touch the file.
func TestStreamRefuses(t *testing.T) {
	file := streamFile(t)
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Stream){
		"op":        func(c *Stream) { c.Op = result.Scan },
		"workload":  func(c *Stream) { c.Workload = "x" },
		"size":      func(c *Stream) { c.Size = "x" },
		"contender": func(c *Stream) { c.Contender = "x" },
		"codec":     func(c *Stream) { c.Codec = "x" },
		"files":     func(c *Stream) { c.More = make([]string, 11) },
	} {
		c := streamCommand(result.Encode, file)
		change(&c)
		if _, err := streamSession(unchanged).stream(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if text, err := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("the file is now %q, %v", text, err)
	}
}

// TestDigestsAgree: the sum of some values differs from the sum of none, and has 16 digits.
func TestDigestsAgree(t *testing.T) {
	source, err := streamOf(4)(workload.Size{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := &streaming{values: source, batch: 3, sum: steadyDigester()}
	if _, n, err := p.fill(lanes{{codec: gobStream(unchanged)}}); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if got := p.sum.text(); got == steadyDigester().text() || len(got) != 16 {
		t.Errorf("sum %q", got)
	}
}

func TestFraming(t *testing.T) {
	var file bytes.Buffer
	w := bufio.NewWriter(&file)
	messages := []string{"", "a", strings.Repeat("b", 300)}
	for _, m := range messages {
		if err := WriteDelimited(w, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(bytes.NewReader(file.Bytes()))
	var buf []byte
	for _, m := range messages {
		got, err := ReadDelimited(r, buf)
		if string(got) != m || err != nil {
			t.Errorf("%q, %v, want %q", got, err, m)
		}
		buf = got
	}
	if _, err := ReadDelimited(r, buf); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// FuzzFraming: no framing returns more bytes than the file has, and none returns io.EOF within
// a message.
func FuzzFraming(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 'a', 'b', 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x07, 1})
	f.Add([]byte{1, 0, 0, 0, 'x', 0, 0})
	f.Add([]byte("{}\n{\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		for name, read := range map[string]func(*bufio.Reader, []byte) ([]byte, error){
			"delimited": ReadDelimited, "sized": ReadSized, "line": ReadLine,
		} {
			r := bufio.NewReader(bytes.NewReader(file))
			var buf []byte
			var all int
			for {
				got, err := read(r, buf)
				if err == io.EOF && r.Buffered() > 0 {
					t.Errorf("%s: the end with %d bytes left", name, r.Buffered())
				}
				if err != nil {
					break
				}
				if all += len(got); all > len(file) {
					t.Fatalf("%s: %d bytes of a file of %d", name, all, len(file))
				}
				buf = got
			}
		}
	})
}

func TestQuantile(t *testing.T) {
	bounds := []float64{0, 1e-6, 2e-6, 4e-6}
	for _, test := range []struct {
		counts []uint64
		q      float64
		want   int64
	}{
		{[]uint64{0, 0, 0}, 1, 0},
		{[]uint64{99, 0, 1}, 0.99, 1000},
		{[]uint64{98, 1, 1}, 0.99, 2000},
		{[]uint64{98, 1, 1}, 1, 4000},
	} {
		if got := quantile(test.counts, bounds, test.q); got != test.want {
			t.Errorf("%v at %v: %d, want %d", test.counts, test.q, got, test.want)
		}
	}
}

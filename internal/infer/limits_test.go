package infer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// A loop is a reader of a text that repeats its last part endlessly.
type loop struct {
	head, body string
	at         int
}

func (l *loop) Read(p []byte) (int, error) {
	if l.head != "" {
		n := copy(p, l.head)
		l.head = l.head[n:]
		return n, nil
	}
	for n := 0; n < len(p); {
		k := copy(p[n:], l.body[l.at:])
		n += k
		l.at = (l.at + k) % len(l.body)
	}
	return len(p), nil
}

// endless returns a source that begins with head and repeats body endlessly.
func endless(head, body string) Source {
	return Source{"f", func() (io.ReadCloser, error) { return io.NopCloser(&loop{head: head, body: body}), nil }}
}

// Endless sources are read up to the limits, with little memory, and the error or note names the limit.
func TestEndless(t *testing.T) {
	const large = "f:1:1: a record that begins here is larger than 1 MiB; name smaller parts of it with --records, or allow more with --max-record"
	for _, test := range []struct {
		name, head, body string
		options          Options
		want             string // the error, or the note
	}{
		{name: "records", body: good, want: "only the first 262,144 records are read; --max-records and --max-bytes say how much"},
		{name: "records in a list", head: "[", body: `{"a":1},` + "\n", want: "only the first 466,034 records are read; --max-records and --max-bytes say how much"},
		{name: "white space", body: "\n \t\r", want: "f: there is no record in the first 4 MiB; give JSON documents one after another, or read more with --max-bytes"},
		{name: "white space behind a mark", head: "\xef\xbb\xbf", body: "\n", want: "f: there is no record in the first 4 MiB; give JSON documents one after another, or read more with --max-bytes"},
		{name: "white space in a list", head: "[", body: "\n", want: large},
		{name: "white space in a list of records", head: `[{"a":1},`, body: "\n", want: "only the first record is read; --max-records and --max-bytes say how much"},
		{name: "white space behind records", head: good, body: "\n", want: "only the first record is read; --max-records and --max-bytes say how much"},
		{name: "white space in a record", head: `{"a"`, body: "\n", want: large},
		{name: "nulls", body: "null\n", want: "f: there is no record in the first 4 MiB; give JSON documents one after another, or read more with --max-bytes"},
		{name: "nulls in a list", head: "[null", body: ",null", want: large},
		{name: "nulls in a list of records", head: `[null,{"a":1}`, body: ",null", want: "only the first record is read; --max-records and --max-bytes say how much"},
		{name: "white space behind nulls in a list", head: "[null,", body: "\n", want: large},
		{name: "text", head: `"`, body: "x", want: large},
		{name: "number", body: "1", want: large},
		{name: "key", head: `{"`, body: "x", want: large},
		{name: "keys", head: "{", body: `"x":1,`, want: large},
		{name: "elements", head: "[1", body: ",1", want: large},
		{name: "line", body: "x", want: "f:1:1: this is not JSON: invalid character 'x' at start of value"},
		{name: "comment", head: "//", body: "x", want: "f:1:1: this is not JSON: invalid character '/' at start of value; JSON has no comments: take them out"},
		{name: "zeros", body: "\x00", want: `f:1:1: this is not JSON: invalid character '\x00' at start of value`},
		{name: "nesting", body: "[", want: "f:1:10001: " + tooDeep},
		{name: "nested objects", body: `{"a":`, want: "f:1:50001: " + tooDeep},
		{name: "bad lines", body: "x\n", options: Options{SkipBad: true}, want: "there is no record that can be read; the first of 1 bad one: f:1:1: this is not JSON: invalid character 'x' at start of value"},
		{name: "bad line", body: "x", options: Options{SkipBad: true}, want: "there is no record that can be read; the first of 1 bad one: f:1:1: this is not JSON: invalid character 'x' at start of value"},
		{name: "what is no record", head: `{"a":[1`, body: ",1", options: Options{Records: "b[]"}, want: "f: there is nothing at b[] in the first 4 MiB; --records takes the path of the records, as in data.items[], and --max-bytes how much is read"},
		{name: "keys that are not wanted", head: "{", body: `"a":{"b":[]},`, options: Options{Records: "c[]"}, want: "f: there is nothing at c[] in the first 4 MiB; --records takes the path of the records, as in data.items[], and --max-bytes how much is read"},
		{name: "nesting that is not wanted", head: `{"a":`, body: "[", options: Options{Records: "b[]"}, want: "f:1:10006: " + tooDeep},
		{name: "white space before a path", body: "\n", options: Options{Records: "b[]"}, want: "f: there is nothing at b[] in the first 4 MiB; --records takes the path of the records, as in data.items[], and --max-bytes how much is read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := test.options
			o.MaxBytes, o.MaxRecord = 4<<20, 1<<20
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := JSON([]Source{endless(test.head, test.body)}, o)
			runtime.ReadMemStats(&after)
			got := ""
			switch {
			case err != nil:
				got = err.Error()
			case len(r.Notes) > 0:
				got = r.Notes[0]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if n := after.TotalAlloc - before.TotalAlloc; err != nil && n > 16<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
}

// A record may have exactly MaxRecord bytes, but not one more.
func TestMaxRecord(t *testing.T) {
	record := `{"a":"` + strings.Repeat("x", 100_000) + `"}`
	text := record + "\n" + record
	for _, most := range []int64{int64(len(record)), int64(len(record)) - 1} {
		for _, records := range []string{"", "."} {
			r, err := JSON([]Source{Bytes("f", []byte(text))}, Options{MaxRecord: most, Records: records})
			if fits := most == int64(len(record)); fits != (err == nil) {
				t.Errorf("at most %d of %d bytes: %v", most, len(record), err)
			} else if fits && r.Records != 2 {
				t.Errorf("%d records", r.Records)
			}
		}
	}
}

// No record begins beyond MaxBytes, counted over all sources.
func TestMaxBytes(t *testing.T) {
	n := int64(len(good))
	for _, test := range []struct{ most, want int64 }{{1, 1}, {n, 1}, {n + 1, 2}, {3 * n, 3}, {3*n + 1, 4}, {4 * n, 4}, {100 * n, 4}} {
		r, err := JSON([]Source{Bytes("f", []byte(good+good)), Bytes("g", []byte(good+good))}, Options{MaxBytes: test.most})
		if err != nil {
			t.Fatal(err)
		}
		if r.Records != test.want || len(r.Notes) > 0 != (test.want < 4) {
			t.Errorf("%d bytes: %d records, want %d; notes %q", test.most, r.Records, test.want, r.Notes)
		}
	}
}

// Compression bombs are refused with little memory, because limits apply to the decompressed text.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("compressing takes seconds")
	}
	var zipped, packed, wide bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(&wide, zstd.WithWindowSize(256<<20))
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []io.WriteCloser{g, z, w} {
		if _, err := io.CopyN(to, &loop{head: `{"a":"`, body: "x"}, 64<<20); err != nil {
			t.Fatal(err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
	}
	const large = "f:1:1: a record that begins here is larger than 1 MiB; name smaller parts of it with --records, or allow more with --max-record"
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"gzip", zipped.Bytes(), large},
		{"zstd", packed.Bytes(), large},
		{"zstd with a window", wide.Bytes(), "f: it takes more than 32 MiB of memory to decompress, as after zstd --ultra or --long; decompress it first, with zstd -d --long=31"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := JSON([]Source{Bytes("f", test.data)}, Options{MaxRecord: 1 << 20})
		runtime.ReadMemStats(&after)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v", test.name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 48<<20 {
			t.Errorf("%s: %d bytes were allocated", test.name, n)
		}
	}
}

// A stream is read only as far as the limits on its text allow. A compressed stream without text is
// read only up to Options.longest.
func TestStreams(t *testing.T) {
	var nothing bytes.Buffer
	if err := gzip.NewWriter(&nothing).Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, body, want string }{
		{"white space", "\n", "standard input: there is no record in the first 1 MiB; give JSON documents one after another, or read more with --max-bytes"},
		{"gzip of nothing", nothing.String(), "standard input: more than 3 MiB were read before there were records enough; allow more with --max-bytes"},
	} {
		in := &counted{in: &loop{body: test.body}}
		o := Options{MaxBytes: 1 << 20, MaxRecord: 1 << 20}
		sources, done, err := Files(t.Context(), []string{"-"}, in, o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = JSON(sources, o)
		done()
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v", test.name, err)
		}
		if in.n > 4<<20 {
			t.Errorf("%s: %d bytes were read", test.name, in.n)
		}
	}
}

type counted struct {
	in io.Reader
	n  int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += n
	return n, err
}

// If the context is cancelled, reading ends with its cause, which SkipBad does not treat as a bad
// record.
func TestCancelled(t *testing.T) {
	cause := errors.New("enough of it")
	ctx, cancel := context.WithCancelCause(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		io.WriteString(out, good)
		cancel(cause)
	}()
	o := Options{SkipBad: true}
	sources, done, err := Files(ctx, []string{"-"}, in, o)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := JSON(sources, o); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

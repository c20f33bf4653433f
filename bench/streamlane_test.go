package bench

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"assay/result"
)

// squeezed returns a session whose streams can be compressed.
func squeezed(change func(i int, v *item) *item) *session {
	s := streamSession(change)
	s.program.Pipes = []Pipe{{
		Codec:  "gz",
		Writer: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		Reader: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}}
	return s
}

// laneFiles makes n empty files.
func laneFiles(t *testing.T, n int) []string {
	var files []string
	for range n {
		files = append(files, streamFile(t))
	}
	return files
}

// TestStreamLanes: 11 messages in several files, plain and compressed, keep the values and the
// order that they have in one file.
func TestStreamLanes(t *testing.T) {
	one, err := streamSession(unchanged).stream(streamCommand(result.Encode, streamFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, codec := range []string{"", "gz"} {
		for _, n := range []int{1, 2, 3, 11} {
			t.Run(fmt.Sprintf("%s%d", codec, n), func(t *testing.T) {
				files := laneFiles(t, n)
				c := streamCommand(result.Encode, files[0])
				c.More, c.Codec = files[1:], codec
				wrote, err := squeezed(unchanged).stream(c)
				if err != nil {
					t.Fatal(err)
				}
				var size int64
				for _, f := range files {
					info, err := os.Stat(f)
					if err != nil || info.Size() == 0 {
						t.Fatalf("%v, %v", info, err)
					}
					size += info.Size()
				}
				if wrote.Sum != one.Sum || wrote.Messages != 11 || wrote.Bytes != size || (codec == "") != (wrote.Plain == wrote.Bytes) {
					t.Errorf("wrote %+v in %d bytes, want the sum %s", wrote, size, one.Sum)
				}
				c.Op, c.Sum = result.Decode, wrote.Sum
				read, err := squeezed(unchanged).stream(c)
				if err != nil {
					t.Fatal(err)
				}
				if read.Sum != one.Sum || read.Messages != 11 || read.Bytes != size || read.Plain != wrote.Plain {
					t.Errorf("read %+v, wrote %+v", read, wrote)
				}
				// A value that differs is reported with the number of its message.
				_, err = squeezed(func(_ int, v *item) *item {
					if v.ID == 7 {
						v.Name = "y"
					}
					return v
				}).stream(c)
				if err == nil || !strings.Contains(err.Error(), "message 7: Name: ") {
					t.Errorf("another value: %v", err)
				}
				// A file that was cut short is an error.
				last := files[n-1]
				info, err := os.Stat(last)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(last, info.Size()-1); err != nil {
					t.Fatal(err)
				}
				if out, err := squeezed(unchanged).stream(c); err == nil {
					t.Errorf("cut short: %+v", out)
				}
			})
		}
	}
}

// TestStreamSeeks: a format that is read by seeking gets the file itself, and cannot be
// compressed as a whole.
func TestStreamSeeks(t *testing.T) {
	seeking := func() *session {
		s := squeezed(unchanged)
		open := s.program.Streams[0].New
		s.program.Streams[0].New = func() *StreamCodec {
			c := open()
			read := c.Open
			c.Open = nil
			c.OpenAt = func(f io.ReaderAt, size int64) error {
				return read(bufio.NewReader(io.NewSectionReader(f, 0, size)))
			}
			return c
		}
		return s
	}
	c := streamCommand(result.Encode, streamFile(t))
	wrote, err := seeking().stream(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Op, c.Sum = result.Decode, wrote.Sum
	read, err := seeking().stream(c)
	if err != nil || read.Messages != 11 || read.Bytes != wrote.Bytes {
		t.Errorf("read %+v, %v; wrote %+v", read, err, wrote)
	}
	c.Codec = "gz"
	if _, err := seeking().stream(c); !errors.Is(err, errSeeks) {
		t.Errorf("a compressed file is read by seeking: %v", err)
	}
	c.Op = result.Encode
	if _, err := seeking().stream(c); !errors.Is(err, errSeeks) {
		t.Errorf("a compressed file is written: %v", err)
	}
}

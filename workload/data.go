package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"assay/schema"
	"assay/schema/neutral"
)

// RecordsKey returns the key of the size of a user's own n records.
func RecordsKey(n int64) string { return recordsKey + strconv.FormatInt(n, 10) }

const recordsKey = "records="

// ReadFile returns the values of a file that has one value a line in neutral form. T is the
// model type of the schema's message root. ReadFile skips empty lines. Its errors name the
// file and the line. The Read function of a workload calls it.
func ReadFile[T any](s *schema.Schema, root, file string) ([]T, error) {
	r, err := openLines[T](s, root, file)
	if err != nil {
		return nil, err
	}
	return r.next(math.MaxInt)
}

// StreamFile returns the values that ReadFile returns, as a stream of messages. The key of
// size must be one of RecordsKey; it says how many records there are. The ReadStream function
// of a workload calls StreamFile.
func StreamFile[T any](s *schema.Schema, size Size, file string) (*Stream, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(size.Key, recordsKey), 10, 64)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("size %q does not say how many records there are", size.Key)
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	r, err := openLines[T](s, size.Root, file)
	if err != nil {
		return nil, err
	}
	return &Stream{
		Root: size.Root, Messages: n, Items: 1, Bytes: max(1, info.Size()/n), Parsed: true,
		Next: func(most int) (any, error) { return r.next(most) },
	}, nil
}

// lines reads the values of a file, one value a line.
type lines[T any] struct {
	name string
	form neutral.Form
	f    *os.File // nil after the end of the file or an error
	r    *bufio.Reader
	line int
}

func openLines[T any](s *schema.Schema, root, file string) (*lines[T], error) {
	form, err := neutral.Of(s, root)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	return &lines[T]{name: file, form: form, f: f, r: bufio.NewReaderSize(f, 1<<20)}, nil
}

// next returns the next values, at most most of them. It closes the file at its end and after
// an error.
func (l *lines[T]) next(most int) ([]T, error) {
	var out []T
	for l.f != nil && len(out) < most {
		text, err := l.r.ReadBytes('\n')
		l.line++
		if len(bytes.TrimSpace(text)) > 0 {
			var v T
			if bad := l.form.Parse(text, &v); bad != nil {
				return nil, errors.Join(fmt.Errorf("%s:%d: %w", l.name, l.line, bad), l.close())
			}
			out = append(out, v)
		}
		if errors.Is(err, io.EOF) {
			err = l.close()
		}
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return out, nil
}

func (l *lines[T]) close() error {
	if l.f == nil {
		return nil
	}
	f := l.f
	l.f = nil
	return f.Close()
}

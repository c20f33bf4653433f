// Package tomldoc reads TOML that people write by hand. It knows the position of every value,
// so that errors have a file, line and column. It ignores nothing silently: a reader lists
// the keys it knows, and any other key is an error that names the nearest one.
package tomldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"assay/internal/nesting"
)

// An Error is an error in a text and its position.
type Error struct {
	// File is the name that was passed to Parse.
	File string
	// Line and Col count from 1. Col counts bytes, as compilers do.
	Line, Col int
	// Reason says what is wrong and how to correct it.
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Reason)
}

// A Doc is a text that is being read. It collects the errors in the text.
type Doc struct {
	file, src string
	errs      []located
}

// A located error is an error at an offset of the source.
type located struct {
	offset int
	reason string
}

// Parse parses a text and returns its top-level table. The errors contain name, which is the
// name of the file. The error wraps, with errors.Join, one *Error about the first invalid
// TOML.
func Parse(name string, data []byte) (Table, error) {
	d := &Doc{file: name, src: string(bytes.TrimPrefix(data, []byte("\ufeff")))}
	if i := invalidUTF8(d.src); i >= 0 {
		d.Fail(i, "the text is not valid UTF-8")
		return Table{}, d.Err()
	}
	if i := nesting.TooDeep([]byte(d.src), false); i >= 0 {
		d.Fail(i, "this is nested more than %d deep", nesting.Max)
		return Table{}, d.Err()
	}
	var tree map[string]any
	if _, err := toml.Decode(d.src, &tree); err != nil {
		return Table{}, errors.Join(syntaxError(name, d.src, err))
	}
	return Table{Doc: d, values: tree, node: locate(d.src)}, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i, c := range s {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// syntaxError converts an error of the TOML library to an Error.
func syntaxError(file, src string, err error) *Error {
	e := &Error{File: file, Line: 1, Col: 1, Reason: err.Error()}
	var p toml.ParseError
	if errors.As(err, &p) {
		e.Line, e.Col, e.Reason = max(p.Position.Line, 1), max(p.Position.Col, 1), strings.NewReplacer(`'\x00'`, "the end", `'\n'`, "the end of the line").Replace(p.Message)
		// If something is missing at the end of a line, point there and not to the next line.
		if lines := strings.SplitAfter(src, "\n"); e.Line > 1 && (e.Line > len(lines) || lines[e.Line-1] == "") {
			e.Line--
			e.Col = len(strings.TrimRight(lines[e.Line-1], "\r\n")) + 1
		}
	}
	return e
}

// Source returns the text that offsets refer to.
func (d *Doc) Source() string { return d.src }

// Fail records an error at an offset of the source.
func (d *Doc) Fail(offset int, format string, args ...any) {
	d.errs = append(d.errs, located{offset, fmt.Sprintf(format, args...)})
}

// Failed reports whether an error was recorded.
func (d *Doc) Failed() bool { return len(d.errs) > 0 }

// Err returns the recorded errors as an errors.Join of *Error in the order of the text, or
// nil.
func (d *Doc) Err() error {
	slices.SortStableFunc(d.errs, func(a, b located) int { return cmp.Compare(a.offset, b.offset) })
	var list []error
	for _, e := range d.errs {
		list = append(list, d.Place(e.offset, e.reason))
	}
	return errors.Join(list...)
}

// Place returns an error with a reason at an offset of the source.
func (d *Doc) Place(offset int, reason string) *Error {
	before := d.src[:min(offset, len(d.src))]
	return &Error{
		File:   d.file,
		Line:   1 + strings.Count(before, "\n"),
		Col:    len(before) - strings.LastIndexByte(before, '\n'),
		Reason: reason,
	}
}

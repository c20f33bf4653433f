package infer

import (
	"bytes"
	"io"
)

// A window is the part of a text that is in memory: a record, and the text that was read beyond it.
// Of the text that was passed, it keeps only the number of lines.
type window struct {
	in   io.Reader
	buf  []byte // the text that was read; the bytes before pos were passed
	pos  int
	base int64 // the offset of buf[0] in the text
	err  error // why no more can be read; io.EOF at the end

	lines int64 // the number of lines that ended before pos
	start int64 // the offset at which the line of pos begins
}

// ahead is the least number of bytes for which a window makes room before each read.
const ahead = 64 << 10

// rest returns the text that was read and not passed.
func (w *window) rest() []byte { return w.buf[w.pos:] }

// offset returns the offset of rest in the text.
func (w *window) offset() int64 { return w.base + int64(w.pos) }

// drop passes n bytes of rest.
func (w *window) drop(n int) {
	passed := w.buf[w.pos : w.pos+n]
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		w.lines += int64(bytes.Count(passed, []byte{'\n'}))
		w.start = w.offset() + int64(i) + 1
	}
	w.pos += n
}

// place returns the line and column of rest[i]. Both count from 1, columns in bytes.
func (w *window) place(i int) (line, col int64) {
	before := w.rest()[:min(i, len(w.rest()))]
	line, start := w.lines, w.start
	if k := bytes.LastIndexByte(before, '\n'); k >= 0 {
		line += int64(bytes.Count(before, []byte{'\n'}))
		start = w.offset() + int64(k) + 1
	}
	return line + 1, w.offset() + int64(len(before)) - start + 1
}

// fill reads until rest has at least n bytes or the text ends, and reports whether rest grew. It may
// read more than n bytes. Its buffer takes at most about one and a half times n bytes, plus what was
// read ahead.
func (w *window) fill(n int) bool {
	had := len(w.rest())
	for len(w.rest()) < n && w.err == nil {
		w.room(n)
		var got int
		got, w.err = w.in.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+got]
	}
	return len(w.rest()) > had
}

// room makes room for reading after rest. n is the length that rest should reach.
func (w *window) room(n int) {
	if cap(w.buf)-len(w.buf) >= ahead {
		return
	}
	rest := w.rest()
	to := w.buf[:0]
	if want := len(rest) + ahead; want > cap(w.buf) {
		to = make([]byte, 0, max(want, min(2*cap(w.buf), n+ahead)))
	}
	w.base = w.offset()
	w.buf, w.pos = append(to, rest...), 0
}

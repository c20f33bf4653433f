package plaintext

import (
	"io"
	"sync"
	"unicode/utf8"
)

// A Writer writes text as Text returns it. It wraps the terminal, pipe or file that a command
// prints to, so that commands need not check the names that they print. JSON keeps its meaning:
// active characters occur only in strings, and are escaped as in JSON. A Writer is safe for
// concurrent use.
type Writer struct {
	w  io.Writer
	mu sync.Mutex
	// part is the beginning of a rune whose rest is not written yet.
	part []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes the text. Unless there is an error, it reports all of p as written. If p ends
// within a rune, that rune is written with the rest of its bytes.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.part, p...)
	end := len(text) - unfinished(text)
	w.part = append([]byte(nil), text[end:]...)
	if _, err := io.WriteString(w.w, Text(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes an unfinished rune. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.finish()
}

func (w *Writer) finish() error {
	part := w.part
	w.part = nil
	if len(part) == 0 {
		return nil
	}
	_, err := io.WriteString(w.w, Text(string(part)))
	return err
}

// WriteTrusted writes text unchanged, with its own control sequences such as colours. The caller
// must have made untrusted parts safe.
func (w *Writer) WriteTrusted(text string) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.finish(); err != nil {
		return 0, err
	}
	return io.WriteString(w.w, text)
}

// Below returns the underlying writer.
func (w *Writer) Below() io.Writer { return w.w }

// A Trusting is a writer that distinguishes trusted text, which may hold our control sequences,
// from other text.
type Trusting interface {
	WriteTrusted(text string) (int, error)
}

// WriteTrusted writes text unchanged to w, which may be a Trusting.
func WriteTrusted(w io.Writer, text string) error {
	if t, ok := w.(Trusting); ok {
		_, err := t.WriteTrusted(text)
		return err
	}
	_, err := io.WriteString(w, text)
	return err
}

// unfinished returns the number of bytes at the end of a text that are the beginning of an
// incomplete rune.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		last := text[len(text)-n:]
		if utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

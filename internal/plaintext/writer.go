package plaintext

import (
	"io"
	"sync"
	"unicode/utf8"
)

// A Writer passes text on as Text returns it. It is what stands before a terminal, a
// pipe or a file that a command prints to, so that no command needs to think of what
// its names hold. JSON keeps its meaning: active characters stand in strings only, and
// their escape is the one that JSON has. Its methods may be called from several
// goroutines.
type Writer struct {
	w  io.Writer
	mu sync.Mutex
	// part is the beginning of a rune whose rest has not been written yet.
	part []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes the text. It reports all of p as written unless there is an error: a
// rune that p ends in the middle of is written with the rest of it.
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

// Close writes what was left unfinished. It does not close what is below.
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

// WriteTrusted writes text with control sequences of our own, such as colours, as
// it is. Whoever calls it has made what is not ours safe before.
func (w *Writer) WriteTrusted(text string) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.finish(); err != nil {
		return 0, err
	}
	return io.WriteString(w.w, text)
}

// Below returns what the Writer writes to.
func (w *Writer) Below() io.Writer { return w.w }

// A Trusting is a writer that tells text with control sequences of ours from all
// other text.
type Trusting interface {
	WriteTrusted(text string) (int, error)
}

// WriteTrusted writes text as it is to a writer that may be a Trusting one.
func WriteTrusted(w io.Writer, text string) error {
	if t, ok := w.(Trusting); ok {
		_, err := t.WriteTrusted(text)
		return err
	}
	_, err := io.WriteString(w, text)
	return err
}

// unfinished is how many bytes at the end of a text are the beginning of a rune.
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

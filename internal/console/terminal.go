package console

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"assay/internal/refusal"
)

// Colored decides whether results are coloured. It looks first at Color, then at NO_COLOR and
// CLICOLOR_FORCE, and then at whether standard output is a terminal.
func (c *Console) Colored() (bool, error) {
	switch c.Color {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, refusal.Errorf("--color is %q; it must be auto, always or never", c.Color)
	}
	if os.Getenv("NO_COLOR") != "" {
		return false, nil
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true, nil
	}
	_, ok := terminal(c.Out)
	return ok, nil
}

// Width returns the width of the terminal that results go to, or the value of COLUMNS, in columns;
// 0 if neither is known.
func (c *Console) Width() int {
	if width, ok := terminal(c.Out); ok {
		return width
	}
	return columns()
}

// Watched reports whether standard error is a terminal that can show colours and move the cursor.
func (c *Console) Watched() bool {
	_, ok := terminal(c.Err)
	return ok
}

// Size returns the columns and lines of the terminal that messages go to; 80 and 24 if it does not
// say.
func (c *Console) Size() (width, height int) { return terminalSize(c.Err) }

// Exact returns standard output for data: without the protection of a terminal, unless it is one. There,
// what would control the terminal is escaped as in JSON.
func (c *Console) Exact() io.Writer {
	if f := file(c.Out); f != nil && term.IsTerminal(int(f.Fd())) {
		return c.Out
	}
	return exact(c.Out)
}

// terminal reports whether w is a terminal that can show colours and move the cursor, and its
// width in columns.
func terminal(w io.Writer) (width int, ok bool) {
	f := file(w)
	if f == nil || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" || !escapes(f) {
		return 0, false
	}
	width, _ = terminalSize(w)
	return width, true
}

// columns returns the value of COLUMNS, which is the width of results that do not go to a
// terminal. It returns 0 if COLUMNS is not set, or too narrow or too wide for a table.
func columns() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 40 && n <= 1000 {
		return n
	}
	return 0
}

// terminalSize returns the columns and lines of the terminal that w writes to. If the terminal
// does not say, they are 80 and 24.
func terminalSize(w io.Writer) (width, height int) {
	if f := file(w); f != nil {
		width, height, _ = term.GetSize(int(f.Fd()))
	}
	if width <= 0 {
		width = 80
	}
	if height <= 0 {
		height = 24
	}
	return width, height
}

// file returns the file that w writes to, or nil.
func file(w io.Writer) *os.File {
	w = exact(w)
	if r, ok := w.(*resultWriter); ok {
		w = r.w
	}
	f, _ := w.(*os.File)
	return f
}

// exact returns the writer below w, which passes bytes on unchanged.
func exact(w io.Writer) io.Writer {
	if t, ok := w.(interface{ Below() io.Writer }); ok {
		return t.Below()
	}
	return w
}

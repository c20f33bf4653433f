package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"assay/internal/plaintext"
)

// terminal reports whether w is a terminal that can be painted on, and its
// width in columns.
func terminal(w io.Writer) (width int, ok bool) {
	w = exact(w)
	if r, ok := w.(*resultWriter); ok {
		w = r.w
	}
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return width, true
}

// exact returns a writer that passes bytes on as they are, to where w writes: for
// what is data and no text.
func exact(w io.Writer) io.Writer {
	if t, ok := w.(*plaintext.Writer); ok {
		return t.Below()
	}
	return w
}

// colored decides whether results are coloured: the flag first, then NO_COLOR
// and CLICOLOR_FORCE, then whether standard output is a terminal.
func (a *app) colored() (bool, error) {
	switch a.color {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, usagef("--color is %q; it must be auto, always or never", a.color)
	}
	if os.Getenv("NO_COLOR") != "" {
		return false, nil
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true, nil
	}
	_, ok := terminal(a.stdout)
	return ok, nil
}

// Package console is where a command prints. Standard output carries only results; progress,
// warnings, hints and errors go to standard error. No text can control the terminal that shows it.
package console

import (
	"encoding/json"
	"fmt"
	"io"

	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// A Console is the output of one invocation of the program.
type Console struct {
	// Out is standard output and Err standard error.
	Out, Err io.Writer
	// Quiet says that warnings and hints are not printed.
	Quiet bool
	// Color says when results are coloured: auto, always or never.
	Color string
	// Clear removes what a terminal shows during a measurement. It is called before each warning,
	// hint and error, unless it is nil.
	Clear func()

	results *plaintext.Writer
	kept    *resultWriter
	said    *messageWriter
}

// Protect makes Out and Err safe for terminals by package plaintext, and makes Err wrap lines at
// the width of the terminal. The caller calls Printed and Close at the end.
func (c *Console) Protect() {
	c.kept = &resultWriter{w: c.Out}
	c.results = plaintext.NewWriter(c.kept)
	c.said = messagesTo(c.Err, nil)
	c.Out, c.Err = c.results, c.said
}

// Commands names the commands of the program. No line of a message is broken inside a command line
// that has one of them.
func (c *Console) Commands(names []string) { c.said.commands = names }

// Printed ends the results. It returns the first error of printing one.
func (c *Console) Printed() error {
	c.results.Close() // kept has the error
	return c.kept.err
}

// Close ends the messages.
func (c *Console) Close() { c.said.Close() }

// A resultWriter is standard output. It keeps the first write error, so that a lost result is
// never reported as printed.
type resultWriter struct {
	w   io.Writer
	err error
}

func (r *resultWriter) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("cannot print the result: %w", err)
	}
	return n, r.err
}

// Error prints the line of an error on standard error, also if c is quiet.
func (c *Console) Error(line string) {
	if c.Clear != nil {
		c.Clear()
	}
	fmt.Fprintf(c.Err, errorPrefix+"%s\n", line)
}

// Warn prints a warning on standard error.
func (c *Console) Warn(format string, args ...any) {
	c.Hint(errorPrefix+"warning: "+format, args...)
}

// WarnAll prints lines of one kind as warnings. If there are many, it prints only the first
// twenty.
func (c *Console) WarnAll(lines []string) {
	phrase.Several(lines, func(line string) { c.Warn("%s", line) })
}

// Hint prints a line on standard error.
func (c *Console) Hint(format string, args ...any) {
	if c.Quiet {
		return
	}
	if c.Clear != nil {
		c.Clear()
	}
	fmt.Fprintf(c.Err, format+"\n", args...)
}

// Next prints commands to type next on standard error, with what each of them does.
func (c *Console) Next(commands ...[2]string) {
	width := 0
	for _, command := range commands {
		width = max(width, len(command[0]))
	}
	label := "next"
	for _, command := range commands {
		c.Hint("%-9s %-*s  %s", label, width, command[0], command[1])
		label = ""
	}
}

// JSON prints a value as indented JSON on standard output.
func (c *Console) JSON(v any) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Table prints a table on standard output. On a terminal the text of its last column wraps.
func (c *Console) Table(t *texttab.Headed) error {
	color, err := c.Colored()
	if err != nil {
		return err
	}
	t.Limit = c.Width()
	return t.Format(c.Out, color)
}

package cli

import (
	"io"
	"slices"
	"strings"

	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// A messageWriter is standard error: a plaintext.Writer that breaks lines between words where
// they are wider than the terminal. Lines for a pipe or a file stay whole, for programs
// that search them. What is painted, by WriteTrusted, is passed on as it is.
type messageWriter struct {
	*plaintext.Writer
	// width is asked before each message for the terminal's width; 0: it is none.
	width func() int
	// commands are the names of commands, which a line is not broken after: a command
	// that is copied in two parts runs as something else.
	commands []string
}

// messagesTo returns standard error of a program with these commands, on a writer.
func messagesTo(w io.Writer, commands []string) *messageWriter {
	return &messageWriter{plaintext.NewWriter(w), func() int {
		width, ok := terminal(w)
		if !ok {
			return 0
		}
		return width
	}, commands}
}

// Write writes a message, which is one line or several. Text without a line end is passed
// on as it is: its rest may come.
func (m *messageWriter) Write(p []byte) (int, error) {
	width := m.width()
	text, whole := strings.CutSuffix(string(p), "\n")
	if width <= 0 || !whole {
		return m.Writer.Write(p)
	}
	lines := strings.Split(plaintext.Text(text), "\n")
	for i, line := range lines {
		lines[i] = m.folded(line, width)
	}
	if _, err := io.WriteString(m.Writer, strings.Join(lines, "\n")+"\n"); err != nil {
		return 0, err
	}
	return len(p), nil
}

// errorPrefix is what errors and warnings begin with.
const errorPrefix = "assay: "

// labelWidth is how many cells the label of a line of progress takes, as in "stored    ".
const labelWidth = 10

// folded breaks a line between words, so that no part of it is wider than the terminal
// unless one word or command is. What follows the first part is indented. Lines with tabs
// are source code or a list of a compiler's, and stay as they are.
func (m *messageWriter) folded(line string, width int) string {
	if texttab.Width(line) <= width || strings.Contains(line, "\t") {
		return line
	}
	hang := 2
	switch {
	case strings.HasPrefix(line, errorPrefix):
		hang = len(errorPrefix)
	case len(line) > labelWidth && line[labelWidth-1] == ' ':
		hang += labelWidth
	}
	if hang > width/2 {
		hang = 0
	}
	var out strings.Builder
	used, begun := 0, false
	line = strings.TrimRight(line, " ")
	for line != "" {
		word := strings.TrimLeft(line, " ")
		gap := len(line) - len(word)
		word = word[:m.unit(word)]
		line = line[gap+len(word):]
		cells := texttab.Width(word)
		if begun && used+gap+cells > width {
			out.WriteString("\n" + strings.Repeat(" ", hang))
			gap, used = 0, hang
		}
		out.WriteString(strings.Repeat(" ", gap) + word)
		used += gap + cells
		begun = true
	}
	return out.String()
}

// unit is how many bytes at the beginning of a text stay on one line: a word, or a command
// to type with its arguments, which ends where its sentence or clause does, or before
// two spaces.
func (m *messageWriter) unit(text string) int {
	word, rest, more := strings.Cut(text, " ")
	next, _, _ := strings.Cut(rest, " ")
	if !more || strings.TrimLeft(word, "(") != "assay" || !slices.Contains(m.commands, strings.TrimRight(next, ");,:")) {
		return len(word)
	}
	end := len(word)
	for end < len(text) {
		if strings.HasPrefix(text[end:], "  ") || strings.ContainsAny(text[end-1:end], ");,:") {
			break
		}
		arg, _, _ := strings.Cut(text[end+1:], " ")
		end += 1 + len(arg)
	}
	return end
}

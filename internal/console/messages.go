package console

import (
	"io"
	"slices"
	"strings"

	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// A messageWriter is standard error: a plaintext.Writer that wraps lines between words at the
// width of the terminal. Lines for a pipe or a file stay whole, so that programs can search them.
// Text from WriteTrusted is never changed.
type messageWriter struct {
	*plaintext.Writer
	// width returns the width of the terminal. It is called before each message. 0 means that
	// there is no terminal.
	width func() int
	// commands are the names of commands. A line is never broken inside a command line, because a
	// user who copies only its first part would run another command.
	commands []string
}

// messagesTo returns a messageWriter that writes to w, for a program with these commands.
func messagesTo(w io.Writer, commands []string) *messageWriter {
	return &messageWriter{plaintext.NewWriter(w), func() int {
		width, ok := terminal(w)
		if !ok {
			return 0
		}
		return width
	}, commands}
}

// Write writes a message of one or more lines. It passes on text without a final newline
// unchanged, because the rest of the line may follow.
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

// errorPrefix begins every error and warning.
const errorPrefix = "assay: "

// labelWidth is the width, in cells, of the label in a line of progress, such as "stored    ".
const labelWidth = 10

// folded wraps a line between words. A part is wider than the terminal only if it is a single
// word or command. The parts after the first are indented. A line with tabs is source code or
// compiler output and stays unchanged.
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

// unit returns how many bytes at the beginning of a text must stay on one line. This is a word,
// or a command line with its arguments. A command line ends with its sentence or clause, or
// before two spaces.
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

package plaintext

import (
	"regexp"
	"strings"
)

var inMarkdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "~", `\~`, "<", "&lt;", "&", "&amp;",
)

// Markdown returns the text on one line, escaped so that Markdown shows it as it is within a line.
// MarkdownParagraph is for the beginning of a line.
func Markdown(text string) string { return inMarkdown.Replace(Line(text)) }

// marker matches an escaped text that begins like a heading, a quotation, an item of a list or a
// rule. A backslash belongs between the number of an item and the rest of the match.
var marker = regexp.MustCompile(`^(?:((?:#{1,6}|[-+])(?: |$)|>|-[- ]*-[- ]*-[- ]*$)|([0-9]{1,9})([.)](?: |$)))`)

// MarkdownParagraph does what Markdown does, for a text at the beginning of a paragraph or of an
// item of a list.
func MarkdownParagraph(text string) string {
	text = strings.TrimLeft(Markdown(text), " ") // four spaces would make a block of code
	return marker.ReplaceAllString(text, `$2\$1$3`)
}

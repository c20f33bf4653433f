package plaintext

import "strings"

var inMarkdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", "&lt;", "&", "&amp;",
)

// Markdown returns the text on one line, escaped so that Markdown shows it as it is.
func Markdown(text string) string { return inMarkdown.Replace(Line(text)) }

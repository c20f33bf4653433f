package plaintext

import "strings"

var inMarkdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", "&lt;", "&", "&amp;",
)

// Markdown returns text of one line that Markdown shows as it is.
func Markdown(text string) string { return inMarkdown.Replace(Line(text)) }

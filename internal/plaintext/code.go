package plaintext

import "strings"

// Code returns the text as a code span of Markdown. The span has more backticks on each side than
// the text has in a row: CommonMark, section 6.1.
func Code(text string) string {
	text = Line(text)
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || text == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}

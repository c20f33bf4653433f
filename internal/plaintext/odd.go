package plaintext

import (
	"strings"
	"unicode"
)

// Odd reports whether a character may not occur in the name of a contender or of a format: it is
// white space, cannot be shown, or means something to a shell, to a pattern or to a table.
func Odd(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("\"'`\\|,()*?[]{}$^&;<>", r)
}

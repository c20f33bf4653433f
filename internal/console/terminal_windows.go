package console

import (
	"os"

	"golang.org/x/sys/windows"
)

// escapes reports whether a terminal understands escape sequences. A console of Windows does so only
// if it is asked to.
func escapes(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	const want = windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return mode&want == want || windows.SetConsoleMode(console, mode|want) == nil
}

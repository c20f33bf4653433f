package drive

import (
	"bytes"
	"fmt"
	"strings"
)

// keep is how many bytes of the beginning, and of the end, of a process's
// standard error are kept.
const keep = 4 << 10

// telling are the beginnings of lines by which the Go runtime says why it ends
// a process. Such lines are kept wherever they are: before them a library may
// have logged a lot, and after them come the stacks of goroutines.
var telling = []string{
	"panic: ",
	"fatal error: ",
	"runtime: goroutine stack exceeds ",
	"runtime: out of memory",
	"unexpected fault address ",
	"SIG", // SIGABRT: abort
}

// A log is the bounded memory of an endless text.
type log struct {
	head, tail []byte
	total      int64
	line       []byte   // the present line's beginning
	told       []string // the first few telling lines
}

// Write remembers what is worth it. It never fails.
func (l *log) Write(text []byte) (int, error) {
	n := len(text)
	l.total += int64(n)
	l.scan(text)
	room := min(keep-len(l.head), len(text))
	l.head = append(l.head, text[:room]...)
	l.tail = append(l.tail, text[room:]...)
	if over := len(l.tail) - keep; over > 0 {
		l.tail = l.tail[:copy(l.tail, l.tail[over:])]
	}
	return n, nil
}

// scan cuts the text into lines and keeps those that tell.
func (l *log) scan(text []byte) {
	const longest, most = 512, 8
	for len(text) > 0 {
		part, rest, ended := bytes.Cut(text, []byte{'\n'})
		text = rest
		l.line = append(l.line, part[:min(len(part), longest-len(l.line))]...)
		if !ended {
			return
		}
		if len(l.told) < most {
			l.judge(string(l.line))
		}
		l.line = l.line[:0]
	}
}

func (l *log) judge(line string) {
	for _, t := range telling {
		if strings.HasPrefix(line, t) {
			l.told = append(l.told, strings.TrimRight(line, "\r"))
			return
		}
	}
}

// tells returns the first telling line that contains the text, or "".
func (l *log) tells(text string) string {
	for _, line := range l.told {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// lastLine returns the last line that is not blank.
func (l *log) lastLine() string {
	text := bytes.TrimSpace(append(bytes.Clone(l.head), l.tail...))
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// String returns the beginning and the end, and says what is missing between.
func (l *log) String() string {
	if missing := l.total - int64(len(l.head)+len(l.tail)); missing > 0 {
		return fmt.Sprintf("%s\n[%d bytes left out]\n%s", l.head, missing, l.tail)
	}
	return string(l.head) + string(l.tail)
}

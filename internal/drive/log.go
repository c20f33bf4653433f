package drive

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// keep is the number of bytes that a log keeps of the beginning of a process's standard error,
// and also of its end.
const keep = 4 << 10

// telling are the beginnings of the lines by which the Go runtime says why it ends a process. A
// log keeps such lines wherever they are: a library may have logged a lot before them, and the
// stacks of goroutines follow them.
var telling = []string{
	"panic: ",
	"fatal error: ",
	"runtime: goroutine stack exceeds ",
	"runtime: out of memory",
	"unexpected fault address ",
	"SIG", // SIGABRT: abort
}

// A log keeps a bounded part of an unbounded text.
type log struct {
	head, tail []byte
	total      int64
	line       []byte   // the beginning of the current line
	past       int      // number of bytes that line lacks of it
	told       []string // the first few telling lines
}

// Write stores the part of the text that the log keeps. It never fails.
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

// scan splits the text into lines and keeps the telling lines.
func (l *log) scan(text []byte) {
	const most = 8
	for len(text) > 0 {
		part, rest, ended := bytes.Cut(text, []byte{'\n'})
		text = rest
		room := min(len(part), longestText-len(l.line))
		l.line = append(l.line, part[:room]...)
		l.past += len(part) - room
		if !ended {
			return
		}
		if len(l.told) < most {
			l.judge(string(l.line))
		}
		l.line, l.past = l.line[:0], 0
	}
}

func (l *log) judge(line string) {
	for _, t := range telling {
		if strings.HasPrefix(line, t) {
			// A character that was cut in two is removed completely.
			whole := strings.TrimRight(line, "\r")
			if l.past > 0 {
				for whole != "" && !utf8.RuneStart(whole[len(whole)-1]) {
					whole = whole[:len(whole)-1]
				}
				if r, _ := utf8.DecodeLastRuneInString(whole); r == utf8.RuneError {
					whole = whole[:max(0, len(whole)-1)]
				}
			}
			l.told = append(l.told, brief(whole, l.past+len(line)-len(whole)))
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
	return strings.ToValidUTF8(string(text[bytes.LastIndexByte(text, '\n')+1:]), "\uFFFD")
}

// String returns the beginning and the end of the text, and says how many bytes are missing
// between them.
func (l *log) String() string {
	if missing := l.total - int64(len(l.head)+len(l.tail)); missing > 0 {
		return fmt.Sprintf("%s\n[%d bytes left out]\n%s", l.head, missing, l.tail)
	}
	return string(l.head) + string(l.tail)
}

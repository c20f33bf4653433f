package screen

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// A Recording is what a program wrote to a terminal, with times.
type Recording struct {
	Width, Height int
	Title         string
	Output        []Output
}

// An Output is a piece of what was written. At is the time since the beginning.
type Output struct {
	At   time.Duration
	Text string
}

// header is the first line of a recording, version 2 of asciinema's format.
type header struct {
	Version int    `json:"version"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Title   string `json:"title,omitempty"`
}

// Write writes the recording in asciinema's format, version 2.
func (r *Recording) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(header{2, r.Width, r.Height, r.Title}); err != nil {
		return err
	}
	for _, o := range r.Output {
		if err := enc.Encode([]any{json.Number(fmt.Sprintf("%.3f", o.At.Seconds())), "o", o.Text}); err != nil {
			return err
		}
	}
	return nil
}

// mostLine is the longest line of a recording that Read accepts, in bytes.
const mostLine = 4 << 20

// Read reads a recording. It skips events other than output.
func Read(in io.Reader) (*Recording, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	if !lines.Scan() {
		return nil, errors.Join(errors.New("line 1: a recording begins with a header"), lines.Err())
	}
	var h header
	if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	const mostSide = 10_000
	if h.Version != 2 || h.Width < 1 || h.Width > mostSide || h.Height < 1 || h.Height > mostSide {
		return nil, fmt.Errorf("line 1: version %d of %d by %d cells; it must be version 2 and have cells", h.Version, h.Width, h.Height)
	}
	r := &Recording{Width: h.Width, Height: h.Height, Title: h.Title}
	for n := 2; lines.Scan(); n++ {
		var at float64
		var kind, text string
		event := []any{&at, &kind, &text}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil || len(event) != 3 {
			return nil, fmt.Errorf("line %d: it must be a time, a kind and a text: %s", n, lines.Bytes())
		}
		if kind == "o" {
			r.Output = append(r.Output, Output{time.Duration(at * float64(time.Second)), text})
		}
	}
	return r, lines.Err()
}

// Plain returns the written text line by line, without control sequences and without the text
// that a line overwrote.
func (r *Recording) Plain() string {
	var all strings.Builder
	for _, o := range r.Output {
		all.WriteString(o.Text)
	}
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(sequences.ReplaceAllString(all.String(), ""), "\r\n", "\n")) {
		out.WriteString(line[strings.LastIndexByte(line, '\r')+1:]) // keep what follows the last \r
	}
	return out.String()
}

// sequences matches control sequences.
var sequences = regexp.MustCompile("\x1b\\[[0-9;?]*[@-~]")

// Still returns the screen in the middle one of the states for which shows returns true. It
// returns nil if there is none.
func (r *Recording) Still(shows func(*Screen) bool) *Screen {
	s := New(r.Width, r.Height)
	var states []int
	for i, o := range r.Output {
		io.WriteString(s, o.Text)
		if shows(s) {
			states = append(states, i)
		}
	}
	if len(states) == 0 {
		return nil
	}
	s = New(r.Width, r.Height)
	for _, o := range r.Output[:states[len(states)/2]+1] {
		io.WriteString(s, o.Text)
	}
	return s
}

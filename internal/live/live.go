// Package live draws a run that is being measured on a terminal: the table of what is
// known so far, and below it what is being done.
//
// A View draws only when one of its methods is called, and has no clock and no
// goroutine of its own. Whoever calls them between measurements only can be sure that
// nothing is painted while a sample is timed.
package live

import (
	"io"
	"slices"
	"strings"
	"time"

	"assay/internal/analysis"
	"assay/internal/plaintext"
	"assay/result"
)

// A View is what a terminal shows of a run. The zero View shows nothing. Its methods
// may be called on nil.
type View struct {
	w     io.Writer
	size  func() (width, height int)
	color bool
	now   func() time.Time

	about   About
	table   *analysis.Overview // nil: none yet
	status  string
	painted []string      // the lines on the terminal, the last one being the cursor's
	width   int           // of the terminal when they were painted
	began   time.Time     // when results were first offered
	spent   time.Duration // on computing them
}

// An About is what a View has to know of a run to show its table.
type About struct {
	// Workloads is how many workloads the run is to measure.
	Workloads int
	// Precision is the half-width, as a share, from which on a row counts as settled.
	Precision float64
	// Typical says which size of a workload the table shows. Nil: the first.
	Typical func(result.Cell) bool
}

// New returns a View on the terminal that w writes to. size is asked before each
// painting, so that the picture follows the terminal. Without colour, rows that may
// still move are told by their rank alone.
func New(w io.Writer, size func() (width, height int), color bool) *View {
	return &View{w: w, size: size, color: color, now: time.Now}
}

// The view takes a fortieth of the time at most, and half a second besides, so that a
// short run is seen whole.
const (
	restraint = 40
	grace     = 500 * time.Millisecond
)

// Show offers new results. They are computed and drawn unless the view has had more
// than its part of the time.
func (v *View) Show(about About, results func() *analysis.Results) {
	if v == nil || v.w == nil {
		return
	}
	begin := v.now()
	if v.began.IsZero() {
		v.began = begin
	}
	if v.spent > grace+begin.Sub(v.began)/restraint {
		return
	}
	v.about = about
	if o := analysis.OverviewOf(results(), about.Typical); o != nil {
		v.table = o
	}
	v.paint()
	v.spent += v.now().Sub(begin)
}

// Status says what is being done, in the last line of the picture.
func (v *View) Status(text string) {
	if v == nil || v.w == nil {
		return
	}
	v.status = plaintext.Line(text)
	v.paint()
}

// Say writes a line that stays, above the picture. The writer may break it in several.
func (v *View) Say(line string) {
	if v == nil || v.w == nil {
		return
	}
	if erase := v.erase(); erase != "" {
		_ = plaintext.WriteTrusted(v.w, erase) // a picture that is lost costs nothing
	}
	_, _ = io.WriteString(v.w, plaintext.Line(line)+"\n")
	v.painted = nil
	if v.table != nil {
		v.paint()
	}
}

// Clear removes the picture. The next call of another method draws it again.
func (v *View) Clear() {
	if v == nil || len(v.painted) == 0 {
		return
	}
	_ = plaintext.WriteTrusted(v.w, v.erase())
	v.painted = nil
}

// Control sequences of a terminal.
const (
	lineStart   = "\r"
	cursorUp    = "\x1b[A"
	clearToEnd  = "\x1b[K" // of the line
	clearToLast = "\x1b[J" // of the screen
)

// erase returns what removes the picture and leaves the cursor where it began. A
// terminal that has become narrower has broken its lines in two.
func (v *View) erase() string {
	if len(v.painted) == 0 {
		return ""
	}
	width, _ := v.size()
	return v.back(width) + clearToLast
}

// back returns what moves the cursor to the beginning of the picture.
func (v *View) back(width int) string {
	rows := 0
	for _, line := range v.painted {
		rows += max(1, (cells(line)+width-1)/max(1, width))
	}
	return lineStart + strings.Repeat(cursorUp, max(0, rows-1))
}

// paint draws the picture over the one before, as far as they differ.
func (v *View) paint() {
	width, height := v.size()
	lines := Frame(Picture{Table: v.table, About: v.about, Status: v.status}, width, height, v.color)
	if width == v.width && slices.Equal(lines, v.painted) {
		return
	}
	var out strings.Builder
	before := v.painted
	if len(before) > 0 {
		out.WriteString(v.back(width))
		if width != v.width {
			out.WriteString(clearToLast)
			before = nil
		}
	}
	for i, line := range lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		if i >= len(before) || before[i] != line {
			out.WriteString(line + clearToEnd)
		}
	}
	if len(before) > len(lines) {
		out.WriteString(clearToLast)
	}
	v.painted, v.width = lines, width
	_ = plaintext.WriteTrusted(v.w, out.String())
}

// Workloads counts the workloads that a plan's table has a column for.
func Workloads(p result.Plan) int {
	var seen []string
	for _, c := range p.Cases {
		if (c.Op == result.Encode || c.Op == result.Decode) && !slices.Contains(seen, c.Workload) {
			seen = append(seen, c.Workload)
		}
	}
	return len(seen)
}

// Package live draws a run on a terminal while it is measured: the table of what is known so far,
// and below it the current activity.
//
// A View draws only when one of its methods is called. It has no clock and no goroutine of its
// own. If a caller uses it only between measurements, nothing is painted while a sample is timed.
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

// A View shows a run on a terminal. The zero View shows nothing. All methods may be called on
// nil.
type View struct {
	w     io.Writer
	size  func() (width, height int)
	color bool
	now   func() time.Time

	about   About
	table   *analysis.Overview // nil if there is none yet
	status  string
	painted []string // the lines on the terminal; the cursor is on the last one
	width   int      // of the terminal when the lines were painted, as height
	height  int
	began   time.Time     // when Show was first called
	spent   time.Duration // on computing and painting results
}

// An About says what a View needs to know about a run to show its table.
type About struct {
	// Workloads is how many workloads the run will measure.
	Workloads int
	// Precision is the half-width, as a share, at which a row counts as settled.
	Precision float64
	// Typical reports whether the table shows this size of its workload. If it is nil, the table
	// shows the first size.
	Typical func(result.Cell) bool
}

// New returns a View on the terminal that w writes to. It calls size before each painting, so
// that the picture follows the terminal. Without colour, only their rank marks the rows that may
// still move.
func New(w io.Writer, size func() (width, height int), color bool) *View {
	return &View{w: w, size: size, color: color, now: time.Now}
}

// The view takes at most a fortieth of the time plus half a second, so that a short run is shown
// at every step.
const (
	restraint = 40
	grace     = 500 * time.Millisecond
)

// Show offers new results. The view computes and draws them unless it has used more than its
// share of the time.
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

// Status sets the current activity, the last line of the picture.
func (v *View) Status(text string) {
	if v == nil || v.w == nil {
		return
	}
	v.status = plaintext.Line(text)
	v.paint()
}

// Say writes a permanent line above the picture. The writer may wrap it.
func (v *View) Say(line string) {
	if v == nil || v.w == nil {
		return
	}
	if erase := v.erase(); erase != "" {
		_ = plaintext.WriteTrusted(v.w, erase) // a lost picture does no harm
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

// erase returns the control sequence that removes the picture and moves the cursor to its
// beginning. It accounts for lines that wrapped when the terminal became narrower.
func (v *View) erase() string {
	if len(v.painted) == 0 {
		return ""
	}
	width, height := v.size()
	return v.back(width, height) + clearToLast
}

// back returns the control sequence that moves the cursor to the beginning of the picture, or to the
// first row of the screen if the picture begins above it since the terminal became lower.
func (v *View) back(width, height int) string {
	rows := 0
	for _, line := range v.painted {
		rows += max(1, (cells(line)+width-1)/max(1, width))
	}
	return lineStart + strings.Repeat(cursorUp, max(0, min(rows, height)-1))
}

// paint draws the picture over the previous one. It writes only the lines that differ.
func (v *View) paint() {
	width, height := v.size()
	lines := frame(picture{table: v.table, about: v.about, status: v.status}, width, height, v.color)
	resized := width != v.width || height != v.height
	if !resized && slices.Equal(lines, v.painted) {
		return
	}
	var out strings.Builder
	before := v.painted
	if len(before) > 0 {
		out.WriteString(v.back(width, height))
		if resized { // the lines are no longer where they were painted
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
	v.painted, v.width, v.height = lines, width, height
	_ = plaintext.WriteTrusted(v.w, out.String())
}

// Workloads counts the workloads with a column in the table of a plan.
func Workloads(p result.Plan) int {
	var seen []string
	for _, c := range p.Cases {
		if (c.Op == result.Encode || c.Op == result.Decode) && !slices.Contains(seen, c.Workload) {
			seen = append(seen, c.Workload)
		}
	}
	return len(seen)
}

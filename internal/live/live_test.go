package live

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/live/screen"
	"assay/internal/texttab"
	"assay/result"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (go test -update rewrites it): -want +got\n%s", path, diff)
	}
}

// scatter returns a number from -1 to 1 that looks random but depends only on the arguments.
func scatter(parts ...int) float64 {
	h := uint32(2166136261)
	for _, p := range parts {
		h = (h ^ uint32(p)) * 16777619
		h ^= h >> 13
	}
	return float64(h%2001)/1000 - 1
}

// A measured is a run of three workloads with some of its launches.
type measured struct {
	run     *result.Run
	records []result.Record
	cells   []result.Cell
	names   []string
}

func newRun() *measured {
	m := &measured{run: &result.Run{ID: "20260902-120000", Plan: result.Plan{
		Reference: "encoding/json", Layouts: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8},
	}, Host: result.Host{SentinelBest: 900_000}}}
	m.names = []string{"encoding/json", "floor"}
	for i := range 12 {
		m.names = append(m.names, fmt.Sprintf("library%02d/messages", i))
	}
	for _, w := range []string{"chain", "customer", "movie"} {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			cell := result.Cell{Workload: w, Size: "level=1", Op: op}
			m.cells = append(m.cells, cell)
			for _, name := range m.names {
				m.run.Plan.Cases = append(m.run.Plan.Cases, cell.Case(result.Subject{Contender: name}))
			}
		}
	}
	return m
}

// launch adds the next n launches. Each cell gets launch k before any cell gets launch k+1.
// Libraries with a high number vary the most.
func (m *measured) launch(n int) *measured {
	for range n {
		at := len(m.records)
		k, cell := at/len(m.cells), m.cells[at%len(m.cells)]
		l := &result.Launch{Cell: cell, Layout: m.run.Plan.Layouts[k], Index: k, Sentinel: []int64{905_000}}
		for i, name := range m.names {
			s := result.Series{Subject: result.Subject{Contender: name}, N: 100}
			ns := 200_000 / (1 + 0.3*float64(i)) * (1 + 0.04*float64(i/3)*scatter(k, i, at))
			for round := range 12 {
				s.Round = append(s.Round, round)
				s.Wall = append(s.Wall, int64(ns*(1+0.002*scatter(k, i, round, at))))
				s.CPU = append(s.CPU, s.Wall[round])
			}
			l.Series = append(l.Series, s)
		}
		m.records = append(m.records, result.Record{Launch: l})
	}
	return m
}

func (m *measured) results() *analysis.Results {
	return analysis.Of(m.run, m.records, analysis.View{})
}

var about = About{Workloads: 3, Precision: 0.02}

const status = "measuring ████████░░░░░░░░░░░░ 26 of 54 · 1m40s left · widest ±8.1% · customer level=1 encode"

func pictured(m *measured) picture {
	return picture{table: analysis.OverviewOf(m.results(), nil), about: about, status: status}
}

// The picture after the first launches, after four sweeps and more, and after all launches.
func TestFrame(t *testing.T) {
	for _, launches := range []int{1, 3, 29, 54} {
		for _, width := range []int{80, 120} {
			lines := frame(pictured(newRun().launch(launches)), width, 40, false)
			golden(t, fmt.Sprintf("frame.%d.%d", launches, width), strings.Join(lines, "\n")+"\n")
		}
	}
}

// No picture is wider or longer than the terminal. Rows without room are counted.
func TestFrameFits(t *testing.T) {
	p := pictured(newRun().launch(20))
	for _, width := range []int{1, 10, 59, 60, 80, 200} {
		for _, height := range []int{1, 2, 6, 8, 12, 24, 60} {
			lines := frame(p, width, height, true)
			if len(lines) > max(1, height-1) {
				t.Errorf("%d by %d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if w := cells(line); w > max(0, width-1) {
					t.Errorf("%d by %d: %d cells: %q", width, height, w, line)
				}
			}
			if last := lines[len(lines)-1]; width == 200 && last != status {
				t.Errorf("%d by %d: the last line is %q", width, height, last)
			}
			table := len(lines) > 1
			if want := width >= 60 && height >= 10; table != want && height != 8 {
				t.Errorf("%d by %d: a table is %v, want %v", width, height, table, want)
			}
		}
	}
	lines := frame(p, 120, 12, false)
	text := strings.Join(lines, "\n")
	if !strings.Contains(text, "… and ") || !strings.Contains(text, " encoding/json ") {
		t.Errorf("what is left out, and the reference, are not there:\n%s", text)
	}
}

// Rows that may still move are grey and have no rank. Without colour only the missing rank marks
// them.
func TestProvisional(t *testing.T) {
	plain := frame(pictured(newRun().launch(54)), 120, 40, false)
	styled := frame(pictured(newRun().launch(54)), 120, 40, true)
	grey, settled := 0, 0
	for i, line := range styled {
		moves := strings.HasPrefix(strings.TrimLeft(plain[i], " "), "~ ") && i < len(styled)-2
		if dim := strings.Contains(line, "\x1b["+string(texttab.Dim)+"m"); dim != moves {
			t.Errorf("line %d is grey: %v, and provisional: %v: %q", i, dim, moves, line)
		}
		if moves {
			grey++
		} else {
			settled++
		}
	}
	if grey == 0 || settled < 5 {
		t.Errorf("%d rows are grey and %d lines are not", grey, settled)
	}
	for _, line := range frame(pictured(newRun().launch(29)), 120, 40, false)[2:] {
		if !strings.HasPrefix(line, "~ ") && line != status {
			t.Errorf("of layouts there are three and four, and this is no provisional row: %q", line)
		}
	}
}

// A terminal is a View on a screen whose size can change.
type terminal struct {
	*screen.Screen
	view          *View
	width, height int
	writes        int
	now           time.Time
}

func newTerminal(width, height int) *terminal {
	t := &terminal{Screen: screen.New(width, height), width: width, height: height}
	t.view = New(t, func() (int, int) { return t.width, t.height }, false)
	t.view.now = func() time.Time { return t.now }
	return t
}

func (t *terminal) resize(height int) {
	t.height = height
	t.Screen.Resize(height)
}

func (t *terminal) Write(p []byte) (int, error) {
	t.writes++
	return t.Screen.Write(p)
}

// Each picture replaces the previous one. Permanent lines stay above it.
func TestView(t *testing.T) {
	m := newRun()
	term := newTerminal(100, 30)
	v := term.view
	v.Status("runner    linking layout 1 of 2")
	v.Say("runner    24 contenders")
	for range 12 {
		m.launch(1)
		v.Status(status)
		v.Show(about, m.results)
		term.now = term.now.Add(time.Minute)
	}
	v.Say("left out  a\x1b[2Jb")
	want := strings.Join(append([]string{"runner    24 contenders", `left out  a\u001b[2Jb`}, frame(pictured(m), 100, 30, false)...), "\n") + "\n"
	if diff := cmp.Diff(want, term.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(term.Unknown()) > 0 {
		t.Errorf("sequences %q", term.Unknown())
	}
	writes := term.writes
	v.Status(status)
	if term.writes != writes {
		t.Error("a picture that did not change was painted again")
	}
	v.Clear()
	v.Clear()
	if got, want := term.Text(), "runner    24 contenders\nleft out  a\\u001b[2Jb\n"; got != want {
		t.Errorf("after clearing: %q", got)
	}
	v.Status("again")
	if !strings.Contains(term.Text(), "library05") {
		t.Error("the table does not come back after clearing")
	}
}

// The picture follows a terminal that becomes lower, or narrower.
func TestResize(t *testing.T) {
	m := newRun().launch(12)
	term := newTerminal(120, 30)
	term.view.Status(status)
	term.view.Show(about, m.results)
	for _, height := range []int{12, 30, 29, 5, 6} {
		term.resize(height)
		term.view.Status(fmt.Sprint("height ", height))
		want := frame(picture{table: term.view.table, about: about, status: fmt.Sprint("height ", height)}, 120, height, false)
		if diff := cmp.Diff(want, term.Lines()); diff != "" {
			t.Errorf("height %d (-want +got):\n%s", height, diff)
		}
	}
	term.resize(30)
	term.view.Status(strings.Repeat("wide ", 30))
	before := len(term.view.painted)
	term.width = 80
	if got := strings.Count(term.view.back(80, 1000), cursorUp); got <= before-1 {
		t.Errorf("%d lines broken by a narrower terminal are %d lines up", before, got)
	}
}

// Results are computed only as often as a fortieth of the time allows.
func TestRestraint(t *testing.T) {
	term := newTerminal(100, 30)
	m := newRun().launch(8)
	computed := 0
	slow := func() *analysis.Results {
		computed++
		term.now = term.now.Add(time.Second)
		return m.results()
	}
	for range 100 {
		term.view.Show(about, slow)
		term.now = term.now.Add(time.Second)
	}
	if computed != 4 {
		t.Errorf("of 100 seconds and what it took itself, results of a second were computed %d times", computed)
	}
	quick, shown := newTerminal(100, 30), 0
	for range 6 {
		quick.view.Show(about, func() *analysis.Results {
			shown++
			quick.now = quick.now.Add(50 * time.Millisecond)
			return m.results()
		})
	}
	if shown != 6 {
		t.Errorf("of a short run %d of 6 results were computed", shown)
	}
	var none *View
	none.Show(about, slow)
	none.Say("")
	none.Status("")
	none.Clear()
	(&View{}).Show(about, slow)
	if computed != 4 {
		t.Error("a view that nobody sees computes results")
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "longe"},
		{"\x1b[2mgrey text\x1b[0m", 4, "\x1b[2mgrey\x1b[0m"},
		{"宽 wide", 1, ""},
		{"宽 wide", 3, "宽 "},
		{"❤\ufe0f❤\ufe0f❤\ufe0f", 5, "❤\ufe0f❤\ufe0f❤"}, // the last one as text
		{"\xff\xfe\xfd", 2, "\xff\xfe"},
		{"a\xe5\xae", 2, "a\xe5"},
	} {
		if got := clip(test.line, test.width); got != test.want {
			t.Errorf("%q clipped to %d is %q, want %q", test.line, test.width, got, test.want)
		}
	}
}

func FuzzClip(f *testing.F) {
	f.Add("\x1b[2mgrey text\x1b[0m", 3)
	f.Add("宽 wide", 4)
	f.Add("\x1b[", 0)
	f.Add("\xff\xfe", 1)
	f.Fuzz(func(t *testing.T, line string, width int) {
		if width < 0 || width > 1000 {
			return
		}
		if got := clip(line, width); cells(got) > width {
			t.Errorf("%q clipped to %d is %q, %d cells", line, width, got, cells(got))
		}
	})
}

// TestStatusOfStreams checks that the status of a stream is complete on an ordinary terminal.
// What does not fit on one line continues on the next.
func TestStatusOfStreams(t *testing.T) {
	parts := []string{
		"streaming 3 of 24", "fxamacker/cbor encode", "430996 of 1000000 messages, 433.5 MiB", "133.5 MiB/s", "1m31s left", "177.2 MiB of memory",
	}
	status := strings.Join(parts, " · ")
	for _, width := range []int{50, 60, 80, 100, 200} {
		lines := frame(picture{status: status}, width, 24, false)
		all := strings.Join(lines, "\n")
		for _, part := range parts {
			if !strings.Contains(all, part) {
				t.Errorf("%d cells have no %q:\n%s", width, part, all)
			}
		}
		for _, line := range lines {
			if cells(line) > width-1 || strings.HasSuffix(line, " ") {
				t.Errorf("%d cells: %q", width, line)
			}
		}
		if width == 200 && len(lines) != 1 {
			t.Errorf("%d lines in %d cells, want 1", len(lines), width)
		}
	}
	if lines := frame(picture{status: status}, 40, 3, false); len(lines) != 2 {
		t.Errorf("%d lines on a terminal of 3, want 2: %q", len(lines), lines)
	}
}

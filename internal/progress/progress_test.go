package progress

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/drive"
	"assay/internal/live"
	"assay/internal/live/screen"
	"assay/internal/measure"
	"assay/result"
)

// story sends the progress the events of a small run, at fixed times.
func story(p *Progress, now *time.Time) {
	p.now = func() time.Time { return *now }
	p.last = *now
	after := func(d time.Duration) { *now = now.Add(d) }
	p.Event(measure.Building{Step: measure.Copying})
	p.Event(measure.Building{Step: measure.Tooling, N: 7})
	after(5 * time.Second)
	p.Event(measure.Building{Step: measure.Compiling})
	after(7 * time.Second)
	p.Event(measure.Building{Step: measure.Compiling}) // again, without a contender that does not build
	p.Event(measure.Building{Step: measure.Relinking, I: 1, N: 2})
	after(500 * time.Millisecond)
	p.Event(measure.Built{Contenders: 1, Layouts: 2})
	p.Event(measure.PhaseBegan{Phase: measure.Verifying, Total: 1})
	after(2 * time.Millisecond)
	one := result.Case{Workload: "movie", Size: "record=one", Contender: "floor"}
	p.Event(measure.StepDone{Case: one, Done: 1, Total: 1})
	one.Op = result.Encode
	p.Event(measure.PhaseEnded{Phase: measure.Verifying, Took: 2 * time.Millisecond})
	p.Event(measure.PhaseBegan{Phase: measure.Calibrating, Total: 2})
	after(3 * time.Second)
	p.Event(measure.StepDone{Case: one, Done: 1, Total: 1})
	p.Event(measure.StepDone{Case: one, Done: 2, Total: 2}) // the phase found more to do
	p.Event(measure.PhaseEnded{Phase: measure.Calibrating, Took: 3 * time.Second})
	p.Event(measure.Scheduled{Cases: 2, Cells: 1, Time: 100 * time.Millisecond, Fewest: 9, Layouts: 9})
	p.Event(measure.PhaseBegan{Phase: measure.Launching, Total: 4})
	after(11 * time.Second)
	p.Event(measure.LaunchDone{Cell: one.Cell(), Done: 1, Total: 4, Left: 33 * time.Second, Widest: 0.042})
	after(time.Second)
	p.Event(measure.CaseLeftOut{Outcome: result.Outcome{Case: one, Status: result.Panic, Reason: "panic: no\nmore"}})
	p.Clear()
	p.Event(measure.PhaseEnded{Phase: measure.Launching, Took: 12 * time.Second})
}

func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		want  string
	}{{
		name: "lines",
		want: `runner    building 7 generators of code, which is done once
runner    compiling the contenders; the first time takes a few minutes, later it is cached
runner    linking layout 1 of 2
runner    1 contender, 2 random layouts, built in 12.5s
verified  1 round trip in 2ms
sized     2 batches in 3s
measuring 2 cases in 1 cell, about 1s
measuring █████░░░░░░░░░░░░░░░ 1 of 4 · 33s left · widest ±4.2% · movie record=one encode
left out  movie/record=one/floor/encode: panic: panic: no
`,
	}, {
		name:  "terminal",
		width: 40,
		want: `runner    building 7 generators of code,
 which is done once
runner    compiling the contenders; the
first time takes a few minutes, later it
 is cached
runner    1 contender, 2 random layouts,
 built in 12.5s
verified  1 round trip in 2ms
sized     2 batches in 3s
measuring 2 cases in 1 cell, about 1s
left out  movie/record=one/floor/encode:
 panic: panic: no
`,
	}} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			shown := screen.New(40, 24)
			now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
			p := &Progress{w: &out}
			if test.width > 0 {
				p.view = live.New(shown, func() (int, int) { return test.width, 24 }, false)
			}
			story(p, &now)
			if got, want := p.Took(), "build 12.5s, verify 2ms, size 3s, measure 12s"; got != want {
				t.Errorf("it took %q, want %q", got, want)
			}
			if diff := cmp.Diff(test.want, out.String()+shown.Text()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	now := time.Now()
	story(&Progress{}, &now) // quiet: there is nothing to write to
}

// Each runner has a clock of its own: the second one of these takes a second, and the third is cached.
func TestProgressOfSeveralRunners(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	p := &Progress{w: &out, now: func() time.Time { return now }}
	for _, took := range []time.Duration{10 * time.Second, time.Second} {
		p.Event(measure.Building{Step: measure.Compiling})
		now = now.Add(took)
		p.Event(measure.Built{Contenders: 1, Layouts: 2})
	}
	p.Event(measure.Built{Contenders: 1, Layouts: 2})
	const compiling = "runner    compiling the contenders; the first time takes a few minutes, later it is cached\n"
	want := compiling + "runner    1 contender, 2 random layouts, built in 10s\n" + compiling + "runner    1 contender, 2 random layouts, built in 1s\n" +
		"runner    1 contender, 2 random layouts, cached\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := p.Took(), "build 11s"; got != want {
		t.Errorf("it took %q, want %q", got, want)
	}
}

// Each event of the cache is reported once.
func TestProgressOfTheCache(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, now: time.Now}
	p.Event(measure.Building{Step: measure.Damaged, Layout: 3})
	p.Event(measure.Building{Step: measure.Evicted, N: 2, Bytes: 3 << 30})
	p.Event(measure.Building{Step: measure.Evicted, Err: errors.New("why")})
	want := `runner    layout 3 in the cache was damaged; built again
cache     removed what was not used for longest: 3.0 GiB of 2 things
cache     could not be kept within its size: why
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The summary of verification counts a failed round trip once, even if both ops are left out. It
// does not count cases that a later phase leaves out.
func TestProgressOfFailedTrips(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	p := &Progress{w: &out, now: func() time.Time { return now }}
	leave := func(name string, ops ...result.Op) {
		for _, op := range ops {
			c := result.Case{Workload: "movie", Size: "record=one", Contender: name, Op: op}
			p.Event(measure.CaseLeftOut{Outcome: result.Outcome{Case: c, Status: result.Unverified, Reason: "no"}})
		}
	}
	p.Event(measure.PhaseBegan{Phase: measure.Verifying, Total: 3})
	p.Event(measure.StepDone{Done: 2, Total: 3})
	leave("one", result.Encode, result.Decode)
	p.Event(measure.StepDone{Done: 3, Total: 3})
	p.Event(measure.PhaseEnded{Phase: measure.Verifying})
	p.Event(measure.PhaseBegan{Phase: measure.Calibrating, Total: 2})
	leave("two", result.Encode)
	p.Event(measure.StepDone{Done: 2, Total: 2})
	p.Event(measure.PhaseEnded{Phase: measure.Calibrating})
	want := `left out  movie/record=one/one/encode: unverified: no
left out  movie/record=one/one/decode: unverified: no
verified  2 of 3 round trips in 1ms
left out  movie/record=one/two/encode: unverified: no
sized     2 batches in 1ms
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each event has its line. A line that the next one replaces is shown if the one before it is old
// enough, and then every time here.
func TestLines(t *testing.T) {
	one := result.Case{Workload: "chain", Size: "txs=1", Contender: "json", Mode: contender.StreamMode, Op: result.Encode}
	whole := one
	whole.Mode = contender.WholeMode
	bench := result.Bench{Set: "alecthomas", Name: "gob"}
	failed := bench
	failed.Status, failed.Reason = result.Panic, "no\nmore"
	for _, test := range []struct {
		event measure.Event
		want  string
	}{
		{measure.BlocksVerified{Done: 9, Values: 10, Took: 2 * time.Second}, "verified  9 of 10 records in 2s; a larger --budget verifies more"},
		{measure.BlocksVerified{Done: 10, Values: 10, Took: 2 * time.Second}, "verified  all 10 records in 2s"},
		{measure.Recalled{Phase: measure.Verifying, Steps: 3}, "verified  3 round trips known from an earlier run of the same program and values"},
		{measure.Recalled{Phase: measure.Verifying}, ""},
		{measure.Streamed{StreamProgress: drive.StreamProgress{Case: one, Total: 2, Messages: 5, All: 8, Bytes: 4096}},
			"streaming 1 of 2 · json encode · 5 of 8 messages, 4.0 KiB"},
		{measure.Streamed{StreamProgress: drive.StreamProgress{Case: one, Done: 1, Total: 2, Messages: 5, All: 8, Bytes: 4096, Elapsed: 2 * time.Second, Left: 1200 * time.Millisecond, Memory: 1 << 20}},
			"streaming 2 of 2 · json encode · 5 of 8 messages, 4.0 KiB · 2.0 KiB/s · 1s left · 1.0 MiB of memory"},
		{measure.Streamed{StreamProgress: drive.StreamProgress{Case: whole, Total: 2, Elapsed: 1600 * time.Millisecond, Memory: 1 << 20}},
			"whole     1 of 2 · txs=1 json encode · 2s · 1.0 MiB of memory"},
		{measure.BenchDone{Bench: bench, Done: 1, Total: 2}, "running   ██████████░░░░░░░░░░ 1 of 2 · alecthomas gob"},
		{measure.BenchDone{Bench: failed, Done: 1}, "running   ░░░░░░░░░░░░░░░░░░░░ 1 of 0 · alecthomas gob\nleft out  alecthomas gob: panic: no"},
		{measure.LaunchDone{Cell: one.Cell(), Done: 4, Total: 4, Left: 1400 * time.Millisecond, Widest: 1}, "measuring ████████████████████ 4 of 4 · 1s left · widest not known yet · chain txs=1 encode"},
		{measure.LaunchDone{Cell: one.Cell(), Total: 4}, "measuring ░░░░░░░░░░░░░░░░░░░░ 0 of 4 · 0s left · chain txs=1 encode"},
		{measure.Again{Cell: one.Cell(), Reason: "stolen"}, "again     chain txs=1 encode: stolen"},
		{measure.Again{Cell: result.Cell{Workload: "chain", Size: "txs=1"}, Reason: "it died", Failed: true}, "again     chain txs=1: it died"},
	} {
		var out bytes.Buffer
		now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
		p := &Progress{w: &out, now: func() time.Time { return now }}
		p.Event(test.event)
		if got := strings.TrimSuffix(out.String(), "\n"); got != test.want {
			t.Errorf("%T: %q, want %q", test.event, got, test.want)
		}
	}
}

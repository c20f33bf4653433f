//go:build unix

package drive_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

func rounds(names ...string) bench.Command {
	r := &bench.Rounds{Rounds: 1}
	for _, name := range names {
		r.Cases = append(r.Cases, bench.CaseSpec{Subject: result.Subject{Contender: name}, Op: result.Encode, N: 1})
	}
	return bench.Command{Cmd: "rounds", Rounds: r}
}

// start starts a fake runner and loads a workload.
func start(t *testing.T, ctx context.Context, limits drive.Limits) *drive.Process {
	t.Helper()
	r, _ := runner(t)
	p, err := drive.Start(ctx, r.Binary(0), limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if _, err := p.Do(bench.Command{Cmd: "load", Load: &bench.Load{Workload: "w", Mark: p.MarkFile()}}); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHang: a program that gives no sign of life is killed long before the limit for an answer.
func TestHang(t *testing.T) {
	p := start(t, t.Context(), drive.Limits{Answer: time.Hour, Hang: time.Second})
	_, err := p.Do(rounds("hang"))
	var f *drive.Failure
	if !errors.As(err, &f) || f.Status != result.Timeout || inTime(f.Reason) != "no answer in time" {
		t.Fatalf("%v, want that there was no answer in time", err)
	}
}

func TestFailures(t *testing.T) {
	const mem = 128 << 20
	tests := []struct {
		name    string
		status  result.Status
		reason  string // exact, or only a prefix if it ends in …
		outside bool
	}{
		{"panic", result.Panic, "panic: runtime error: index out of range [3] with length 0", false},
		{"overflow", result.Panic, "stack overflow: goroutine stack exceeds 33554432-byte limit", false},
		{"exit", result.Panic, "exited with status 0 before answering", false},
		{"status", result.Panic, "exited with status 3 before answering: licence expired", false},
		{"hang", result.Timeout, "no answer in …", false}, // 5s, and more where loading took long
		{"alloc", result.OOM, "grew past 128 MiB", false},
		{"absurd", result.OOM, "runtime: out of memory…", false},
		{"maps", result.Panic, "fatal error: concurrent map writes", false},
		{"kill", result.Panic, "killed by signal: killed", true},
		{"abort", result.Panic, "SIGABRT: abort", false},
		{"child", result.Panic, "exited with status 0 before answering", false},
		{"garbage", result.Panic, `wrote "hello, I am a library" where an answer was due`, false},
		{"empty", result.Panic, "answered rounds without what it asks for", false},
		{"timeless", result.Panic, "answered rounds without what it asks for", false},
		{"beyond", result.Panic, "answered rounds without what it asks for", false},
		{"owing", result.Panic, "answered rounds without what it asks for", false},
		{"half", result.Panic, "exited with status 0 before answering", false},
		{"mute", result.Panic, "closed its output without answering", false},
		{"loudpanic", result.Panic, "panic: after a long log", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.name == "hang" {
				t.Skip("waits for a contender that hangs")
			}
			if raced && (tt.name == "alloc" || tt.name == "absurd") {
				t.Skip("its memory is that of the race detector")
			}
			t.Parallel()
			limits := drive.Limits{Memory: mem, Answer: time.Minute}
			if tt.name == "hang" {
				limits.Answer = 5 * time.Second // for loading too, on a busy machine
			}
			p := start(t, t.Context(), limits)
			_, err := p.Do(rounds("good", tt.name))
			var f *drive.Failure
			if !errors.As(err, &f) {
				t.Fatalf("Do: %v, want a *Failure", err)
			}
			beginning, cut := strings.CutSuffix(tt.reason, "…")
			if f.Reason != tt.reason && !(cut && strings.HasPrefix(f.Reason, beginning)) {
				t.Errorf("reason %q, want %q", f.Reason, tt.reason)
			}
			if f.Status != tt.status || f.Outside != tt.outside {
				t.Errorf("status %s, outside %v; want %s, %v", f.Status, f.Outside, tt.status, tt.outside)
			}
			if f.Case == nil || f.Case.Contender != tt.name || f.Case.Op != result.Encode {
				t.Errorf("charged to %+v", f.Case)
			}
			if len(f.Stderr) > 9<<10 {
				t.Errorf("%d bytes of standard error kept", len(f.Stderr))
			}
		})
	}
}

func TestDo(t *testing.T) {
	p := start(t, t.Context(), drive.Limits{Answer: time.Minute})
	for range 3 {
		a, err := p.Do(rounds("good", "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Measured.Series) != 2 {
			t.Errorf("answer %+v", a)
		}
	}
	a, err := p.Do(rounds("good", "error"))
	if err != nil || a.Error != "error: field 3 is missing" {
		t.Errorf("answer %+v, %v; want the error as an answer", a, err)
	}
	if m := p.Marked(); m == nil || m.Contender != "error" {
		t.Errorf("marked %+v", m)
	}
	many := make([]string, 2000) // a command and an answer that are larger than any buffer
	for i := range many {
		many[i] = "good"
	}
	if a, err := p.Do(rounds(many...)); err != nil {
		t.Errorf("many cases: %v", err)
	} else if len(a.Measured.Series) != len(many) {
		t.Errorf("many cases: %d series", len(a.Measured.Series))
	}
	mark := p.MarkFile()
	if p.Close() <= 0 {
		t.Error("no time passed")
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the mark file is still there")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := start(t, ctx, drive.Limits{})
	interrupted := errors.New("interrupted")
	time.AfterFunc(50*time.Millisecond, func() { cancel(interrupted) })
	if _, err := p.Do(rounds("hang")); err != interrupted {
		t.Errorf("Do: %v, want the context's cause", err)
	}
	r, _ := runner(t)
	if _, err := drive.Start(ctx, r.Binary(0), drive.Limits{}); err != interrupted {
		t.Errorf("Start: %v, want the context's cause", err)
	}
}

func TestNoSuchRunner(t *testing.T) {
	_, err := drive.Start(t.Context(), drive.Binary{Path: "/nowhere/runner"}, drive.Limits{})
	if err == nil || !strings.Contains(err.Error(), "cannot start the runner /nowhere/runner") {
		t.Errorf("Start: %v", err)
	}
}

//go:build unix

package drive_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// auditEnv makes the test binary an external runner whose operations take a microsecond. Its
// value says what the runner reports for the first batch of each command: a nanosecond for each
// operation, or with "1" a nanosecond for the whole batch. With "uncounted" it counts no memory.
const auditEnv = "DRIVE_TEST_AUDIT"

func serveAudit(lie string) {
	out := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var c bench.Command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil || c.Cmd == "exit" {
			return
		}
		var a bench.Answer
		switch c.Cmd {
		case "memory":
			if lie == "uncounted" {
				a.Error = "memory: not here"
			}
		case "load":
			a.Loaded = &bench.Loaded{Root: "Root", Inputs: 1}
		case "rounds":
			spec := c.Rounds.Cases[0]
			s := result.Series{Subject: spec.Subject, N: spec.N}
			for round := range c.Rounds.Rounds {
				start := time.Now()
				time.Sleep(time.Duration(spec.N) * time.Microsecond)
				s.Round, s.Wall = append(s.Round, round), append(s.Wall, int64(time.Since(start)))
			}
			if s.Wall[0] = int64(spec.N); lie == "1" {
				s.Wall[0] = 1
			}
			a.Measured = &bench.Measured{Series: []result.Series{s}}
		}
		out.Encode(a)
	}
}

// TestAuditFirst: a false time for one batch of each command does not change the time that
// launches are compared with. If nothing can be done in the reported time, the case fails.
func TestAuditFirst(t *testing.T) {
	c := result.Case{Workload: "w", Size: "n=1", Contender: "py", Op: result.Encode}
	audit := func(lie string) (drive.Audited, string) {
		found, out, err := drive.Audit(t.Context(), drive.AuditConfig{
			Runner: drive.Runner{
				Binary:   func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{auditEnv + "=" + lie}} },
				Limits:   drive.Limits{Answer: time.Minute},
				External: true,
			},
			Cases: []result.Case{c}, N: func(result.Case) int { return 1000 },
		}, func(result.Record) error { return nil }, func(drive.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		var reasons []string
		for _, o := range out {
			reasons = append(reasons, o.Reason)
		}
		return found[c], strings.Join(reasons, "; ")
	}
	if got, reason := audit("n"); got.NS < 500 || got.Lie != "" || reason != "" {
		t.Errorf("the audit found %+v, %q, want about 1000 ns", got, reason)
	}
	const want = "reported 1 ns for a batch of 1000 operations of py encode, and no operation takes less than 0.2 ns"
	if _, reason := audit("1"); reason != want {
		t.Errorf("failed as %q, want %q", reason, want)
	}
}

// TestAuditSlow: an audit asks for no more batches of a slow contender than the limit for an answer
// has time for.
func TestAuditSlow(t *testing.T) {
	c := result.Case{Workload: "w", Size: "n=1", Contender: "py", Op: result.Encode}
	found, out, err := drive.Audit(t.Context(), drive.AuditConfig{
		Runner: drive.Runner{
			Binary:   func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{auditEnv + "=n"}} },
			Limits:   drive.Limits{Answer: 2 * time.Second},
			External: true,
		},
		Cases: []result.Case{c}, N: func(result.Case) int { return 500_000 }, // half a second
	}, func(result.Record) error { return nil }, func(drive.Event) {})
	if got := found[c]; err != nil || len(out) != 0 || got.NS < 500 || got.Lie != "" {
		t.Errorf("the audit found %+v, %+v, %v, want about 1000 ns", got, out, err)
	}
}

// TestCounts: a runner that fails without an answer may count, and one that is not asked to the end
// is not said to be unable to.
func TestCounts(t *testing.T) {
	c := result.Case{Workload: "w", Size: "n=1", Contender: "py", Op: result.Encode}
	lie := "n"
	r := drive.Runner{
		Binary:   func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{auditEnv + "=" + lie}} },
		Limits:   drive.Limits{Answer: time.Minute},
		External: true,
	}
	if counts, err := r.Counts(t.Context(), c); err != nil || !counts {
		t.Errorf("one that counts: %v, %v", counts, err)
	}
	lie = "uncounted"
	if counts, err := r.Counts(t.Context(), c); err != nil || counts {
		t.Errorf("one that does not count: %v, %v", counts, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := r.Counts(ctx, c); !errors.Is(err, stopped) {
		t.Errorf("a context that is cancelled: error %v, want %v", err, stopped)
	}
	absent := r
	absent.Binary = func(uint64) drive.Binary { return drive.Binary{Path: filepath.Join(t.TempDir(), "absent")} }
	if counts, err := absent.Counts(t.Context(), c); err != nil || !counts {
		t.Errorf("one that cannot be started: %v, %v, want its count to be tried, which charges it", counts, err)
	}
}

//go:build unix

package drive_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/drive"
	"assay/result"
)

// TestStreamsStored resumes streams that an earlier attempt did in part: only the missing repeats
// are done.
func TestStreamsStored(t *testing.T) {
	at := func(op result.Op) result.Case {
		return result.Case{Workload: "w", Size: "n=50", Contender: "good", Mode: contender.StreamMode, Op: op}
	}
	of := func(op result.Op, elapsed time.Duration) result.Stream {
		return result.Stream{Case: at(op), Elapsed: int64(elapsed)}
	}
	quick := []result.Stream{of(result.Encode, time.Second), of(result.Decode, time.Second)}
	slow := []result.Stream{of(result.Encode, 6*time.Second), of(result.Decode, 6*time.Second)}
	unread := of(result.Encode, time.Second)
	unread.Unread = "decode ran out of memory"
	for _, test := range []struct {
		name    string
		ops     []result.Op
		repeats int
		stored  []result.Stream
		want    int
	}{
		{"nothing", bothOps, 0, nil, 3},
		{"the first of three", bothOps, 0, quick, 2},
		{"one op of the second", bothOps, 0, append(slices.Clone(quick), quick[0]), 2},
		{"all", bothOps, 0, slices.Concat(quick, quick, quick), 0},
		{"one that took long", bothOps, 0, slow, 0},
		{"one that took long, of two", bothOps, 2, slow, 1},
		{"two of two", bothOps, 2, slices.Concat(slow, slow), 0},
		{"what nobody could read", bothOps[:1], 6, []result.Stream{unread}, 0},
		{"another contender", bothOps[:1], 1, []result.Stream{{Case: result.Case{Workload: "w", Size: "n=50", Contender: "wrong", Mode: contender.StreamMode, Op: result.Encode}}}, 1},
	} {
		dir := t.TempDir()
		cfg := drive.StreamConfig{
			Runner: drive.Runner{
				Binary: func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{streamEnv + "=1"}} },
				Limits: drive.Limits{Memory: 300 << 20}, Seed: 1,
			},
			Dir: dir, Room: func() int64 { return 1 << 30 }, Messages: func(result.Case) int64 { return 50 },
			Repeats: test.repeats, Stored: test.stored,
		}
		for _, op := range test.ops {
			cfg.Cases = append(cfg.Cases, at(op))
		}
		got, started := map[result.Op]int{}, 0
		outcomes, err := drive.Streams(t.Context(), cfg, func(r result.Record) error {
			if r.Stream != nil {
				got[r.Stream.Case.Op]++
			}
			return nil
		}, func(e drive.Event) {
			if _, ok := e.(drive.PassStarted); ok {
				started++
			}
		})
		if err != nil || len(outcomes) > 0 {
			t.Fatal(err, outcomes)
		}
		for _, op := range test.ops {
			if got[op] != test.want {
				t.Errorf("%s is stored: %s is done %d times, want %d", test.name, op, got[op], test.want)
			}
		}
		if begins := test.want > 0; begins != (started == 1) {
			t.Errorf("%s is stored: the pass begins %d times", test.name, started)
		}
	}
}

package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/bench"
	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
)

// TestAgain checks that our runner compares what a guest returns after it was timed, and that an
// error counts which another process would not give.
func TestAgain(t *testing.T) {
	for side, want := range map[string]string{
		"honest": "",
		"liar":   "after it was timed: decode: ",
		"once":   "after it was timed: it cannot write now",
	} {
		dir := t.TempDir()
		data := filepath.Join(dir, "values")
		runner := func(side string) *drive.Session {
			r := drive.Runner{
				Binary: func(uint64) drive.Binary {
					return drive.Binary{Path: os.Args[0], Env: []string{sideEnv + "=" + side, onceEnv + "=" + filepath.Join(dir, "once")}}
				},
				Data: func(string, string) string { return data },
			}
			s := r.Session(0, "w", "s", func(drive.Event) {})
			t.Cleanup(s.Close)
			return s
		}
		ours := runner("ours")
		if _, err := ours.Ask(t.Context(), bench.Command{Cmd: "export", Export: &bench.Export{File: data}}); err != nil {
			t.Fatal(err)
		}
		f, err := verify.Again(t.Context(), verify.ExternalConfig{
			External: "guest", Files: dir, Offers: func(result.Case) bool { return true },
		}, result.Cell{Workload: "w", Size: "s", Op: result.Encode}, result.Subject{Contender: "guest"}, ours, runner(side))
		if err != nil {
			t.Fatal(err)
		}
		if got := ""; f != nil {
			got = f.Reason
			if want == "" || len(got) < len(want) || got[:len(want)] != want || f.Status != result.Unverified {
				t.Errorf("%s: %s %q, want %q", side, f.Status, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: nothing is said, want %q", side, want)
		}
	}
}

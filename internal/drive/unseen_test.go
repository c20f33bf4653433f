//go:build unix

package drive_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// unseenEnv makes the test binary one of two runners: "ours", which exports values, or that of an
// external contender.
const unseenEnv = "DRIVE_TEST_UNSEEN"

// serveUnseen speaks the part of the protocol that Unseen uses. The contenders behave as their
// names say: decode of "remembers" takes ten times as long on values that are new to its
// process, unless they are its first ones, and "refuses" loads only its first values. On the first new values of all its
// processes, "stumbles" answers decode with an error, "exits" ends, and "killed" is killed. Their
// other processes are sound. For that, the value is followed by the name of a file that does not
// exist yet. "killed" remembers values too.
func serveUnseen(side string) {
	side, once, _ := strings.Cut(side, ":")
	out := json.NewEncoder(os.Stdout)
	seen := map[string]bool{}
	fresh := false
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		var c bench.Command
		if err != nil || json.Unmarshal(line, &c) != nil || c.Cmd == "exit" {
			return
		}
		var a bench.Answer
		switch c.Cmd {
		case "load":
			a.Loaded = &bench.Loaded{Root: "Root", Inputs: 16}
			if side == "ours" {
				break
			}
			text, err := os.ReadFile(c.Load.Data)
			if fresh = len(seen) > 0 && !seen[string(text)]; err != nil || side == "refuses" && fresh {
				a = bench.Answer{Error: fmt.Sprint("it is not to be read: ", err)}
			}
			seen[string(text)] = true
		case "export":
			a.Exported = &bench.Exported{Inputs: 16}
			if !c.Export.Others {
				a = bench.Answer{Error: "nobody asks for these"}
			} else if err := os.WriteFile(c.Export.File, fmt.Append(nil, rand.Uint64()), 0o600); err != nil {
				a = bench.Answer{Error: err.Error()}
			}
		case "rounds":
			spec := c.Rounds.Cases[0]
			if fresh && spec.Op == result.Decode && once != "" && os.Mkdir(once, 0o700) == nil {
				switch side {
				case "stumbles":
					a = bench.Answer{Error: "a field is missing"}
				case "exits":
					os.Exit(3)
				case "killed":
					syscall.Kill(os.Getpid(), syscall.SIGKILL)
				}
			}
			if a.Error != "" {
				break
			}
			ns := int64(1000 * spec.N)
			if (side == "remembers" || side == "killed") && fresh && spec.Op == result.Decode {
				ns *= 10
			}
			time.Sleep(time.Duration(ns)) // no batch may be longer than its command
			a.Measured = &bench.Measured{Series: []result.Series{{Subject: spec.Subject, N: spec.N, Round: []int{0}, Wall: []int64{ns}}}}
		}
		out.Encode(a)
	}
}

// unseenRunner returns a Runner of the test binary as that side.
func unseenRunner(side string) drive.Runner {
	return drive.Runner{
		Binary: func(uint64) drive.Binary {
			return drive.Binary{Path: os.Args[0], Env: []string{unseenEnv + "=" + side}}
		},
		Limits: drive.Limits{Answer: time.Minute},
	}
}

// TestUnseen: an external contender that remembers values is detected, for each op separately.
// One that refuses other values has a failure.
func TestUnseen(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "own.jsonl")
	if err := os.WriteFile(own, []byte("the run's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	for side, want := range map[string]map[result.Op]drive.Times{
		"forgets":   {result.Encode: {Fresh: 1000, Seen: 1000}, result.Decode: {Fresh: 1000, Seen: 1000}},
		"remembers": {result.Encode: {Fresh: 1000, Seen: 1000}, result.Decode: {Fresh: 10000, Seen: 1000}},
		"refuses":   {},
	} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			theirs := unseenRunner(side)
			theirs.External = true
			theirs.Data = func(string, string) string { return own }
			var cases []result.Case
			for _, op := range []result.Op{result.Encode, result.Decode} {
				cases = append(cases, result.Case{Workload: "w", Size: "s", Contender: side, Op: op})
			}
			var n notebook
			got, outcomes, err := drive.Unseen(t.Context(), drive.UnseenConfig{
				Ours: unseenRunner("ours"), Theirs: theirs, Cases: cases, File: filepath.Join(dir, side+".jsonl"),
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				if got[c] != want[c.Op] {
					t.Errorf("%s: %+v, want %+v", c, got[c], want[c.Op])
				}
			}
			if lost := strings.Join(n.outcomes(), "\n"); (len(outcomes) > 0) != (side == "refuses") || strings.Contains(lost, "not to be read") != (side == "refuses") {
				t.Errorf("outcomes %q", lost)
			}
		})
	}
}

// TestUnseenOnce: what an external contender does on new values is a finding, which a second try in
// a new process would hide. If a signal from outside kills its process, it loads the new values
// again in a new process, and an event says so.
func TestUnseenOnce(t *testing.T) {
	for side, want := range map[string]struct {
		fresh    float64 // of decode
		outcomes []string
		repeated []string
	}{
		"stumbles": {0, []string{"stumbles/decode: unverified: a field is missing"}, nil},
		"exits":    {0, []string{"exits/decode: panic: exited with status 3 before answering"}, nil},
		"killed":   {10000, nil, []string{"killed by signal: killed"}},
	} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			own := filepath.Join(dir, "own.jsonl")
			if err := os.WriteFile(own, []byte("the run's own"), 0o600); err != nil {
				t.Fatal(err)
			}
			theirs := unseenRunner(side + ":" + filepath.Join(dir, "once"))
			theirs.External = true
			theirs.Data = func(string, string) string { return own }
			c := result.Case{Workload: "w", Size: "s", Contender: side, Op: result.Decode}
			var n notebook
			got, _, err := drive.Unseen(t.Context(), drive.UnseenConfig{
				Ours: unseenRunner("ours"), Theirs: theirs, Cases: []result.Case{c}, File: filepath.Join(dir, "others.jsonl"),
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			if got[c].Fresh != want.fresh {
				t.Errorf("%v ns on new values, want %v", got[c].Fresh, want.fresh)
			}
			if diff := cmp.Diff(want.outcomes, n.outcomes()); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.repeated, n.repeated()); diff != "" {
				t.Errorf("repeated (-want +got):\n%s", diff)
			}
		})
	}
}

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
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// unseenEnv makes the test binary one of two runners: "ours", which exports values, or that of an
// external contender.
const unseenEnv = "DRIVE_TEST_UNSEEN"

// serveUnseen speaks the part of the protocol that Unseen uses. The contenders behave as their
// names say: decode of "remembers" takes ten times as long on values that its process has not
// loaded before, and "refuses" loads only the first values.
func serveUnseen(side string) {
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
			if fresh = !seen[string(text)]; err != nil || side == "refuses" && fresh && len(seen) > 0 {
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
			ns := int64(1000 * spec.N)
			if side == "remembers" && fresh && spec.Op == result.Decode {
				ns *= 10
			}
			time.Sleep(time.Duration(ns)) // no batch may be longer than its command
			a.Measured = &bench.Measured{Series: []result.Series{{Subject: spec.Subject, N: spec.N, Round: []int{0}, Wall: []int64{ns}}}}
		}
		out.Encode(a)
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
	runner := func(side string) drive.Runner {
		return drive.Runner{
			Binary: func(uint64) drive.Binary {
				return drive.Binary{Path: os.Args[0], Env: []string{unseenEnv + "=" + side}}
			},
			Limits: drive.Limits{Answer: time.Minute},
		}
	}
	for side, want := range map[string]map[result.Op]drive.Times{
		"forgets":   {result.Encode: {Fresh: 1000, Seen: 1000}, result.Decode: {Fresh: 1000, Seen: 1000}},
		"remembers": {result.Encode: {Fresh: 1000, Seen: 1000}, result.Decode: {Fresh: 10000, Seen: 1000}},
		"refuses":   {},
	} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			theirs := runner(side)
			theirs.External = true
			theirs.Data = func(string, string) string { return own }
			var cases []result.Case
			for _, op := range []result.Op{result.Encode, result.Decode} {
				cases = append(cases, result.Case{Workload: "w", Size: "s", Contender: side, Op: op})
			}
			var n notebook
			got, outcomes, err := drive.Unseen(t.Context(), drive.UnseenConfig{
				Ours: runner("ours"), Theirs: theirs, Cases: cases, File: filepath.Join(dir, side+".jsonl"),
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

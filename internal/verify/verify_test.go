package verify_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
)

// fakeEnv makes the test binary a runner.
const fakeEnv = "VERIFY_TEST_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(fakeEnv) != "" {
		serve()
		os.Exit(0)
	}
	if side := os.Getenv(sideEnv); side != "" {
		serveSide(side)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve serves the runner protocol. A contender behaves as its name says: "wrong" and "panic"
// do that in their own round trip. "lossy" suffers a loss, and fails unless it is forgiven.
// "leaning" is wrong in the first round trip of a process. "crash" panics when it reads another
// contender's bytes, and "poison" makes its reader exit while the mark names poison. "handles"
// is only right in a process where it wrote before, "lonely" panics in a process where it did
// not, and "mute" cannot write after its round trip. Contenders agree if their names have the
// same ending.
func serve() {
	var mark string
	trips, wrote := 0, map[string]bool{}
	out := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var c bench.Command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		var a bench.Answer
		switch c.Cmd {
		case "exit":
			return
		case "load":
			if c.Load.Size == "impossible" {
				os.Exit(3)
			}
			mark = c.Load.Mark
			a.Loaded = &bench.Loaded{Inputs: max(1, c.Load.Inputs)}
		case "describe":
			a.Described = &bench.Described{Bindings: bindings()}
		case "write":
			if strings.HasPrefix(c.Write.Contender, "mute") {
				a.Error = "cannot write"
				break
			}
			a.Written = &bench.Written{Messages: [][]byte{[]byte("12345678")}}
		case "verify":
			if !c.Verify.First {
				wrote[c.Verify.Contender] = true
			} else if len(wrote) > 0 {
				a.Verified = &bench.Verified{Op: result.Decode, Reason: "decode: this process wrote before"}
				break
			} else if strings.HasPrefix(c.Verify.Contender, "handles") {
				a.Verified = &bench.Verified{Op: result.Decode, Reason: "decode: no value 12345678", Changed: true}
				break
			} else if strings.HasPrefix(c.Verify.Contender, "lonely") {
				panic("never wrote here")
			}
			if trips++; trips == 1 && strings.HasPrefix(c.Verify.Contender, "leaning") {
				a.Verified = &bench.Verified{Op: result.Decode, Reason: "decode: a became b"}
				break
			}
			a.Verified = roundTrip(*c.Verify, mark)
		}
		out.Encode(a)
	}
}

// bindings binds every name that a test uses.
func bindings() []bench.BindingInfo {
	var out []bench.BindingInfo
	for _, name := range strings.Fields("leaning-2 good-1 fine-1 also-1 odd-2 strange-2 lossy-1 wrong-1 crash-1 poison-1 panic-1 absent-3 handles-1 lonely-1 mute-1") {
		out = append(out, bench.BindingInfo{Contender: name, Workload: "w", Ops: []result.Op{result.Encode, result.Decode}})
	}
	return append(out, bench.BindingInfo{Contender: "writer-2", Workload: "w", Ops: []result.Op{result.Encode}})
}

func roundTrip(v bench.Verify, mark string) *bench.Verified {
	set := func(s result.Subject) {
		text := fmt.Sprintf("%-256s", s.Contender+"\t"+s.Mode+"\tdecode\n")
		if err := os.WriteFile(mark, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	set(v.Subject)
	kind, dialect, _ := strings.Cut(v.Contender, "-")
	if v.From != nil {
		from, theirs, _ := strings.Cut(v.From.Contender, "-")
		switch {
		case kind == "crash":
			panic("cannot read that")
		case from == "poison":
			set(*v.From)
			os.Exit(9)
		case theirs != dialect:
			return &bench.Verified{Op: result.Decode, Reason: "decode: from " + v.From.Contender + " to " + v.Contender}
		}
	} else {
		switch kind {
		case "wrong":
			return &bench.Verified{Op: result.Decode, Reason: "items: 10 elements became 1"}
		case "panic":
			panic("oh no")
		}
	}
	out := &bench.Verified{OK: true}
	if kind == "lossy" || v.From != nil && strings.HasPrefix(v.From.Contender, "lossy") {
		if len(v.Losses) == 0 {
			return &bench.Verified{Op: result.Decode, Reason: "decode: nil became empty"}
		}
		out.Losses = v.Losses
	}
	return out
}

// run verifies subjects of the form "name" or "name!mode", all with encode and decode and of
// one format.
func run(t *testing.T, size string, subjects ...string) (verify.Result, []result.Record, []drive.Event) {
	t.Helper()
	return runAbreast(t, 1, size, subjects...)
}

// runAbreast is run with several processes at a time.
func runAbreast(t *testing.T, width int, size string, subjects ...string) (verify.Result, []result.Record, []drive.Event) {
	t.Helper()
	cfg := configOf(size, subjects...)
	cfg.Width = width
	var records []result.Record
	var events []drive.Event
	got, err := verify.Run(t.Context(), cfg,
		func(r result.Record) error { records = append(records, r); return nil },
		func(e drive.Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	return got, records, events
}

// configOf returns the configuration for subjects as in run.
func configOf(size string, subjects ...string) verify.Config {
	cfg := verify.Config{
		Runner: drive.Runner{
			Binary: func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{fakeEnv + "=1"}} },
			Limits: drive.Limits{Answer: time.Minute},
		},
		Losses:  map[string][]string{"lossy-1": {"nil-empty"}},
		Formats: map[string]string{},
	}
	for _, s := range subjects {
		name, mode, _ := strings.Cut(s, "!")
		cfg.Formats[name] = "f"
		for _, op := range []result.Op{result.Encode, result.Decode} {
			cfg.Cases = append(cfg.Cases, result.Case{Workload: "w", Size: size, Contender: name, Mode: mode, Op: op})
		}
	}
	return cfg
}

func TestRun(t *testing.T) {
	tests := []struct {
		name     string
		subjects string
		live     string
		outcomes []string // of the encode cases
	}{
		{"all agree", "good-1 fine-1 good-1!output=reuse", "good-1 fine-1 good-1!output=reuse", nil},
		{"own trips fail", "good-1 wrong-1 panic-1 fine-1", "good-1 fine-1", []string{
			"wrong-1: unverified: decode: items: 10 elements became 1",
			"panic-1: panic: panic: oh no",
		}},
		{"bytes that another process cannot read", "good-1 handles-1 fine-1 handles-1!output=reuse", "good-1 fine-1", []string{
			"handles-1: unverified: its bytes cannot be read in another process: decode: no value 12345678",
			"handles-1 (output=reuse): unverified: its bytes cannot be read in another process: decode: no value 12345678",
		}},
		{"a death in another process", "good-1 lonely-1 fine-1", "good-1 fine-1", []string{
			"lonely-1: unverified: decode: its bytes cannot be read in another process: panic: never wrote here",
		}},
		{"nothing for another process to read", "good-1 mute-1", "good-1", []string{
			"mute-1: unverified: as it wrote for another process: cannot write",
		}},
		{"declared losses of either are forgiven", "lossy-1 good-1", "lossy-1 good-1", nil},
		{"the odd one of three", "good-1 odd-2!output=reuse odd-2 fine-1", "good-1 fine-1", []string{
			"odd-2 (output=reuse): unverified: does not agree with good-1: decode: from good-1 to odd-2; nor with fine-1",
			"odd-2: unverified: does not agree with good-1: decode: from good-1 to odd-2; nor with fine-1",
		}},
		{"one of two", "good-1 odd-2", "", []string{
			"good-1: unverified: does not agree with odd-2: decode: from good-1 to odd-2; which of the two is wrong is not clear",
			"odd-2: unverified: does not agree with good-1: decode: from good-1 to odd-2; which of the two is wrong is not clear",
		}},
		{"one of two, settled by a round trip in a new process", "good-1 leaning-2", "good-1", []string{
			"leaning-2: unverified: decode: a became b",
		}},
		{"a reader that crashes", "good-1 crash-1 fine-1", "good-1 fine-1", []string{
			"crash-1: panic: as crash-1 read the bytes of good-1: panic: cannot read that",
		}},
		{"a writer that crashes", "good-1 poison-1 fine-1", "good-1 fine-1", []string{
			"poison-1: panic: as good-1 read the bytes of poison-1: exited with status 9 before answering",
		}},
		{"no decode", "good-1 writer-2", "good-1 writer-2", nil},
		{"default mode not asked for", "good-1 odd-2!output=reuse fine-1", "good-1 fine-1", []string{
			"odd-2 (output=reuse): unverified: does not agree with good-1: decode: from good-1 to odd-2; nor with fine-1",
		}},
	}
	for i, tt := range slices.Concat(tests, tests) {
		width := 1 + 2*(i/len(tests)) // the result must not depend on it
		t.Run(fmt.Sprintf("%s, %d abreast", tt.name, width), func(t *testing.T) {
			t.Parallel()
			got, records, events := runAbreast(t, width, "s", strings.Fields(tt.subjects)...)
			var live []string
			for _, c := range got.Cases {
				if s := strings.TrimSuffix(c.Contender+"!"+c.Mode, "!"); c.Op == result.Encode {
					live = append(live, s)
				}
			}
			if diff := cmp.Diff(tt.live, strings.Join(live, " ")); diff != "" {
				t.Errorf("live (-want +got):\n%s", diff)
			}
			var outcomes []string
			recorded := 0
			for _, r := range records {
				if o := r.Outcome; o != nil && strings.Contains(o.Reason, "panic: ") != strings.Contains(o.Stderr, "goroutine 1 [running]:") {
					t.Errorf("%s with %q on standard error", o.Reason, o.Stderr)
				}
				if o := r.Outcome; o != nil && o.Case.Op == result.Encode {
					outcomes = append(outcomes, fmt.Sprintf("%s: %s: %s", o.Case.Subject(), o.Status, o.Reason))
				}
				if r.Verification != nil {
					recorded++
				}
			}
			if diff := cmp.Diff(tt.outcomes, outcomes); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if len(got.Outcomes) != 2*len(outcomes) {
				t.Errorf("%d outcomes, want one for each op of %q", len(got.Outcomes), outcomes)
			}
			if recorded != len(got.Verifications) {
				t.Errorf("%d verifications recorded, %d returned", recorded, len(got.Verifications))
			}
			steps := 0
			var excluded []result.Outcome
			for _, e := range events {
				switch e := e.(type) {
				case drive.StepDone:
					steps++
				case drive.CaseExcluded:
					excluded = append(excluded, e.Outcome)
				}
			}
			if diff := cmp.Diff(got.Outcomes, excluded); diff != "" {
				t.Errorf("outcomes that were told (-want +got):\n%s", diff)
			}
			if first, ok := events[0].(drive.PassStarted); !ok || first.Total != steps || steps != len(strings.Fields(tt.subjects)) {
				t.Errorf("%+v, then %d steps", events[0], steps)
			}
		})
	}
}

func TestVerifications(t *testing.T) {
	got, _, _ := run(t, "s", "lossy-1", "good-1!session=stream")
	losses := []string{"nil-empty"}
	at := func(name, mode, from string, losses []string) result.Verification {
		v := result.Verification{Workload: "w", Size: "s", Subject: result.Subject{Contender: name, Mode: mode}, OK: true, Losses: losses}
		if from != "" {
			v.From = &result.Subject{Contender: from}
		}
		return v
	}
	want := []result.Verification{
		at("lossy-1", "", "", losses),
		at("good-1", "session=stream", "", nil),
		at("good-1", "", "", nil),
		at("good-1", "", "lossy-1", losses),
		at("lossy-1", "", "good-1", losses),
	}
	if diff := cmp.Diff(want, got.Verifications); diff != "" {
		t.Errorf("verifications (-want +got):\n%s", diff)
	}
}

// Without another contender of its format, nobody reads a contender's bytes, and its default mode is
// verified only if it was asked for.
func TestAlone(t *testing.T) {
	got, _, _ := run(t, "s", "good-1!session=stream")
	want := []result.Verification{{Workload: "w", Size: "s", Subject: result.Subject{Contender: "good-1", Mode: "session=stream"}, OK: true}}
	if diff := cmp.Diff(want, got.Verifications); diff != "" {
		t.Errorf("verifications (-want +got):\n%s", diff)
	}
}

// Contenders whose bytes are only compressed do not read one another's, and a brief verification asks
// for no reading in another process.
func TestNotReadByOthers(t *testing.T) {
	for _, test := range []struct {
		name     string
		subjects []string
		change   func(*verify.Config)
	}{
		{"compressed", []string{"good-1!codec=zstd", "odd-2!codec=zstd"}, func(cfg *verify.Config) {
			for i := range cfg.Cases {
				cfg.Cases[i].Op = []result.Op{result.Compress, result.Decompress}[i%2]
			}
		}},
		{"brief", []string{"handles-1"}, func(cfg *verify.Config) { cfg.Brief = true }},
	} {
		cfg := configOf("s", test.subjects...)
		test.change(&cfg)
		got, err := verify.Run(t.Context(), cfg, nowhere, func(drive.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Cases) != len(cfg.Cases) || len(got.Verifications) != len(test.subjects) || len(got.Outcomes) != 0 {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func TestValuesThatCannotBeMade(t *testing.T) {
	for _, width := range []int{1, 2} {
		got, records, _ := runAbreast(t, width, "impossible", "good-1", "fine-1")
		if len(got.Cases) != 0 || len(got.Outcomes) != 4 || len(got.Verifications) != 1 || len(records) != 5 {
			t.Fatalf("%d abreast: result %+v", width, got)
		}
		for _, o := range got.Outcomes {
			if want := "while the values were made: exited with status 3 before answering"; o.Reason != want || o.Status != result.Panic {
				t.Errorf("%d abreast: outcome %+v, want %q", width, o, want)
			}
		}
	}
}

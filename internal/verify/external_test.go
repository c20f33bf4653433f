package verify_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// sideEnv makes the test binary one of two runners: "ours", or that of the external contender
// with the given name. The name says what is wrong with the contender.
const sideEnv = "VERIFY_TEST_SIDE"

// onceEnv is a directory that the runner "once" makes as it refuses to write. It writes if it
// cannot make the directory.
const onceEnv = "VERIFY_TEST_ONCE"

// The values are words; a message is a word after the writer's prefix.
var words = []string{"one", "two", "three"}

const prefix, otherPrefix = "=", "~"

// serveSide serves the commands that External needs.
func serveSide(side string) {
	var loaded []string
	undescribed := side == "ours undescribed"
	side, _, _ = strings.Cut(side, " ")
	out := json.NewEncoder(os.Stdout)
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		var c bench.Command
		if err != nil || json.Unmarshal(line, &c) != nil || c.Cmd == "exit" {
			return
		}
		a, err := answer(side, c, &loaded)
		if undescribed && c.Cmd == "describe" {
			err = errors.New("nothing to describe")
		}
		if err != nil {
			a = bench.Answer{Error: err.Error()}
		}
		out.Encode(a)
	}
}

func answer(side string, c bench.Command, loaded *[]string) (a bench.Answer, err error) {
	switch c.Cmd {
	case "describe":
		a.Described = &bench.Described{Bindings: []bench.BindingInfo{
			{Contender: "broken", Workload: "w", Ops: []result.Op{result.Encode, result.Decode}},
			{Contender: "peer", Workload: "w", Ops: []result.Op{result.Encode, result.Decode}},
		}}
	case "load":
		a.Loaded = &bench.Loaded{Inputs: len(words)}
		switch {
		case side == "ours":
			*loaded = words
		case side == "unloading":
			return a, fmt.Errorf("no room for %s", c.Load.Workload)
		default:
			*loaded, err = readWords(c.Load.Data)
		}
	case "verify":
		a.Verified, err = verified(side, *c.Verify)
	case "write":
		if side == "once" && os.Mkdir(os.Getenv(onceEnv), 0o700) == nil {
			return a, errors.New("it cannot write now")
		}
		a.Written = &bench.Written{}
		for _, w := range *loaded {
			a.Written.Messages = append(a.Written.Messages, encode(side, w))
		}
		if side == "short" {
			a.Written.Messages = a.Written.Messages[1:]
		}
	case "export":
		a.Exported = &bench.Exported{Inputs: len(words)}
		values := *loaded
		if c.Export.Contender != "" {
			values, err = decode(side, *loaded, c.Export.Messages)
		}
		if side == "piping" && c.Export.Contender != "" {
			return a, mkfifo(c.Export.File)
		}
		if side == "nesting" && c.Export.Contender != "" {
			return a, os.MkdirAll(filepath.Join(c.Export.File, "within"), 0o777)
		}
		if err == nil && !(side == "silent" && c.Export.Mode != "") {
			err = os.WriteFile(c.Export.File, []byte("header\n"+strings.Join(values, "\n")+"\n"), 0o666)
		}
	case "compare":
		a.Verified, err = compared(*c.Compare)
	}
	return a, err
}

// mkfifo makes a named pipe. It is nil on systems without named pipes.
var mkfifo func(name string) error

func readWords(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	_, text, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	return strings.Split(text, "\n"), err
}

func encode(side, word string) []byte {
	if side == "foreign" {
		return []byte(otherPrefix + word)
	}
	return []byte(prefix + word)
}

func decode(side string, loaded []string, messages [][]byte) (out []string, err error) {
	if len(messages) == 0 {
		return loaded, nil
	}
	for i, m := range messages {
		word, ok := bytes.CutPrefix(m, []byte(prefix))
		if side == "foreign" && !ok {
			word, ok = bytes.CutPrefix(m, []byte(otherPrefix))
		}
		if !ok {
			return nil, fmt.Errorf("message %d begins with no %s", i, prefix)
		}
		out = append(out, string(word))
	}
	switch side {
	case "liar", "lossy":
		i := slices.Index(out, words[1])
		out[i] = strings.ToUpper(out[i])
	case "echo":
		return loaded, nil
	}
	return out, nil
}

func verified(side string, v bench.Verify) (*bench.Verified, error) {
	switch {
	case side == "dies":
		os.Exit(3)
	case side == "wrong":
		return &bench.Verified{Op: result.Decode, Reason: "decode: one became two"}, nil
	case side != "ours" || len(v.Messages) == 0:
		return &bench.Verified{OK: v.Contender != "broken", Reason: "it is broken"}, nil
	}
	for i, m := range v.Messages {
		if string(m) != prefix+words[i] {
			return &bench.Verified{Op: result.Decode, Reason: fmt.Sprintf("%s became %s", words[i], m)}, nil
		}
	}
	return &bench.Verified{OK: true}, nil
}

// compared forgives differences of case as the loss "case".
func compared(c bench.Compare) (*bench.Verified, error) {
	got, err := readWords(c.File)
	if err != nil {
		return nil, err
	}
	out := &bench.Verified{OK: true}
	for i, want := range words {
		switch {
		case got[i] == want:
		case slices.Contains(c.Losses, "case") && strings.EqualFold(got[i], want):
			out.Losses = []string{"case"}
		default:
			return &bench.Verified{Op: result.Decode, Reason: want + " became " + got[i]}, nil
		}
	}
	return out, nil
}

// meet verifies the external contender with that name together with our runner. The contender
// has a default mode and a mode that only decodes.
func meet(t *testing.T, external string, peers ...string) (verify.ExternalResult, []result.Record) {
	t.Helper()
	got, records, err := meetBy(t, "ours", external, peers...)
	if err != nil {
		t.Fatal(err)
	}
	return got, records
}

// meetBy is meet with the named runner as ours.
func meetBy(t *testing.T, ours, external string, peers ...string) (verify.ExternalResult, []result.Record, error) {
	t.Helper()
	dir := t.TempDir()
	side := func(name string) drive.Runner {
		return drive.Runner{
			Binary: func(uint64) drive.Binary {
				if name == "absent" {
					return drive.Binary{Path: filepath.Join(dir, "absent")}
				}
				return drive.Binary{Path: os.Args[0], Env: []string{sideEnv + "=" + name}}
			},
			Limits:   drive.Limits{Answer: time.Minute},
			External: name != ours,
		}
	}
	theirs := side(external)
	theirs.Data = func(workload, size string) string {
		if external == "homeless" {
			return filepath.Join(dir, "none", workload+size)
		}
		return filepath.Join(dir, workload+size)
	}
	cfg := verify.ExternalConfig{
		Ours: side(ours), Theirs: theirs, External: external, Peers: peers, Files: dir,
		Losses: map[string][]string{"lossy": {"case"}},
	}
	for _, c := range []result.Case{{Op: result.Encode}, {Op: result.Decode}, {Op: result.Decode, Mode: "target=reuse"}} {
		c.Workload, c.Size, c.Contender = "w", "s", external
		cfg.Cases = append(cfg.Cases, c)
	}
	cfg.Offers = func(c result.Case) bool { return slices.Contains(cfg.Cases, c) }
	var records []result.Record
	got, err := verify.External(t.Context(), cfg,
		func(r result.Record) error { records = append(records, r); return nil }, func(drive.Event) {})
	return got, records, err
}

func TestExternal(t *testing.T) {
	for _, test := range []struct {
		external string
		// want are the outcomes of its cases, without duplicates.
		want []string
	}{
		{"good", nil},
		{"lossy", nil},
		{"liar", []string{"unverified: decode: two became TWO"}},
		{"wrong", []string{"unverified: decode: one became two"}},
		{"echo", []string{"unverified: decode: one became two; it decodes the messages in the order of the values, and in no other"}},
		{"short", []string{"unverified: wrote 2 messages for 3 inputs"}},
		{"foreign", []string{"unverified: peer reads its bytes as another value: one became ~one"}},
		{"dies", []string{"panic: exited with status 3 before answering"}},
		{"unloading", []string{"unsupported: no room for w"}},
	} {
		got, records := meet(t, test.external, "missing", "broken", "peer")
		var outcomes []string
		for _, o := range got.Outcomes {
			text := strings.Replace(string(o.Status)+": "+o.Reason, "one became three;", "one became two;", 1) // by where the messages begin
			if !slices.Contains(outcomes, text) {
				outcomes = append(outcomes, text)
			}
		}
		if diff := cmp.Diff(test.want, outcomes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.external, diff)
		}
		if live := 3 * (1 - len(test.want)); len(got.Cases) != live || got.Alone {
			t.Errorf("%s: %d cases may be timed, want %d; alone %v", test.external, len(got.Cases), live, got.Alone)
		}
		for _, c := range got.Cases {
			if got.Sizes[c] != (verify.Size{Messages: 3, Encoded: 14}) {
				t.Errorf("%s: sizes %+v", c, got.Sizes[c])
			}
		}
		for _, r := range records {
			if v := r.Verification; v != nil && v.Subject.Contender != test.external && !v.OK {
				t.Errorf("%s: a peer is warned of: %+v", test.external, v)
			}
		}
	}
}

// The records say which contender read whose messages, and what was lost.
func TestExternalRecords(t *testing.T) {
	_, records := meet(t, "lossy", "peer")
	var got []string
	for _, r := range records {
		v := r.Verification
		if v == nil {
			t.Fatalf("record %+v", r)
		}
		from := ""
		if v.From != nil {
			from = " of " + v.From.Contender
		}
		got = append(got, fmt.Sprint(v.Subject, from, " ", v.OK, " ", v.Losses))
	}
	want := []string{
		"lossy true []", "lossy true [case]",
		"lossy (target=reuse) true []", "lossy (target=reuse) true [case]",
		"peer of lossy true []", "lossy of peer true [case]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verifications (-want +got):\n%s", diff)
	}
}

// A runner that claims to have exported but has not must not pass with the file of another
// subject.
func TestExternalSilent(t *testing.T) {
	got, _ := meet(t, "silent", "peer")
	if len(got.Cases) != 2 || len(got.Outcomes) != 1 || got.Outcomes[0].Case.Mode != "target=reuse" || !strings.Contains(got.Outcomes[0].Reason, "no such file") {
		t.Errorf("%+v", got)
	}
}

// Without the values, no case of the external contender can be verified or timed.
func TestExternalWithoutValues(t *testing.T) {
	got, _ := meet(t, "homeless", "peer")
	if len(got.Cases) != 0 || len(got.Outcomes) != 3 {
		t.Errorf("%+v", got)
	}
	for _, o := range got.Outcomes {
		if o.Status != result.Unsupported || !strings.HasPrefix(o.Reason, "its values cannot be handed over: ") {
			t.Errorf("%+v", o)
		}
	}
}

func TestExternalAbsent(t *testing.T) {
	got, _ := meet(t, "absent", "peer")
	if len(got.Cases) != 0 || len(got.Outcomes) != 3 || got.Outcomes[0].Status != result.BuildFailed || !strings.HasPrefix(got.Outcomes[0].Reason, "cannot start the runner ") {
		t.Errorf("%+v", got)
	}
}

// A runner of ours that cannot say what it links is an error: the contender is not timed as if it had
// no peer.
func TestExternalUndescribed(t *testing.T) {
	got, _, err := meetBy(t, "ours undescribed", "good", "peer")
	if err == nil || err.Error() != "our own runner, which reads the bytes of good: nothing to describe" || got.Alone {
		t.Errorf("alone %v, %v", got.Alone, err)
	}
}

func TestExternalAlone(t *testing.T) {
	for _, peers := range [][]string{nil, {"missing"}, {"broken"}} {
		if got, _ := meet(t, "good", peers...); !got.Alone || len(got.Cases) != 3 {
			t.Errorf("with the peers %q: %+v", peers, got)
		}
	}
}

package behaviour

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/internal/cli"
	"assay/internal/hurt"
)

// last returns the last line of a text.
func last(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// The gate of a stored comparison passes only if every row was compared. It fails for every kind
// of outcome of a side.
func TestGateOfVersions(t *testing.T) {
	const side, one = `"side":"GOAMD64=v3"`, `{"workload":"movie","size":"record=one","contender":"protobuf","mode":"","op":"encode"}`
	outcome := func(status string) func(*hurt.Run) {
		return func(r *hurt.Run) {
			r.Lines = append(r.Lines, []byte(`{"outcome":{"case":`+one+`,`+side+`,"status":"`+status+`","reason":"boom\nat line 1"}}`+"\n"))
		}
	}
	without := func(part string) func(*hurt.Run) {
		return func(r *hurt.Run) {
			r.Lines = slices.DeleteFunc(r.Lines, func(line []byte) bool { return strings.Contains(string(line), part) })
		}
	}
	for _, test := range []struct {
		name string
		edit func(*hurt.Run)
		args []string
		code int
		last string
	}{
		{"as it is", func(*hurt.Run) {}, nil, cli.ExitOK, ""},
		{"returns other values", outcome("unverified"), nil, cli.ExitNo, "--fail-on +900%: movie/record=one/protobuf/encode: GOAMD64=v3: unverified: boom"},
		{"panics", outcome("panic"), nil, cli.ExitFailed, "--fail-on +900%: movie/record=one/protobuf/encode: GOAMD64=v3: panic: boom"},
		{"outgrows its memory", outcome("oom"), nil, cli.ExitFailed, "oom: boom"},
		{"hangs", outcome("timeout"), nil, cli.ExitFailed, "timeout: boom"},
		{"does not compile", outcome("build-failed"), nil, cli.ExitFailed, "build-failed: boom"},
		{"cannot hold it", outcome("unsupported"), nil, cli.ExitFailed, "unsupported: boom"},
		{"never launched", without(side), nil, cli.ExitUsage, "has one side only"},
		{"nothing in view", func(*hurt.Run) {}, []string{"-o", "decode"}, cli.ExitFailed, "share nothing to compare"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results := t.TempDir()
			r := readStored(t, "versions")
			test.edit(r)
			r.Write(t, results, "hurt")
			for _, format := range []string{"text", "json", "md"} {
				args := append([]string{"compare", "hurt", "--fail-on", "+900%", "--results", results, "--format", format}, test.args...)
				_, stderr, code := assayed(t, args...)
				if code != test.code || !strings.Contains(last(stderr), test.last) || (code == cli.ExitOK) != (stderr == "") {
					t.Errorf("exit code %d, %q; want %d, %q", code, last(stderr), test.code, test.last)
				}
			}
		})
	}
}

// If one of two stored runs lacks something, the gate fails, because it cannot be compared.
func TestGateOfRuns(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(lines [][]byte) [][]byte
		code int
		last string
	}{
		{"the same", func(l [][]byte) [][]byte { return l }, cli.ExitOK, ""},
		{"no counts", func(l [][]byte) [][]byte {
			return slices.DeleteFunc(l, func(line []byte) bool { return strings.Contains(string(line), `"count":`) })
		}, cli.ExitFailed, "movie/record=one/encoding/json/encode: alloc-bytes: only in whole"},
		{"cut short", func(l [][]byte) [][]byte { return l[:12] }, cli.ExitFailed, "--fail-on +900%: "},
		{"empty", func(l [][]byte) [][]byte { return l[:1] }, cli.ExitFailed, "--fail-on +900%: movie/record=one/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results := t.TempDir()
			later(readStored(t, "passes")).Write(t, results, "whole")
			r := readStored(t, "passes")
			r.Lines = test.edit(r.Lines)
			r.Write(t, results, "hurt")
			for _, pair := range [][2]string{{"hurt", "whole"}, {"whole", "hurt"}} {
				_, stderr, code := assayed(t, "compare", pair[0], pair[1], "--fail-on", "+900%", "--results", results)
				if code != test.code || !strings.Contains(last(stderr), test.last) {
					t.Errorf("%v: exit code %d, %q; want %d, %q", pair, code, last(stderr), test.code, test.last)
				}
			}
		})
	}
}

// A size that both runs left out because it takes too much memory was not compared: the gate fails, and
// each format says why. What neither run can hold is no finding.
func TestGateOfLargeSizes(t *testing.T) {
	const one = `{"workload":"chain","size":"txs=1000000","contender":"protobuf","mode":"","op":"encode"}`
	const large = "txs=1000000 takes about 4.6 GiB for 2 contenders in one process, more than the 2.0 GiB allowed; no single contender fits"
	for reason, want := range map[string]int{large: cli.ExitFailed, "Block.nonce: no unsigned 64-bit integer": cli.ExitOK} {
		results := t.TempDir()
		r := readStored(t, "passes")
		r.Lines[0] = regexp.MustCompile(`"cases": *\[`).ReplaceAll(r.Lines[0], []byte(`"cases":[`+one+`,`))
		r.Lines = append(r.Lines, []byte(`{"outcome":{"case":`+one+`,"status":"unsupported","reason":"`+reason+`"}}`+"\n"))
		r.Write(t, results, "a")
		later(r).Write(t, results, "b")
		for _, format := range []string{"text", "md", "json"} {
			stdout, stderr, code := assayed(t, "compare", "a", "b", "--fail-on", "+900%", "--format", format, "--results", results)
			told := strings.Contains(strings.Join(strings.Fields(stdout), " "), "unsupported: "+reason)
			if code != want || (want == cli.ExitFailed) != strings.Contains(last(stderr), "--fail-on +900%: chain/txs=1000000: unsupported: "+large) {
				t.Errorf("%s, %s: exit code %d, %q; want %d", reason, format, code, last(stderr), want)
			}
			if told != (want == cli.ExitFailed || format == "json") {
				t.Errorf("%s, %s: the reason is told: %v\n%s", reason, format, told, stdout)
			}
		}
	}
}

// unended removes the end time from run.json, as in a run that was cut short.
func unended(l [][]byte) [][]byte {
	l[0] = regexp.MustCompile(`"finished": *"[^"]*",`).ReplaceAll(l[0], nil)
	return l
}

// torn damages the second line of the samples.
func torn(l [][]byte) [][]byte {
	l[2] = append(slices.Clone(l[2][:len(l[2])/2]), '\n')
	return l
}

// A check of a stored run passes only if the run is complete and all its records can be read,
// because a missing record could make the check fail.
func TestGateOfWhatIsThere(t *testing.T) {
	out := t.TempDir()
	same := func(l [][]byte) [][]byte { return l }
	for _, test := range []struct {
		run  string
		args []string
		code int // of the run as it is
	}{
		{"passes", []string{"compare", "hurt", "whole", "--fail-on", "+900%"}, cli.ExitOK},
		{"passes", []string{"compare", "whole", "hurt", "--fail-on", "+900%"}, cli.ExitOK},
		{"buildcost", []string{"compare", "hurt", "whole", "--fail-on", "+900%"}, cli.ExitOK},
		{"versions", []string{"compare", "hurt", "--fail-on", "+900%"}, cli.ExitOK},
		{"reproduce", []string{"reproduce", "--run", "hurt", "--out", out}, cli.ExitOK},
		{"exhibits", []string{"exhibits", "--run", "hurt"}, cli.ExitOK},
	} {
		for _, hurt := range []struct {
			name string
			edit func([][]byte) [][]byte
			code int
			last string
		}{
			{"as it is", same, test.code, ""},
			{"cut short", unended, cli.ExitFailed, "cut short|interrupted"},
			{"damaged", torn, cli.ExitFailed, "records of run hurt that cannot be used are left out"},
		} {
			results := t.TempDir()
			later(readStored(t, test.run)).Write(t, results, "whole")
			r := readStored(t, test.run)
			r.Lines = hurt.edit(r.Lines)
			r.Write(t, results, "hurt")
			_, stderr, code := assayed(t, append(slices.Clone(test.args), "-q", "--results", results)...)
			if code != hurt.code || !regexp.MustCompile(hurt.last).MatchString(last(stderr)) {
				t.Errorf("%v, %s: exit code %d, %q; want %d, %q", test.args, hurt.name, code, last(stderr), hurt.code, hurt.last)
			}
		}
	}
}

// later returns a run as if it had begun at another time, so that it is no copy.
func later(r *hurt.Run) *hurt.Run {
	lines := slices.Clone(r.Lines)
	lines[0] = regexp.MustCompile(`("started": *")\d{4}`).ReplaceAll(lines[0], []byte("${1}2031"))
	return &hurt.Run{Lines: lines}
}

// The gate of two runs does not pass a run against a copy of itself, wherever that is; it compares
// two runs whose directories have one name, and says which is which.
func TestGateOfCopies(t *testing.T) {
	results, elsewhere := t.TempDir(), t.TempDir()
	readStored(t, "passes").Write(t, results, "a")
	readStored(t, "passes").Write(t, results, "b")
	_, stderr, code := assayed(t, "compare", "a", "b", "--fail-on", "+900%", "--results", results)
	if want := "are copies of one run, which --fail-on would always let pass: name another run"; code != cli.ExitUsage || !strings.Contains(last(stderr), want) {
		t.Errorf("exit code %d, %q; want %d, %q", code, last(stderr), cli.ExitUsage, want)
	}
	r := later(readStored(t, "passes"))
	r.Lines = slices.DeleteFunc(r.Lines, func(line []byte) bool { return strings.Contains(string(line), `"contender":"protobuf"`) })
	r.Write(t, elsewhere, "a")
	other := filepath.Join(elsewhere, "a")
	stdout, stderr, code := assayed(t, "compare", "a", other, "--fail-on", "+900%", "--results", results)
	if code != cli.ExitFailed || !strings.Contains(stdout, " → "+other) {
		t.Errorf("exit code %d, %q\n%s", code, last(stderr), stdout)
	}
}

// The gate does not judge runs of two machines, between which ratios differ. Without a gate they are
// compared, and it is said that the machine may be the cause.
func TestGateOfMachines(t *testing.T) {
	results := t.TempDir()
	readStored(t, "passes").Write(t, results, "a")
	r := later(readStored(t, "passes"))
	r.Lines[0] = regexp.MustCompile(`("cpus": *)\d+`).ReplaceAll(r.Lines[0], []byte("${1}77"))
	r.Write(t, results, "b")
	_, stderr, code := assayed(t, "compare", "a", "b", "--fail-on", "+900%", "--results", results)
	if want := "are of different machines or CPUs, between which ratios differ, so --fail-on cannot judge them"; code != cli.ExitUsage || !strings.Contains(last(stderr), want) {
		t.Errorf("exit code %d, %q; want %d, %q", code, last(stderr), cli.ExitUsage, want)
	}
	for _, format := range []string{"text", "md", "json"} {
		stdout, stderr, code := assayed(t, "compare", "a", "b", "--format", format, "--results", results)
		if code != cli.ExitOK || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "the runs are of different machines or CPUs: a change of times may be that of the machine") {
			t.Errorf("%s: exit code %d, %q\n%s", format, code, stderr, stdout)
		}
	}
}

// If both sides lack a time for lack of budget, the comparison fails, although other rows were
// compared.
func TestGateWithoutTimes(t *testing.T) {
	results := t.TempDir()
	r := readStored(t, "passes")
	r.Lines = slices.DeleteFunc(r.Lines, func(line []byte) bool {
		return strings.Contains(string(line), `"launch":`) || strings.Contains(string(line), `"steady":`)
	})
	r.Write(t, results, "a")
	later(r).Write(t, results, "b")
	_, stderr, code := assayed(t, "compare", "a", "b", "--fail-on", "+900%", "--results", results)
	if want := "--fail-on +900%: movie/record=one/encoding/json/encode: timeout: not measured: the budget ended"; code != cli.ExitFailed || !strings.Contains(last(stderr), want) {
		t.Errorf("exit code %d, %q; want %d, %q", code, last(stderr), cli.ExitFailed, want)
	}
	// Cases that were planned only for counting need no time.
	untimed := `"untimed":[`
	for i, name := range []string{"encoding/json", "protobuf"} {
		for k, op := range []string{"encode", "decode"} {
			if i+k > 0 {
				untimed += ","
			}
			untimed += `{"case":{"workload":"movie","size":"record=one","contender":"` + name + `","mode":"","op":"` + op + `"},"status":"timeout","reason":"not timed"}`
		}
	}
	r.Lines[0] = regexp.MustCompile(`"cases": *\[`).ReplaceAll(r.Lines[0], []byte(untimed+`],"cases":[`))
	r.Write(t, results, "a")
	later(r).Write(t, results, "b")
	if _, stderr, code := assayed(t, "compare", "a", "b", "--fail-on", "+900%", "--results", results); code != cli.ExitOK {
		t.Errorf("exit code %d, %q", code, last(stderr))
	}
}

// A run of two versions has two numbers for each case. It is refused as a side of a comparison
// and by claims; neither number is used.
func TestLockStepIsNoSide(t *testing.T) {
	results := t.TempDir()
	readStored(t, "passes").Write(t, results, "whole")
	readStored(t, "versions").Write(t, results, "lockstep") // the latest
	for _, line := range []string{
		"compare whole lockstep --fail-on +900%",
		"compare lockstep whole",
		"compare whole latest --fail-on +900%",
		"compare lockstep latest",
		"compare encoding/json protobuf",
		"compare encoding/json protobuf --run lockstep --fail-on +900%",
		"claims --source movie --run latest",
	} {
		stdout, stderr, code := assayed(t, append(strings.Fields(line), "--results", results)...)
		if want := "run lockstep compares two versions; assay compare "; code != cli.ExitUsage || stdout != "" || !strings.Contains(last(stderr), want) {
			t.Errorf("%s: exit code %d, %q, %q; want %d, %q", line, code, stdout, last(stderr), cli.ExitUsage, want)
		}
	}
}

// A comparison with nothing in view is an error.
func TestCompareNothing(t *testing.T) {
	results := t.TempDir()
	readStored(t, "passes").Write(t, results, "whole")
	for line, want := range map[string]string{
		"compare whole whole -w tick":                            "no case in view",
		"compare protobuf protobuf --run whole":                  "protobuf is compared with itself: name another contender",
		"compare encoding/json protobuf --run whole -o scan":     "no case in view",
		"compare encoding/json protobuf --run whole -m '^none$'": "no mode matches",
	} {
		_, stderr, code := assayed(t, append(strings.Fields(line), "--results", results)...)
		if code != cli.ExitUsage || !strings.Contains(last(stderr), want) {
			t.Errorf("%s: exit code %d, %q; want %q", line, code, last(stderr), want)
		}
	}
}

// Streams and whole values are not compared. A comparison that involves them says so, also for
// two runs of assay try with streams.
func TestCompareStreams(t *testing.T) {
	const says = "streams and whole values are not compared: assay show prints their times"
	for line, want := range map[string]struct {
		code int
		last string
	}{
		"compare stream-run stream-run":                   {cli.ExitUsage, "nothing was compared: " + says},
		"compare own-stream-run own-stream-run":           {cli.ExitUsage, "nothing was compared: " + says},
		"compare readme-run whole-run":                    {cli.ExitUsage, "nothing was compared: " + says},
		"compare protobuf encoding/json --run stream-run": {cli.ExitUsage, "nothing was compared: " + says},
		"compare stream-run pipeline-run --fail-on +5%":   {cli.ExitFailed, says},
		"compare stream-run stream-run --format md":       {cli.ExitUsage, "nothing was compared: " + says},
	} {
		stdout, stderr, code := assayed(t, append(strings.Fields(line), "--results", "../../../docs/evidence")...)
		if code != want.code || !strings.Contains(last(stderr), want.last) || strings.HasSuffix(want.last, says) && !strings.Contains(stdout, says) {
			t.Errorf("%s: exit code %d, %q, and\n%s\nwant %d, %q", line, code, last(stderr), stdout, want.code, want.last)
		}
	}
}

// A reproduction without any measurement fails. A case that returns another value makes the check
// say no.
func TestJudgeReproduction(t *testing.T) {
	results := t.TempDir()
	out := t.TempDir()
	for _, test := range []struct {
		name string
		edit func(lines [][]byte) [][]byte
		code int
		last string
	}{
		{"as it is", func(l [][]byte) [][]byte { return l }, cli.ExitOK, ""},
		{"nothing measured", func(l [][]byte) [][]byte { return l[:1] }, cli.ExitFailed, "reproduce: nothing was measured"},
		{"a case that returns another value", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"outcome":{"case":{"workload":"movie","size":"record=one","contender":"protobuf","mode":"","op":"encode"},"status":"unverified","reason":"boom"}}`+"\n"))
		}, cli.ExitNo, "reproduce: movie/record=one/protobuf/encode: unverified: boom"},
	} {
		r := readStored(t, "reproduce")
		r.Lines = test.edit(r.Lines)
		r.Write(t, results, "hurt")
		_, stderr, code := assayed(t, "reproduce", "--run", "hurt", "--results", results, "--out", out, "-q")
		if code != test.code || !strings.Contains(last(stderr), test.last) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", test.name, code, last(stderr), test.code, test.last)
		}
	}
}

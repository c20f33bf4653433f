package behaviour

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"assay"
	"assay/internal/cli"
	"assay/internal/hurt"
	"assay/internal/plaintext"
)

// storedRuns are small runs of every kind. Each name is a directory of testdata/runs.
var storedRuns = []string{"passes", "versions", "try", "buildcost", "reproduce", "exhibits"}

// storedDir returns the directory of a run of storedRuns.
func storedDir(name string) string { return filepath.Join("..", "testdata", "runs", name) }

// storedDirs returns the directories of all storedRuns.
func storedDirs() (dirs []string) {
	for _, name := range storedRuns {
		dirs = append(dirs, storedDir(name))
	}
	return dirs
}

func readStored(t testing.TB, name string) *hurt.Run {
	t.Helper()
	return hurt.Read(t, storedDir(name))
}

// storedCommands returns the commands that read a stored run. "hurt" is the edited run, and
// "whole" the run before the edits.
func storedCommands(dir string) [][]string {
	var all [][]string
	add := func(formats string, args ...string) {
		for _, f := range strings.Fields(formats) {
			all = append(all, append(slices.Clone(args), "--format", f))
		}
	}
	add("text json csv md gobench", "show", "hurt")
	add("text", "show", "hurt", "--color", "always")
	add("text", "show", "-o", "encode", "-c", "json")
	add("text json md", "rank", "hurt")
	add("text json csv md gobench", "export", "hurt", "--out", filepath.Join(dir, "export"))
	for _, pair := range [][2]string{{"hurt", "whole"}, {"whole", "hurt"}} {
		add("text json md", "compare", pair[0], pair[1])
		add("text", "compare", pair[0], pair[1], "--fail-on", "5%")
	}
	add("text json md", "compare", "hurt")
	add("text json md", "compare", "encoding/json", "protobuf", "--run", "hurt")
	add("text json", "list", "runs")
	add("text json md", "claims", "--run", "hurt", "--source", "movie")
	add("text json md", "exhibits", "--run", "hurt")
	add("text json csv md", "reproduce", "--run", "hurt", "--out", filepath.Join(dir, "tables"))
	return all
}

// checkStored runs a command and checks what must hold for any input. The command ends with one
// of its exit codes, gives a reason unless the code is 0, and prints complete JSON, CSV and
// benchmarks. Its output has no characters that control a terminal.
func checkStored(t *testing.T, args []string) (stdout, stderr string, code int) {
	t.Helper()
	line := "assay " + strings.Join(args, " ")
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s", line)
			panic(v)
		}
	}()
	hung := time.AfterFunc(5*time.Minute, func() { panic(line + ": no end") })
	defer hung.Stop()
	stdout, stderr, code = assayed(t, args...)
	if !slices.Contains([]int{cli.ExitOK, cli.ExitNo, cli.ExitUsage, cli.ExitFailed, cli.ExitNoisy}, code) {
		t.Errorf("%s: exit code %d", line, code)
	}
	if code != cli.ExitOK && !strings.HasPrefix(last(stderr), "assay: ") {
		t.Errorf("%s: exit code %d, and no reason: %q", line, code, stderr)
	}
	if strings.Contains(stdout+stderr, "%!") {
		t.Errorf("%s: a verb without its value:\n%s%s", line, stdout, stderr)
	}
	printed := stdout
	if slices.Contains(args, "always") {
		for _, style := range []string{"0", "1", "2", "31", "33", "36"} {
			printed = strings.ReplaceAll(printed, "\x1b["+style+"m", "")
		}
	}
	for name, text := range map[string]string{"output": printed, "error": stderr} {
		if plaintext.Text(text) != text {
			t.Errorf("%s: standard %s acts on a terminal: %q", line, name, text)
		}
	}
	format := args[len(args)-1]
	if i := slices.Index(args, "--out"); i >= 0 && slices.Contains(args, "export") && code == cli.ExitOK {
		data, err := os.ReadFile(args[i+1])
		if err != nil {
			t.Error(err)
		}
		stdout = string(data)
	}
	if err := wellFormed(stdout, format); err != nil && stdout != "" {
		t.Errorf("%s: %v in\n%s", line, err, stdout)
	}
	return stdout, stderr, code
}

// wellFormed returns an error if the text does not have the format.
func wellFormed(text, format string) error {
	switch format {
	case "json":
		if !json.Valid([]byte(text)) {
			return errors.New("no JSON")
		}
	case "csv":
		_, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		return err
	case "gobench":
		r := benchfmt.NewReader(strings.NewReader(text), "run")
		for r.Scan() {
			if err, bad := r.Result().(*benchfmt.SyntaxError); bad {
				return err
			}
		}
		return r.Err()
	}
	return nil
}

// Every command reads the unchanged runs without warnings, but for the grade where the format has only rows.
func TestStoredRuns(t *testing.T) {
	for _, name := range storedRuns {
		results := t.TempDir()
		s := readStored(t, name)
		s.Write(t, results, "hurt")
		s.Write(t, results, "whole")
		succeeded := 0
		for _, args := range storedCommands(t.TempDir()) {
			_, stderr, code := checkStored(t, append([]string{"--results", results}, args...))
			if code == cli.ExitOK || code == cli.ExitNo {
				succeeded++
			}
			onlyRows := slices.Contains(args, "csv") || slices.Contains(args, "gobench")
			if graded := strings.Index(stderr, "assay: warning: grade C: "); onlyRows && graded >= 0 {
				stderr = stderr[:graded] + strings.TrimLeft(stderr[graded:], "^\n")[len("assay: warning: grade C: "):]
			}
			if ofTwo := name == "versions" && strings.Contains(stderr, "the run compared two versions"); strings.Contains(stderr, "warning") && !ofTwo {
				t.Errorf("%s: assay %s warns: %s", name, strings.Join(args, " "), stderr)
			}
		}
		if succeeded < 5 {
			t.Errorf("%s: only %d commands have anything to say of it", name, succeeded)
		}
	}
}

// times is how many edited runs TestHurtRuns reads, and hurtSeed is the first seed: go test
// ./internal/cli -run TestHurtRuns -hurt 5000.
var (
	times    = flag.Uint64("hurt", 24, "read that many edited runs by every command")
	hurtSeed = flag.Uint64("hurtseed", 0, "begin with this seed")
)

// Every command reads randomly edited runs, alone and together with the run before the edits.
func TestHurtRuns(t *testing.T) {
	texts := []string{"\x1b[2Jx", `{"note":{"text":"\u202ex"}}`, "", `{"launch":{}}`, "-1", "\xff\xfe", `{"count":{"case":{"workload":"movie","op":"encode","contender":"a"}}}`}
	last := *times
	if testing.Short() {
		last = min(last, 4)
	}
	for n := range last {
		seed := *hurtSeed + n
		r := rand.New(rand.NewPCG(seed, 0))
		edits := make([]byte, hurt.BytesOfAnEdit*(1+r.IntN(8)))
		for i := range edits {
			edits[i] = byte(r.Uint32())
		}
		readHurt(t, storedRuns[r.IntN(len(storedRuns))], edits, texts[r.IntN(len(texts))], func(int) bool { return true })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// readHurt runs commands on a stored run after edits. which chooses the commands by their index
// in storedCommands.
func readHurt(t *testing.T, name string, edits []byte, text string, which func(int) bool) {
	results, dir := t.TempDir(), t.TempDir()
	readStored(t, name).Write(t, results, "whole")
	s := readStored(t, name)
	s.Edit(t, edits, text, storedDirs())
	s.Write(t, results, "hurt")
	for i, args := range storedCommands(dir) {
		if which(i) {
			checkStored(t, append([]string{"--results", results}, args...))
		}
	}
}

// FuzzStoredRun is TestHurtRuns with edits from the fuzzer. The first byte chooses the run, the
// second byte a command.
func FuzzStoredRun(f *testing.F) {
	edit := func(kind, where, what int) []byte {
		return []byte{byte(kind), byte(where >> 8), byte(where), byte(what >> 8), byte(what)}
	}
	for i := range storedRuns {
		for kind := range hurt.KindsOfEdit {
			f.Add(byte(i), byte(7*i+3*kind), edit(kind, 7+i, 640*kind+i), "\x1b[2Jx")
		}
		for command := range 3 {
			f.Add(byte(i), byte(17*command), slices.Concat(edit(hurt.SetAll, 1, 20*64+5), edit(hurt.SetValue, 0, 21*64+3), edit(hurt.CutShort, 12, 4000)), `{"note":{"text":"\u202ex"}}`)
		}
	}
	f.Fuzz(func(t *testing.T, base, command byte, edits []byte, text string) {
		n := len(storedCommands(""))
		readHurt(t, storedRuns[int(base)%len(storedRuns)], edits, text, func(i int) bool { return i == int(command)%n })
	})
}

// For commands that need launches, "latest" skips a run of streams, even if it is newer.
func TestLatestOfLaunches(t *testing.T) {
	results := t.TempDir()
	readStored(t, "passes").Write(t, results, "launched")
	streamed := filepath.Join(results, "streamed")
	if err := os.CopyFS(streamed, os.DirFS("../../../docs/evidence/own-stream-run")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(streamed, "run.json")
	run, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newer := regexp.MustCompile(`"started": *"[^"]*"`).ReplaceAll(run, []byte(`"started":"2100-01-01T00:00:00Z"`))
	if err := os.WriteFile(file, newer, 0o666); err != nil {
		t.Fatal(err)
	}
	if text := printed(t, "show", "--results", results); !strings.Contains(text, "as a stream through a file") {
		t.Fatalf("the latest run is not of streams:\n%s", text)
	}
	for _, args := range [][]string{
		{"rank"},
		{"compare", "encoding/json", "protobuf", "--run"},
		{"claims", "--source", "movie", "--run"},
	} {
		want, _, wanted := assayed(t, append(slices.Clone(args), "launched", "--results", results)...)
		got, stderr, code := assayed(t, append(slices.Clone(args), "latest", "--results", results)...)
		if got != want || code != wanted {
			t.Errorf("%s latest: exit code %d, %s and\n%s\nwant %d, and\n%s", args, code, last(stderr), got, wanted, want)
		}
	}
}

// If a run was cut short before its first launch, it has nothing for benchstat.
func TestNoBenchmarks(t *testing.T) {
	for _, name := range []string{"passes", "try"} {
		results := t.TempDir()
		dir := filepath.Join(results, "cut")
		if err := os.CopyFS(dir, os.DirFS(storedDir(name))); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "samples.jsonl")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(strings.SplitAfter(string(data), "\n"), func(line string) bool { return strings.Contains(line, `"launch":`) })
		if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"export", "cut"}, {"show", "cut", "--format", "gobench"}} {
			stdout, stderr, code := assayed(t, append(args, "--results", results)...)
			if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, "has no launches, which the Go benchmark format consists of") {
				t.Errorf("%s: assay %s: exit code %d, %q, %s", name, args, code, stdout, stderr)
			}
		}
	}
}

// If a format or a ranking cannot show a run, the command says so and what to do, instead of
// printing an empty file or table. Formats of rows have no place for warnings about the whole
// run, so these go to standard error.
func TestNothingOfRun(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"export stream-run", cli.ExitUsage, "run stream-run has no launches, which the Go benchmark format consists of"},
		{"export stream-run --format csv", cli.ExitOK, ""},
		{"export planted-3-run --format csv", cli.ExitOK, "warning: the run compared two versions: this shows plain (assay compare shows the change)"},
		{"export planted-3-run", cli.ExitOK, "warning: the run compared two versions: this shows plain"},
		{"report exhibits-run --out " + filepath.Join(t.TempDir(), "page.html"), cli.ExitUsage, "run exhibits-run has no cases, only published benchmarks"},
		{"rank stream-run", cli.ExitFailed, "nothing to rank: streams and whole values have no ranks: assay show prints their times"},
		{"rank readme-run --size nosuch", cli.ExitUsage, "nothing to show: no size of run readme-run matches the filter; it has "},
		{"show readme-run --size nosuch", cli.ExitUsage, "nothing to show: no size of run readme-run matches the filter; it has "},
	} {
		var stdout, stderr bytes.Buffer
		args := append(strings.Fields(test.args), "--results", "../../../docs/evidence")
		code := cli.Run(t.Context(), args, &stdout, &stderr, assay.Source)
		if code != test.code || !strings.Contains(stderr.String(), test.says) || (stdout.Len() > 0) != (code == cli.ExitOK) {
			t.Errorf("assay %s: exit code %d, want %d, %d bytes, and on standard error\n%s\nwant %q", test.args, code, test.code, stdout.Len(), &stderr, test.says)
		}
	}
}

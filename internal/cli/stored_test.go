package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"assay/internal/plaintext"
)

// storedRuns are small runs of every kind, each a directory of testdata/runs.
var storedRuns = []string{"passes", "versions", "try", "buildcost", "reproduce", "exhibits"}

// A runText is a run directory as text: run.json and the lines of samples.jsonl, and
// what a run of assay try says of its data.
type runText struct {
	lines [][]byte
	data  []byte
}

func readStored(t testing.TB, name string) *runText {
	t.Helper()
	dir := filepath.Join("testdata", "runs", name)
	run, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	samples, err := os.ReadFile(filepath.Join(dir, "samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := &runText{lines: [][]byte{run}}
	for line := range bytes.Lines(samples) {
		s.lines = append(s.lines, line)
	}
	s.data, err = os.ReadFile(filepath.Join(dir, dataFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return s
}

// write makes the run a directory of that name below results.
func (s *runText) write(t testing.TB, results, name string) {
	t.Helper()
	dir := filepath.Join(results, name)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "run.json"), s.lines[0], 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "samples.jsonl"), bytes.Join(s.lines[1:], nil), 0o666)
	}
	if err == nil && s.data != nil {
		err = os.WriteFile(filepath.Join(dir, dataFile), s.data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Edits of a stored run. Each takes two numbers, which say where and what.
const (
	cutShort      = iota // the samples end at a byte
	deleteLine           //
	repeatLine           // a line comes again elsewhere
	swapLines            //
	foreignLine          // a line of another run
	setValue             // a value of a line becomes a hostile one
	setText              // a value of a line becomes the text of the input
	setAll               // every value of that key does
	deleteValue          // an element or a member goes
	repeatValue          // an element of an array comes again
	setByte              // one byte becomes another
	appendText           // the text of the input is a line
	cutRun               // run.json ends at a byte
	kindsOfEdit          // how many there are
	bytesOfAnEdit = 5
)

// hostile are values that no assay writes in most places.
var hostile = []any{
	nil, true, 0, 1, -1, 3, 1e308, -1e308, 1e-320, 0.5, json.Number("1e400"), json.Number("-0"),
	int64(1<<63 - 1), int64(-1 << 63), uint64(1<<64 - 1), int64(1 << 40), int64(1 << 20),
	"", "x", "\x00", "\x1b[31mred\x1b[0m", "cnys\u202efdp", "\u2066\u061c\u200f", "a\nb\r\nc\td", "\ufffd", "NaN", "=1+2", "`|<b>*_", "/", "../../x", "%s%d",
	strings.Repeat("long", 25_000), "日本", "e\u0301",
	[]any{}, map[string]any{}, []any{nil}, []any{1, -1, 1e308}, []any{"", "\x1b"},
	"movie", "floor", "encoding/json", "protobuf", "encode", "decode", "open", "build", "compress", "record=one", "codec=zstd", "output=reuse",
	"ok", "noisy", "panic", "unverified", "control", "zstd", "as it is", "2026-11-22T05:07:16Z", "0001-01-01T00:00:00Z",
	json.Number("99999999999999999999"), []any{0, 0, 0}, []any{0, 1 << 30},
}

// edit applies the edits that the bytes stand for.
func (s *runText) edit(t testing.TB, edits []byte, text string) {
	const most = 12
	for n := 0; n < most && len(edits) >= bytesOfAnEdit; n++ {
		where, what := int(edits[1])<<8|int(edits[2]), int(edits[3])<<8|int(edits[4])
		s.one(t, int(edits[0])%kindsOfEdit, where, what, text)
		edits = edits[bytesOfAnEdit:]
	}
}

func (s *runText) one(t testing.TB, kind, where, what int, text string) {
	i := where % len(s.lines)             // a line, run.json among them
	j := 1 + where%max(1, len(s.lines)-1) // a line of the samples
	if j >= len(s.lines) && kind != appendText && kind != foreignLine {
		i, j = 0, 0
	}
	switch kind {
	case cutShort:
		s.lines = s.lines[:j+1]
		s.lines[j] = s.lines[j][:what%(len(s.lines[j])+1)]
	case cutRun:
		s.lines[0] = s.lines[0][:where%(len(s.lines[0])+1)]
	case deleteLine:
		if j > 0 {
			s.lines = slices.Delete(s.lines, j, j+1)
		}
	case repeatLine:
		s.lines = slices.Insert(s.lines, 1+what%len(s.lines), s.lines[i])
	case swapLines:
		k := 1 + what%max(1, len(s.lines)-1)
		if k < len(s.lines) {
			s.lines[j], s.lines[k] = s.lines[k], s.lines[j]
		}
	case foreignLine:
		other := readStored(t, storedRuns[where%len(storedRuns)])
		s.lines = append(s.lines, other.lines[what%len(other.lines)])
	case setValue, setText, setAll, deleteValue, repeatValue:
		s.lines[i] = altered(s.lines[i], kind, what, text)
	case setByte:
		if line := slices.Clone(s.lines[i]); len(line) > 0 {
			line[what%len(line)] = byte(where >> 8)
			s.lines[i] = line
		}
	case appendText:
		s.lines = append(s.lines, []byte(text+"\n"))
	}
}

// altered returns a line of JSON with one value changed, or the line when it is
// none.
func altered(line []byte, kind, what int, text string) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return line
	}
	value := hostile[what/64%len(hostile)]
	if kind == setText {
		value = text
	}
	w := &walk{kind: kind, value: value}
	w.count(v)
	if w.left == 0 {
		return line
	}
	w.left = what % w.left
	v = w.change(v)
	out, err := json.Marshal(v)
	if err != nil {
		return line
	}
	return append(out, '\n')
}

// A walk finds the value of a tree to change: the left-th one.
type walk struct {
	kind  int
	left  int
	value any
	key   string // whose values change, for setAll
}

func (w *walk) count(v any) {
	w.left++
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			w.count(e)
		}
	case map[string]any:
		for _, e := range v {
			w.count(e)
		}
	}
}

func (w *walk) change(v any) any {
	w.left--
	if w.left == -1 && w.kind != deleteValue && w.kind != repeatValue && w.kind != setAll {
		return w.value
	}
	switch v := v.(type) {
	case []any:
		for i := 0; i < len(v); i++ {
			if w.left == 0 && w.kind == deleteValue {
				w.left--
				return slices.Delete(v, i, i+1)
			}
			if w.left == 0 && w.kind == repeatValue {
				w.left--
				return slices.Insert(v, i, v[i])
			}
			v[i] = w.change(v[i])
		}
	case map[string]any:
		keys := slices.Sorted(func(yield func(string) bool) {
			for k := range v {
				if !yield(k) {
					return
				}
			}
		})
		for _, k := range keys {
			if w.left == 0 && w.kind == deleteValue {
				w.left--
				delete(v, k)
				continue
			}
			if w.left == 0 && w.kind == setAll {
				w.key = k
			}
			if w.kind == setAll && w.key == k {
				w.left--
				v[k] = w.value
				continue
			}
			v[k] = w.change(v[k])
		}
	}
	return v
}

// storedCommands are the commands that read a stored run: "hurt" is the one that was
// edited, and "whole" the one that it was made of.
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

// checkStored runs a command and checks what holds whatever it reads: it ends with
// an exit code of its own, says why when it is not 0, prints whole JSON, CSV and
// benchmarks, and nothing that acts on a terminal.
func checkStored(t *testing.T, args []string) (stdout, stderr string, code int) {
	t.Helper()
	line := "assay " + strings.Join(args, " ")
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s", line)
			panic(v)
		}
	}()
	hung := time.AfterFunc(time.Minute, func() { panic(line + ": no end") })
	defer hung.Stop()
	stdout, stderr, code = assayed(t, args...)
	if !slices.Contains([]int{exitOK, exitNo, exitUsage, exitFailed, exitNoisy}, code) {
		t.Errorf("%s: exit code %d", line, code)
	}
	if code != exitOK && !strings.HasPrefix(last(stderr), "assay: ") {
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
	if i := slices.Index(args, "--out"); i >= 0 && slices.Contains(args, "export") && code == exitOK {
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

// wellFormed says what is wrong with a text in the format.
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

// Every command reads the runs as they were made.
func TestStoredRuns(t *testing.T) {
	for _, name := range storedRuns {
		results := t.TempDir()
		s := readStored(t, name)
		s.write(t, results, "hurt")
		s.write(t, results, "whole")
		succeeded := 0
		for _, args := range storedCommands(t.TempDir()) {
			_, stderr, code := checkStored(t, append([]string{"--results", results}, args...))
			if code == exitOK || code == exitNo {
				succeeded++
			}
			if strings.Contains(stderr, "warning") {
				t.Errorf("%s: assay %s warns: %s", name, strings.Join(args, " "), stderr)
			}
		}
		if succeeded < 5 {
			t.Errorf("%s: only %d commands have anything to say of it", name, succeeded)
		}
	}
}

// hurt is how many edited runs TestHurtRuns reads, and hurtSeed the first of their
// seeds: go test ./internal/cli -run TestHurtRuns -hurt 5000.
var (
	hurt     = flag.Uint64("hurt", 24, "read that many edited runs by every command")
	hurtSeed = flag.Uint64("hurtseed", 0, "begin with this seed")
)

// Every command reads runs that were edited at random, alone and beside the run that
// they were made of.
func TestHurtRuns(t *testing.T) {
	texts := []string{"\x1b[2Jx", `{"note":{"text":"\u202ex"}}`, "", `{"launch":{}}`, "-1", "\xff\xfe", `{"count":{"case":{"workload":"movie","op":"encode","contender":"a"}}}`}
	for n := range *hurt {
		seed := *hurtSeed + n
		r := rand.New(rand.NewPCG(seed, 0))
		edits := make([]byte, bytesOfAnEdit*(1+r.IntN(8)))
		for i := range edits {
			edits[i] = byte(r.Uint32())
		}
		readHurt(t, storedRuns[r.IntN(len(storedRuns))], edits, texts[r.IntN(len(texts))], func(int) bool { return true })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// readHurt has commands read a stored run after edits, which are those of its place
// in storedCommands that which accepts.
func readHurt(t *testing.T, name string, edits []byte, text string, which func(int) bool) {
	results, dir := t.TempDir(), t.TempDir()
	readStored(t, name).write(t, results, "whole")
	s := readStored(t, name)
	s.edit(t, edits, text)
	s.write(t, results, "hurt")
	for i, args := range storedCommands(dir) {
		if which(i) {
			checkStored(t, append([]string{"--results", results}, args...))
		}
	}
}

// FuzzStoredRun is TestHurtRuns with edits that the fuzzer chooses. The first byte
// chooses the run, the second a command.
func FuzzStoredRun(f *testing.F) {
	edit := func(kind, where, what int) []byte {
		return []byte{byte(kind), byte(where >> 8), byte(where), byte(what >> 8), byte(what)}
	}
	for i := range storedRuns {
		for kind := range kindsOfEdit {
			f.Add(byte(i), byte(7*i+3*kind), edit(kind, 7+i, 640*kind+i), "\x1b[2Jx")
		}
		for command := range 3 {
			f.Add(byte(i), byte(17*command), slices.Concat(edit(setAll, 1, 20*64+5), edit(setValue, 0, 21*64+3), edit(cutShort, 12, 4000)), `{"note":{"text":"\u202ex"}}`)
		}
	}
	f.Fuzz(func(t *testing.T, base, command byte, edits []byte, text string) {
		n := len(storedCommands(""))
		readHurt(t, storedRuns[int(base)%len(storedRuns)], edits, text, func(i int) bool { return i == int(command)%n })
	})
}

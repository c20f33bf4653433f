package assay_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"assay/internal/cachedir/cachetest"
)

// A way says how a test runs the command lines that match it. The first matching way of ways
// applies.
type way struct {
	// match is a regular expression for the arguments, joined by spaces.
	match string
	// add are more arguments, which keep the run short: the command plans or reads instead of
	// measuring.
	add string
	// as replaces the whole line, if one of its words is a placeholder.
	as string
	// results is the stored run to use as the latest run; empty: none.
	results string
	// silent reports whether the command may print nothing on standard output.
	silent bool
	// codes are the accepted exit codes besides 0.
	codes []int
	// why is the reason why the test does not run the command, and names the test that does.
	why string
}

// The stored runs to use for command lines about the latest run.
const (
	ofBuiltin = "docs/evidence/readme-run"
	ofData    = "cmd/assay/testdata/runs/try"
)

// ways are the ways of all command lines. A new command in a document needs a new row if none
// matches.
var ways = []way{
	{match: `…`, why: "some of its words are left out"},
	{match: `^(help|explain|list|completion)\b`},
	{match: `^(run|try|verify)\b.*--runner `, why: "the script python of cmd/assay measures and verifies that runner"},
	{match: `^(try|data infer) (.* )?--type \./`, why: "the scripts try-types and data-infer of cmd/assay have modules with Go types"},
	{match: `^try .*--schema \.assay/`, why: "the script try of cmd/assay measures by the schema of an earlier run"},
	{match: `^(run|try)\b`, add: "--plan"},
	{match: `^show latest --have sonic\b`, as: "show latest --have msgp --rate 20000", results: ofData},
	{match: `^show latest\b.*--have `, results: ofData},
	{match: `^show latest .*-o scan$`, results: "docs/evidence/reproduction-customer-run"},
	{match: `^show \d`, as: "show docs/evidence/readme-run --format md"},
	{match: `^export\b.* --out\b`, results: ofBuiltin, silent: true},
	{match: `^(show|rank|export)\b`, results: ofBuiltin},
	{match: `^(compare --fail-on|compare --source|compare --go)\b`, why: "it needs two sources, or another Go: the scripts of cmd/assay compare such"},
	{match: `^runner build$`, why: "it builds every program: the script run of cmd/assay builds one"},
	{match: `^compare --(with|env)\b`, why: "it builds two versions: the script run of cmd/assay compares such"},
	{match: `^compare RUN$`, as: "compare cmd/assay/testdata/runs/versions"},
	{match: `^compare \d+-\S+ latest\b`, as: "compare docs/evidence/readme-run latest", results: ofBuiltin},
	{match: `^compare\b`, results: ofBuiltin},
	{match: `^report \d+-\S+ latest\b`, as: "report docs/evidence/readme-run latest --out both.html", results: ofBuiltin, silent: true},
	{match: `^report --site\b`, as: "report --site public docs/evidence/readme-run latest", results: ofBuiltin, silent: true},
	{match: `^report\b`, results: ofBuiltin, silent: true},
	{match: `^claims --source movie`, as: "claims --source movie --run docs/evidence/claims-run", codes: []int{1, 4}},
	{match: `^claims FILE$`, as: "claims published/sources/movie/claims.toml --run docs/evidence/claims-run", codes: []int{1, 4}},
	{match: `^claims --run latest`, results: "docs/evidence/claims-run", codes: []int{1, 4}},
	{match: `^claims (--quick|--source chain|\S+\.toml)`, why: "the script claims of cmd/assay measures for claims"},
	{match: `^reproduce --run latest`, results: "docs/evidence/reproduction-movie-run"},
	{match: `^(reproduce --quick|reproduce movie tick|exhibits --quick|exhibits xmlslice lazyopen)$`, why: "the scripts reproduce and exhibits of cmd/assay measure"},
	{match: `^exhibits --run latest`, results: "docs/evidence/exhibits-run", codes: []int{1}},
	{match: `^reproduce movie\b`, as: "reproduce movie --run docs/evidence/reproduction-movie-run --out out"},
	{match: `^exhibits xmlslice\b`, as: "exhibits xmlslice --run docs/evidence/exhibits-run", codes: []int{1}},
	{match: `^verify -c proto`, add: "-w movie"},
	{match: `^verify --probes -c msgp`, as: "verify --probes -c ^shamaton/msgpack$"}, // it needs no generated code
	{match: `^verify\b.* -c\b`},
	{match: `^verify\b`, add: "-c ^protobuf$"},
	{match: `^doctor\b`, add: "--budget 2s", codes: []int{1}},
	{match: `^data infer .`},
	{match: `^data anonymize .`, silent: true},
	{match: `^data export (latest )?--out\b`, results: ofData, silent: true},
	{match: `^data export .`, silent: true},
	{match: `^buildcost\b`, why: "the script buildcost of cmd/assay builds for minutes"},
	{match: `^(data (export|anonymize|infer)|data|runner)$`, why: "it names the command"},
	{match: `^runner (list|clean)\b`, silent: true},
	{match: `^runner new\b`, why: "it writes into the checkout: the script scaffold does so in another"},
	{match: `^runner source\b`, why: "the script runner-source writes one to a directory of its own"},
}

// stands are the values that a test uses for placeholders.
var stands = map[string]string{
	"COMMAND": "run", "MODE": "output=reuse", "NAME": "time", "RUN": "docs/evidence/readme-run",
}

// TestDocumentedCommands checks that the command lines in documents and in the help end with an
// accepted exit code.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and runs hundreds of commands, many of which measure")
	}
	cachetest.Once(t, append(slices.Clone(documents), "docs")...)
	dir := workplace(t)
	seen := map[string]bool{}
	for _, name := range documents {
		if name == "CHANGELOG.md" || name == "WANTED.md" {
			continue // their commands are those of an earlier version, and without arguments
		}
		for _, line := range shownLines(read(t, name)) {
			args, ok := arguments(line)
			if command := strings.Join(args, " "); !ok || len(args) == 0 || seen[command] {
				continue // TestCommandLines reports the error
			} else {
				seen[command] = true
			}
			t.Run(strings.Join(args, "_"), func(t *testing.T) { dir.try(t, name, line, args) })
		}
	}
	if len(seen) < 20 {
		t.Errorf("found only %d command lines", len(seen))
	}
	examples := 0
	for _, command := range dir.commands(t) {
		for _, line := range dir.examples(t, command) {
			examples++
			args, ok := arguments(line)
			if line := strings.Join(args, " "); !ok || seen[line] {
				continue
			} else {
				seen[line] = true
			}
			t.Run("help/"+strings.Join(args, "_"), func(t *testing.T) { dir.try(t, "assay help "+command, line, args) })
		}
	}
	if examples < 50 {
		t.Errorf("found only %d examples in the help", examples)
	}
}

// listed matches a subcommand in the help of a command.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+)   +[a-z]`)

// commands returns the commands and subcommands that the help lists, such as run and data infer.
func (p place) commands(t *testing.T) (all []string) {
	t.Helper()
	of := func(args ...string) (names []string) {
		text, _, _ := strings.Cut(p.prints(t, append([]string{"help"}, args...)...), "\nFlags:\n")
		for _, m := range listed.FindAllStringSubmatch(text, -1) {
			names = append(names, strings.Join(append(args, m[1]), " "))
		}
		return names
	}
	for _, name := range of() {
		if below := of(name); len(below) > 0 && name != "completion" {
			all = append(all, below...)
		}
		all = append(all, name)
	}
	return all
}

// examples returns the command lines in the help of a command, without the remarks beside them.
func (p place) examples(t *testing.T, command string) (lines []string) {
	t.Helper()
	_, text, _ := strings.Cut(p.prints(t, append([]string{"help"}, strings.Fields(command)...)...), "\nExamples:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		if line, _, _ = strings.Cut(strings.TrimSpace(line), "   "); strings.HasPrefix(line, "assay ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// prints runs the program and returns its standard output.
func (p place) prints(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), p.program, args...).Output()
	if err != nil {
		t.Fatalf("assay %q: %v", args, err)
	}
	return string(out)
}

// A place is a directory in which command lines are run, with the files that they name.
type place struct {
	dir, program, cache string
	own                 map[string]bool // the initial entries of dir
}

// workplace makes a place and builds the program in it.
func workplace(t *testing.T) place {
	t.Helper()
	p := place{dir: t.TempDir(), cache: cachetest.Dir(t), own: map[string]bool{}}
	p.program = filepath.Join(p.dir, "assay")
	if runtime.GOOS == "windows" {
		p.program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", p.program, "./cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cmd", "docs", "examples", "published"} {
		if err := os.Symlink(filepath.Join(here, name), filepath.Join(p.dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(filepath.Join(p.dir, "proto"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"orders.ndjson":    "{\"id\":1,\"item\":\"one\",\"total\":1.5}\n{\"id\":2,\"item\":\"two\",\"total\":2.5}\n",
		"api.proto":        "syntax = \"proto3\";\npackage pkg;\nmessage Order {\n  int64 id = 1;\n  string item = 2;\n}\n",
		"orders.bin":       "\x08\x01\x12\x03one",
		"orders.toml":      "name = \"orders\"\nroots = [\"Order\"]\n[[messages]]\nname = \"Order\"\nfields = [{ number = 1, name = \"id\", type = \"int64\" }]\n",
		"twitter.json":     `{"statuses":[{"id":1,"text":"one"},{"id":2,"text":"two"}]}`,
		"events.ndjson":    "{\"type\":\"order\",\"id\":1}\n{\"type\":\"visit\",\"page\":\"/\"}\n{\"type\":\"order\",\"id\":2}\n",
		"events.ndjson.gz": gzipped(t, "{\"user\":{\"id\":\"a\"},\"labels\":{\"k1\":\"v\",\"k2\":\"w\"}}\n{\"user\":{\"id\":\"b\"},\"labels\":{\"k3\":\"v\"}}\n"),
	} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries(t, p.dir) {
		p.own[e] = true
	}
	return p
}

// entries returns the names in a directory.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// gzipped compresses a text.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// try runs one command line of a document, and removes what it writes, because the next one may
// write to the same place.
func (p place) try(t *testing.T, document, line string, args []string) {
	w, ok := wayOf(args)
	if !ok {
		t.Fatalf("%s shows %s, and no row of ways says how a test runs it", document, line)
	}
	if w.why != "" {
		t.Skip(w.why)
	}
	for i, a := range args {
		if s := stands[a]; s != "" {
			args[i] = s
		}
	}
	results := filepath.Join(t.TempDir(), "runs")
	if w.results != "" {
		if err := os.CopyFS(filepath.Join(results, filepath.Base(w.results)), os.DirFS(w.results)); err != nil {
			t.Fatal(err)
		}
	}
	if w.as != "" {
		args = strings.Fields(w.as)
	}
	args = append(args, strings.Fields(w.add)...)
	if !slices.Contains(args, "--results") {
		args = append(args, "--results", results)
	}
	cache := p.cache
	if args[0] == "runner" {
		cache = filepath.Join(p.dir, "cache") // it must not clean the shared cache
	}
	args = append(args, "--cache", cache)
	cmd := exec.CommandContext(t.Context(), p.program, args...)
	cmd.Dir = p.dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	for _, e := range entries(t, p.dir) {
		if !p.own[e] {
			if err := os.RemoveAll(filepath.Join(p.dir, e)); err != nil {
				t.Error(err)
			}
		}
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && !slices.Contains(w.codes, code) {
		t.Errorf("%s shows %s, and assay %q ends with %v:\n%s", document, line, args, err, &stderr)
	}
	if stdout.Len() == 0 && !w.silent {
		t.Errorf("%s shows %s, and assay %q prints nothing", document, line, args)
	}
}

// wayOf returns the first way that matches a command line.
func wayOf(args []string) (way, bool) {
	line := strings.Join(args, " ")
	for _, w := range ways {
		if regexp.MustCompile(w.match).MatchString(line) {
			return w, true
		}
	}
	return way{}, false
}

// shownLines returns the command lines that a Markdown document shows for the reader to type:
// lines of fenced blocks, and code spans with arguments. A span such as `assay run` only names a
// command.
func shownLines(markdown string) []string {
	fenced := map[string]bool{}
	open := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			open = !open
		} else if open {
			fenced[line] = true
		}
	}
	return slices.DeleteFunc(commandLines(markdown), func(line string) bool {
		args, ok := arguments(line)
		return !fenced[line] && ok && len(args) < 2
	})
}

// TestShownLines checks that shownLines omits code spans that only name a command, and that wayOf
// finds no way for an unknown command.
func TestShownLines(t *testing.T) {
	const text = "Text `assay run` and `assay explain time` and `go build`.\n\n```sh\nassay doctor\nls\n```\n"
	if got := shownLines(text); !slices.Equal(got, []string{"assay doctor", "assay explain time"}) && !slices.Equal(got, []string{"assay explain time", "assay doctor"}) {
		t.Errorf("found %q", got)
	}
	for line, found := range map[string]bool{"assay explain time": true, "assay weigh 3": false} {
		args, _ := arguments(line)
		if _, ok := wayOf(args); ok != found {
			t.Errorf("%s has a way: %v, want %v", line, ok, found)
		}
	}
}

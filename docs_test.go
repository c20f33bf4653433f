package assay_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the results in the documents")

// documents are the documents that tests compare with the code.
var documents = []string{
	"README.md", "ARCHITECTURE.md", "METHODOLOGY.md", "BIAS.md", "CONTRIBUTING.md", "CHANGELOG.md", "PROTOCOL.md", "WANTED.md",
}

// metricName matches a metric in the first column of METHODOLOGY's table.
var metricName = regexp.MustCompile("`([^`]+)`( and so on)?")

// TestMetricTable checks that METHODOLOGY's table of metrics has exactly the existing metrics.
func TestMetricTable(t *testing.T) {
	_, text, _ := strings.Cut(string(read(t, "METHODOLOGY.md")), "\n### Metrics\n")
	text, _, _ = strings.Cut(text, "\n`assay list metrics`")
	var listed []string
	families := map[string]bool{} // families that "and so on" stands for
	for line := range strings.Lines(text) {
		names, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, found := range metricName.FindAllStringSubmatch(names, -1) {
			if listed = append(listed, found[1]); found[2] != "" {
				families[family(found[1])] = true
			}
		}
	}
	for _, name := range listed {
		if _, ok := analysis.MetricNamed(name); !ok {
			t.Errorf("there is no metric %s", name)
		}
	}
	for _, m := range analysis.Metrics {
		if !slices.Contains(listed, m.Name) && !families[family(m.Name)] {
			t.Errorf("%s is not in the table", m.Name)
		}
	}
}

// family returns the common part of the names of metrics that share a row.
func family(metric string) string {
	if strings.HasPrefix(metric, "stream-") {
		return "stream"
	}
	if _, after, ok := strings.Cut(metric, "-batch-"); ok {
		return "batch-" + after
	}
	return metric
}

// resultBlock matches the console block of a document that shows a stored run: the command and
// its output.
var resultBlock = regexp.MustCompile("(?s)(<!-- result -->\n```console\n\\$ ([^\n]*)\n)(.*?)(```\n<!-- /result -->)")

// TestDocumentedResults checks that the results in README.md, CONTRIBUTING.md and docs/streams.md
// are what the commands above them print.
func TestDocumentedResults(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	for name, blocks := range map[string]int{"README.md": 1, "CONTRIBUTING.md": 2, "docs/streams.md": 3} {
		data := read(t, name)
		found := resultBlock.FindAllStringSubmatchIndex(data, -1)
		if len(found) != blocks {
			t.Errorf("%s has %d blocks between <!-- result --> and <!-- /result --> that begin with a command, want %d", name, len(found), blocks)
		}
		for _, block := range slices.Backward(found) {
			command := data[block[4]:block[5]]
			want := printed(t, command)
			if diff := cmp.Diff(want, data[block[6]:block[7]]); diff != "" && !*update {
				t.Errorf("%s shows another result than %s prints; go test . -update rewrites it (-printed +shown):\n%s", name, command, diff)
			}
			data = data[:block[6]] + want + data[block[7]:]
		}
		if !*update {
			continue
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// printed returns the output of a command that shows a stored run.
func printed(t *testing.T, command string) string {
	t.Helper()
	args, ok := arguments(command)
	if !ok || len(args) == 0 || args[0] != "show" && args[0] != "compare" {
		t.Fatalf("the command of the result is %q; want assay show or assay compare", command)
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Main(args, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("%s: exit code %d, and on standard error: %s", command, code, &stderr)
	}
	return stdout.String()
}

// TestStoredRunIsPublic checks that the stored runs name no directory of the machine on which
// they were made.
func TestStoredRunIsPublic(t *testing.T) {
	files, err := filepath.Glob("docs/evidence/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stored runs in docs/evidence (%v)", err)
	}
	private := regexp.MustCompile(`"/|[^a-z]/(home|root|tmp|work|Users|var)/|[A-Z]:\\\\`)
	for _, name := range files {
		text := read(t, name)
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(name, err)
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(name, err)
			}
			text = string(plain)
		}
		if at := private.FindString(text); at != "" {
			t.Errorf("%s names a path: %q", name, at)
		}
	}
}

// TestCommandLines checks that the program understands every command line in the documents.
func TestCommandLines(t *testing.T) {
	found := 0
	for _, name := range documents {
		for _, line := range commandLines(read(t, name)) {
			found++
			if why := misunderstood(line); why != "" {
				t.Errorf("%s: %s: %s", name, line, why)
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d command lines", found)
	}
}

// TestMisunderstood checks that misunderstood finds wrong commands, flags and quotes, and accepts
// right ones.
func TestMisunderstood(t *testing.T) {
	for line, ok := range map[string]bool{
		"assay":                                   true,
		"assay run --quick":                       true,
		"go run ./cmd/assay run -c 'a|b' -o x":    true,
		"assay export --out f # in a file":        true,
		"assay show | less":                       true,
		"assay runner build":                      true,
		"assay weigh":                             false,
		"assay weigh --quick":                     false,
		"assay run --quik":                        false,
		"assay runner make":                       false,
		"assay run --budget":                      false,
		"assay run -c 'a":                         false,
		"go run ./cmd/assay show --layouts 3 run": false,
	} {
		if why := misunderstood(line); (why == "") != ok {
			t.Errorf("%s: understood is %v, want %v (%s)", line, why == "", ok, why)
		}
	}
}

// TestPaths checks that linked files and paths in code spans exist.
func TestPaths(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	span := regexp.MustCompile("`((?:bench|cmd|contender|contenders|docs|examples|internal|published|result|schema|tools|workload|\\.ci)/[\\w./-]*)`")
	for _, name := range documents {
		text := read(t, name)
		for _, m := range slices.Concat(link.FindAllStringSubmatch(text, -1), span.FindAllStringSubmatch(text, -1)) {
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s names %s: %v", name, m[1], err)
			}
		}
	}
}

// TestAnchors checks that a link to a section names an existing heading.
func TestAnchors(t *testing.T) {
	link := regexp.MustCompile(`\]\(([A-Za-z0-9_./-]*\.md)?#([^)]*)\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	left := regexp.MustCompile("[^a-z0-9 _-]")
	found := 0
	for _, name := range documents {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			to := m[1]
			if to == "" {
				to = name
			}
			var anchors []string
			for _, h := range heading.FindAllStringSubmatch(read(t, to), -1) {
				anchors = append(anchors, strings.ReplaceAll(left.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
			}
			if found++; !slices.Contains(anchors, m[2]) {
				t.Errorf("%s links to %s#%s, and %s has no such heading", name, to, m[2], to)
			}
		}
	}
	if found < 10 {
		t.Errorf("found only %d links to headings", found)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// invocation matches the beginning of a command line.
var invocation = regexp.MustCompile(`^(?:\$ )?(?:go run \./cmd/assay|assay)(?: |$)`)

// commandLines returns the command lines of a Markdown document: lines of
// fenced blocks, and code spans.
func commandLines(markdown string) []string {
	var lines []string
	fenced := false
	span := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced:
			if invocation.MatchString(line) {
				lines = append(lines, line)
			}
		default:
			for _, m := range span.FindAllStringSubmatch(line, -1) {
				if invocation.MatchString(m[1]) {
					lines = append(lines, m[1])
				}
			}
		}
	}
	return lines
}

// misunderstood returns why the program does not understand a command line, or the empty string.
// It asks the command for its help; the command checks its flags before it prints the help.
func misunderstood(line string) string {
	args, ok := arguments(line)
	if !ok {
		return "a quote is not closed"
	}
	if len(args) == 0 {
		return ""
	}
	var help bytes.Buffer
	var stderr strings.Builder
	if code := cli.Main(append(slices.Clone(args), "--help"), &help, &stderr); code != 0 {
		return fmt.Sprintf("exit code %d: %s", code, &stderr)
	}
	path := "assay " + args[0]
	if strings.Contains(help.String(), "Available Commands:") && len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		path += " " + args[1]
	}
	if !strings.Contains(help.String(), "\n  "+path+" ") {
		return "there is no command " + path
	}
	return ""
}

// arguments returns the arguments of a command line up to a comment, a pipe, a redirection or a
// second command. ok is false if a quote is not closed.
func arguments(line string) (args []string, ok bool) {
	in := strings.NewReader(line[len(invocation.FindString(line)):])
	var word strings.Builder
	var quote rune
	begun := false
	end := func() {
		if begun {
			args = append(args, word.String())
		}
		word.Reset()
		begun = false
	}
	for {
		r, _, err := in.ReadRune()
		if err == io.EOF {
			break
		}
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("|<>&;", r), r == '#' && !begun:
			end()
			return args, true
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return args, quote == 0
}

package assay_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/internal/cli"
	"assay/internal/plaintext"
	"assay/result"
)

// TestBiasOfContenders checks what BIAS.md says about the contenders: how many have a group, and
// which of them have no op convert. It also checks that no format of a contender is listed as
// left out.
func TestBiasOfContenders(t *testing.T) {
	for _, wrong := range biased(read(t, "BIAS.md"), contenders.All()) {
		t.Error(wrong)
	}
}

// TestBiasTable checks that the table of BIAS.md is generated from the contenders' descriptions.
func TestBiasTable(t *testing.T) {
	text := read(t, "BIAS.md")
	want := biasTable(contenders.All())
	const begin, end = "<!-- contenders -->\n", "<!-- /contenders -->\n"
	before, rest, found := strings.Cut(text, begin)
	got, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("BIAS.md has no part between %q and %q", begin, end)
	}
	if *update {
		if err := os.WriteFile("BIAS.md", []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table of BIAS.md is not what the contenders say; go test . -run TestBiasTable -update rewrites it (-contenders +shown):\n%s", diff)
	}
}

// biasTable returns the table of contenders. For each contender it says which part of the timed code
// is ours, whom our treatment favours, and what is not measured.
func biasTable(all []*contender.Contender) string {
	var b strings.Builder
	b.WriteString("| contender | modes besides the default one | what of the timed code is ours | our treatment is | not measured |\n| :-- | :-- | :-- | :-- | :-- |\n")
	for _, c := range all {
		var keys []string
		for _, m := range c.Modes {
			keys = append(keys, "`"+m.Key+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", plaintext.Markdown(c.Name), strings.Join(keys, ", "),
			plaintext.Markdown(c.Bias.Ours), plaintext.Markdown(c.Bias.Favours), plaintext.Markdown(c.Bias.Unmeasured))
	}
	return b.String()
}

// TestContendersPage checks that docs/contenders.md is what assay list axes prints.
func TestContendersPage(t *testing.T) {
	const page = "docs/contenders.md"
	var stdout, stderr bytes.Buffer
	if code := cli.Main([]string{"list", "axes", "--format", "md"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	if *update {
		if err := os.WriteFile(page, stdout.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(stdout.String(), read(t, page)); diff != "" {
		t.Errorf("%s is not what assay list axes --format md prints; go test . -run TestContendersPage -update rewrites it (-printed +page):\n%s", page, diff)
	}
	for _, c := range contenders.All() {
		if !strings.Contains(stdout.String(), "\n## "+c.Name+"\n") {
			t.Errorf("%s has no section for %s", page, c.Name)
		}
	}
}

// TestBiased checks that biased finds each kind of false statement.
func TestBiased(t *testing.T) {
	all := []*contender.Contender{
		{Name: "a", Format: "x", Ops: []result.Op{result.Encode, result.Decode}},
		{Name: "b", Format: "avro", Group: "more", Ops: []result.Op{result.Encode, result.Decode, result.Convert}},
	}
	const whole = "Group: 1 contender has one.\n\n`a` has no 'convert'.\n\n## What is left out\n\n- Contenders: some.\n- Costs"
	if wrong := biased(whole, all); len(wrong) > 0 {
		t.Errorf("found %q in a true text", wrong)
	}
	for old, untrue := range map[string]string{
		"1 contender has": "2 contenders have",
		"`a`":             "`b`",
		"some.":           "all of Avro.",
	} {
		if wrong := biased(strings.Replace(whole, old, untrue, 1), all); len(wrong) == 0 {
			t.Errorf("%q in place of %q is not found", untrue, old)
		}
	}
}

// biased returns the false statements about contenders in a text like BIAS.md.
func biased(text string, all []*contender.Contender) (wrong []string) {
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	grouped := 0
	var direct []string
	for _, c := range all {
		if c.Group != "" {
			grouped++
		}
		if !slices.Contains(c.Ops, result.Convert) {
			direct = append(direct, c.Name)
		}
	}
	flat := strings.Join(strings.Fields(text), " ")
	if m := regexp.MustCompile(`(\d+) contenders? ha(?:ve|s) one\.`).FindStringSubmatch(flat); m == nil || m[1] != fmt.Sprint(grouped) {
		note("%d contenders have a group; the text says %q", grouped, m)
	}
	var named []string
	if m := regexp.MustCompile("((?:`[^`]+`[^`]{0,6})+)ha(?:s|ve) no .convert.").FindStringSubmatch(flat); m != nil {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			named = append(named, name[1])
		}
	}
	if slices.Sort(named); !slices.Equal(named, slices.Sorted(slices.Values(direct))) {
		note("%q have no op convert; the text says %q", direct, named)
	}
	_, absent, _ := strings.Cut(flat, "## What is left out - Contenders:")
	absent, _, found := strings.Cut(absent, "- Costs")
	if !found {
		note("the text has no list of the contenders that are left out")
	}
	plain := strings.ToLower(strings.ReplaceAll(absent, "'", ""))
	for _, c := range all {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(c.Format) + `\b`).MatchString(plain) {
			note("the format %s is called absent, and %s has it", c.Format, c.Name)
		}
	}
	return wrong
}

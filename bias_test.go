package assay_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/result"
)

// What BIAS.md says of the contenders is so: how many have a group, which of them
// decode into the model, and that nothing is called absent which is there.
func TestBiasOfContenders(t *testing.T) {
	for _, wrong := range biased(read(t, "BIAS.md"), contenders.All()) {
		t.Error(wrong)
	}
}

// A check that cannot fail checks nothing.
func TestBiased(t *testing.T) {
	all := []*contender.Contender{
		{Name: "a", Format: "x", Ops: []result.Op{result.Encode, result.Decode}},
		{Name: "b", Format: "avro", Group: "more", Ops: []result.Op{result.Encode, result.Decode, result.Convert}},
	}
	const whole = "Group: 1 contender has one.\n\n`a` decodes into the model itself.\n\n## What is left out\n\n- Contenders: some.\n- Costs"
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

// biased returns what a text like BIAS.md says wrongly of contenders.
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
	if m := regexp.MustCompile("((?:`[^`]+`[^`]{0,6})+)decodes? into the model itself").FindStringSubmatch(flat); m != nil {
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

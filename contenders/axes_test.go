package contenders_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/result"
)

// Each contender has a mode on every axis that asks it, or a reason why it has none.
func TestAxes(t *testing.T) {
	for _, c := range contenders.All() {
		for _, wrong := range unsettled(c) {
			t.Errorf("%s: %s", c.Name, wrong)
		}
	}
}

// The advice of each library is a page of its authors, and each contender's bias is declared.
func TestAdvice(t *testing.T) {
	for _, c := range contenders.All() {
		for _, wrong := range unadvised(c) {
			t.Errorf("%s: %s", c.Name, wrong)
		}
	}
}

// The checks find every kind of fault.
func TestUnsettled(t *testing.T) {
	lacks := func(names ...string) []contender.Lack {
		var out []contender.Lack
		for _, n := range names {
			out = append(out, contender.Lack{Axis: n, Reason: "for no reason"})
		}
		return out
	}
	reuse := []contender.Mode{{Key: "output=reuse,session=stream", Ops: []result.Op{result.Encode}}}
	for _, test := range []struct {
		name string
		c    contender.Contender
		want []string
	}{
		{"settled", contender.Contender{Modes: reuse, Lacks: lacks("pool=on", "order=sorted")}, nil},
		{"not settled", contender.Contender{Modes: reuse, Lacks: lacks("order=sorted")},
			[]string{"no mode has pool=on, and Lacks does not say why"}},
		{"refused and offered", contender.Contender{Modes: reuse, Lacks: lacks("output=reuse", "pool=on", "order=sorted")},
			[]string{"Lacks refuses output=reuse, which a mode has"}},
		{"not asked", contender.Contender{Modes: reuse, Lacks: lacks("target=reuse", "pool=on", "order=sorted")},
			[]string{"Lacks refuses target=reuse, which nobody asks it for"}},
		{"no axis", contender.Contender{Modes: reuse, Lacks: lacks("pool=on", "order=sorted", "size=small")},
			[]string{"Lacks refuses size=small, which is no axis"}},
		{"twice", contender.Contender{Modes: reuse, Lacks: lacks("pool=on", "pool=on", "order=sorted")},
			[]string{"Lacks refuses pool=on twice"}},
		{"no reason", contender.Contender{Modes: reuse, Lacks: []contender.Lack{{Axis: "pool=on"}, {Axis: "order=sorted", Reason: "It is a sentence."}}},
			[]string{`the reason for pool=on is "", which is no clause`, `the reason for order=sorted is "It is a sentence.", which is no clause`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.c.Format, test.c.Ops, test.c.Stream = "one", []result.Op{result.Encode}, "by its own means"
			if diff := cmp.Diff(test.want, unsettled(&test.c)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	c := &contender.Contender{Name: "x", Module: "example.com/x", Advice: contender.Advice{URL: "http://example.com", Text: "Use it."}, Bias: contender.Bias{Favours: "us"}}
	if n := len(unadvised(c)); n != 5 {
		t.Errorf("%d of 5 faults found: %q", n, unadvised(c))
	}
}

// unsettled returns the axes for which a contender's modes and Lacks are wrong: each axis that
// asks the contender must be in exactly one of them.
func unsettled(c *contender.Contender) (wrong []string) {
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	refused := map[string]bool{}
	for _, l := range c.Lacks {
		a := contender.AxisOf(l.Axis)
		switch {
		case a.Text == "":
			note("Lacks refuses %s, which is no axis", l.Axis)
		case refused[l.Axis]:
			note("Lacks refuses %s twice", l.Axis)
		case !a.Asks(c):
			note("Lacks refuses %s, which nobody asks it for", l.Axis)
		case a.Offers(c):
			note("Lacks refuses %s, which a mode has", l.Axis)
		}
		if !isClause(l.Reason) {
			note("the reason for %s is %q, which is no clause", l.Axis, l.Reason)
		}
		refused[l.Axis] = true
	}
	for _, a := range contender.Axes {
		if a.Asks(c) && !a.Offers(c) && !refused[a.Name] {
			note("no mode has %s, and Lacks does not say why", a.Name)
		}
	}
	return wrong
}

// unadvised returns what is missing from a contender's advice and bias.
func unadvised(c *contender.Contender) (wrong []string) {
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if library := c.Module != "" || c.Is(contender.Standard); library {
		if u, err := url.Parse(c.Advice.URL); err != nil || u.Scheme != "https" || u.Path == "" {
			note("the authors' advice is at %q, which is no page", c.Advice.URL)
		}
		if !isClause(c.Advice.Text) {
			note("the authors' advice is %q, which is no clause", c.Advice.Text)
		}
	}
	for what, text := range map[string]string{"what is ours": c.Bias.Ours, "what is not measured": c.Bias.Unmeasured} {
		if !isClause(text) {
			note("%s is %q, which is no clause", what, text)
		}
	}
	if f := c.Bias.Favours; f != "neither" && !strings.HasPrefix(f, "neither: ") && !strings.HasPrefix(f, "for it: ") && !strings.HasPrefix(f, "against it: ") {
		note("what favours it is %q", f)
	}
	return wrong
}

// isClause reports whether a text can stand after a colon.
func isClause(s string) bool { return s != "" && !strings.HasSuffix(s, ".") }

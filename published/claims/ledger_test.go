package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// found makes findings from verdicts: h, r, u, and n for not measured.
func found(verdicts string) []Finding {
	var list []Finding
	for _, v := range verdicts {
		list = append(list, Finding{Verdict: map[rune]Verdict{'h': Holds, 'r': Refuted, 'u': Undecided, 'n': Untested}[v]})
	}
	return list
}

// The verdict on a claim follows from the verdicts on its conditions, and from its quantifier.
func TestHeadline(t *testing.T) {
	tests := []struct {
		findings                 string
		plain, every, most, same Verdict
	}{
		{"hhh", Holds, Holds, Holds, Holds},
		{"hhn", HoldsMeasured, HoldsMeasured, Holds, Holds},
		{"hnn", HoldsMeasured, HoldsMeasured, HoldsMeasured, Holds},
		{"rrr", Refuted, Refuted, Refuted, Refuted},
		{"rnn", RefutedMeasured, Refuted, RefutedMeasured, Refuted},
		{"hhr", Depends, Refuted, Holds, Depends},
		{"hrr", Depends, Refuted, Refuted, Depends},
		{"hr", Depends, Refuted, Refuted, Depends},
		{"hrn", Depends, Refuted, Depends, Depends},
		{"hhrnn", Depends, Refuted, Depends, Depends},
		{"hrrnn", Depends, Refuted, Depends, Depends},
		{"hhu", Undecided, Undecided, Holds, Undecided},
		{"huu", Undecided, Undecided, Undecided, Undecided},
		{"ruu", Undecided, Refuted, Undecided, Undecided},
		{"hrru", Depends, Refuted, Refuted, Depends},
		{"uuu", Undecided, Undecided, Undecided, Undecided},
		{"nnn", Untested, Untested, Untested, Untested},
	}
	for _, test := range tests {
		for _, x := range []struct {
			name  string
			claim Claim
			want  Verdict
		}{{"plain", Claim{}, test.plain}, {"every", Claim{Every: true}, test.every}, {"most", Claim{Most: true}, test.most}, {"same", Claim{Same: "x"}, test.same}} {
			if got := x.claim.headline(found(test.findings), nil); got != x.want {
				t.Errorf("%s of %s: %s, want %s", x.name, test.findings, got, x.want)
			}
		}
	}
}

// "Up to 3" holds if no figure is above 3 and the largest comes near it.
func TestUpTo(t *testing.T) {
	l := standard()
	const keys = "sizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\n"
	for says, want := range map[string]Verdict{"up to 3": Holds, "up to 3.5": Holds, "up to 2": Refuted, "up to 6": Refuted} {
		if r := l.rule(t, keys+"says = \""+says+"\"\n"); r.Verdict != want {
			t.Errorf("%s: %s: %s, want %s", says, r.Verdict, r.Reason, want)
		}
	}
}

// If no figure is above N and it is unknown whether one comes near, "up to N" is undecided.
// Elsewhere too, a figure must come near.
func TestUpToUnclear(t *testing.T) {
	const keys = "ops = [\"decode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"up to 3.75\"\n"
	r := standard().rule(t, "sizes = [\"level=1\"]\n"+keys)
	if r.Verdict != Undecided || !strings.Contains(r.Reason, "whether the largest, 3.0") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	r = standard().rule(t, "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"up to 3\"\n"+
		"[[claim.also]]\nname = \"larger\"\nsizes = [\"level=2\"]\n")
	if r.Verdict != Holds || r.Elsewhere != Refuted || !strings.Contains(r.ElsewhereReason, "no figure comes near up to 3: the largest is 1.50 times") {
		t.Errorf("%s, elsewhere %s: %s", r.Verdict, r.Elsewhere, r.ElsewhereReason)
	}
}

// Whether the largest figure of "up to N" comes near N is one of the adjusted tests. The verdict
// rests on its level, and is undecided if the test does not decide at the false discovery rate.
func TestUpToAdjusted(t *testing.T) {
	one := func(v, wide float64) Finding {
		return Finding{Verdict: Holds, Timed: true, layouts: 8, P: 1e-9, Measured: &analysis.Interval{Value: v, Lo: v / wide, Hi: v * wide}}
	}
	unsure := func(v float64) Finding { // at most 10 by itself, but not among many
		f := one(v, 1.01)
		f.P = 0.04
		return f
	}
	c := &Claim{Predicate: Ratio, Says: "up to 10", Band: &Band{limits: []limit{{10, true, false}}, reach: 8}}
	rule := func(beside int, findings ...Finding) Ruling {
		r := Ruling{Claim: c, Unit: Times, Findings: findings}
		r.reach[0] = c.reaching(r.Part(false))
		others := Ruling{Claim: &Claim{}}
		for i := range beside {
			others.Findings = append(others.Findings, Finding{Condition: ofSize(i), Verdict: Undecided, Timed: true, P: 0.9, Measured: &analysis.Interval{}})
		}
		for i := range r.Findings {
			r.Findings[i].Condition = ofSize(-1 - i)
		}
		rulings := []Ruling{r, others}
		adjust(rulings)
		if d := Discoveries(rulings); d.Timed != len(findings)+beside+1 {
			t.Errorf("%d tests, want the %d conditions, %d others and that of the largest figure", d.Timed, len(findings), beside)
		}
		rulings[0].conclude()
		return rulings[0]
	}
	const wide = 1.2 // so that the intervals of 9.9 and 6.4 just end before 8
	for _, test := range []struct {
		name     string
		beside   int
		findings []Finding
		want     Verdict
		reason   string
	}{
		{"comes near", 0, []Finding{one(9.9, wide), one(2, 1.01)}, Holds, ""},
		{"comes near, of many", 40, []Finding{one(9.9, wide), one(2, 1.01)}, Undecided, "holds by itself, but not at a false discovery rate of 5%"},
		{"falls short", 0, []Finding{one(6.4, wide), one(2, 1.01)}, Refuted, "no figure comes near up to 10: the largest is 6.40 times"},
		{"falls short, of many", 40, []Finding{one(6.4, wide), one(2, 1.01)}, Undecided, "refuted by itself, but not at a false discovery rate of 5%"},
		{"another is surer", 40, []Finding{one(9.9, 2), one(9.5, 1.01)}, Holds, ""},
		{"comes near, and another may be above", 40, []Finding{one(9.9, 1.01), unsure(9.8)}, Undecided, "undecided for "},
		{"another is less sure", 0, []Finding{one(7, 1.01), one(6, 1.5)}, Undecided, "whether the largest, 7.00 times, comes near is not known"},
	} {
		r := rule(test.beside, test.findings...)
		if r.Verdict != test.want || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%s: %s, %q, want %s, %q", test.name, r.Verdict, r.Reason, test.want, test.reason)
		}
		if q := r.reach[0].Q; r.Q < q || test.want == Refuted && r.Q != q {
			t.Errorf("%s: the verdict rests on %v, and the test of the largest figure is at %v", test.name, r.Q, q)
		}
	}
}

// TestUpToOfMore checks that the tests whether figures come near N are two if one is of more
// conditions, and so less certain, though both have the same largest figure.
func TestUpToOfMore(t *testing.T) {
	one := func(size int, v, wide float64) Finding {
		return Finding{Condition: ofSize(size), Verdict: Holds, Timed: true, layouts: 8, P: 1e-9, Measured: &analysis.Interval{Value: v, Lo: v / wide, Hi: v * wide}}
	}
	c := &Claim{Predicate: Ratio, Says: "up to 10", Band: &Band{limits: []limit{{10, true, false}}, reach: 8}}
	few := Ruling{Claim: c, Findings: []Finding{one(1, 6.4, 1.01)}}
	more := Ruling{Claim: c, Findings: []Finding{one(1, 6.4, 1.01), one(2, 6.3, 1.2)}}
	rulings := []Ruling{few, more}
	for i := range rulings {
		rulings[i].reach[0] = c.reaching(rulings[i].Findings)
	}
	adjust(rulings)
	a, b := rulings[0].reach[0], rulings[1].reach[0]
	if a.Verdict != Refuted || b.Verdict != Refuted || a.P >= b.P || a.Q >= b.Q {
		t.Errorf("%s at p %v, q %v, and %s of more at p %v, q %v; want the second to be less certain", a.Verdict, a.P, a.Q, b.Verdict, b.P, b.Q)
	}
	if d := Discoveries(rulings); d.Timed != 4 {
		t.Errorf("%d tests, want two conditions and two largest figures", d.Timed)
	}
}

// A range is about every condition, unless the claim is about most.
func TestMostOfRange(t *testing.T) {
	const keys = "sizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"2.5 to 3.5\"\n"
	if r := standard().rule(t, keys); r.Verdict != Refuted || !r.Claim.Every {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	if r := standard().rule(t, keys+"most = true\n"); r.Claim.Every || r.Verdict != Refuted || strings.Contains(r.Reason, "not in every row") {
		t.Errorf("of most: %s: %s", r.Verdict, r.Reason)
	}
}

// Two published figures without words are a range too, unless a tolerance says how far a figure may
// be from them.
func TestPublishedRange(t *testing.T) {
	const keys = "sizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\npublished = [2.5, 3.5]\n"
	if r := standard().rule(t, keys); r.Verdict != Refuted || !r.Claim.Every {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	for _, more := range []string{"most = true\n", "tolerance = 0.1\n"} {
		if r := standard().rule(t, keys+more); r.Claim.Every {
			t.Errorf("%s: it is about every condition", more)
		}
	}
}

// Conditions that were not published have a verdict of their own, and do not affect the first one.
func TestElsewhere(t *testing.T) {
	l := standard()
	const keys = "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"3 times\"\n[[claim.also]]\nname = \"larger\"\nsizes = [\"level=2\"]\n"
	r := l.rule(t, keys)
	if r.Verdict != Holds || r.Elsewhere != Refuted || r.Measured.Value < 2.9 || r.Headline() != "holds" || r.Around() != "refuted" {
		t.Errorf("%s (%s), elsewhere %s (%s), measured %v", r.Verdict, r.Reason, r.Elsewhere, r.ElsewhereReason, r.Measured)
	}
	if all, measured := r.Counts(); all != 1 || measured != 1 {
		t.Errorf("%d conditions, %d measured", all, measured)
	}
	const settled = "[claim.settled]\nverdict = \"depends\"\ntest = \"published/claims TestElsewhere\"\nwhy = \"it is so\"\n"
	r = l.rule(t, strings.Replace(keys, "[[claim.also]]", settled+"[[claim.also]]", 1))
	if r.Verdict != Depends || r.Elsewhere != Depends || r.Reason != "it is so" || !math.IsNaN(r.Q) {
		t.Errorf("settled: %s (%s), elsewhere %s", r.Verdict, r.Reason, r.Elsewhere)
	}
	r = l.rule(t, settled)
	if r.Verdict != Depends || r.Elsewhere != "" || len(r.Findings) != 0 {
		t.Errorf("settled without conditions: %+v", r)
	}
	r = l.rule(t, settled+"[claim.settled.elsewhere]\nverdict = \"refuted\"\ntest = \"published/claims TestElsewhere\"\nwhy = \"it is not so\"\n")
	if r.Verdict != Depends || r.Elsewhere != Refuted || r.ElsewhereReason != "it is not so" {
		t.Errorf("settled here and elsewhere: %+v", r)
	}
}

// TestElsewhereOrder checks that the reason of a verdict on orders names the cases that it is about.
func TestElsewhereOrder(t *testing.T) {
	const keys = "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"order\"\norder = [\"protobuf\", \"encoding/json\"]\n" +
		"[[claim.also]]\nname = \"kept\"\nsizes = [\"level=1\", \"level=2\"]\norder = [{ contender = \"protobuf\", mode = \"output=reuse\" }, \"encoding/json\"]\n"
	for more, want := range map[string]string{
		"": "protobuf (output=reuse) < encoding/json at all 2 conditions",
		"[[claim.also]]\nname = \"anew\"\nsizes = [\"level=2\"]\n":                                                             "protobuf < encoding/json at all 3 conditions",
		"[[claim.also]]\nname = \"gob\"\nsizes = [\"level=2\"]\norder = [\"protobuf\", \"encoding/gob\", \"encoding/json\"]\n": "protobuf < encoding/json at all 3 conditions",
	} {
		l := newLab()
		for _, size := range []string{"level=1", "level=2"} {
			l.time(size, result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, {Contender: "protobuf", Mode: "output=reuse"}: 80, of("encoding/gob"): 200, of("encoding/json"): 300})
		}
		if r := l.rule(t, keys+more); r.Elsewhere.Plain() != Holds || !strings.HasPrefix(r.ElsewhereReason, want) || !strings.HasPrefix(r.Reason, "protobuf < encoding/json") {
			t.Errorf("%s: %s; elsewhere %s: %s; want %q", more, r.Reason, r.Elsewhere, r.ElsewhereReason, want)
		}
	}
}

// Elsewhere, quantifiers and the reason why the rest cannot differ do not apply.
func TestElsewhereUnquantified(t *testing.T) {
	const (
		keys = "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"encode\"]\npredicate = \"ratio\"\n" +
			"of = \"encoding/json\"\nto = \"protobuf\"\nsays = \"at least 2.5\"\nsame = \"the data are the same\"\n"
		settled = "[claim.settled]\nverdict = \"depends\"\ntest = \"published/claims TestElsewhere\"\nwhy = \"it is so\"\n"
		same    = "; they cannot differ: the data are the same"
	)
	for quantifier, want := range map[string]Verdict{"": Depends, "every = true\n": Refuted, "most = true\n": Refuted} {
		r := standard().rule(t, keys+quantifier)
		if r.Verdict != want || !strings.HasSuffix(r.Reason, same) {
			t.Errorf("%s: %s: %s; want %s", quantifier, r.Verdict, r.Reason, want)
		}
		r = standard().rule(t, keys+quantifier+settled)
		if r.Elsewhere != Depends || strings.Contains(r.ElsewhereReason, same) {
			t.Errorf("%s elsewhere: %s: %s", quantifier, r.Elsewhere, r.ElsewhereReason)
		}
	}
}

// For a claim about every row, the reason names the row that refutes it.
func TestException(t *testing.T) {
	r := standard().rule(t, "sizes = [\"level=1\", \"level=2\", \"level=3\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"at least 2.5\"\nevery = true\n")
	if r.Verdict != Refuted || !strings.Contains(r.Reason, "not in every row: 1.50 times at encode level=2") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// ofSize returns a condition that is a test of its own.
func ofSize(n int) Condition { return Condition{Terms: []Term{{Size: fmt.Sprint(n)}}} }

// The adjusted levels must be those of Benjamini and Hochberg's procedure. Findings that they do
// not decide become undecided.
func TestAdjust(t *testing.T) {
	// The p-values and their adjusted levels are from R's p.adjust(method = "BH").
	p := []float64{0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205}
	want := []float64{0.008, 0.032, 0.0672, 0.0672, 0.0672, 0.08, 0.084571, 0.205}
	findings := make([]Finding, len(p))
	for i := range p {
		k := (i * 3) % len(p) // in another order
		findings[k] = Finding{Condition: ofSize(k), Timed: true, Measured: &analysis.Interval{}, P: p[k], Verdict: Holds}
		if p[k] > 0.05 {
			findings[k].Verdict = Undecided
		}
	}
	c := &Claim{}
	rulings := []Ruling{{Claim: c, Findings: findings[:3]}, {Claim: c, Findings: append(findings[3:], Finding{Verdict: Holds}, Finding{Verdict: Untested, Timed: true})}}
	adjust(rulings)
	var all []Finding
	for _, r := range rulings {
		all = append(all, r.Findings...)
	}
	for i := range p {
		decided := want[i] <= 0.05
		if math.Abs(all[i].Q-want[i]) > 1e-5 || (all[i].Verdict == Holds) != decided {
			t.Errorf("p %v: q %v, %s; want %v", p[i], all[i].Q, all[i].Verdict, want[i])
		}
	}
	if d := Discoveries(rulings); d != (Discovery{Timed: 8, Decided: 2, Withdrawn: 3}) {
		t.Errorf("%+v", d)
	}
	if all[8].Verdict != Holds {
		t.Error("a count was withdrawn")
	}
}

// The level of a verdict must be that of the conditions that it rests on.
func TestRestsOn(t *testing.T) {
	findings := found("hru")
	for i, q := range []float64{0.01, 0.02, 0.4} {
		findings[i].Timed, findings[i].Measured, findings[i].Q = true, &analysis.Interval{}, q
	}
	for v, want := range map[Verdict]float64{Depends: 0.02, Undecided: 0.4, Holds: 0.02} {
		if q := restsOn(v, findings, nil, &Claim{}); q != want {
			t.Errorf("%s rests on %v, want %v", v, q, want)
		}
	}
	if q := restsOn(Refuted, findings, nil, &Claim{Every: true}); q != 0.02 {
		t.Errorf("an exception rests on %v", q)
	}
	if q := restsOn(Refuted, findings[:1], nil, &Claim{Every: true}); q != 0.01 {
		t.Errorf("without an exception: %v", q)
	}
}

// The level of an order that holds is that of its least certain step. The level of an order that is
// refuted is that of the step that refutes it, times the number of steps. In either case the figure is the smallest ratio.
func TestOrderLevel(t *testing.T) {
	const one = "sizes = [\"level=1\"]\nops = [\"encode\"]\nmetric = \"time\"\n"
	l := newLab()
	l.time("level=1", result.Encode, 0.15, 8, map[result.Subject]float64{of("encoding/json"): 100, of("protobuf"): 150, of("gogo/protobuf"): 110})
	ratio := func(of, to, bound string) Finding {
		return l.rule(t, one+"predicate = \"ratio\"\nof = \""+of+"\"\nto = \""+to+"\"\n"+bound+" = 1\n").Findings[0]
	}
	order := func(names string) Finding {
		return l.rule(t, one+"predicate = \"order\"\norder = ["+names+"]\n").Findings[0]
	}
	sure, unsure := ratio("gogo/protobuf", "encoding/json", "above"), ratio("protobuf", "gogo/protobuf", "above")
	if sure.Verdict != Holds || unsure.Verdict != Holds || sure.P >= unsure.P {
		t.Fatalf("%s at %v and %s at %v; want the smaller ratio to be the more certain", sure.Verdict, sure.P, unsure.Verdict, unsure.P)
	}
	f := order(`"encoding/json", "gogo/protobuf", "protobuf"`)
	if f.Verdict != Holds || f.P != unsure.P || f.Step != "gogo/protobuf ÷ encoding/json" {
		t.Errorf("%s at %v by %s, want %v", f.Verdict, f.P, f.Step, unsure.P)
	}
	against := ratio("encoding/json", "gogo/protobuf", "above")
	f = order(`"gogo/protobuf", "encoding/json", "protobuf"`)
	if f.Verdict != Refuted || f.P != 2*against.P || f.Step != "encoding/json ÷ gogo/protobuf" {
		t.Errorf("%s at %v by %s, want twice %v", f.Verdict, f.P, f.Step, against.P)
	}
}

// An interval that just reaches a limit's edge must have a level of 5%.
func TestLevel(t *testing.T) {
	edge := 3 * math.Exp(-analysis.Tie)
	f := figure{Interval: analysis.Interval{Value: edge * 1.1, Lo: edge, Hi: edge * 1.21}, layouts: 6}
	if p := f.level([]limit{{3, false, false}}); math.Abs(p-0.05) > 1e-6 {
		t.Errorf("level %v, want 0.05", p)
	}
	f.Lo = edge * 1.01
	if p := f.level([]limit{{3, false, false}}); p >= 0.05 || f.meets(limit{3, false, false}) != Holds {
		t.Errorf("level %v, %s", p, f.meets(limit{3, false, false}))
	}
}

// Round trips are paired op by op: a change that affects both libraries of a launch alike must not
// be in their ratio.
func TestTripPaired(t *testing.T) {
	l := newLab()
	for _, op := range []result.Op{result.Encode, result.Decode} {
		l.time("level=1", op, 0, 8, map[result.Subject]float64{of("encoding/json"): 300, of("protobuf"): 100})
	}
	for _, r := range l.records { // the machine is 30% slower in every other launch
		if r.Launch == nil || r.Launch.Index%2 == 0 {
			continue
		}
		for _, s := range r.Launch.Series {
			for i := range s.Wall {
				s.Wall[i], s.CPU[i] = s.Wall[i]*13/10, s.CPU[i]*13/10
			}
		}
	}
	const keys = "sizes = [\"level=1\"]\nops = [\"round-trip\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"3 times\"\n"
	if r := l.rule(t, keys); r.Verdict != Holds || r.Measured.HalfWidth() > 0.03 {
		t.Errorf("%s, %v", r.Verdict, r.Measured)
	}
	l.time("level=1", result.Convert, 0, 8, map[result.Subject]float64{of("protobuf"): 100})
	r := l.rule(t, strings.Replace(keys, "to = \"protobuf\"", "to = { contender = \"protobuf\", with_convert = true }", 1))
	if math.Abs(r.Measured.Value-2) > 0.3 || r.Verdict != Refuted {
		t.Errorf("with conversion: %s, %v", r.Verdict, r.Measured)
	}
	r = l.rule(t, "sizes = [\"level=1\"]\nops = [\"round-trip\"]\npredicate = \"ratio\"\nof = { contender = \"protobuf\", with_convert = true }\nto = \"encoding/json\"\nsays = \"less\"\n")
	if math.Abs(r.Measured.Value-0.5) > 0.07 || r.Verdict != Holds {
		t.Errorf("with conversion on the other side: %s, %v", r.Verdict, r.Measured)
	}
}

// A trend is the slope of the ratio over sizes.
func TestTrend(t *testing.T) {
	l := newLab()
	const keys = "workload = \"chain\"\nsizes = [\"txs=5000\", \"txs=30000\", \"txs=200000\"]\nops = [\"encode\"]\npredicate = \"trend\"\nof = \"encoding/gob\"\nto = \"protobuf\"\n"
	for i, size := range []string{"txs=5000", "txs=30000", "txs=200000"} {
		items := []float64{5000, 30000, 200000}[i]
		from := len(l.records)
		l.time(size, result.Encode, 0.001, 8, map[result.Subject]float64{of("encoding/gob"): items * math.Pow(items, 0.1), of("protobuf"): items})
		for _, r := range l.records[from:] {
			r.Launch.Cell.Workload = "chain"
		}
	}
	for i := range l.run.Plan.Cases {
		l.run.Plan.Cases[i].Workload = "chain"
	}
	for says, want := range map[string]Verdict{"more": Holds, "less": Refuted, "the same": Refuted, "about 1.26": Holds} {
		r := l.rule(t, keys+"says = \""+says+"\"\n")
		if r.Verdict != want || math.Abs(r.Measured.Value-math.Pow(10, 0.1)) > 0.01 {
			t.Errorf("%s: %s, %v: %s", says, r.Verdict, r.Measured, r.Reason)
		}
	}
}

// For a published time, cpu-time rules if the run has it, and code-only time is shown beside it.
func TestWithGC(t *testing.T) {
	l := newLab()
	times := map[result.Subject]float64{of("encoding/json"): 300, of("protobuf"): 100}
	l.time("level=1", result.Encode, 0, 8, times)
	const keys = "sizes = [\"level=1\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\nsays = \"2 times\"\n"
	r := l.rule(t, keys)
	if r.Verdict != Refuted || !strings.Contains(r.RuledBy(), "the run has no cpu-time") {
		t.Errorf("without cpu-time: %s, %s", r.Verdict, r.RuledBy())
	}
	l.cpu("level=1", result.Encode, map[result.Subject]float64{of("encoding/json"): 400, of("protobuf"): 200})
	r = l.rule(t, keys)
	f := r.Findings[0]
	if r.Verdict != Holds || f.Metric != analysis.CPUTime || f.Code == nil || math.Abs(f.Code.Value-3) > 0.01 || r.RuledBy() != "ruled by cpu-time, with the collector on; code-only time is shown for comparison" {
		t.Errorf("with cpu-time: %s, %+v, %s", r.Verdict, f, r.RuledBy())
	}
	if r = l.rule(t, keys+"metric = \"time\"\n"); r.Verdict != Refuted || r.RuledBy() != "" {
		t.Errorf("of code-only time: %s, %s", r.Verdict, r.RuledBy())
	}
}

// CPU times are paired too: a change of the reference from layout to layout must not affect the
// ratio of two others, in one op or in a round trip.
func TestWithGCPaired(t *testing.T) {
	l := newLab()
	for _, op := range []result.Op{result.Encode, result.Decode} {
		times := map[result.Subject]float64{of("encoding/json"): 300, of("protobuf"): 100, of("gogo/protobuf"): 50}
		l.time("level=1", op, 0, 8, times)
		l.cpu("level=1", op, times)
	}
	for _, r := range l.records {
		if s := r.Steady; s != nil && s.Case.Contender == "encoding/json" && s.Layout%2 == 0 {
			for i := range s.CPU {
				s.CPU[i] += s.CPU[i] / 2
			}
		}
	}
	for _, op := range []string{"encode", "round-trip"} {
		r := l.rule(t, "sizes = [\"level=1\"]\nops = [\""+op+"\"]\npredicate = \"ratio\"\nof = \"protobuf\"\nto = \"gogo/protobuf\"\nsays = \"2 times\"\n")
		f := r.Findings[0]
		if r.Verdict != Holds || f.Metric != analysis.CPUTime || f.Measured.HalfWidth() > 0.03 {
			t.Errorf("%s: %s, %v of %s", op, r.Verdict, f.Measured, f.Metric)
		}
	}
}

// cpu adds counts of CPU time with the collector on.
func (l *lab) cpu(size string, op result.Op, times map[result.Subject]float64) {
	for s, ns := range times {
		c := result.Cell{Workload: "customer", Size: size, Op: op}.Case(s)
		for index := range 8 {
			one := &result.Steady{Case: c, Layout: uint64(index + 1), Index: index}
			for round := range 8 {
				one.Round, one.Ops = append(one.Round, round), append(one.Ops, 1000)
				one.Wall, one.CPU = append(one.Wall, int64(1000*ns)), append(one.CPU, int64(1000*ns))
				one.Cycles, one.GCCPU = append(one.Cycles, 2), append(one.GCCPU, int64(100*ns))
			}
			l.records = append(l.records, result.Record{Steady: one})
		}
	}
}

// Ten claims, two for each verdict, are written as by somebody who knows METHODOLOGY's page on
// words. The results are: JSON takes 3 times as long to encode as protobuf at level 1 and 1.5 times
// at level 2; its message has 108 bytes to protobuf's 65; decoding at level 1 is known only to ±7%;
// and level 3 was not measured.
func TestTenClaims(t *testing.T) {
	ledger, err := Parse("ten.toml", readFile(t, "testdata/ten.toml"))
	if err != nil {
		t.Fatal(err)
	}
	l := standard()
	n := map[Verdict]int{}
	for _, r := range Rule(ledger, analysis.Of(l.run, l.records, analysis.View{})) {
		want := Verdict(strings.Split(r.Claim.ID, "-")[0])
		if n[want]++; r.Verdict != want {
			t.Errorf("%s: %s: %s", r.Claim.ID, r.Verdict, r.Reason)
		}
	}
	for _, v := range []Verdict{Holds, Refuted, Depends, Undecided, Untested} {
		if n[v] != 2 {
			t.Errorf("%d claims are to be found %s", n[v], v)
		}
	}
}

// What would decide the undecided conditions is said for each reason.
func TestOpen(t *testing.T) {
	at := func(size, open string, launches int) Finding {
		return Finding{Condition: Condition{Size: size, Op: result.Encode}, Verdict: Undecided, open: open, Launches: launches}
	}
	for _, test := range []struct {
		findings []Finding
		want     string
	}{
		{[]Finding{at("a", "", 30), at("b", "", 40)}, "about 40 launches would tell (raise --budget and --layouts)"},
		{[]Finding{at("a", "too wide", 0), at("b", "too wide", 0)}, "too wide"},
		{[]Finding{at("a", "too wide", 0), at("b", "refuted by itself", 0)}, "a: too wide; b: refuted by itself"},
		{[]Finding{at("a", "", 30), at("b", "too wide", 0)}, "about 30 launches would tell 1 of 2 (raise --budget and --layouts); of the others too wide"},
		{[]Finding{at("a", "", 30), at("b", "too wide", 0), at("c", "", 0)}, "about 30 launches would tell 1 of 3 (raise --budget and --layouts); of the others b: too wide; c: more than 1000 launches would be needed, so close is the figure to the edge"},
	} {
		if got := (&Ruling{Claim: &Claim{}}).open(test.findings); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// TestWithoutLaunches checks that an undecided claim names no number of launches, nor calls its figure
// close to the edge, if the interval has no bounds or reaches 0.
func TestWithoutLaunches(t *testing.T) {
	const encode = "sizes = [\"level=1\"]\nops = [\"encode\"]\n"
	l := newLab()
	l.time("level=1", result.Encode, 0, 8, map[result.Subject]float64{of("encoding/json"): 300})
	l.cpu("level=1", result.Encode, map[result.Subject]float64{of("encoding/json"): 300})
	for i, r := range l.records {
		if r.Steady != nil {
			for k := range r.Steady.GCCPU {
				r.Steady.GCCPU[k] *= int64(i%2) * int64(i%3) * 3
			}
		}
	}
	live := *l.records[len(l.records)-1].Steady
	live.LiveMB, live.Round, live.Ops, live.Wall = 64, live.Round[:1], live.Ops[:1], live.Wall[:1]
	live.CPU, live.Cycles, live.GCCPU = live.CPU[:1], live.Cycles[:1], live.GCCPU[:1]
	l.records = append(l.records, result.Record{Steady: &live})
	for keys, want := range map[string]string{
		"metric = \"cpu-time-live64\"\npredicate = \"exact\"\nof = \"encoding/json\"\nat_least = 30\n": "one sample has no interval (raise --budget and --layouts)",
		"metric = \"gc-share\"\npredicate = \"exact\"\nof = \"encoding/json\"\nat_least = 0.001\n":     "the interval reaches 0 (raise --budget and --layouts)",
	} {
		if r := l.rule(t, encode+keys); r.Verdict != Undecided || r.Findings[0].Launches != 0 || !strings.HasSuffix(r.Reason, ": "+want) {
			t.Errorf("%s: %s, %d launches; want %q", r.Verdict, r.Reason, r.Findings[0].Launches, want)
		}
	}
}

// TestWhich checks that conditions are named by what makes the difference, and otherwise one by one.
func TestWhich(t *testing.T) {
	at := func(op result.Op, size, also string) Finding {
		return Finding{Condition: Condition{Op: op, Size: size, Also: also}, Verdict: Holds}
	}
	const enc, dec = result.Encode, result.Decode
	missing := at(dec, "b", "")
	missing.Verdict = Untested
	for _, test := range []struct {
		some, others []Finding
		want         string
	}{
		{[]Finding{at(enc, "a", ""), at(enc, "b", "")}, []Finding{at(dec, "a", ""), at(dec, "b", "")}, "encode"},
		{[]Finding{at(enc, "a", ""), at(dec, "a", "")}, []Finding{at(enc, "b", ""), at(dec, "b", "")}, "a"},
		{[]Finding{at(enc, "a", ""), at(dec, "a", "")}, []Finding{at(enc, "a", "x"), at(dec, "a", "x")}, "use as stated"},
		{[]Finding{at(enc, "a", "x"), at(dec, "a", "x")}, []Finding{at(enc, "a", ""), at(dec, "a", "")}, "x"},
		{[]Finding{at(enc, "a", ""), at(dec, "a", "x")}, []Finding{at(enc, "a", "x"), at(dec, "a", "")}, "encode as stated; decode, x"},
		{[]Finding{at(enc, "a", ""), at(dec, "b", "")}, []Finding{at(enc, "b", ""), at(dec, "a", "")}, "encode a; decode b"},
		{[]Finding{at(enc, "a", ""), at(enc, "b", ""), at(enc, "c", ""), at(dec, "a", ""), at(dec, "b", "")}, []Finding{at(enc, "d", ""), at(dec, "c", "")}, "encode a; encode b; encode c; 2 more"},
		{[]Finding{at(enc, "a", ""), at(dec, "a", "")}, []Finding{at(enc, "b", ""), missing}, "a"},
		{[]Finding{at(enc, "a", ""), at(enc, "b,c", "")}, []Finding{at(dec, "a", ""), at(enc, "d", "")}, "encode a; encode b,c"},
	} {
		if got := which(test.some, slices.Concat(test.some, test.others)); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

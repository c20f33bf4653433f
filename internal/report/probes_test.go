package report

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/result"
	"assay/workload/probes"
)

// answers returns an answer to every probe.
func answers(other map[string]probes.Answer) map[string]probes.Answer {
	out := map[string]probes.Answer{}
	for _, p := range probes.All {
		out[p.Name] = probes.Answer{Fate: probes.Survives}
	}
	maps.Copy(out, other)
	return out
}

// oddMatrix returns a matrix, made by hand, with every fate, modes with the same answers as the
// default mode, modes with other answers, and a finding that differs from what is declared.
func oddMatrix() *Matrix {
	odd := map[string]probes.Answer{
		"zone":  {Fate: probes.Changes, Words: "Stamp.At: 2024-02-29T12:30:45+02:30 became 2024-02-29T10:00:45Z"},
		"nan":   {Fate: probes.EncodeRefuses, Words: "json: unsupported value: NaN"},
		"deep":  {Fate: probes.DecodeRefuses, Words: "exceeded max nested level 32"},
		"cr":    {Fate: probes.Dies, Words: "panic: runtime error: index out of range [1] with length 1"},
		"words": {Fate: probes.Changes, Words: `Labels["|"]: "|" became "*"`},
	}
	std := answers(odd)
	std["zone"] = probes.Answer{Fate: probes.Survives}
	std["nul"] = probes.Answer{Fate: probes.Changes, Words: `Text: "a\x00b" became "a�b"`}
	row := func(name, mode string, encodes bool, r probes.Row) MatrixRow {
		r.Contender, r.Mode = name, mode
		return MatrixRow{Row: r, Encodes: encodes}
	}
	m := &Matrix{
		Rows: []MatrixRow{
			row("odd", "", true, probes.Row{Encoded: 621, Varies: true, Answers: answers(odd)}),
			row("odd", "output=reuse", true, probes.Row{Encoded: 621, Varies: true, Answers: answers(odd)}),
			row("odd", "target=reuse", false, probes.Row{Encoded: 621, Answers: answers(odd)}),
			row("odd", "strings=alias", false, probes.Row{Encoded: 621, Aliases: []string{"bytes", "strings"}, Answers: answers(odd)}),
			row("odd", "config=std", true, probes.Row{Encoded: 637, Answers: std}),
			row("perfect", "", true, probes.Row{Encoded: 228, Answers: answers(nil)}),
			row("perfect", "output=reuse", true, probes.Row{Encoded: 228, Answers: answers(nil)}),
		},
		Missing: []result.Outcome{{Case: result.Case{Contender: "flat"}, Status: result.Unsupported, Reason: "Nest.nest: no message in itself"}},
	}
	m.Rows[0].Losses = []contender.Loss{contender.NaNInf, contender.TimeZone}
	m.Rows[0].Wrong = []string{`mode "": probe deep (messages in one another, a hundred deep) decode-refuses: exceeded max nested level 32: that is the loss depth, which is not declared`}
	return m
}

func TestMatrixFormats(t *testing.T) {
	for _, f := range MatrixFormats {
		t.Run(f.Name, func(t *testing.T) {
			var out strings.Builder
			if err := f.Write(&out, oddMatrix(), Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "matrix."+f.Name, out.String())
		})
	}
}

func TestMatrixAsDeclared(t *testing.T) {
	m := oddMatrix()
	m.Rows = m.Rows[5:]
	var out strings.Builder
	if err := MatrixText(&out, m, Options{}); err != nil {
		t.Fatal(err)
	}
	if m.Differs() || strings.Contains(out.String(), "not as declared") {
		t.Errorf("nothing is wrong, and this is printed:\n%s", &out)
	}
}

// Every column has its own heading.
func TestLetters(t *testing.T) {
	seen := map[string]bool{}
	for i := range 100 {
		if l := letter(i); seen[l] || l == "" {
			t.Errorf("column %d is called %q as another is", i, l)
		} else {
			seen[l] = true
		}
	}
}

// A probe is said to survive only if every row answers so.
func TestMatrixSurvivors(t *testing.T) {
	none, some := &Matrix{}, oddMatrix()
	some.Rows = some.Rows[5:]
	delete(some.Rows[1].Answers, "deep")
	for _, f := range []string{"text", "md"} {
		format, _ := Named(MatrixFormats, f)
		for m, want := range map[*Matrix]bool{none: false, some: true} {
			var out strings.Builder
			if err := format.Write(&out, m, Options{Width: 1000}); err != nil {
				t.Fatal(err)
			}
			_, survivors, said := strings.Cut(out.String(), "all of these give back: ")
			survivors, _, _ = strings.Cut(survivors, "\n")
			names := strings.Split(survivors, ", ")
			if strings.Contains(out.String(), "not answered by all: deep") != want {
				t.Errorf("%s of %d rows: deep is in no list:\n%s", f, len(m.Rows), out.String())
			}
			if said != want || slices.Contains(names, "deep") || want && len(names) != len(probes.All)-1 {
				t.Errorf("%s of %d rows: %d probes survive: %s", f, len(m.Rows), len(names), survivors)
			}
		}
	}
}

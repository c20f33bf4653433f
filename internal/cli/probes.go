package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/result"
	"assay/workload/probes"
)

// probe asks the selected contenders for every probe with no loss forgiven, and
// prints what became of the values. It is an error of a check when that is not
// what is declared.
func (a *app) probe(ctx context.Context, s *selection, format string) error {
	f, err := formatOf(report.MatrixFormats, format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	sel, err := s.probes()
	if err != nil {
		return err
	}
	m, err := a.matrix(ctx, sel)
	if err != nil {
		return interrupted(ctx, err, "")
	}
	for _, r := range m.Rows {
		a.compareStored(r)
	}
	if err := f.Write(a.stdout, m, opts); err != nil {
		return err
	}
	return a.pass(judgeProbes(m))
}

// probes returns the cases that ask the selected contenders and modes: one that
// encodes or decodes of each, at every size of the workload probes.
func (s *selection) probes() (plan.Selection, error) {
	if s.include.workload+s.exclude.workload+s.include.op+s.exclude.op != "" {
		return plan.Selection{}, usagef("--probes asks for all ops of the workload %s: leave --workload and --op out", probes.Workload.Name)
	}
	choice, err := s.choice(false)
	if err != nil {
		return plan.Selection{}, err
	}
	sel, err := choice.Probes()
	return sel, usage(err)
}

// matrix asks, in the runners of all groups that the selection needs.
func (a *app) matrix(ctx context.Context, sel plan.Selection) (*report.Matrix, error) {
	res, err := a.measuring().Probe(ctx, sel)
	a.progress().clear()
	if err != nil {
		return nil, err
	}
	m := &report.Matrix{}
	rows, whole := probes.Rows(res.Verifications), wholly(sel.Cases)
	for _, c := range sel.Contenders {
		m.Rows = append(m.Rows, matrixRows(c, rowsOf(rows, c), whole)...)
	}
	for _, o := range res.Outcomes {
		if !slices.ContainsFunc(m.Missing, func(known result.Outcome) bool { return known.Case.Contender == o.Case.Contender }) {
			m.Missing = append(m.Missing, o)
		}
	}
	return m, nil
}

// wholly reports whether the cases are of all probes. Only then can it be said
// that a declared loss was not shown.
func wholly(cases []result.Case) bool {
	for _, p := range probes.All {
		if !slices.ContainsFunc(cases, func(c result.Case) bool { return c.Size == p.Size() }) {
			return false
		}
	}
	return true
}

// rowsOf returns the rows of a contender, its default mode first and the others
// as they are declared.
func rowsOf(rows []probes.Row, c *contender.Contender) []probes.Row {
	out := slices.DeleteFunc(slices.Clone(rows), func(r probes.Row) bool { return r.Contender != c.Name })
	place := func(r probes.Row) int {
		return slices.IndexFunc(c.Modes, func(m contender.Mode) bool { return m.Key == r.Mode })
	}
	slices.SortStableFunc(out, func(a, b probes.Row) int { return cmp.Compare(place(a), place(b)) })
	return out
}

// matrixRows puts what a contender declares beside what was found. Rows that are
// not whole are not judged.
func matrixRows(c *contender.Contender, rows []probes.Row, whole bool) []report.MatrixRow {
	var out []report.MatrixRow
	for _, r := range rows {
		row := report.MatrixRow{Row: r, Losses: c.LossesIn(r.Mode)}
		ops := c.Ops
		if m := c.Mode(r.Mode); m != nil {
			ops = m.Ops
		}
		row.Encodes = slices.Contains(ops, result.Encode)
		if whole {
			row.Wrong = probes.Misdeclared(c, []probes.Row{r})
		}
		out = append(out, row)
	}
	return out
}

// stored returns what was found of a contender when its code was last tested:
// the rows of its directory. There are none when it cannot be asked.
func stored(c *contender.Contender) ([]probes.Row, error) {
	name := "contenders/" + c.Dir() + "/" + probes.File
	data, err := assay.Source.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := probes.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// compareStored warns of answers that are not the stored ones, as they may be
// with another release of Go.
func (a *app) compareStored(r report.MatrixRow) {
	i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == r.Contender })
	rows, err := stored(contenders.All()[i])
	if err != nil {
		a.warn("%v", err)
		return
	}
	for _, was := range rows {
		if was.Mode != r.Mode {
			continue
		}
		if names := probes.Differs(was, r.Row); len(names) > 0 {
			a.warn("%s does otherwise than when it was last tested with the probes %s", result.Subject{Contender: r.Contender, Mode: r.Mode}, strings.Join(names, ", "))
		}
	}
}

// explainFound says what the probes found of a contender.
func explainFound(w io.Writer, c *contender.Contender) error {
	rows, err := stored(c)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		reason := "its rows are not stored"
		if err := measure.Builtin().Holds(c, probes.Workload); err != nil {
			reason = err.Error()
		}
		_, err := fmt.Fprintf(w, "\nFound by probes (assay explain probes): nothing, for they cannot be asked. %s\n", sentence(reason))
		return err
	}
	order := "Equal values have equal bytes"
	if rows[0].Varies {
		order = "Equal values may have unequal bytes"
	}
	if _, err := fmt.Fprintf(w, "\nFound by probes (assay explain probes), no loss forgiven. %s; an ordinary event takes %d.\n", order, rows[0].Encoded); err != nil {
		return err
	}
	m := &report.Matrix{Rows: matrixRows(c, rows, false)}
	return m.Found(w, c.Name, report.Options{})
}

// explainProbe says what a probe asks, and what contenders in their default mode
// made of it when they were last tested.
func explainProbe(w io.Writer, p probes.Probe) error {
	parts := []string{fmt.Sprintf("%s is a probe: %s.", p.Size(), p.Text)}
	for _, l := range p.Losses {
		parts = append(parts, string(l)+" explains another answer than survival: "+l.In().Text+".")
	}
	answers := map[probes.Fate][]string{}
	for _, c := range contenders.All() {
		rows, err := stored(c)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			fate := rows[0].Answers[p.Name].Fate
			answers[fate] = append(answers[fate], c.Name)
		}
	}
	for _, fate := range probes.Fates {
		if names := answers[fate]; len(names) > 0 {
			parts = append(parts, string(fate)+": "+strings.Join(names, ", "))
		}
	}
	return paragraphs(w, parts...)
}

package catalog

import (
	"cmp"
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
	"assay/internal/phrase"
	"assay/internal/report"
	"assay/result"
	"assay/workload/probes"
)

// Matrix combines the findings of all probes with what the contenders declare. outcomes has the
// contenders that could not be probed.
func Matrix(asked []*contender.Contender, found []result.Verification, outcomes []result.Outcome) *report.Matrix {
	m := &report.Matrix{}
	rows := probes.Rows(found)
	for _, c := range asked {
		m.Rows = append(m.Rows, matrixRows(c, rowsOf(rows, c), true)...)
	}
	for _, o := range outcomes {
		if !slices.ContainsFunc(m.Missing, func(known result.Outcome) bool { return known.Case.Contender == o.Case.Contender }) {
			m.Missing = append(m.Missing, o)
		}
	}
	return m
}

// Differs returns the probes that a built-in contender answers differently than in its last test.
// This can happen with another release of Go. For a contender that is not built in, no answers
// are stored, and Differs returns nil.
func Differs(r report.MatrixRow) ([]string, error) {
	i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == r.Contender })
	if i < 0 {
		return nil, nil
	}
	rows, err := Stored(contenders.All()[i])
	if err != nil {
		return nil, err
	}
	for _, was := range rows {
		if was.Mode == r.Mode {
			return probes.Differs(was, r.Row), nil
		}
	}
	return nil, nil
}

// rowsOf returns the rows of a contender, the default mode first and then the other modes in the
// order of their declaration.
func rowsOf(rows []probes.Row, c *contender.Contender) []probes.Row {
	out := slices.DeleteFunc(slices.Clone(rows), func(r probes.Row) bool { return r.Contender != c.Name })
	place := func(r probes.Row) int {
		return slices.IndexFunc(c.Modes, func(m contender.Mode) bool { return m.Key == r.Mode })
	}
	slices.SortStableFunc(out, func(a, b probes.Row) int { return cmp.Compare(place(a), place(b)) })
	return out
}

// matrixRows combines what a contender declares with the findings. With judge it also reports
// where the two differ.
func matrixRows(c *contender.Contender, rows []probes.Row, judge bool) []report.MatrixRow {
	var out []report.MatrixRow
	for _, r := range rows {
		row := report.MatrixRow{Row: r, Losses: c.LossesIn(r.Mode)}
		ops := c.Ops
		if m := c.Mode(r.Mode); m != nil {
			ops = m.Ops
		}
		row.Encodes = slices.Contains(ops, result.Encode)
		if judge {
			row.Wrong = probes.Misdeclared(c, []probes.Row{r})
		}
		out = append(out, row)
	}
	return out
}

// Stored returns the findings of the last test of a contender's code, which are stored in its
// directory. It returns nil if the contender cannot be probed.
func Stored(c *contender.Contender) ([]probes.Row, error) {
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

// explainFound writes what the probes found for a contender.
func explainFound(w io.Writer, c *contender.Contender) error {
	rows, err := Stored(c)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		reason := "its rows are not stored"
		if err := measure.Builtin().Holds(c, probes.Workload); err != nil {
			reason = err.Error()
		}
		fmt.Fprintln(w)
		return phrase.Paragraphs(w, "Found by probes (assay explain probes): nothing, for they cannot be asked. "+phrase.Sentence(reason))
	}
	order := "Equal values have equal bytes"
	if rows[0].Varies {
		order = "Equal values may have unequal bytes"
	}
	fmt.Fprintln(w)
	if err := phrase.Paragraphs(w, fmt.Sprintf("Found by probes (assay explain probes), no loss forgiven. %s; an ordinary event takes %d.", order, rows[0].Encoded)); err != nil {
		return err
	}
	m := &report.Matrix{Rows: matrixRows(c, rows, false)}
	return m.Found(w, c.Name, report.Options{Width: phrase.Width})
}

// explainProbe writes what a probe tests, and what contenders in their default mode did with it
// in their last test.
func explainProbe(w io.Writer, p probes.Probe) error {
	parts := []string{fmt.Sprintf("%s is a probe: %s.", p.Size(), p.Text)}
	for _, l := range p.Losses {
		parts = append(parts, string(l)+" explains an answer other than survival: "+l.In().Text+".")
	}
	answers := map[probes.Fate][]string{}
	for _, c := range contenders.All() {
		rows, err := Stored(c)
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
	return phrase.Paragraphs(w, parts...)
}

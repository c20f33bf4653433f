package analysis

import (
	"cmp"
	"slices"

	"assay/result"
)

// A Standing orders the subjects of each cell, with ties, and has their means over all cells.
type Standing struct {
	Results *Results
	// Cells are the cells in which something is ranked, in the order of the tables.
	Cells []CellStanding
	// Means are the geometric means over all Cells of the subjects that are in each of them,
	// fastest first. They have no ranks, because a mean gives every cell the same weight, which no
	// program does. Means is empty for a single cell, and if the cells have different references.
	Means []Mean
	// Partial are the subjects without a mean because some cells lack them, in the order in which
	// they first appear. It is empty when Means is.
	Partial []Mean
	// Reference is the reference of the ratios in Means; nil without means.
	Reference *result.Subject
}

// A CellStanding is the order in one cell.
type CellStanding struct {
	Cell      result.Cell
	Reference result.Subject
	Lines     []StandingLine
	// Table has all numbers of the cell.
	Table *Table
}

// A StandingLine is one subject of a cell. Lines are in the order of time.
type StandingLine struct {
	Place
	// Ratio is the time over the reference's, with the interval that decides whether the two are
	// told apart. If the reference is out of view, nothing is decided, and the interval has the
	// same confidence.
	Ratio Interval
	// Next says how the subject compares with the subject of the next line: Faster, Tied or
	// Unresolved. By is its time over that subject's time, with the interval that decides. The last
	// line has neither.
	Next Relation
	By   *Interval
}

// A Mean is a subject's geometric mean over cells.
type Mean struct {
	result.Subject
	// Ratio is the mean of the ratios to the reference.
	Ratio Interval
	Cells int // the number of cells in which it has a ratio
}

// Rank orders the subjects of every table of the results.
func Rank(r *Results) *Standing {
	s := &Standing{Results: r}
	for i := range r.Tables {
		t := &r.Tables[i]
		if t.Reference == nil || len(t.Ranking.Places) == 0 {
			continue
		}
		cell := CellStanding{Cell: t.Cell, Reference: *t.Reference, Table: t}
		reference := slices.IndexFunc(t.Ranking.Places, func(p Place) bool { return p.Subject == *t.Reference })
		for k, p := range t.Ranking.Places {
			line := StandingLine{Place: p, Ratio: t.Ranking.ratios[k].at(cmp.Or(t.Ranking.Confidence, confidence)).interval()}
			if reference >= 0 {
				line.Ratio = t.Ranking.Difference(k, reference)
			}
			if k+1 < len(t.Ranking.Places) {
				by := t.Ranking.Difference(k, k+1)
				line.Next, line.By = t.Ranking.Relation(k, k+1), &by
			}
			cell.Lines = append(cell.Lines, line)
		}
		s.Cells = append(s.Cells, cell)
	}
	s.mean()
	return s
}

// mean fills in the means.
func (s *Standing) mean() {
	if len(s.Cells) < 2 {
		return
	}
	reference := s.Cells[0].Reference
	counts := make(map[result.Subject]int)
	var order []result.Subject
	for _, cell := range s.Cells {
		if cell.Reference != reference {
			return
		}
		for _, l := range cell.Lines {
			if counts[l.Subject] == 0 {
				order = append(order, l.Subject)
			}
			counts[l.Subject]++
		}
	}
	s.Reference = &reference
	parts := func(a, b result.Subject) []estimate {
		var out []estimate
		for _, cell := range s.Cells {
			if e, ok := cell.Table.Ranking.toward(a, b, reference); ok {
				out = append(out, e)
			}
		}
		return out
	}
	everywhere := slices.DeleteFunc(slices.Clone(order), func(x result.Subject) bool { return counts[x] < len(s.Cells) })
	common := priorOfMeans(everywhere, parts)
	for _, subject := range order {
		m := Mean{subject, meanOf(parts(subject, reference), common).interval(), counts[subject]}
		if m.Cells == len(s.Cells) {
			s.Means = append(s.Means, m)
		} else {
			s.Partial = append(s.Partial, m)
		}
	}
	slices.SortStableFunc(s.Means, func(a, b Mean) int { return cmp.Compare(a.Ratio.Value, b.Ratio.Value) })
}

package reproduce

import (
	"math"
	"slices"

	"assay/result"
)

// A Brief is a source in one table. It shows how much longer each library takes than the one that
// the source shows as the fastest.
type Brief struct {
	// Ops are the ops at which a library has a mean, in the order of result.Ops.
	Ops []result.Op
	// Libraries are in the order in which the source first names them.
	Libraries []BriefLibrary
}

// A BriefLibrary is a row of a Brief.
type BriefLibrary struct {
	Library string
	// Means are by op, in the order of Brief.Ops.
	Means []Mean
}

// A Mean is the geometric mean of the ratios of one library at one op. All methods use the same
// rows: those that have a ratio by each method that has any.
type Mean struct {
	// Ratios are by method; blank if the method has none, if no other
	// method has any, or if no row is left.
	Ratios [3]Value
	// Rows is how many of the All rows are in the means.
	Rows, All int
}

// Brief returns the source in one table. A library that is the reference everywhere has ratios of
// 1.
func (s *Source) Brief() Brief {
	var b Brief
	for _, op := range result.Ops {
		if slices.ContainsFunc(s.rowsOf("", op), func(r *Row) bool { return meanOf([]*Row{r}).Rows > 0 }) {
			b.Ops = append(b.Ops, op)
		}
	}
	seen := map[string]bool{}
	for i := range s.Tables {
		for _, r := range s.Tables[i].Rows {
			if seen[r.Library] {
				continue
			}
			seen[r.Library] = true
			l := BriefLibrary{Library: r.Library}
			for _, op := range b.Ops {
				l.Means = append(l.Means, meanOf(s.rowsOf(r.Library, op)))
			}
			b.Libraries = append(b.Libraries, l)
		}
	}
	return b
}

// rowsOf returns the rows of a library at an op; an empty library means all. A case that a source
// shows in two tables counts once.
func (s *Source) rowsOf(library string, op result.Op) []*Row {
	var out []*Row
	seen := map[result.Case]bool{}
	for i := range s.Tables {
		for k := range s.Tables[i].Rows {
			r := &s.Tables[i].Rows[k]
			if r.Case.Op == op && (library == "" || r.Library == library) && !seen[r.Case] {
				seen[r.Case] = true
				out = append(out, r)
			}
		}
	}
	return out
}

func meanOf(rows []*Row) Mean {
	m := Mean{All: len(rows)}
	able := slices.DeleteFunc(slices.Clone(Methods), func(by Method) bool {
		return !slices.ContainsFunc(rows, func(r *Row) bool { return r.Ratio(by).Number != nil })
	})
	var logs [3]float64
	for _, r := range rows {
		if len(able) < 2 || slices.ContainsFunc(able, func(by Method) bool { return r.Ratio(by).Number == nil }) {
			continue
		}
		m.Rows++
		for _, by := range able {
			logs[by] += math.Log(r.Ratio(by).Number.Value)
		}
	}
	if m.Rows == 0 {
		return m
	}
	for _, by := range able {
		m.Ratios[by] = Value{Number: exactly(math.Exp(logs[by] / float64(m.Rows))), Status: result.OK}
	}
	return m
}

package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// An Overview shows a run in one table: a row for each subject, a column for each workload at one
// size. Its ratios are times over those of the reference, like Row.Ratio: below 1 is faster.
type Overview struct {
	// Reference is the reference of the tables or, if that is out of view, the first subject that
	// has a time in every column.
	Reference result.Subject
	// Ops are the ops that every column has: encode, decode or both. If it is both, times are of a
	// round trip: the sum of the two.
	Ops []result.Op
	// Columns are in the order of the plan.
	Columns []Column
	// Rows are in the order of Overall; rows without it come last, in the order of the plan.
	Rows []OverviewRow
	// Without are the subjects in the tables that have no time in any column.
	Without []result.Subject
	// Ratios is the number of ratios to the reference in all tables, and Unknown the number of
	// those that are not Known. Widest is the largest half-width of these ratios, and Median the
	// one in the middle.
	Widest, Median  float64
	Ratios, Unknown int
	// Beside is the number of tables of the results that are not in the overview.
	Beside int
	// Layouts are the smallest and the largest number of link layouts of its tables.
	Layouts [2]int

	ranking Ranking
}

// A Column is a workload at a size.
type Column struct {
	Workload, Size string
	tables         []*Table // of Ops
}

// An OverviewRow has the numbers of one subject over all columns. A number is nil if a column lacks
// its part of it.
type OverviewRow struct {
	result.Subject
	// Rank is as in Place. Equal says that another row has the same rank.
	Rank  int
	Equal bool
	// Columns are the ratios of each column.
	Columns []*Interval
	// Overall is the geometric mean of Columns. Encode and Decode are the geometric means of the
	// ratios of one op.
	Overall, Encode, Decode *Interval
	// Size is the geometric mean of the encoded sizes over those of the reference, and Allocs that
	// of the allocations of Ops over those of the reference. Allocs is 0 if the subject allocates
	// nothing in a column.
	Size, Allocs *float64
	// CPU is the geometric mean of the ratios of CPU time with the garbage collector on.
	CPU *Interval
	// Front says that the row is on the Pareto front: no other row is shown to be better in one of
	// Overall and Size and no worse in the other.
	Front bool
	// CPUFront is like Front, for CPU and Size. The ratios of CPU time are independent of one
	// another, so two rows are compared by the quotient of their ratios.
	CPUFront bool
	// Missing are the indices of the columns in which the subject has no time.
	Missing []int
}

// OverviewOf returns the overview of a run's tables. Of each workload it uses the preferred size
// or, if no table has that, the first size that has every op. It returns nil if there is nothing to
// compare: no table of encode or decode with two or more subjects.
func OverviewOf(r *Results, preferred func(result.Cell) bool) *Overview {
	o := &Overview{}
	for _, ops := range [][]result.Op{{result.Encode, result.Decode}, {result.Encode}, {result.Decode}} {
		if o.Ops, o.Columns = ops, columnsOf(r, ops, preferred); len(o.Columns) > 0 {
			break
		}
	}
	if len(o.Columns) == 0 {
		return nil
	}
	o.Reference = *o.Columns[0].tables[0].Reference
	for _, c := range o.Columns {
		if s := *c.tables[0].Reference; s == (result.Subject{Contender: r.Run.Plan.Reference}) {
			o.Reference = s // instead of the stand-in that other columns have where it is missing
		}
	}
	o.Columns = slices.DeleteFunc(o.Columns, func(c Column) bool {
		return slices.ContainsFunc(c.tables, func(t *Table) bool { return *t.Reference != o.Reference })
	})
	o.Beside = len(r.Tables) - len(o.Columns)*len(o.Ops)
	o.rows()
	if len(o.Rows) < 2 {
		return nil
	}
	return o
}

// Between returns the time of row i over that of row j, both with a Rank, with the interval that
// decides.
func (o *Overview) Between(i, j int) Interval { return o.ranking.Difference(i, j) }

// columnsOf returns a column for each workload that has tables with a reference for all ops.
func columnsOf(r *Results, ops []result.Op, preferred func(result.Cell) bool) []Column {
	var out []Column
	best := map[string]int{} // the index of each workload's column
	for i := range r.Tables {
		cell := r.Tables[i].Cell
		c := Column{Workload: cell.Workload, Size: cell.Size}
		if cell.Op != ops[0] {
			continue
		}
		for _, op := range ops {
			k := slices.IndexFunc(r.Tables, func(t Table) bool {
				return t.Cell == result.Cell{Workload: c.Workload, Size: c.Size, Op: op} && t.Reference != nil
			})
			if k >= 0 {
				c.tables = append(c.tables, &r.Tables[k])
			}
		}
		at, seen := best[c.Workload]
		switch {
		case len(c.tables) < len(ops):
		case !seen:
			best[c.Workload] = len(out)
			out = append(out, c)
		case preferred != nil && preferred(cell):
			out[at] = c
		}
	}
	return out
}

// rows makes the rows, and ranks the subjects that have a time in every column.
func (o *Overview) rows() {
	o.widths()
	var ranked, others []result.Subject
	for _, s := range o.subjects() {
		if missing := o.missing(s); len(missing) == 0 {
			ranked = append(ranked, s)
		} else if len(missing) < len(o.Columns) {
			others = append(others, s)
		} else {
			o.Without = append(o.Without, s)
		}
	}
	if len(ranked) > 0 && !slices.Contains(ranked, o.Reference) {
		o.Reference = ranked[0] // the reference of the tables is not in view
	}
	overall := o.mean((*Column).ratio, ranked)
	to := map[result.Subject]float64{}
	for _, s := range ranked {
		e, _ := overall(s, o.Reference)
		to[s] = e.log
	}
	slices.SortStableFunc(ranked, func(a, b result.Subject) int { return cmp.Compare(to[a], to[b]) })
	var estimates []estimate
	for i, a := range ranked {
		for _, b := range ranked[i+1:] {
			e, _ := overall(a, b)
			estimates = append(estimates, e)
		}
	}
	o.ranking = ordered(ranked, estimates)

	cpu := o.mean((*Column).cpu, ranked)
	ops := make(map[result.Op]meanRatio, len(o.Ops))
	for k, op := range o.Ops {
		ops[op] = o.mean(opRatio(k), ranked)
	}
	for _, s := range slices.Concat(ranked, others) {
		r := o.row(s)
		r.Overall, r.CPU = asInterval(overall(s, o.Reference)), asInterval(cpu(s, o.Reference))
		if encode := ops[result.Encode]; encode != nil {
			r.Encode = asInterval(encode(s, o.Reference))
		}
		if decode := ops[result.Decode]; decode != nil {
			r.Decode = asInterval(decode(s, o.Reference))
		}
		o.Rows = append(o.Rows, r)
	}
	for i, p := range o.ranking.Places {
		o.Rows[i].Rank, o.Rows[i].Equal = p.Rank, p.Equal
	}
	o.front(len(ranked))
}

// widths fills in Layouts, Ratios, Unknown, Widest and Median.
func (o *Overview) widths() {
	var widths []float64
	for _, c := range o.Columns {
		for _, t := range c.tables {
			if t.Layouts > 0 && (o.Layouts[0] == 0 || t.Layouts < o.Layouts[0]) {
				o.Layouts[0] = t.Layouts
			}
			o.Layouts[1] = max(o.Layouts[1], t.Layouts)
			for _, row := range t.Rows {
				if row.Metric == Time && row.Ratio != nil && row.Case.Contender != Floor && row.Case.Subject() != *t.Reference {
					widths = append(widths, row.Ratio.HalfWidth())
					if !row.Ratio.Known() {
						o.Unknown++
					}
				}
			}
		}
	}
	slices.Sort(widths)
	if o.Ratios = len(widths); o.Ratios > 0 {
		o.Widest, o.Median = widths[o.Ratios-1], widths[o.Ratios/2]
	}
}

// subjects returns the subjects of the tables without the floor, in their order.
func (o *Overview) subjects() []result.Subject {
	var all []result.Subject
	for _, c := range o.Columns {
		for _, t := range c.tables {
			for _, one := range t.Cases() {
				if s := one.Subject(); s.Contender != Floor && !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// missing returns the indices of the columns in which a subject has no time.
func (o *Overview) missing(s result.Subject) []int {
	var out []int
	for i, c := range o.Columns {
		if !c.has(s) {
			out = append(out, i)
		}
	}
	return out
}

// has reports whether a subject, or the default mode that stands in for it, has a ratio in each
// table of the column, and the subject itself in at least one.
func (c *Column) has(s result.Subject) bool {
	own := false
	for _, t := range c.tables {
		who, _, ok := ownOrDefault(t, s)
		if !ok {
			return false
		}
		own = own || who == s
	}
	return own
}

// ratio estimates the logarithm of a's time over b's in the column.
func (c *Column) ratio(a, b result.Subject) (estimate, bool) {
	if !c.has(a) || !c.has(b) {
		return estimate{}, false
	}
	if len(c.tables) == 1 {
		return c.tables[0].Ranking.estimate(a, b), true
	}
	x, _ := tripOf(c.tables[0], c.tables[1], a)
	y, _ := tripOf(c.tables[0], c.tables[1], b)
	return tripRatio(c.tables[0], c.tables[1], x, y), true
}

// A meanRatio estimates the mean over columns of the logarithm of a's time over b's. It returns
// false if a column lacks it.
type meanRatio func(a, b result.Subject) (estimate, bool)

// mean returns the mean over columns of the ratio that of estimates in one column. Its prior is that
// of the ranked subjects, which have a time in every column.
func (o *Overview) mean(of func(c *Column, a, b result.Subject) (estimate, bool), ranked []result.Subject) meanRatio {
	parts := func(a, b result.Subject) []estimate {
		var parts []estimate
		for i := range o.Columns {
			e, ok := of(&o.Columns[i], a, b)
			if !ok {
				return nil
			}
			parts = append(parts, e)
		}
		return parts
	}
	common := priorOfMeans(ranked, parts)
	return func(a, b result.Subject) (estimate, bool) {
		all := parts(a, b)
		return meanOf(all, common), all != nil
	}
}

// opRatio returns the ratio of one op, the k-th of Ops, in a column.
func opRatio(k int) func(c *Column, a, b result.Subject) (estimate, bool) {
	return func(c *Column, a, b result.Subject) (estimate, bool) {
		if !c.has(a) || !c.has(b) {
			return estimate{}, false
		}
		x, _, _ := ownOrDefault(c.tables[k], a)
		y, _, ok := ownOrDefault(c.tables[k], b)
		return c.tables[k].Ranking.estimate(x, y), ok
	}
}

// row returns the numbers of a subject that are no means of ratios of times.
func (o *Overview) row(s result.Subject) OverviewRow {
	r := OverviewRow{Subject: s, Missing: o.missing(s)}
	for i := range o.Columns {
		r.Columns = append(r.Columns, asInterval(o.Columns[i].ratio(s, o.Reference)))
	}
	r.Size = o.product(s, func(c *Column, s result.Subject) (float64, bool) { return c.number(s, EncodedSize, true) })
	r.Allocs = o.product(s, func(c *Column, s result.Subject) (float64, bool) { return c.number(s, Allocs, false) })
	return r
}

// asInterval returns an estimate as an interval; nil if ok is false.
func asInterval(e estimate, ok bool) *Interval {
	if !ok {
		return nil
	}
	i := e.interval()
	return &i
}

// cpu estimates the logarithm of the ratio of CPU times with the collector on.
func (c *Column) cpu(s, reference result.Subject) (estimate, bool) {
	if !c.has(s) || !c.has(reference) {
		return estimate{}, false
	}
	var ops []compared
	for _, t := range c.tables {
		own, base := t.StandIn(s), t.StandIn(reference)
		e, ok := t.steady.pair(own, base)
		if !ok {
			return estimate{}, false
		}
		ops = append(ops, compared{e, t.steady.time(own), t.steady.time(base)})
	}
	if len(ops) == 1 {
		return ops[0].ratio, true
	}
	return weighted(ops[0], ops[1]), true
}

// number returns a metric of a subject in the column: that of the first op if one is set, otherwise
// the sum over the ops.
func (c *Column) number(s result.Subject, metric string, one bool) (float64, bool) {
	sum, found := 0.0, false
	if !c.has(s) {
		return 0, false
	}
	for _, t := range c.tables {
		who, _, ok := ownOrDefault(t, s)
		if !ok {
			return 0, false
		}
		row, ok := t.Row(t.Cell.Case(who), metric)
		if !ok || row.Number == nil {
			return 0, false
		}
		if one {
			return row.Number.Value, true
		}
		sum, found = sum+row.Number.Value, true
	}
	return sum, found
}

// product returns the geometric mean over the columns of a number over the reference's number; nil
// if one is missing or the reference's is 0.
func (o *Overview) product(s result.Subject, of func(*Column, result.Subject) (float64, bool)) *float64 {
	log := 0.0
	for i := range o.Columns {
		x, ok := of(&o.Columns[i], s)
		y, known := of(&o.Columns[i], o.Reference)
		if !ok || !known || y == 0 {
			return nil
		}
		log += math.Log(x/y) / float64(len(o.Columns))
	}
	v := math.Exp(log)
	return &v
}

// sameSize is the share by which two sizes must differ to be told apart.
const sameSize = 0.02

// front finds the Pareto fronts of Overall and Size, and of CPU and Size, among the first n rows.
func (o *Overview) front(n int) {
	for i := range o.Rows[:n] {
		r := &o.Rows[i]
		r.Front = r.Size != nil
		r.CPUFront = r.Size != nil && r.CPU != nil
		for j := range o.Rows[:n] {
			by := &o.Rows[j]
			if i == j || r.Size == nil || by.Size == nil {
				continue
			}
			smaller := *by.Size < *r.Size*(1-sameSize)
			larger := *by.Size > *r.Size*(1+sameSize)
			beaten := func(noSlower, faster bool) bool {
				return smaller && noSlower || !smaller && !larger && faster
			}
			r.Front = r.Front && !beaten(o.ranking.NoSlower(j, i), o.ranking.Relation(j, i) == Faster)
			if r.CPUFront && by.CPU != nil {
				speed := r.CPU.Quotient(*by.CPU) // they are times
				r.CPUFront = !beaten(speed.Lo > 1-Tie, speed.Lo > 1+Tie)
			}
		}
	}
}

// Package reproduce measures the tables of the sources again. It plans how long each of their
// benchmarks runs, and compares three numbers for the same cases: as published, by the source's
// method on this machine, and by assay's engine.
package reproduce

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/published/sources"
	"assay/result"
)

// Metrics are the columns of the sources' tables, in their order.
var Metrics = sources.Metrics

// A Method says where a number comes from.
type Method int

// The methods, in the order of columns.
const (
	Published Method = iota // as the source's authors published it
	Here                    // by the source's method, on this machine
	Corrected               // by assay's engine: verified, calibrated, with an interval
)

// Methods are all methods, in the order of columns.
var Methods = []Method{Published, Here, Corrected}

// A Reproduction has the tables of some sources with the numbers of one run.
type Reproduction struct {
	// Results are the results of the corrected cases. Wholes are the results of the whole values,
	// if a row has a number or a reason from them; otherwise nil.
	Results, Wholes *analysis.Results
	Sources         []Source
}

// A Source has the tables of one source.
type Source struct {
	sources.Source
	// Tables replace the tables of sources.Source, which have only published numbers.
	Tables []Table
}

// A Table is one table of a source.
type Table struct {
	ID, Title string
	// Chart is the metric that is drawn; empty if there is no chart.
	Chart string
	Rows  []Row
}

// A Row is one row of a table, with every metric by every method.
type Row struct {
	sources.Row
	// numbers are by metric, in the order of Metrics, and then by method.
	numbers [][3]Value
	// ratios are by method.
	ratios [3]Value
}

// A Value is one number, or the reason why there is none.
type Value struct {
	// Number is nil if there is no number. A Published or counted number has no width. A number of
	// Here is the median over rounds, with the smallest and the largest round as bounds; the time
	// of a single round has infinite bounds.
	Number *analysis.Interval
	// N is the number of rounds behind a number of Here. For Corrected it is as in analysis.Row.
	N int
	// Status and Reason say why there is no number, or what is unusual about it. Both are empty for
	// a number that the source left blank.
	Status result.Status
	Reason string
	// Lost says that the run is complete and has no record of the benchmark or case.
	Lost bool
}

// Blank reports whether there is no number because the source published none.
func (v Value) Blank() bool { return v.Number == nil && v.Status == "" }

// Number returns a metric of the row by a method.
func (r *Row) Number(metric string, m Method) Value {
	i := slices.Index(Metrics, metric)
	if i < 0 {
		return Value{}
	}
	return r.numbers[i][m]
}

// Ratio returns the row's time by a method over that of the library that the source shows as the
// fastest at the same operation and size. If no row has a published time, it is the library that is
// the fastest by Here, or else by Corrected. The ratio of Corrected is paired by round and has a
// 95% interval, except for whole values; the other ratios are quotients of two times. The ratio is
// blank if one of the two has no time.
func (r *Row) Ratio(m Method) Value { return r.ratios[m] }

// Within returns the sources that a run has. It returns an error if the run lacks a named source or has
// no source at all.
func Within(run *result.Run, all []sources.Source, names []string) ([]sources.Source, error) {
	have := func(s sources.Source) bool { return slices.Contains(run.Plan.Sources, s.ID) }
	for _, s := range all {
		if !have(s) && slices.Contains(names, s.ID) {
			return nil, fmt.Errorf("run %s has nothing of %s; assay reproduce %s measures it", run.ID, s.ID, s.ID)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(s sources.Source) bool { return !have(s) })
	if len(found) == 0 {
		return nil, fmt.Errorf("run %s is not one of assay reproduce", run.ID)
	}
	return found, nil
}

// Set returns the name of the set of a source's benchmarks.
func Set(source string) string { return sources.Set(source) }

// Of combines the numbers of a run with those of the sources. Every row of every table is there,
// with a number or a reason for each metric. wholes are the whole values of another run; nil: there
// are none. They replace cases that this run has no number for, because they take too much memory
// for its other rows.
func Of(all []sources.Source, run *result.Run, records []result.Record, wholes *analysis.Results) *Reproduction {
	r := &Reproduction{Results: analysis.Of(run, records, analysis.View{})}
	j := joiner{
		run: run, wholes: wholes, tables: r.Results.Tables,
		benches: map[[2]string]*readings{},
		rows:    map[result.Case][]analysis.Row{},
	}
	for _, record := range records {
		if record.Bench != nil {
			j.add(record.Bench)
		}
	}
	for _, t := range r.Results.Tables {
		for _, row := range t.Rows {
			j.rows[row.Case] = append(j.rows[row.Case], row)
		}
	}
	j.chooseWholes(all)
	for _, s := range all {
		source := Source{Source: s}
		for _, t := range s.Tables {
			table := Table{ID: t.ID, Title: t.Title, Chart: t.Chart}
			for _, row := range t.Rows {
				table.Rows = append(table.Rows, j.row(s, row))
			}
			table.compare(&j)
			source.Tables = append(source.Tables, table)
		}
		r.Sources = append(r.Sources, source)
	}
	if j.shown {
		r.Wholes = wholes
	}
	return r
}

// A joiner finds the numbers of a row.
type joiner struct {
	run    *result.Run
	wholes *analysis.Results
	// byWholes are the cells that whole values stand for. shown says that a row has a number or a
	// reason from a whole value.
	byWholes map[result.Cell]bool
	shown    bool
	benches  map[[2]string]*readings // by set and name
	rows     map[result.Case][]analysis.Row
	tables   []analysis.Table // the tables with the rows
}

// A readings has the rounds of a benchmark, and the reason if there are no more. If rounds have
// several benchtimes, only those of the last benchtime count, because the others served to find out
// what the benchmark costs.
type readings struct {
	rounds []*result.Bench
	failed *result.Bench
}

func (j *joiner) add(b *result.Bench) {
	key := [2]string{b.Set, b.Name}
	r := j.benches[key]
	if r == nil {
		r = &readings{}
		j.benches[key] = r
	}
	switch {
	case b.Status != "":
		r.failed = b
	case len(r.rounds) > 0 && !alike(r.rounds[0], b):
		r.rounds = []*result.Bench{b}
	default:
		r.rounds = append(r.rounds, b)
	}
}

// RoundsOf returns the rounds of each benchmark that has a time, by set and name, in the order of the
// records. Of several benchtimes, only the rounds of the last one count.
func RoundsOf(records []result.Record) map[[2]string][]*result.Bench {
	j := joiner{benches: map[[2]string]*readings{}}
	for _, record := range records {
		if record.Bench != nil {
			j.add(record.Bench)
		}
	}
	rounds := map[[2]string][]*result.Bench{}
	for key, r := range j.benches {
		if r.failure() == nil {
			rounds[key] = r.rounds
		}
	}
	return rounds
}

// alike reports whether two rounds of a benchmark are comparable: they have the same benchtime, or
// the first one ran one operation and package testing would have stopped after it anyway.
func alike(first, b *result.Bench) bool {
	return first.Benchtime == b.Benchtime || first.Benchtime == FirstTime && parseBenchtime(b.Benchtime).metBy(time.Duration(first.NS))
}

// failure returns why there is no number; nil if there is one. A benchmark that later became too
// slow or too large, as where another program took memory, keeps the numbers of its earlier rounds;
// one that failed otherwise has none.
func (r *readings) failure() *result.Bench {
	f := r.failed
	if f != nil && len(r.rounds) > 0 && (f.Status == result.Timeout || f.Status == result.OOM || f.Status == result.Unsupported) {
		return nil
	}
	return f
}

// row returns a row with all of its numbers.
func (j *joiner) row(s sources.Source, from sources.Row) Row {
	r := Row{Row: from}
	for _, metric := range Metrics {
		var n [3]Value
		if v, ok := from.Figures[metric]; ok {
			n[Published] = Value{Number: exactly(v)}
		}
		n[Here] = j.here(Set(s.ID), from.Benchmark, metric)
		n[Corrected] = j.corrected(from.Case, metric)
		r.numbers = append(r.numbers, n)
	}
	return r
}

func exactly(v float64) *analysis.Interval { return &analysis.Interval{Value: v, Lo: v, Hi: v} }

// here returns a metric of a benchmark by the source's method.
func (j *joiner) here(set, name, metric string) Value {
	if name == "" {
		return Value{Status: result.Unsupported, Reason: "the source measured nothing of this"}
	}
	r := j.benches[[2]string{set, name}]
	switch {
	case r == nil:
		return j.absent()
	case r.failure() != nil:
		return Value{Status: r.failed.Status, Reason: r.failed.Reason}
	}
	var values []float64
	for _, b := range r.rounds {
		switch metric {
		case analysis.Time:
			values = append(values, b.NS)
		case analysis.AllocBytes:
			values = append(values, float64(b.Bytes))
		case analysis.Allocs:
			values = append(values, float64(b.Allocs))
		case analysis.EncodedSize:
			if v, ok := b.Extra[analysis.EncodedBytes]; ok {
				values = append(values, v)
			}
		}
	}
	if len(values) == 0 {
		return Value{Status: result.Unsupported, Reason: "the source's benchmark has no encoded bytes at hand"}
	}
	v := Value{Number: new(analysis.Spread(values)), N: len(values), Status: result.OK}
	if metric == analysis.Time && len(values) == 1 {
		v.Number.Lo, v.Number.Hi = math.Inf(-1), math.Inf(1)
		v.Status, v.Reason = result.Noisy, fmt.Sprintf("one round of %s", ops(r.rounds[0].N))
	}
	return v
}

func ops(n int) string {
	if n == 1 {
		return "one operation"
	}
	return fmt.Sprintf("%d operations", n)
}

// absent returns the value of a benchmark or case that the run has no record of.
func (j *joiner) absent() Value {
	if !j.run.Complete() {
		return Value{Status: result.Timeout, Reason: "not measured: " + j.run.Interrupted()}
	}
	return Value{Status: result.Timeout, Reason: "not measured: it is no part of the run", Lost: true}
}

// wholeMetrics maps the metrics of the sources' tables to those of whole values.
var wholeMetrics = map[string]string{
	analysis.Time: analysis.StreamTime, analysis.AllocBytes: analysis.StreamAlloc,
	analysis.Allocs: analysis.StreamAllocs, analysis.EncodedSize: analysis.StreamBytes,
}

// chooseWholes finds the cells that whole values stand for. In such a cell, a case has a time from
// its whole value only, and all other cases have one from theirs too, because a ratio must be of
// times that were measured in the same way.
func (j *joiner) chooseWholes(all []sources.Source) {
	j.byWholes = map[result.Cell]bool{}
	if j.wholes == nil {
		return
	}
	mixed := map[result.Cell]bool{}
	for _, s := range all {
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				clock, ok := j.wholes.Whole(r.Case, analysis.StreamTime)
				switch byWhole, timed := ok && clock.Number != nil && r.Case.Mode == "", j.timed(r.Case); {
				case byWhole && !timed:
					j.byWholes[r.Case.Cell()] = true
				case timed && !byWhole:
					mixed[r.Case.Cell()] = true
				}
			}
		}
	}
	maps.DeleteFunc(j.byWholes, func(c result.Cell, _ bool) bool { return mixed[c] })
}

// timed reports whether the run has a time for a case.
func (j *joiner) timed(c result.Case) bool {
	return slices.ContainsFunc(j.rows[c], func(r analysis.Row) bool { return r.Metric == analysis.Time && r.Number != nil })
}

// whole returns a metric of a case from its whole values. It reports false if the whole value was
// not tried, or does not stand for the case.
func (j *joiner) whole(c result.Case, metric string) (Value, bool) {
	if j.wholes == nil || c.Mode != "" {
		return Value{}, false
	}
	clock, ok := j.wholes.Whole(c, analysis.StreamTime)
	switch {
	case !ok, clock.Number != nil && !j.byWholes[c.Cell()]:
		return Value{}, false
	case clock.Number == nil:
		return Value{Status: clock.Status, Reason: "a whole value: " + clock.Reason}, true
	}
	processes := func(n int) string {
		return fmt.Sprintf("a whole value, one op in each of %d processes, with the collector on", n)
	}
	if metric == analysis.Time {
		if mean, n, ok := j.wholes.WholeMean(c, analysis.StreamTime); ok {
			return Value{Number: &mean, N: n, Status: result.OK, Reason: processes(n) + ": their geometric mean, where assay show prints the median"}, true
		}
		return Value{Number: clock.Number, N: clock.N, Status: result.Noisy, Reason: processes(clock.N)}, true
	}
	row, ok := j.wholes.Whole(c, wholeMetrics[metric])
	if !ok || row.Number == nil {
		return Value{Status: result.Unsupported, Reason: "it was not counted"}, true
	}
	return Value{Number: exactly(row.Number.Value), N: row.N, Status: result.OK, Reason: processes(row.N)}, true
}

// corrected returns a metric of a case by assay's engine. A whole value does not stand for a case
// that failed.
func (j *joiner) corrected(c result.Case, metric string) Value {
	rows := j.rows[c]
	failed := len(rows) > 0 && (rows[0].Status.Failed() || result.Hung(rows[0].Status, rows[0].Reason))
	if !failed && (j.byWholes[c.Cell()] || len(rows) == 0 || rows[0].Number == nil) {
		if v, tried := j.whole(c, metric); tried {
			j.shown = true
			return v
		}
	}
	if len(rows) == 0 {
		return j.absent()
	}
	for _, row := range rows {
		if row.Metric == metric {
			return Value{Number: row.Number, N: row.N, Status: row.Status, Reason: row.Reason}
		}
	}
	if first := rows[0]; first.Number == nil { // it stands for all metrics
		return Value{Status: first.Status, Reason: first.Reason}
	}
	return Value{Status: result.Unsupported, Reason: "it was not counted"}
}

// compare sets the ratios of the table's rows.
func (t *Table) compare(j *joiner) {
	groups := map[result.Cell][]*Row{}
	for i := range t.Rows {
		r := &t.Rows[i]
		groups[r.Case.Cell()] = append(groups[r.Case.Cell()], r)
	}
	for _, rows := range groups {
		reference := fastest(rows)
		if reference == nil || len(rows) < 2 {
			continue
		}
		for _, r := range rows {
			for _, m := range Methods {
				own, other := r.Number(analysis.Time, m), reference.Number(analysis.Time, m)
				if own.Number == nil || other.Number == nil || other.Number.Value <= 0 {
					continue
				}
				ratio := exactly(own.Number.Value / other.Number.Value)
				if m == Corrected {
					if paired, ok := j.between(r.Case, reference.Case); ok {
						ratio = &paired
					}
				}
				r.ratios[m] = Value{Number: ratio, Status: result.OK}
			}
		}
	}
}

// between returns the time of one case over that of another case of its cell, paired by round. It
// reports false if whole values stand for them, because they have no rounds.
func (j *joiner) between(a, b result.Case) (analysis.Interval, bool) {
	i := slices.IndexFunc(j.tables, func(t analysis.Table) bool { return t.Cell == a.Cell() })
	if i < 0 || j.byWholes[a.Cell()] {
		return analysis.Interval{}, false
	}
	return j.tables[i].Between(a.Subject(), b.Subject())
}

// fastest returns the row that is the reference of ratios; nil if no row has a time.
func fastest(rows []*Row) *Row {
	for _, m := range Methods {
		var best *Row
		for _, r := range rows {
			v := r.Number(analysis.Time, m)
			if v.Number != nil && (best == nil || v.Number.Value < best.Number(analysis.Time, m).Number.Value) {
				best = r
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

package report

import (
	"slices"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

func TestGrowthWords(t *testing.T) {
	ratio := func(v, lo, hi float64) analysis.Growth {
		return analysis.Growth{Of: result.Case{Size: "n=9"}, Base: result.Case{Size: "n=1"}, Ratio: analysis.Interval{Value: v, Lo: lo, Hi: hi}}
	}
	for _, c := range []struct {
		of   analysis.Growth
		want string
	}{
		{ratio(1.02, 0.95, 1.06), "flat"},
		{ratio(1.08, 1.08, 1.08), "flat"},
		{ratio(0.91, 0.33, 1.85), "unclear"},
		{ratio(1.43, 0.25, 1.60), "unclear"},
		{ratio(1.43, 1.23, 1.60), "dearer"},
		{ratio(0.42, 0.25, 0.83), "cheaper"},
	} {
		if got := growthWords(c.of)[0].word; got != c.want {
			t.Errorf("%v is called %q, want %q", c.of.Ratio, got, c.want)
		}
	}
	// With a single step, the step repeats the ratio, so it has no line of its own.
	bent := ratio(2, 2, 2)
	step := analysis.GrowthStep{Power: analysis.Interval{Value: 1.3, Lo: 1.3, Hi: 1.3}, Bends: true}
	for steps, want := range map[int]int{1: 1, 2: 3} {
		bent.Steps = nil
		for range steps {
			bent.Steps = append(bent.Steps, step)
		}
		if got := len(growthWords(bent)); got != want {
			t.Errorf("%d steps: %d lines, want %d", steps, got, want)
		}
	}
}

func TestStreamWords(t *testing.T) {
	cell := result.Cell{Workload: "chain", Size: "txs=9"}
	r := &analysis.Results{}
	for _, op := range []result.Op{result.Encode, result.Decode} {
		cell.Op = op
		table := analysis.Table{Cell: cell}
		for i, name := range []string{"a", "b", "c"} {
			c := cell.Case(result.Subject{Contender: name, Mode: "stream=file"})
			v := float64(100 * (i + 1))
			time := analysis.Interval{Value: v, Lo: v - 40, Hi: v + 40}
			if op == result.Decode {
				time.Lo -= 50
			}
			bytes := 1e6 - 100*v
			size := analysis.Interval{Value: bytes, Lo: bytes, Hi: bytes}
			table.Rows = append(table.Rows,
				analysis.Row{Case: c, Metric: analysis.StreamTime, Number: &time, Status: result.OK},
				analysis.Row{Case: c, Metric: analysis.StreamBytes, Number: &size, Status: result.OK})
		}
		r.Tables = append(r.Tables, table)
	}
	want := "chain txs=9, as a stream: fastest to write a (100 ns a message); fastest to read a or b (100 ns a message); smallest c (970 kB)"
	if got := strings.Join(StreamWords(r), "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The sentence names the least memory of each op.
	for i, c := range []float64{30e6, 20e6, 10e6} {
		for k, op := range []result.Op{result.Encode, result.Decode} {
			peak := analysis.Interval{Value: c, Lo: c, Hi: c}
			if op == result.Decode {
				peak = analysis.Interval{Value: 50e6 - c, Lo: 50e6 - c, Hi: 50e6 - c}
			}
			t := &r.Tables[k]
			t.Rows = slices.Insert(t.Rows, 3*i, analysis.Row{Case: t.Rows[3*i].Case, Metric: analysis.StreamPeak, Number: &peak, Status: result.OK})
		}
	}
	all := want + "; least memory to write c (10.0 MB), to read a (20.0 MB)"
	if got := strings.Join(StreamWords(r), "\n"); got != all {
		t.Errorf("with memory: got  %s\nwant %s", got, all)
	}
	read := &analysis.Results{Tables: r.Tables[1:]}
	if got, end := strings.Join(StreamWords(read), "\n"), "; least memory to read a (20.0 MB)"; !strings.HasSuffix(got, end) {
		t.Errorf("of reading alone: got  %s\nwant at its end %s", got, end)
	}
	for k := range r.Tables {
		r.Tables[k].Rows = slices.DeleteFunc(r.Tables[k].Rows, func(row analysis.Row) bool { return row.Metric == analysis.StreamPeak })
	}
	// A later table of a smaller size changes nothing.
	less := analysis.Table{Cell: result.Cell{Workload: "chain", Size: "txs=3", Op: result.Decode}}
	for _, row := range r.Tables[1].Rows {
		if row.Case.Size = "txs=3"; row.Metric == analysis.StreamBytes {
			size := analysis.Interval{Value: 1, Lo: 1, Hi: 1}
			row.Number = &size
		}
		less.Rows = append(less.Rows, row)
	}
	r.Tables = append(r.Tables, less)
	if got := strings.Join(StreamWords(r), "\n"); got != want {
		t.Errorf("with a smaller size: got  %s\nwant %s", got, want)
	}
	// With one process for each contender there is no fastest. Files of nearly the same size are
	// named together.
	for i := range r.Tables {
		for _, row := range r.Tables[i].Rows {
			switch n := row.Number; row.Metric {
			case analysis.StreamTime:
				n.Lo, n.Hi = n.Value, n.Value
			case analysis.StreamBytes:
				n.Value = 1e6 + n.Value/1e6
				n.Lo, n.Hi = n.Value, n.Value
			}
		}
	}
	if got, want := strings.Join(StreamWords(r), "\n"), "chain txs=9, as a stream: smallest c, a or b (1.00 MB)"; got != want {
		t.Errorf("of one process: got  %s\nwant %s", got, want)
	}
}

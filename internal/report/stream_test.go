package report

import (
	"slices"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// giants returns results of whole values, some too large for memory, together with streams of the
// same sizes.
func giants() *analysis.Results {
	run := &result.Run{
		ID: "20261122-000000-giants", Started: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Finished: time.Date(2026, 11, 22, 0, 9, 0, 0, time.UTC),
		Plan: result.Plan{Stream: &result.StreamPlan{Memory: 8 << 30}},
	}
	var records []result.Record
	add := func(name, mode, size string, op result.Op, items, wall int64, unread string) {
		c := result.Case{Workload: "chain", Size: size, Contender: name, Mode: mode, Op: op}
		run.Plan.Cases = append(run.Plan.Cases, c)
		if wall == 0 {
			records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 8.0 GiB; it was expected to need 12.1 GiB"}})
			return
		}
		s := &result.Stream{
			Case: c, Messages: 1, Items: items, Bytes: 1100 * items, Wall: wall, CPU: wall + wall/2, Elapsed: wall, TotalCPU: wall + wall/2, Busy: wall + wall/2, GCCPU: wall / 5,
			Cycles: 4, PauseMax: 300_000, Pause99: 200_000, Late: 5_000_000, Minor: items / 4, Peak: 3000 * items, Limit: 8 << 30, Root: "TransactionList", Unread: unread, AllocBytes: 1300 * items, Allocs: 4 * items,
		}
		if !contender.Whole(mode) {
			s.Messages, s.Root, s.Peak, s.AllocBytes, s.Allocs = items, "Transaction", 30<<20, 0, 0
		}
		records = append(records, result.Record{Stream: s})
	}
	for _, op := range []result.Op{result.Encode, result.Decode} {
		for _, size := range []struct {
			key   string
			items int64
		}{{"txs=5000", 5000}, {"txs=30000", 30_000}, {"txs=1000000", 1_000_000}} {
			add("protobuf", contender.WholeMode, size.key, op, size.items, 600*size.items, "")
			wall, unread := 1500*size.items, ""
			if size.items == 1_000_000 {
				if unread = "decode ran out of memory: grew past 8.0 GiB"; op == result.Decode {
					wall = 0
				}
			}
			add("encoding/gob", contender.WholeMode, size.key, op, size.items, wall, unread)
			add("protobuf", contender.StreamMode, size.key, op, size.items, 700*size.items, "")
		}
	}
	return analysis.Of(run, records, analysis.View{})
}

// TestGiants checks that whole values and streams have separate tables, each with its growth.
func TestGiants(t *testing.T) {
	for _, f := range Formats {
		if f.Name == "text" || f.Name == "md" || f.Name == "csv" {
			golden(t, "giants."+f.Name, write(t, f, giants(), Options{}))
		}
	}
	for i, table := range giants().Tables {
		if parts := CellPart(&giants().Tables[i]).Streams; len(parts) != 2 {
			t.Errorf("%v has %d tables, want one of whole values and one of streams", table.Cell, len(parts))
		}
	}
}

// TestGrowthOfSome checks that a contender without a measurement at the largest size still has a
// row in the table of growth.
func TestGrowthOfSome(t *testing.T) {
	run := &result.Run{
		ID: "20261122-000000-some", Started: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Finished: time.Date(2026, 11, 22, 0, 9, 0, 0, time.UTC),
		Plan: result.Plan{Stream: &result.StreamPlan{Memory: 8 << 30}},
	}
	var records []result.Record
	add := func(name, size string, items int64) {
		c := result.Case{Workload: "chain", Size: size, Contender: name, Mode: contender.WholeMode, Op: result.Decode}
		run.Plan.Cases = append(run.Plan.Cases, c)
		records = append(records, result.Record{Stream: &result.Stream{
			Case: c, Messages: 1, Items: items, Bytes: 1100 * items, Wall: 700 * items, CPU: 700 * items, Elapsed: 700 * items,
			TotalCPU: 700 * items, Busy: 700 * items, Root: "TransactionList", Peak: 30 << 20, Limit: 8 << 30,
		}})
	}
	for _, name := range []string{"protobuf", "encoding/gob"} {
		add(name, "txs=5000", 5000)
		add(name, "txs=30000", 30_000)
	}
	add("encoding/gob", "txs=200000", 200_000)
	all := growth(analysis.Of(run, records, analysis.View{}))
	if len(all) != 1 {
		t.Fatalf("%d tables of growth, want 1", len(all))
	}
	var names []string
	for _, row := range all[0].rows {
		names = append(names, row[0])
	}
	if want := []string{"encoding/gob", "protobuf"}; !slices.Equal(names, want) {
		t.Errorf("rows of %q, want %q", names, want)
	}
}

// TestGrowthWithoutLargest checks that a size at which nothing has a number comes last, and that
// the rows are in the order of the largest size with numbers.
func TestGrowthWithoutLargest(t *testing.T) {
	run := &result.Run{
		ID: "20261122-000000-cut", Started: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC),
		Plan: result.Plan{Stream: &result.StreamPlan{Memory: 8 << 30}},
	}
	var records []result.Record
	for _, size := range []struct {
		key   string
		items int64
	}{{"txs=5000", 5000}, {"txs=30000", 30_000}, {"txs=1000000", 0}} {
		for i, name := range []string{"encoding/gob", "protobuf"} {
			c := result.Case{Workload: "chain", Size: size.key, Contender: name, Mode: contender.WholeMode, Op: result.Decode}
			run.Plan.Cases = append(run.Plan.Cases, c)
			if size.items == 0 {
				records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 8.0 GiB"}})
				continue
			}
			wall := (700 - 100*int64(i)) * size.items
			records = append(records, result.Record{Stream: &result.Stream{
				Case: c, Messages: 1, Items: size.items, Bytes: 1100 * size.items, Wall: wall, CPU: wall, Elapsed: wall,
				TotalCPU: wall, Busy: wall, Root: "TransactionList", Peak: 30 << 20, Limit: 8 << 30,
			}})
		}
	}
	all := growth(analysis.Of(run, records, analysis.View{}))
	if len(all) != 1 {
		t.Fatalf("%d tables of growth, want 1", len(all))
	}
	var columns, rows []string
	for _, c := range all[0].columns[1:4] {
		columns = append(columns, c.title)
	}
	for _, row := range all[0].rows {
		rows = append(rows, row[0])
	}
	if want := []string{"txs=5000", "txs=30000", "txs=1000000"}; !slices.Equal(columns, want) {
		t.Errorf("columns of %q, want %q", columns, want)
	}
	if want := []string{"protobuf", "encoding/gob"}; !slices.Equal(rows, want) {
		t.Errorf("rows of %q, want %q", rows, want)
	}
}

// TestSpareOfWholes checks that each column that a table of streams may drop is one of its columns.
func TestSpareOfWholes(t *testing.T) {
	run := &result.Run{Plan: result.Plan{Stream: &result.StreamPlan{Memory: 8 << 30}}}
	var records []result.Record
	for _, mode := range []string{contender.WholeMode, contender.StreamMode + ",codec=zstd"} {
		c := result.Case{Workload: "chain", Size: "txs=5000", Contender: "protobuf", Mode: mode, Op: result.Encode}
		run.Plan.Cases = append(run.Plan.Cases, c)
		records = append(records, result.Record{Stream: &result.Stream{Case: c, Messages: 1, Items: 1, Bytes: 1100, Wall: 700, CPU: 700, Elapsed: 700, TotalCPU: 700, Busy: 700}})
	}
	r := analysis.Of(run, records, analysis.View{})
	if _, packed := waysOf(&r.Tables[0]); !packed {
		t.Fatal("nothing is compressed")
	}
	for _, g := range streamGrids(&r.Tables[0]) {
		for _, title := range g.spare {
			if !slices.ContainsFunc(g.columns, func(c column) bool { return c.title == title }) {
				t.Errorf("%s has no column %q", g.title, title)
			}
		}
	}
}

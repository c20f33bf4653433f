package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// buildsOf returns a run of assay buildcost.
func buildsOf(id string, bytes int64, more ...result.BuildCost) *Side {
	const s = 1_000_000_000
	run := &result.Run{ID: id, Finished: time.Unix(1, 0)}
	costs := append([]result.BuildCost{{
		Case: buildOf("gob"), Base: "floor", Bytes: bytes, BaseBytes: 1000, Lines: 70,
		Modules: []result.Module{{Path: "example.com/a"}, {Path: "example.com/b"}},
		Cold:    []result.BuildTime{{Wall: 3 * s, CPU: 5 * s}, {Wall: 2 * s, CPU: 4 * s}, {Wall: 7 * s, CPU: 6 * s}},
		Warm:    []result.BuildTime{{Wall: s / 2}, {Wall: s / 2}, {Wall: s}},
	}}, more...)
	var records []result.Record
	for _, c := range costs {
		run.Plan.Cases = append(run.Plan.Cases, c.Case)
		records = append(records, result.Record{BuildCost: &c})
	}
	return &Side{Label: id, Run: run, Records: records}
}

func buildOf(contender string) result.Case {
	return result.Case{Workload: "w", Contender: contender, Op: result.Building}
}

func TestBuildCost(t *testing.T) {
	side := buildsOf("a", 4500, result.BuildCost{Case: buildOf("bad"), Status: result.BuildFailed, Reason: "no such module"})
	side.Run.Finished = time.Time{} // cut short
	side.Run.Plan.Cases = append(side.Run.Plan.Cases, buildOf("late"))
	table := only(t, Of(side.Run, side.Records, View{}))
	want := map[string]Interval{
		BuildTime: {3, 2, 7}, BuildCPU: {5, 4, 6}, BuildTimeWarm: {0.5, 0.5, 1},
		BinaryGrowth: {3500, 3500, 3500}, Modules: {2, 2, 2}, GeneratedLines: {70, 70, 70},
	}
	got := map[string]Interval{}
	for _, row := range table.Rows {
		if row.Case != buildOf("gob") {
			continue
		}
		got[row.Metric] = *row.Number
		if m, _ := MetricNamed(row.Metric); m.Unit != row.Unit || row.Status != result.OK || row.Ratio != nil {
			t.Errorf("%s: %+v", row.Metric, row)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for name, want := range map[string]string{"bad": "no such module", "late": "assay buildcost --resume a"} {
		row, ok := table.Row(buildOf(name), BuildTime)
		if !ok || row.Number != nil || row.Status == result.OK || !strings.Contains(row.Reason, want) {
			t.Errorf("%s: %v, %+v", name, ok, row)
		}
	}
}

// Counted metrics of two builds are compared. Times of builds are not, because three builds have no
// interval.
func TestCompareBuilds(t *testing.T) {
	bad := result.BuildCost{Case: buildOf("bad"), Status: result.BuildFailed, Reason: "no such module"}
	c := compareOf(t, buildsOf("a", 4500, bad), buildsOf("b", 8000, bad))
	if row := c.change(t, "gob", BinaryGrowth); row.Factor == nil || row.Factor.Value != 2 || row.Verdict != Slower {
		t.Errorf("growth: %+v", row)
	}
	if row := c.change(t, "gob", Modules); row.Verdict != Tied {
		t.Errorf("modules: %+v", row)
	}
	if row := c.change(t, "bad", BuildTime); row.Factor != nil || !strings.Contains(row.Reason, "no such module") {
		t.Errorf("what was not built: %+v", row)
	}
	for _, row := range c.Rows {
		if row.A.Contender == "gob" && strings.HasPrefix(row.Metric, "build-") {
			t.Errorf("a time is compared: %+v", row)
		}
	}
}

// Sizes after compression are means over messages. A mode that names a codec has the size after
// that codec.
func TestCompressedSizes(t *testing.T) {
	run, records := measuredOf()
	z := &result.Compressed{Case: caseOf("json"), Messages: 4, Encoded: 400, Batch: 404, Codecs: []result.CompressedSizes{
		{Codec: "gzip", Bytes: 200, Batch: 100}, {Codec: "zstd", Bytes: 240, Batch: 90}, {Codec: "unheard-of", Bytes: 1, Batch: 1},
	}}
	packed := caseOf("json")
	packed.Op, packed.Mode = result.Decompress, "codec=zstd"
	own := *z
	own.Case = packed
	run.Plan.Cases = append(run.Plan.Cases, packed)
	r := Of(run, append(records, result.Record{Compressed: z}, result.Record{Compressed: &own}), View{})
	got := map[string]float64{}
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			if strings.HasSuffix(row.Metric, "-size") {
				got[string(row.Case.Op)+" "+row.Metric] = row.Number.Value
			}
		}
	}
	want := map[string]float64{
		"encode gzip-size": 50, "encode zstd-size": 60, "encode gzip-batch-size": 25, "encode zstd-batch-size": 22.5,
		"decompress compressed-size": 60,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

package report

import (
	"fmt"
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// builds returns a run of assay buildcost: one contender that was built three times, one that
// adds almost nothing, one that does not build, and one that was not reached.
func builds() *analysis.Results {
	run := &result.Run{Schema: result.RunSchema, ID: "20260102-030405-abcd", Tool: "v0.1.0",
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Host:    result.Host{OS: "linux", Arch: "amd64", CPU: "Example CPU", CPUs: 4}, Build: result.Build{Go: "go1.26.0"}}
	at := func(contender string) result.Case {
		c := result.Case{Workload: "movie", Contender: contender, Op: result.Building}
		run.Plan.Cases = append(run.Plan.Cases, c)
		return c
	}
	const ms = 1_000_000
	var records []result.Record
	for _, b := range []result.BuildCost{
		{Case: at("vtprotobuf"), Base: "floor", Bytes: 3_500_000, BaseBytes: 2_000_000, Lines: 812,
			Modules: []result.Module{{Path: "example.com/vt", Version: "v0.6.0"}, {Path: "example.com/pb", Version: "v1.2.3"}},
			Cold:    []result.BuildTime{{Wall: 2100 * ms, CPU: 3900 * ms}, {Wall: 2040 * ms, CPU: 3800 * ms}, {Wall: 2500 * ms, CPU: 4100 * ms}},
			Warm:    []result.BuildTime{{Wall: 610 * ms}, {Wall: 605 * ms}, {Wall: 630 * ms}}, Load: 0.4},
		{Case: at("encoding/json"), Base: "floor", Bytes: 2_004_096, BaseBytes: 2_000_000, Lines: 20,
			Cold: []result.BuildTime{{Wall: 640 * ms}}, Warm: []result.BuildTime{{Wall: 580 * ms}}},
		{Case: at("parquet"), Base: "floor", Status: result.BuildFailed, Reason: "module example.com/parquet@v1.0.0 could not be fetched"},
	} {
		records = append(records, result.Record{BuildCost: &b})
	}
	at("msgp")
	return analysis.Of(run, records, analysis.View{})
}

func TestBuildCost(t *testing.T) {
	for _, f := range Formats {
		t.Run(f.Name, func(t *testing.T) {
			golden(t, "build."+f.Name, write(t, f, builds(), Options{}))
		})
	}
}

// codecs returns a run of op compress with two contenders and two codecs.
func codecs() *analysis.Results {
	f := &fixture{run: &result.Run{Schema: result.RunSchema, ID: "20260102-030405-abcd", Tool: "v0.1.0",
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Finished: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC),
		Host: result.Host{OS: "linux", Arch: "amd64", CPU: "Example CPU", CPUs: 4}, Build: result.Build{Go: "go1.26.0"},
		Plan: result.Plan{Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14}}}}
	cell := result.Cell{Workload: "movie", Size: "record=one", Op: result.Compress}
	var subjects []subject
	for i, name := range []string{"msgp", "encoding/json"} {
		for j, codec := range []string{"gzip", "s2"} {
			mode := "codec=" + codec
			subjects = append(subjects, subject{name, mode, 9000 / (1 + 20*float64(j)) * (1 + float64(i)), 1})
			encoded := int64(65 + 43*i)
			c := f.plan(cell, name, mode)
			f.count(cell, name, mode, 0, 0, float64(encoded))
			f.records = append(f.records, result.Record{Compressed: &result.Compressed{Case: c, Messages: 64, Encoded: 64 * encoded, Batch: 64 * (encoded + 1),
				Codecs: []result.CompressedSizes{{Codec: "gzip", Bytes: 64 * (encoded + 9), Batch: 640}, {Codec: "s2", Bytes: 64 * (encoded - 5), Batch: 900}}}})
		}
	}
	f.measure(cell, 200_000, subjects...)
	return analysis.Of(f.run, f.records, analysis.View{})
}

// For op compress, the reference is the run's reference with its first codec. The size is the
// size after the row's own codec, without a batch.
func TestCodecs(t *testing.T) {
	r := codecs()
	golden(t, "codecs.text", write(t, Formats[0], r, Options{}))
	table := r.Tables[0]
	if want := (result.Subject{Contender: "encoding/json", Mode: "codec=gzip"}); table.Reference == nil || *table.Reference != want {
		t.Errorf("the reference is %v, want %v", table.Reference, want)
	}
	got := map[string]float64{}
	for _, row := range table.Rows {
		switch row.Metric {
		case analysis.PackedSize:
			got[row.Case.Subject().String()] = row.Number.Value
		case "gzip-size", "s2-batch-size":
			t.Errorf("%s has %s", row.Case, row.Metric)
		}
	}
	want := map[string]float64{"msgp (codec=gzip)": 74, "msgp (codec=s2)": 60, "encoding/json (codec=gzip)": 117, "encoding/json (codec=s2)": 103}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sizes %v, want %v", got, want)
	}
}

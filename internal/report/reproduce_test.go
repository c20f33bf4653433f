package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/texttab"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// reproducedSources returns the tables of two small sources, made by hand, with everything that a
// report must show: figures and blanks, rounds and a single round, timeouts, cases that were not
// measured or not verified, notes, and texts that break a writer that does not escape.
func reproducedSources(quick bool) *reproduce.Reproduction {
	f := &fixture{run: &result.Run{
		Schema: result.RunSchema, ID: "20260901-120000", Tool: "v0.5.0", Args: []string{"reproduce"},
		Started: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Finished: time.Date(2026, 9, 1, 12, 30, 0, 0, time.UTC),
		Seed: 1,
		Plan: result.Plan{Budget: 30 * time.Minute, Quick: quick, Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14, 15, 16, 17, 18}},
		Host: result.Host{OS: "linux", Arch: "amd64", CPU: "Example CPU @ 2.30GHz", CPUs: 2, MemoryMB: 16000, SentinelBest: 900_000},
		Build: result.Build{Go: "go1.26.8", Key: "k",
			Modules: []result.Module{{Path: "google.golang.org/protobuf", Version: "v1.36.12"}}},
	}}
	chain := sources.Source{
		ID: "chain", Title: "Gob against Protocol Buffers", Where: "a README in a repository, 2024", With: "a CPU @ 1.20GHz",
		Method: "go test with one message of everything", Text: "one message; see exhibit wholemessage",
		Tables: []sources.Table{{ID: "txs", Title: "Transactions", Chart: "time"}, {ID: "sizes", Title: "Sizes | of <both>", Chart: "encoded-size"}},
	}
	row := func(table int, op result.Op, size, label, library, name, contender string, figures map[string]float64) {
		chain.Tables[table].Rows = append(chain.Tables[table].Rows, sources.Row{
			Label: label, Library: library, Benchmark: name, Figures: figures, Blank: figures == nil,
			Case: result.Case{Workload: "chain", Size: size, Contender: contender, Op: op},
		})
	}
	bench := func(name string, ns float64, bytes, allocs int64, encoded float64, rounds int) {
		for i := range rounds {
			f.records = append(f.records, result.Record{Bench: &result.Bench{
				Set: "sources/chain", Name: name, Round: i, Benchtime: "1s", N: 40, NS: ns * (1 + 0.01*float64(i)), Bytes: bytes, Allocs: allocs,
				Extra: map[string]float64{"encoded-bytes": encoded},
			}})
		}
	}
	row(0, result.Encode, "txs=5000", "Encode 5,000", "Gob", "encode/txs=5000/gob", "encoding/gob", map[string]float64{"time": 11_998_771})
	row(0, result.Encode, "txs=5000", "Encode 5,000", "Protobuf", "encode/txs=5000/protobuf", "protobuf", map[string]float64{"time": 2_562_078})
	row(0, result.Decode, "txs=5000", "Decode 5,000", "Gob", "decode/txs=5000/gob", "encoding/gob", map[string]float64{"time": 12_166_677, "alloc-bytes": 13_320_336, "allocs": 65_222})
	row(0, result.Decode, "txs=5000", "Decode 5,000", "Protobuf", "decode/txs=5000/protobuf", "protobuf", map[string]float64{"time": 4_629_081, "alloc-bytes": 6_474_808, "allocs": 20_017})
	row(0, result.Decode, "txs=1000000", "Decode 1,000,000", "Gob", "decode/txs=1000000/gob", "encoding/gob", map[string]float64{"time": 3_955_368_900, "alloc-bytes": 8_510_050_272, "allocs": 13_000_247})
	chain.Tables[0].Rows[2].Note = "the commit that was published has a stopped timer; this is the one before"
	row(1, result.Encode, "txs=1", "one", "Gob", "", "encoding/gob", nil)
	row(1, result.Encode, "txs=1", "one", "Protobuf", "encode/txs=1/protobuf", "protobuf", map[string]float64{"encoded-size": 1_131})

	bench("encode/txs=5000/gob", 29_700_000, 39_447_632, 10_062, 5_709_739, 3)
	bench("encode/txs=5000/protobuf", 1_610_000, 5_677_056, 1, 5_669_870, 3)
	bench("decode/txs=5000/gob", 9_310_000, 13_240_336, 65_222, 5_709_739, 1)
	bench("decode/txs=5000/protobuf", 2_700_000, 6_474_808, 20_017, 5_669_870, 2)
	bench("encode/txs=1/protobuf", 812, 1_152, 1, 1_131, 3)
	f.records = append(f.records, result.Record{Bench: &result.Bench{Set: "sources/chain", Name: "decode/txs=1000000/gob", Status: result.Unsupported,
		Reason: "needs about 21 GiB of memory, of which it may use 6.0 GiB"}})

	encode := result.Cell{Workload: "chain", Size: "txs=5000", Op: result.Encode}
	f.slow(encode, subject{"encoding/gob", "", 9_200_000, 1}, subject{"protobuf", "", 1_500_000, 1})
	f.count(encode, "encoding/gob", "", 39_000_000, 10_000.25, 5_700_000)
	f.count(encode, "protobuf", "", 5_677_056, 1, 5_669_870)
	decode := result.Cell{Workload: "chain", Size: "txs=5000", Op: result.Decode}
	f.slow(decode, subject{"protobuf", "", 2_650_000, 1})
	f.count(decode, "protobuf", "", 6_474_808, 20_017, 5_669_870)
	f.outcome(decode, "encoding/gob", result.Unverified, "Tx.data: 5000 elements became 1")
	million := result.Cell{Workload: "chain", Size: "txs=1000000", Op: result.Decode}
	f.outcome(million, "encoding/gob", result.Unsupported, "txs=1000000 takes about 7.4 GiB for 2 contenders in one process, more than the 2.0 GiB allowed")
	one := result.Cell{Workload: "chain", Size: "txs=1", Op: result.Encode}
	f.measure(one, 200_000, subject{"encoding/gob", "", 9_540, 1}, subject{"protobuf", "", 790, 1})
	f.count(one, "protobuf", "", 1_152, 1, 1_131)

	empty := sources.Source{ID: "movie", Title: "Three formats", Where: "a README", With: "not stated", Method: "go test", Text: "encode only",
		Tables: []sources.Table{{ID: "speed", Title: "Benchmark result", Rows: []sources.Row{{
			Label: "BenchmarkSerializeToXML-8", Library: "XML|ish", Benchmark: "encode/id=12345/xml", Figures: map[string]float64{"time": 1173},
			Case: result.Case{Workload: "movie", Size: "id=12345", Contender: "encoding/xml", Op: result.Encode},
		}}}},
	}
	return reproduce.Of([]sources.Source{chain, empty}, f.run, f.records, nil)
}

func writeReproduction(t *testing.T, name string, r *reproduce.Reproduction, opts Options) string {
	t.Helper()
	f, ok := Named(ReproduceFormats, name)
	if !ok {
		t.Fatalf("there is no format %s", name)
	}
	opts.Details = true
	var out strings.Builder
	if err := f.Write(&out, r, opts); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out.String()
}

func TestReproduceFormats(t *testing.T) {
	for _, f := range ReproduceFormats {
		golden(t, "reproduce."+f.Name, writeReproduction(t, f.Name, reproducedSources(false), Options{Files: "reproduction"}))
	}
	var brief strings.Builder
	if err := ReproduceText(&brief, reproducedSources(false), Options{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "reproduce.brief.text", brief.String())
	golden(t, "reproduce.80.text", writeReproduction(t, "text", reproducedSources(true), Options{Width: 80}))
}

// Charts and facts about sources appear only with details.
func TestReproduceDetails(t *testing.T) {
	for _, details := range []bool{false, true} {
		var out strings.Builder
		if err := ReproduceText(&out, reproducedSources(false), Options{Details: details}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"█", "\nmethod"} {
			if got := strings.Contains(out.String(), want); got != details {
				t.Errorf("details %v: %q is there: %v", details, want, got)
			}
		}
		if !strings.Contains(out.String(), "corrected") {
			t.Errorf("details %v: no table", details)
		}
	}
}

func TestReproduceWidth(t *testing.T) {
	for _, width := range []int{0, 80, 100, 160} {
		for line := range strings.Lines(writeReproduction(t, "text", reproducedSources(false), Options{Width: width})) {
			if w := texttab.Width(strings.TrimSuffix(line, "\n")); w > max(width, 80) && width > 0 || w > 100 && width == 0 {
				t.Errorf("width %d: %d cells: %s", width, w, line)
			}
		}
	}
}

func TestReproduceColor(t *testing.T) {
	for _, width := range []int{80, 120} {
		colored := writeReproduction(t, "text", reproducedSources(false), Options{Color: true, Width: width})
		stripped := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "")
		if stripped == colored {
			t.Error("no colour")
		}
		if diff := cmp.Diff(writeReproduction(t, "text", reproducedSources(false), Options{Width: width}), stripped); diff != "" {
			t.Errorf("colour changes more than colour: -plain +stripped\n%s", diff)
		}
	}
}

// Every format has every row of every table. Each metric and method has a number or a reason.
func TestReproduceHasEveryRow(t *testing.T) {
	r := reproducedSources(false)
	want := 0
	for _, s := range r.Sources {
		for _, table := range s.Tables {
			want += len(table.Rows)
			for i := range table.Rows {
				row := &table.Rows[i]
				for _, metric := range reproduce.Metrics {
					for _, m := range []reproduce.Method{reproduce.Here, reproduce.Corrected} {
						v := row.Number(metric, m)
						if v.Status == "" || v.Number == nil && v.Reason == "" {
							t.Errorf("%s %s %s by method %d: neither number nor reason: %+v", row.Label, row.Library, metric, m, v)
						}
					}
				}
			}
		}
	}
	rows := ReproduceRows(r)
	if len(rows) != want*2*len(reproduce.Metrics) {
		t.Errorf("%d rows of JSON for %d of tables", len(rows), want)
	}
	lines, err := csv.NewReader(strings.NewReader(writeReproduction(t, "csv", r, Options{}))).ReadAll()
	if err != nil || len(lines) != 1+len(rows) {
		t.Errorf("%d lines of CSV, %v", len(lines), err)
	}
	text := writeReproduction(t, "text", r, Options{Width: 120})
	if got := strings.Count(text, "  published  "); got != want {
		t.Errorf("text has %d rows, want %d", got, want)
	}
	md := writeReproduction(t, "md", r, Options{})
	if got := strings.Count(md, "published<br>here<br>corrected"); got != want {
		t.Errorf("Markdown has %d rows, want %d", got, want)
	}
}

// reproduceContract is the JSON output as a reader in another program declares it.
type reproduceContract struct {
	Schema int             `json:"schema"`
	Run    json.RawMessage `json:"run"`
	Rows   []struct {
		Source, Table, Row, Library, Method, Benchmark string
		Published                                      *float64
		Workload, Size, Contender, Op, Metric, Unit    string
		Mode                                           *string
		Value, Lo, Hi                                  *float64
		N                                              int
		Status                                         result.Status
		Reason                                         string
		Ratio                                          *float64
		RatioLo                                        *float64 `json:"ratio_lo"`
		RatioHi                                        *float64 `json:"ratio_hi"`
		PublishedRatio                                 *float64 `json:"published_ratio"`
		Note                                           string
	}
}

func TestReproduceJSON(t *testing.T) {
	d := json.NewDecoder(strings.NewReader(writeReproduction(t, "json", reproducedSources(false), Options{})))
	d.DisallowUnknownFields()
	var got reproduceContract
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != 1 || len(got.Rows) == 0 {
		t.Fatalf("schema %d, %d rows", got.Schema, len(got.Rows))
	}
	seen := map[string]bool{}
	for _, row := range got.Rows {
		key := fmt.Sprint(row.Source, row.Table, row.Row, row.Library, row.Method, row.Metric)
		if seen[key] {
			t.Errorf("row %s is there twice", key)
		}
		seen[key] = true
		hasValue := row.Status == result.OK || row.Status == result.Noisy
		if (row.Value != nil) != hasValue || (row.Status != result.OK) != (row.Reason != "") {
			t.Errorf("%s: value %v, status %q, reason %q", key, row.Value, row.Status, row.Reason)
		}
		if !slices.Contains([]string{"here", "corrected"}, row.Method) || row.Unit == "" || row.Mode == nil {
			t.Errorf("%s: method %q, unit %q", key, row.Method, row.Unit)
		}
		if row.Row == "Decode 5,000" && row.Library == "Protobuf" && row.Metric == "allocs" && (*row.Published != 20_017 || *row.Value != 20_017) {
			t.Errorf("%s: published %v, value %v", key, *row.Published, *row.Value)
		}
		if (row.Ratio != nil || row.PublishedRatio != nil) && row.Metric != "time" || row.RatioLo != nil && (row.Method == "here" || *row.RatioLo > *row.Ratio || *row.Ratio > *row.RatioHi) {
			t.Errorf("%s: ratio %v, from %v to %v, published %v", key, row.Ratio, row.RatioLo, row.RatioHi, row.PublishedRatio)
		}
		if row.Row == "Encode 5,000" && row.Metric == "allocs" && row.Published != nil {
			t.Errorf("%s: published %v, want null", key, *row.Published)
		}
	}
}

// JSON names the run that whole values are of, and CSV has the notes about rows.
func TestReproduceOfTwoRuns(t *testing.T) {
	r := reproducedSources(false)
	r.Wholes = rich()
	r.Wholes.Run.ID = "20260903-120000"
	var got struct {
		Whole *RunInfo `json:"whole_run"`
	}
	if err := json.Unmarshal([]byte(writeReproduction(t, "json", r, Options{})), &got); err != nil {
		t.Fatal(err)
	}
	if got.Whole == nil || got.Whole.ID != "20260903-120000" {
		t.Errorf("whole values are of %+v", got.Whole)
	}
	lines, err := csv.NewReader(strings.NewReader(writeReproduction(t, "csv", r, Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	note := slices.Index(lines[0], "note")
	if note < 0 || !slices.ContainsFunc(lines[1:], func(line []string) bool { return strings.HasPrefix(line[note], "the commit that was published") }) {
		t.Errorf("the columns of CSV are %q, without the note of a row", lines[0])
	}
}

// The links to a page's charts work for any name of their directory.
func TestReproduceLinks(t *testing.T) {
	md := writeReproduction(t, "md", reproducedSources(false), Options{Files: "my (new) charts"})
	if want := "](my%20%28new%29%20charts/chain-txs.svg)"; !strings.Contains(md, want) {
		t.Errorf("no %s in\n%s", want, md)
	}
}

func TestReproduceCharts(t *testing.T) {
	var names []string
	for _, f := range reproduceCharts(reproducedSources(false)) {
		names = append(names, f.name)
		var out strings.Builder
		if err := f.chart.WriteSVG(&out); err != nil {
			t.Fatal(err)
		}
		golden(t, "reproduce."+f.name, out.String())
	}
	if diff := cmp.Diff([]string{"chain-txs.svg", "chain-sizes.svg"}, names); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestWhole(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 39_002_162: "39,002,162", 21.25: "21.25", 10_000.25: "10,000.25", 3_403_348_600: "3,403,348,600"} {
		if got := whole(v); got != want {
			t.Errorf("whole(%v) = %q, want %q", v, got, want)
		}
	}
}

package report

import (
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// richRun returns a small run, made by hand, that has everything a report must show: cells of
// several sizes and units, modes, ties, every status, warnings, losses, the ordinary layout, a
// contender of another runner, and texts that break a writer that does not escape.
func richRun() (*result.Run, []result.Record) {
	f := &fixture{run: &result.Run{
		Schema: result.RunSchema, ID: "20260901-120000", Tool: "v0.3.0",
		Args:    []string{"run", "-w", "movie|chain"},
		Started: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Finished: time.Date(2026, 9, 1, 12, 5, 0, 0, time.UTC),
		Seed: 7,
		Plan: result.Plan{Budget: 5 * time.Minute, Precision: 0.01, Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14, 15, 16, 17, 18}},
		Host: result.Host{OS: "linux", Kernel: "6.8.0", Arch: "amd64", CPU: "Example CPU @ 2.30GHz", CPUs: 4, MemoryMB: 16000, Load: 0.25, Virtual: true, SentinelBest: 900_000},
		Build: result.Build{Go: "go1.26.8", GOAMD64: "v1", Key: "k",
			Modules: []result.Module{{Path: "github.com/example/msgp", Version: "v1.3.0"}, {Path: "google.golang.org/protobuf", Version: "v1.36.12"}}},
	}}
	encode := result.Cell{Workload: "movie", Size: "values=64", Op: result.Encode}
	f.measure(encode, 200_000,
		subject{"floor", "", 1.12, 1}, subject{"encoding/json", "", 572, 1}, subject{"encoding/gob", "", 9_540, 1},
		subject{"msgp", "", 81.3, 1}, subject{"msgp", "output=reuse", 39.4, 1}, subject{"mus", "output=reuse", 39.1, 1},
		subject{"vtprotobuf", "output=reuse", 44, 1}, subject{"protobuf", "", 203, 1}, subject{"sonic", "", 190, 6})
	f.count(encode, "encoding/json", "", 191, 2, 108)
	f.count(encode, "encoding/gob", "", 1281.5, 21.25, 78)
	f.count(encode, "msgp", "", 64, 1, 65.5)
	f.count(encode, "msgp", "output=reuse", 0, 0, 65.5)
	f.count(encode, "mus", "output=reuse", 0, 0, 61)
	f.count(encode, "vtprotobuf", "output=reuse", 0, 0, 65)
	f.count(encode, "protobuf", "", 80, 1, 65)
	f.count(encode, "sonic", "", 2_310, 3, 108)
	f.outcome(encode, "sonic", result.Noisy, "±14%, asked for ±2%")
	f.outcome(encode, "avro", result.Unsupported, "Movie.id: no unsigned 64-bit integer")
	f.outcome(encode, "thrift", result.BuildFailed, "gen/movie/movie.go:12:2: undefined: thrift.TStruct\n\tgen/movie/movie.go:14:9: cannot use x (variable of type []byte) as string value in return statement")
	f.outcome(encode, "yaml", result.Timeout, "no answer within 10s")
	f.outcome(encode, "cbor", result.Unsupported, "Movie.id: no unsigned 64-bit integer")
	late := "not measured: its launches would not fit into what the budget left over after the other cases of the cell (raise --budget)"
	for _, mode := range []string{"", "output=reuse"} {
		f.records = append(f.records, result.Record{Outcome: &result.Outcome{Case: f.plan(encode, "thrifty", mode), Status: result.Timeout, Reason: late}})
	}
	f.outcome(encode, "toml", result.Timeout, late)
	f.steady(encode, "encoding/json", "", 610, 0.04, 640)
	f.steady(encode, "msgp", "", 102, 0.21, 88)
	f.steady(encode, "msgp", "output=reuse", 39.9, 0, 39.6)
	f.steady(encode, "encoding/gob", "", 13_100, 0.33, 0)
	for name, cold := range map[string]int64{"encoding/json": 48_000, "msgp": 3_100, "sonic": 21_400_000} {
		f.records = append(f.records, result.Record{Cold: &result.Cold{Case: f.plan(encode, name, ""), NS: []int64{cold, cold * 11 / 10, cold * 9 / 10}}})
	}
	for n, wall := range map[int]int64{1: 813_000, 2: 830_000, 4: 1_010_000} {
		f.records = append(f.records, result.Record{Scaling: &result.Scaling{Case: f.plan(encode, "msgp", ""), Goroutines: n, CPUs: 4, N: 10_000,
			Wall: []int64{wall, wall + 2_000, wall - 1_000, wall, wall + 1_000, wall - 2_000, wall, wall + 3_000}}})
	}
	for bytes, ns := range map[int64]int64{3 << 20: 9_000, 32 << 20: 10_800} {
		for layout := range uint64(4) {
			f.records = append(f.records, result.Record{Footprint: &result.Footprint{Case: f.plan(encode, "msgp", ""), Bytes: bytes, Layout: 1 + layout, N: 100,
				Wall: []int64{ns, ns + 20, ns - 10, ns, ns + 10, ns - 20, ns, ns + int64(30*layout)}}})
		}
	}
	for name, encoded := range map[string]int64{"encoding/json": 108, "msgp": 65} {
		for _, mode := range []string{"", "output=reuse"} {
			if mode != "" && name != "msgp" {
				continue
			}
			z := &result.Compressed{Case: f.plan(encode, name, mode), Messages: 64, Encoded: 64 * encoded, Batch: 64 * (encoded + 1)}
			for i, codec := range []string{"gzip", "zstd", "lz4", "s2", "snappy"} {
				z.Codecs = append(z.Codecs, result.CompressedSizes{Codec: codec, Bytes: 64*encoded + int64(700*i) - 100, Batch: 20*encoded + int64(333*i)})
			}
			f.records = append(f.records, result.Record{Compressed: z})
		}
	}
	f.outcome(encode, "xml|ish", result.Unverified, "Movie.tags: 3 elements became 1")
	f.verified("msgp", "", nil, "", "time-zone")
	f.verified("vtprotobuf", "output=reuse", &result.Subject{Contender: "protobuf"}, "Movie.year: 1999 became 0")

	decode := result.Cell{Workload: "movie", Size: "values=64", Op: result.Decode}
	f.measure(decode, 200_000, subject{"floor", "", 0.9, 1}, subject{"encoding/json", "", 2_010, 1}, subject{"msgp", "", 131, 1}, subject{"protobuf", "", 322, 1})
	f.records = append(f.records,
		result.Record{Retained: &result.Retained{Case: f.plan(decode, "msgp", ""), Messages: 640, Bytes: 640 * 148, Encoded: 640 * 65}},
		result.Record{Retained: &result.Retained{Case: f.plan(decode, "encoding/json", ""), Messages: 640, Bytes: 640 * 212, Encoded: 640 * 108}},
		result.Record{Peak: &result.Peak{Case: f.plan(decode, "encoding/json", ""), RSS: []int64{12_400_000, 12_600_000, 12_300_000}}})
	f.outcome(decode, "flatbuffers", result.Panic, "panic: runtime error: index out of range [3] with length 3")
	f.outcome(decode, "cbor", result.OOM, "grew to 522 MiB of a 512 MiB limit")

	chain := result.Cell{Workload: "chain", Size: "txs=30000,shape=ptr-slice", Op: result.Encode}
	f.slow(chain, subject{"encoding/json", "", 48_200_000, 1}, subject{"protobuf", "", 9_730_000, 1})
	f.count(chain, "encoding/json", "", 14_300_000, 60_012, 11_250_000)
	f.count(chain, "protobuf", "", 4_510_000, 1, 4_505_600)
	f.plan(chain, "encoding/gob", "")
	f.records = append(f.records, result.Record{Note: &result.Note{Text: "the load average rose to 3.1 at 12:03"}})
	return f.run, f.records
}

func rich() *analysis.Results {
	run, records := richRun()
	return analysis.Of(run, records, analysis.View{})
}

type fixture struct {
	run     *result.Run
	records []result.Record
}

// A subject is measured at ns per operation. Its samples vary by about rough times 0.5%.
type subject struct {
	contender, mode string
	ns, rough       float64
}

func (f *fixture) plan(cell result.Cell, contender, mode string) result.Case {
	c := cell.Case(result.Subject{Contender: contender, Mode: mode})
	for _, have := range f.run.Plan.Cases {
		if have == c {
			return c
		}
	}
	f.run.Plan.Cases = append(f.run.Plan.Cases, c)
	return c
}

// scatter returns a number from -1 to 1 that looks random but depends only on the arguments.
func scatter(parts ...int) float64 {
	h := uint32(2166136261)
	for _, p := range parts {
		h = (h ^ uint32(p)) * 16777619
		h ^= h >> 13
	}
	return float64(h%2001)/1000 - 1
}

// measure adds a launch with 12 rounds for each planned layout. One msgp launch is disturbed, and
// gob is faster in the ordinary layout.
func (f *fixture) measure(cell result.Cell, batch float64, subjects ...subject) {
	for index, layout := range f.run.Plan.Layouts {
		others := 0.01
		l := &result.Launch{Cell: cell, Layout: layout, Index: index, Warmup: 10, Elapsed: 1e8, Load: 1.2, Others: &others,
			Sentinel: []int64{int64(910_000 + 2000*index), 905_000, 1_900_000}}
		for i, s := range subjects {
			c := f.plan(cell, s.contender, s.mode)
			series := result.Series{Subject: c.Subject(), N: max(50, int(batch/s.ns))}
			center := s.ns * (1 + 0.004*s.rough*scatter(index, i))
			if layout == 0 && s.contender == "encoding/gob" {
				center *= 0.9
			}
			for round := range 12 {
				cpu := int64(center * float64(series.N) * (1 + 0.005*s.rough*scatter(index, i, round)))
				wall := cpu + cpu/1000
				if s.contender == "msgp" && s.mode == "" && layout == 14 && round > 1 {
					wall += cpu / 5
				}
				series.Round = append(series.Round, round)
				series.Wall = append(series.Wall, wall)
				series.CPU = append(series.CPU, cpu)
			}
			l.Series = append(l.Series, series)
			if s.contender == f.run.Plan.Reference {
				series.Role = result.Control
				series.CPU = slices.Clone(series.CPU)
				for round := range series.CPU {
					series.CPU[round] += int64(scatter(round, index) * float64(series.CPU[round]) / 500)
				}
				series.Wall = series.CPU
				l.Series = append(l.Series, series)
			}
		}
		f.records = append(f.records, result.Record{Launch: l})
	}
	disturbed := &result.Launch{Cell: cell, Layout: 18, Index: len(f.run.Plan.Layouts), Disturbed: "the sentinel took 1.9 times its best"}
	f.records = append(f.records, result.Record{Launch: disturbed})
}

// steady adds counts of four processes with the garbage collector on, without a live heap and, if
// live is not 0, beside 64 MiB of live heap. ns and live are times per operation; share is the
// collector's share.
func (f *fixture) steady(cell result.Cell, contender, mode string, ns, share, live float64) {
	for index := range 4 {
		for mb, ns := range map[int]float64{0: ns, 64: live} {
			s := &result.Steady{Case: f.plan(cell, contender, mode), LiveMB: mb, Layout: uint64(11 + index), Index: index}
			if ns == 0 {
				continue
			}
			for round := range 4 {
				cpu := int64(1e6 * ns * (1 + 0.01*scatter(index, round, len(contender))))
				s.Round = append(s.Round, round)
				s.Ops = append(s.Ops, 1e6)
				s.Wall = append(s.Wall, cpu)
				s.CPU = append(s.CPU, cpu)
				s.Cycles = append(s.Cycles, 5)
				s.GCCPU = append(s.GCCPU, int64(float64(cpu)*share))
			}
			f.records = append(f.records, result.Record{Steady: s})
		}
	}
}

// slow adds two launches of one layout, with three rounds of one operation, as on a machine
// without a CPU clock.
func (f *fixture) slow(cell result.Cell, subjects ...subject) {
	for index := range 2 {
		l := &result.Launch{Cell: cell, Layout: 11, Index: index}
		for i, s := range subjects {
			series := result.Series{Subject: f.plan(cell, s.contender, s.mode).Subject(), N: 1}
			for round := range 3 {
				series.Round = append(series.Round, round)
				series.Wall = append(series.Wall, int64(s.ns*(1+0.01*scatter(index, i, round))))
			}
			l.Series = append(l.Series, series)
		}
		f.records = append(f.records, result.Record{Launch: l})
	}
}

// count adds a count of 640 operations over 64 messages. Its arguments are per operation.
func (f *fixture) count(cell result.Cell, contender, mode string, bytes, allocs, encoded float64) {
	f.records = append(f.records, result.Record{Count: &result.Count{
		Case: f.plan(cell, contender, mode), Ops: 640, Messages: 64,
		Bytes: uint64(640 * bytes), Allocs: uint64(640 * allocs), Encoded: int64(64 * encoded),
	}})
}

func (f *fixture) outcome(cell result.Cell, contender string, status result.Status, reason string) {
	f.records = append(f.records, result.Record{Outcome: &result.Outcome{Case: f.plan(cell, contender, ""), Status: status, Reason: reason}})
}

// verified adds a round trip of movie or, with from, the reading of another contender's bytes.
func (f *fixture) verified(contender, mode string, from *result.Subject, reason string, losses ...string) {
	f.records = append(f.records, result.Record{Verification: &result.Verification{
		Workload: "movie", Size: "values=64", Subject: result.Subject{Contender: contender, Mode: mode},
		From: from, OK: reason == "", Reason: reason, Losses: losses,
	}})
}

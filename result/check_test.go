package result_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/result"
)

// reread writes a run with records, lets edit change its files, and reads it back.
func reread(t *testing.T, run *result.Run, records []result.Record, edit func(dir string)) (*result.Run, []result.Record, []string, error) {
	t.Helper()
	s, err := result.Create(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := s.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Finish(run); err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(s.Dir())
	}
	return result.Read(s.Dir())
}

// A record that assay never writes is left out, with a warning that says where it is and what
// is wrong. All other records are kept.
func TestBadRecords(t *testing.T) {
	cell := tick.Cell()
	launch := func(change func(*result.Launch)) result.Record {
		l := &result.Launch{Cell: cell, Series: []result.Series{{Subject: tick.Subject(), N: 1, Round: []int{0}, Wall: []int64{1}}}}
		change(l)
		return result.Record{Launch: l}
	}
	steady := func(change func(*result.Steady)) result.Record {
		s := &result.Steady{Case: tick, Round: []int{0}, Ops: []int{1}, Wall: []int64{1}, CPU: []int64{1}, Cycles: []int{0}, GCCPU: []int64{0}}
		change(s)
		return result.Record{Steady: s}
	}
	other := func(change func(*result.Case)) result.Case {
		c := tick
		change(&c)
		return c
	}
	for _, test := range []struct {
		name   string
		record result.Record
		want   string // part of the warning; empty: the record is valid
	}{
		{"good", launch(func(*result.Launch) {}), ""},
		{"no workload", launch(func(l *result.Launch) { l.Cell.Workload = "" }), "a cell without a workload"},
		{"no contender", launch(func(l *result.Launch) { l.Series[0].Contender = "" }), "a case without a contender"},
		{"an escape", launch(func(l *result.Launch) { l.Series[0].Contender = "a\x1b[2J" }), `the contender has the character U+001B`},
		{"a line end", launch(func(l *result.Launch) { l.Side = "a\nassay: all is well" }), "the side has the character U+000A"},
		{"an override", launch(func(l *result.Launch) { l.External = "a\u202eb" }), "the external contender has the character U+202E"},
		{"a long name", launch(func(l *result.Launch) { l.Cell.Size = strings.Repeat("a", 100_000) }), "the size is a name of 100000 bytes, and at most 1000 can be"},
		{"uneven", launch(func(l *result.Launch) { l.Series[0].CPU = []int64{1, 2} }), "series of x (output=reuse): 1 rounds, 1 wall times, 2 CPU times"},
		{"index", launch(func(l *result.Launch) { l.Index = -1 }), "the index is -1, which is not between 0 and 1048576"},
		{"batch", launch(func(l *result.Launch) { l.Series[0].N = -5 }), "the batch is -5"},
		{"round", launch(func(l *result.Launch) { l.Series[0].Round[0] = -1 }), "the round is -1, which is not between 0 and 1048576"},
		{"far round", launch(func(l *result.Launch) { l.Series[0].Round[0] = 1 << 40 }), "the round is 1099511627776"},
		{"last round", launch(func(l *result.Launch) { l.Series[0].Round[0] = 1 << 20 }), ""},
		{"wall time", launch(func(l *result.Launch) { l.Series[0].Wall[0] = -1 }), "a wall time is -1, which cannot be"},
		{"CPU time", launch(func(l *result.Launch) { l.Series[0].CPU = []int64{-1} }), "a CPU time is -1"},
		{"load", launch(func(l *result.Launch) { l.Load = -0.5 }), "the load is -0.5, which cannot be"},
		{"count", result.Record{Count: &result.Count{Case: tick, Ops: -1}}, "the number of operations is -1"},
		{"encoded", result.Record{Count: &result.Count{Case: tick, Encoded: -1}}, "the encoded bytes is -1"},
		{"verification", result.Record{Verification: &result.Verification{Workload: "tick", Size: "n=1", Subject: tick.Subject(), From: &result.Subject{}}}, "a case without a contender"},
		{"loss", result.Record{Verification: &result.Verification{Workload: "tick", Subject: tick.Subject(), Losses: []string{"\a"}}}, "a loss has the character U+0007"},
		{"alias", result.Record{Verification: &result.Verification{Workload: "tick", Subject: tick.Subject(), Habits: &result.Habits{Aliases: []string{"\u2066"}}}}, "an alias has the character U+2066"},
		{"calibration", result.Record{Calibration: &result.Calibration{Case: tick, N: 1, NS: -1}}, "the time of an operation is -1"},
		{"status", result.Record{Outcome: &result.Outcome{Case: tick, Status: "great"}}, `there is no status "great"`},
		{"reasons may have lines", result.Record{Outcome: &result.Outcome{Case: tick, Status: result.Panic, Reason: "a\nb\x1b[31m"}}, ""},
		{"steady", result.Record{Steady: &result.Steady{Case: tick, Round: []int{0}, Ops: []int{1}}}, "a series of counts has slices of 1 and 0 elements"},
		{"steady round", steady(func(s *result.Steady) { s.Round[0] = -1 }), "the round is -1"},
		{"steady far round", steady(func(s *result.Steady) { s.Round[0] = 1 << 40 }), "the round is 1099511627776"},
		{"steady wall time", steady(func(s *result.Steady) { s.Wall[0] = -1 }), "a wall time is -1"},
		{"steady CPU time", steady(func(s *result.Steady) { s.CPU[0] = -1 }), "a CPU time is -1"},
		{"good steady", steady(func(*result.Steady) {}), ""},
		{"steady CPU time of the collector", steady(func(s *result.Steady) { s.GCCPU[0] = -1 }), "a CPU time of the collector is -1"},
		{"stolen time", launch(func(l *result.Launch) { l.Steal = -1 }), "the time that the host took is -1"},
		{"time of other threads", launch(func(l *result.Launch) { l.Series[0].Others = -1 }), "a count of the process's threads is -1"},
		{"waits", launch(func(l *result.Launch) { l.Series[0].Waits = -1 }), "a count of the process's threads is -1"},
		{"cold", result.Record{Cold: &result.Cold{Case: tick, NS: []int64{-1}}}, "a first call is -1"},
		{"retained", result.Record{Retained: &result.Retained{Case: tick, Messages: -1}}, "the number of messages is -1"},
		{"peak", result.Record{Peak: &result.Peak{Case: tick, RSS: []int64{-1}}}, "a resident set is -1"},
		{"scaling", result.Record{Scaling: &result.Scaling{Case: tick, Goroutines: 1 << 40}}, "the number of goroutines is 1099511627776"},
		{"footprint", result.Record{Footprint: &result.Footprint{Case: tick, Bytes: -1}}, "the footprint is -1"},
		{"compressed", result.Record{Compressed: &result.Compressed{Case: tick, Codecs: []result.CompressedSizes{{Codec: "zstd", Bytes: -1}}}}, "a compressed size is -1"},
		{"stream of nothing", result.Record{Stream: &result.Stream{Case: streaming, Items: 1, Wall: 1}}, "a stream of 0 messages"},
		{"stream in no time", result.Record{Stream: &result.Stream{Case: streaming, Messages: 1, Items: 1}}, "a stream of 1 messages and 1 elements in 0 ns, which cannot be"},
		{"stream", result.Record{Stream: &result.Stream{Case: streaming, Messages: 1, Items: 1, Wall: 1, Peak: -1}}, "a number of a stream is -1"},
		{"collector of a stream", result.Record{Stream: &result.Stream{Case: streaming, Messages: 1, Items: 1, Wall: 1, GCCPU: -5}}, "a number of a stream is -5"},
		{"busy time of a stream", result.Record{Stream: &result.Stream{Case: streaming, Messages: 1, Items: 1, Wall: 1, Busy: -1}}, "a number of a stream is -1"},
		{"build", result.Record{BuildCost: &result.BuildCost{Case: building, Cold: []result.BuildTime{{Wall: -1}}}}, "a time of a build is -1"},
		{"bench", result.Record{Bench: &result.Bench{Set: "s", Name: "b", Round: 1 << 40}}, "the round is 1099511627776"},
		{"a case of the far future", result.Record{Count: &result.Count{Case: other(func(c *result.Case) { c.Op = "teleport" })}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := newRun()
			run.Plan.Cases = append(run.Plan.Cases, other(func(c *result.Case) { c.Op = "teleport" }))
			_, records, warnings, err := reread(t, run, []result.Record{test.record, note("after")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && (len(records) != 2 || len(warnings) != 0):
				t.Errorf("%d records, warnings %q", len(records), warnings)
			case test.want != "" && (len(records) != 1 || len(warnings) != 1 || !strings.Contains(warnings[0], "samples.jsonl:1: damaged line left out: "+test.want)):
				t.Errorf("%d records, warnings %q; want %q", len(records), warnings, test.want)
			}
		})
	}
}

func TestBadRuns(t *testing.T) {
	for want, change := range map[string]func(*result.Run){
		"the contender has the character U+001B":                                  func(r *result.Run) { r.Plan.Cases[0].Contender = "\x1b" },
		"a case without a contender":                                              func(r *result.Run) { r.Plan.Untimed = []result.Outcome{{Case: result.Case{Workload: "w", Op: "o"}}} },
		"the format has the character U+202E":                                     func(r *result.Run) { r.Plan.Externals = []result.External{{Name: "a", Format: "\u202e"}} },
		"a source has the character U+000A":                                       func(r *result.Run) { r.Plan.Sources = []string{"\n"} },
		"the budget is -1":                                                        func(r *result.Run) { r.Plan.Budget = -1 },
		"the number of rounds is -1":                                              func(r *result.Run) { r.Plan.Rounds = -1 },
		"the number of layouts is 20000":                                          func(r *result.Run) { r.Plan.Layouts = make([]uint64, 20_000) },
		"the number of CPUs is -3":                                                func(r *result.Run) { r.Host.CPUs = -3 },
		"the precision is -0.5, which cannot be":                                  func(r *result.Run) { r.Plan.Precision = -0.5 },
		"3 versions are compared, and not two":                                    func(r *result.Run) { r.Plan.Sides = []string{"a", "b", "c"} },
		"the number of timed records is -1":                                       func(r *result.Run) { r.Plan.Data = &result.Data{Measured: -1} },
		"the bytes of the records is -1":                                          func(r *result.Run) { r.Plan.Data = &result.Data{Bytes: -1} },
		"the load is -1":                                                          func(r *result.Run) { r.Host.Load = -1 },
		"a side has the character U+0009":                                         func(r *result.Run) { r.Plan.Sides = []string{"a", "\t"} },
		"a pass has the character U+0009":                                         func(r *result.Run) { r.Plan.Also = []string{"\t"} },
		"the reference has the character U+0000":                                  func(r *result.Run) { r.Plan.Reference = "\x00" },
		"tick/n=1/x (output=reuse)/encode was not timed and has the status ok":    func(r *result.Run) { r.Plan.Untimed = []result.Outcome{{Case: tick, Status: result.OK}} },
		"tick/n=1/x (output=reuse)/encode was not timed and has the status noisy": func(r *result.Run) { r.Plan.Untimed = []result.Outcome{{Case: tick, Status: result.Noisy}} },
		"there is no status \"fine\"":                                             func(r *result.Run) { r.Plan.Untimed = []result.Outcome{{Case: tick, Status: "fine"}} },
		"the number of records is -1, which is no":                                func(r *result.Run) { r.Plan.Data = &result.Data{Records: -1} },
	} {
		run := newRun()
		change(run)
		if _, _, _, err := reread(t, run, nil, nil); err == nil || !strings.Contains(err.Error(), "run.json: damaged: "+want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// Of several faults, the error names the same one each time.
func TestFirstFault(t *testing.T) {
	bench := &result.Bench{Set: "set", Name: "name", Extra: map[string]float64{"a\n": 1, "b\n": 1, "c\n": 1, "d\n": 1}}
	for range 20 {
		_, _, warnings, err := reread(t, newRun(), []result.Record{{Bench: bench}}, nil)
		if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], `"a\n"`) {
			t.Fatalf("units: %q, %v", warnings, err)
		}
		run := newRun()
		run.Plan.Sources, run.Plan.Also, run.Plan.Sides = []string{"\n"}, []string{"\n"}, []string{"\n", "b"}
		if _, _, _, err := reread(t, run, nil, nil); err == nil || !strings.Contains(err.Error(), "damaged: a source has") {
			t.Fatalf("names: %v", err)
		}
	}
}

// Read warns about records that do not belong to the run and about launches that appear a
// second time.
func TestMixedRuns(t *testing.T) {
	launch := func(index int, disturbed string) result.Record {
		return result.Record{Launch: &result.Launch{Cell: tick.Cell(), Index: index, Disturbed: disturbed,
			Series: []result.Series{{Subject: tick.Subject(), N: 1, Round: []int{0}, Wall: []int64{1}}}}}
	}
	work := func(index, liveMB int) result.Record {
		return result.Record{Steady: &result.Steady{Case: tick, Index: index, LiveMB: liveMB}}
	}
	stream := func(second int) result.Record {
		return result.Record{Time: time.Unix(int64(second), 0), Stream: &result.Stream{Case: tick, Messages: 1, Items: 1, Bytes: 1, Wall: 1, CPU: 1, Elapsed: 1, TotalCPU: 1}}
	}
	other := tick
	other.Workload = "movie"
	for _, test := range []struct {
		name    string
		records []result.Record
		kept    int
		want    string
	}{
		{"as it should be", []result.Record{launch(0, "noise"), launch(0, ""), launch(1, "")}, 3, ""},
		{"two writers", []result.Record{launch(0, ""), launch(1, ""), launch(0, ""), launch(1, "")}, 2, "left out 2 records already there, such as one of tick/n=1/encode: did two processes write the run?"},
		{"two writers of steady work", []result.Record{work(0, 0), work(1, 0), work(0, 64), work(0, 0)}, 3, "left out 1 record already there, such as one of tick/n=1/x (output=reuse)/encode: did two"},
		{"streams", []result.Record{stream(1), stream(2)}, 2, ""},
		{"streams twice", []result.Record{stream(1), stream(2), stream(1), stream(2)}, 2, "left out 2 records already there, such as one of tick/n=1/x (output=reuse)/encode: did two"},
		{"another run", []result.Record{launch(0, ""), {Count: &result.Count{Case: other}}}, 2, "does not have the cases of 1 record, such as movie/n=1/x (output=reuse)/encode: is it of another run?"},
	} {
		_, records, warnings, err := reread(t, newRun(), test.records, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != test.kept || len(warnings) > 1 || !strings.Contains(strings.Join(warnings, "\n"), test.want) || (len(warnings) == 0) != (test.want == "") {
			t.Errorf("%s: %d records, warnings %q; want %d and %q", test.name, len(records), warnings, test.kept, test.want)
		}
	}
	run := newRun()
	run.Plan.Cases = append(run.Plan.Cases, tick)
	if _, _, warnings, err := reread(t, run, nil, nil); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "has a case twice: tick/n=1/x (output=reuse)/encode") {
		t.Errorf("a case twice: warnings %q, %v", warnings, err)
	}
}

// Read limits the warnings about a file of damaged lines. It refuses a file without line
// ends, and a run.json that is too large.
func TestManyDamaged(t *testing.T) {
	_, records, warnings, err := reread(t, newRun(), []result.Record{note("a")}, func(dir string) {
		appendTo(t, filepath.Join(dir, "samples.jsonl"), strings.Repeat("x\n", 1377))
	})
	if err != nil || len(records) != 1 || len(warnings) != 1001 || !strings.Contains(warnings[1000], "samples.jsonl: 377 more damaged lines left out") {
		t.Errorf("%d records, %d warnings, %v", len(records), len(warnings), err)
	}
	_, _, _, err = reread(t, newRun(), nil, func(dir string) {
		appendTo(t, filepath.Join(dir, "samples.jsonl"), strings.Repeat("x", 65<<20))
	})
	if err == nil || !strings.Contains(err.Error(), "a line is longer than 64 MiB") {
		t.Errorf("no line ends: %v", err)
	}
	_, _, _, err = reread(t, newRun(), nil, func(dir string) {
		appendTo(t, filepath.Join(dir, "run.json"), strings.Repeat(" ", 65<<20))
	})
	if err == nil || !strings.Contains(err.Error(), "run.json is larger than 64 MiB") {
		t.Errorf("run.json: %v", err)
	}
}

// appendTo appends text to a file.
func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

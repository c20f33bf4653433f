package drive

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/bench"
	"assay/result"
)

// complete rejects an answer with values that no correct runner can return.
func TestComplete(t *testing.T) {
	load := bench.Command{Cmd: "load", Load: &bench.Load{Inputs: 8}}
	calibrate := bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{Cases: []bench.CaseSpec{{}}}}
	rounds := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{{}}, Rounds: 1}}
	calibrated := func(c bench.Calibrated) bench.Answer { return bench.Answer{Calibrated: []bench.Calibrated{c}} }
	measured := func(m bench.Measured, s result.Series) bench.Answer {
		s.Round, s.Wall = []int{0}, []int64{5}
		m.Series = []result.Series{s}
		return bench.Answer{Measured: &m}
	}
	// Two batches of four rounds.
	second := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{{Every: 2}}, Rounds: 4}}
	limited := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: []bench.CaseSpec{{}}, Rounds: 4, LimitNS: 1}}
	of := func(rounds ...int) bench.Answer {
		return bench.Answer{Measured: &bench.Measured{Series: []result.Series{{Round: rounds, Wall: []int64{5, 6, 7, 8}[:len(rounds)]}}}}
	}
	twice := []bench.BindingInfo{{Contender: "py", Workload: "w", Root: "R"}, {Contender: "py", Workload: "w", Root: "R"}}
	for _, test := range []struct {
		cmd  bench.Command
		a    bench.Answer
		want string
	}{
		{load, bench.Answer{Loaded: &bench.Loaded{Inputs: 8}}, ""},
		{load, bench.Answer{Loaded: &bench.Loaded{Inputs: 7}}, "answered inputs = 7 where 8 were asked for"},
		{bench.Command{Cmd: "load", Load: &bench.Load{}}, bench.Answer{Loaded: &bench.Loaded{Inputs: -1}}, "answered inputs = -1"},
		{calibrate, calibrated(bench.Calibrated{N: 1 << 30, NS: 1, Fresh: 2, Seen: 1}), ""},
		{calibrate, calibrated(bench.Calibrated{N: 1 << 62, NS: 1}), "answered n = 4611686018427387904, which is not from 1 to 1073741824"},
		{calibrate, calibrated(bench.Calibrated{N: -5, NS: 1}), "answered n = -5, which is not from 1 to 1073741824"},
		{calibrate, calibrated(bench.Calibrated{N: 5, NS: 1, Seen: -2}), "answered a time of -2 ns"},
		{rounds, measured(bench.Measured{GCs: 1, Sentinel: []int64{4}}, result.Series{Others: 1}), ""},
		{rounds, measured(bench.Measured{GCs: -7}, result.Series{}), "answered gcs = -7"},
		{rounds, measured(bench.Measured{Sentinel: []int64{4, -1}}, result.Series{}), "answered sentinel = -1"},
		{rounds, measured(bench.Measured{}, result.Series{Others: -5}), "answered others = -5"},
		{rounds, measured(bench.Measured{}, result.Series{Waits: -3}), "answered waits = -3"},
		{second, of(0, 2), ""},
		{second, of(0), "reported 1 batches where 2 were asked for"},
		{second, of(), "reported 0 batches where 2 were asked for"},
		{second, of(0, 3), "reported a batch of round 3 where a case takes part in every 2"},
		{second, of(0, 1, 2, 3), "reported 4 batches where 2 were asked for"},
		{limited, of(0), ""},
		{rounds, bench.Answer{Error: "no", Loaded: &bench.Loaded{}}, "answered 2 fields where there is one"},
		{bench.Command{Cmd: "describe"}, bench.Answer{Described: &bench.Described{Bindings: twice[:1]}}, ""},
		{bench.Command{Cmd: "describe"}, bench.Answer{Described: &bench.Described{Bindings: twice}}, "described the binding of py to w R twice"},
	} {
		got := ""
		if err := complete(test.cmd, test.a); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.cmd.Cmd, got, test.want)
		}
	}
}

// keep adds up what a runner reports besides the times of its batches over the commands of a
// launch. If only some commands have CPU times, it drops all CPU times.
func TestKeep(t *testing.T) {
	spec := bench.CaseSpec{Subject: result.Subject{Contender: "a"}, N: 3}
	one := func(cpu ...int64) result.Series {
		return result.Series{Round: []int{0, 1}, Wall: []int64{9, 8}, CPU: cpu, Others: 5, Waits: 2, Left: 1, Fresh: true}
	}
	all := func(cpu ...int64) result.Series {
		return result.Series{
			Subject: spec.Subject, N: 3, Round: []int{0, 1, 2, 3, 4, 5}, Wall: []int64{9, 8, 9, 8, 9, 8}, CPU: cpu,
			Others: 15, Waits: 6, Left: 1, Fresh: true,
		}
	}
	for _, test := range []struct {
		name string
		got  []result.Series
		want result.Series
	}{
		{"all with CPU times", []result.Series{one(7, 6), one(5, 4), one(3, 2)}, all(7, 6, 5, 4, 3, 2)},
		{"none with", []result.Series{one(), one(), one()}, all()},
		{"one without", []result.Series{one(7, 6), one(), one(3, 2)}, all()},
		{"the first without", []result.Series{one(), one(5, 4), one(3, 2)}, all()},
	} {
		var s side
		for i, got := range test.got {
			s.keep(spec, got, 2*i)
		}
		if diff := cmp.Diff(test.want, s.series[0], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

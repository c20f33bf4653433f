package drive

import (
	"testing"

	"assay/bench"
	"assay/result"
)

// An answer that holds what no runner can mean is none.
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

package drive

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// complete returns an error if the answer lacks what the command asks for.
func complete(cmd bench.Command, a bench.Answer) error {
	missing := func(has bool) error {
		if has {
			return nil
		}
		return fmt.Errorf("answered %s without what it asks for", cmd.Cmd)
	}
	if err := single(a); err != nil {
		return err
	}
	switch cmd.Cmd {
	case "describe":
		if a.Described == nil {
			return missing(false)
		}
		return bindingsDiffer(a.Described.Bindings)
	case "load":
		if a.Loaded == nil {
			return missing(false)
		}
		switch n, asked := a.Loaded.Inputs, cmd.Load.Inputs; {
		case n < 1:
			return fmt.Errorf("answered inputs = %d", n)
		case asked != 0 && n != asked:
			return fmt.Errorf("answered inputs = %d where %d were asked for", n, asked)
		}
		return nil
	case "verify":
		return missing(a.Verified != nil)
	case "calibrate":
		for _, c := range a.Calibrated {
			if c.N < 1 || c.N > mostOps {
				return fmt.Errorf("answered n = %d, which is not from 1 to %d", c.N, mostOps)
			}
			if least := min(c.NS, c.Fresh, c.Seen); least < 0 {
				return fmt.Errorf("answered a time of %.3g ns", least)
			}
		}
		return missing(len(a.Calibrated) == len(cmd.Calibrate.Cases))
	case "rounds":
		if a.Measured == nil || !seriesMatch(cmd.Rounds, a.Measured) {
			return missing(false)
		}
		if err := whole(cmd.Rounds, a.Measured); err != nil {
			return err
		}
		return counted(a.Measured)
	case "memory":
		return missing(a.Counted != nil && a.Counted.Ops > 0)
	case "steady":
		return missing(a.Steadied != nil && a.Steadied.Ops > 0)
	case "cold":
		return missing(a.First != nil)
	case "retain":
		return missing(a.Retained != nil && a.Retained.Messages > 0)
	case "write":
		return missing(a.Written != nil && (len(a.Written.Messages) > 0 || cmd.Write.First > 0))
	case "export":
		return missing(a.Exported != nil)
	case "compare":
		return missing(a.Verified != nil)
	case "stream":
		s := a.Streamed
		return missing(s != nil && s.Messages > 0 && (s.Bytes > 0 || cmd.Stream.Op == result.Convert) && s.Wall > 0)
	case "parallel":
		return missing(a.Paralleled != nil && len(a.Paralleled.Wall) == cmd.Parallel.Rounds)
	}
	return nil
}

// single returns an error if an answer has more than one field.
func single(a bench.Answer) error {
	n := 0
	for _, has := range []bool{
		a.Error != "", a.Described != nil, a.Loaded != nil, a.Verified != nil, a.Calibrated != nil, a.Measured != nil, a.Counted != nil,
		a.Steadied != nil, a.First != nil, a.Retained != nil, a.Paralleled != nil, a.Written != nil, a.Exported != nil, a.Streamed != nil,
	} {
		if has {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("answered %d fields where there is one", n)
	}
	return nil
}

// bindingsDiffer returns an error if a binding is described twice.
func bindingsDiffer(all []bench.BindingInfo) error {
	seen := map[[4]string]bool{}
	for _, b := range all {
		key := [4]string{b.Contender, b.Workload, b.Root, b.Mode}
		if seen[key] {
			return fmt.Errorf("described the binding of %s to %s %s twice", result.Subject{Contender: b.Contender, Mode: b.Mode}, b.Workload, b.Root)
		}
		seen[key] = true
	}
	return nil
}

// counted returns an error if a count in the answer to a rounds command is negative.
func counted(m *bench.Measured) error {
	counts := map[string]int64{"gcs": int64(m.GCs), "checks": m.Checks}
	for _, ns := range m.Sentinel {
		counts["sentinel"] = min(counts["sentinel"], ns)
	}
	for _, s := range m.Series {
		for name, n := range map[string]int64{"others": s.Others, "waits": s.Waits, "left": int64(s.Left)} {
			counts[name] = min(counts[name], n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] < 0 {
			return fmt.Errorf("answered %s = %d", name, counts[name])
		}
	}
	return nil
}

func seriesMatch(asked *bench.Rounds, m *bench.Measured) bool {
	cases := asked.Cases
	if len(m.Series) != len(cases) {
		return false
	}
	for i, s := range m.Series {
		if s.Subject != cases[i].Subject || s.Role != cases[i].Role || !sound(s, asked.Rounds) {
			return false
		}
	}
	for _, i := range m.Varying {
		if i < 0 || i >= len(cases) {
			return false
		}
	}
	return true
}

// whole returns an error if an answer lacks the sample of a batch. A runner that is not told to
// end early may not leave out any batch, such as the slow ones.
func whole(asked *bench.Rounds, m *bench.Measured) error {
	if asked.LimitNS > 0 {
		return nil
	}
	for i, s := range m.Series {
		every := max(asked.Cases[i].Every, 1)
		want := (asked.Rounds + every - 1) / every
		if len(s.Wall) != want {
			return fmt.Errorf("reported %d batches where %d were asked for", len(s.Wall), want)
		}
		for k, round := range s.Round {
			if round != k*every {
				return fmt.Errorf("reported a batch of round %d where a case takes part in every %d", round, every)
			}
		}
	}
	return nil
}

// sound says whether the samples of a series are valid: their rounds ascend and are below the
// number of rounds, each wall time is positive, and either all samples have a CPU time or none
// has.
func sound(s result.Series, rounds int) bool {
	if len(s.Wall) != len(s.Round) || len(s.CPU) != 0 && len(s.CPU) != len(s.Round) {
		return false
	}
	for i, round := range s.Round {
		if round < 0 || round >= rounds || i > 0 && round <= s.Round[i-1] || s.Wall[i] <= 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.CPU, func(ns int64) bool { return ns < 0 })
}

// slack is the difference between clocks that impossible tolerates.
const slack = time.Millisecond

// impossible says what cannot be true of an answer to a command that took so long. It returns ""
// if nothing is impossible. It rejects times in which nothing can be done only for an external
// runner; for ours, the report warns of them.
func impossible(cmd bench.Command, a bench.Answer, took time.Duration, external bool) string {
	if a.Error != "" {
		return ""
	}
	longest := took + took/100 + slack
	busiest := longest * time.Duration(runtime.NumCPU())
	switch {
	case cmd.Rounds != nil && a.Measured != nil:
		var walls, cpus, others []int64
		for i, s := range a.Measured.Series {
			if asked := cmd.Rounds.Cases[i].N; s.N != asked {
				return fmt.Sprintf("reported batches of %d operations where %d were asked for", s.N, asked)
			}
			if external {
				if why := instant(cmd.Rounds.Cases[i], s); why != "" {
					return why
				}
			}
			walls, cpus = append(walls, s.Wall...), append(cpus, s.CPU...)
			others = append(others, s.Others)
		}
		if all, over := beyond(walls, longest); over {
			return fmt.Sprintf("reported batches of %v in a command that took %v", readable(all), readable(took))
		}
		for _, times := range [][]int64{cpus, others} {
			if all, over := beyond(times, busiest); over {
				return fmt.Sprintf("reported %v of CPU time in a command that took %v on %d CPUs", readable(all), readable(took), runtime.NumCPU())
			}
		}
		if all, over := beyond(a.Measured.Sentinel, longest); over {
			return fmt.Sprintf("reported walks of %v in a command that took %v", readable(all), readable(took))
		}
	case cmd.Calibrate != nil:
		for i, c := range a.Calibrated {
			if external && c.NS < result.LeastTime {
				return fmt.Sprintf("reported %.3g ns for an operation of %s, and none takes less than %v ns",
					c.NS, named(cmd.Calibrate.Cases[i]), result.LeastTime)
			}
			if ns := max(c.NS, c.Fresh, c.Seen); ns > float64(longest) {
				return fmt.Sprintf("reported an operation of %.4gms in a command that took %v", ns/1e6, readable(took))
			}
		}
	case cmd.Memory != nil && a.Counted != nil && a.Counted.Ops < cmd.Memory.Ops:
		return fmt.Sprintf("counted %d operations where %d were asked for", a.Counted.Ops, cmd.Memory.Ops)
	case cmd.Steady != nil && a.Steadied != nil && time.Duration(a.Steadied.Wall) > longest:
		return fmt.Sprintf("reported work of %v in a command that took %v", readable(time.Duration(a.Steadied.Wall)), readable(took))
	case cmd.Steady != nil && a.Steadied != nil && time.Duration(a.Steadied.CPU) > busiest:
		return fmt.Sprintf("reported %v of CPU time in a command that took %v on %d CPUs",
			readable(time.Duration(a.Steadied.CPU)), readable(took), runtime.NumCPU())
	case cmd.Stream != nil && a.Streamed != nil && time.Duration(a.Streamed.Wall) > longest:
		return fmt.Sprintf("reported work of %v in a command that took %v", readable(time.Duration(a.Streamed.Wall)), readable(took))
	}
	return ""
}

// instant says which batch of a series was reported to take less time than any work takes. It
// returns "" if there is none. It skips CPU times of 0, which a clock with long ticks returns.
func instant(of bench.CaseSpec, s result.Series) string {
	least := result.LeastTime * float64(s.N)
	for _, ns := range slices.Concat(s.Wall, s.CPU) {
		if ns > 0 && float64(ns) < least {
			return fmt.Sprintf("reported %d ns for a batch of %d operations of %s, and no operation takes less than %v ns",
				ns, s.N, named(of), result.LeastTime)
		}
	}
	return ""
}

// beyond adds up times and says whether one of them, or their sum, is more than most. It returns
// that time or the sum. It stops adding when the sum could overflow.
func beyond(times []int64, most time.Duration) (sum time.Duration, over bool) {
	for _, ns := range times {
		if ns > int64(most) {
			return time.Duration(ns), true
		}
		if sum += time.Duration(ns); sum > math.MaxInt64/2 { // the next addition could overflow
			break
		}
	}
	return sum, sum > most
}

// named returns the name of a case for a reason.
func named(c bench.CaseSpec) string { return c.Subject.String() + " " + string(c.Op) }

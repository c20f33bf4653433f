package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/codegen"
	"assay/internal/host"
	"assay/result"
)

// BeginBuildCosts makes the directory of a new run of contenders' build costs. The caller must
// close the returned Measurement, and measures with MeasureBuildCosts.
func (cfg *Config) BeginBuildCosts(p result.Plan) (*Measurement, error) {
	if err := cfg.Writable(); err != nil {
		return nil, err
	}
	m := &Measurement{cfg: cfg, runners: one(&build.Runner{})}
	return m, m.create(p, 0)
}

// ReopenBuildCosts opens a stored run of contenders' build costs, to resume it. The caller must
// close the returned Measurement.
func (cfg *Config) ReopenBuildCosts(dir string) (*Measurement, error) {
	s, run, records, err := cfg.open(dir)
	if err != nil {
		return nil, err
	}
	if run.Command() != "buildcost" {
		s.Close()
		return nil, refuse("run %s is not one of assay buildcost", run.ID)
	}
	m := &Measurement{cfg: cfg, store: s, Run: run, Records: records}
	here := host.Facts()
	if err = begunHere(run, here); err == nil {
		err = m.noteKernel(here)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return m, nil
}

// MeasureBuildCosts builds each planned contender that has no record yet, so many times.
func (m *Measurement) MeasureBuildCosts(ctx context.Context, times int) error {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.BuildCost == nil {
			return result.Case{}, false
		}
		return r.BuildCost.Case, true
	})
	load := m.Run.Plan.Cases[0].Workload
	m.cfg.said("building  what every contender is built beside")
	base := build.Contender{Name: analysis.Floor, Dir: analysis.Floor}
	o, failed, err := m.generated(ctx, load)
	if err != nil {
		return err
	}
	costs, err := build.NewCosts(ctx, o, base, load)
	if err != nil {
		return err
	}
	defer costs.Close()
	if err := m.builtWith(costs.Built()); err != nil {
		return err
	}
	for i, c := range m.Run.Plan.Cases {
		if done[c] {
			continue
		}
		m.cfg.doing("building  %d of %d · %s", i+1, len(m.Run.Plan.Cases), c.Contender)
		cost, err := m.costOf(ctx, costs, c, times)
		if f, ok := failed[c.Contender]; ok && err == nil {
			cost = result.BuildCost{Case: c, Status: result.BuildFailed, Reason: f.Reason}
		}
		if err != nil {
			return err
		}
		if err := m.sink(result.Record{BuildCost: &cost}); err != nil {
			return err
		}
		if cost.Status != "" {
			m.cfg.tell(NotBuilt{cost})
		}
	}
	if err := m.crowded(); err != nil {
		return err
	}
	return m.store.Finish(m.Run)
}

// generated returns build options with the code of all contenders for the workload, and the
// contenders for which no code could be generated.
func (m *Measurement) generated(ctx context.Context, load string) (build.Options, map[string]build.Failure, error) {
	o := m.cfg.options(Variant{Go: m.cfg.Go})
	o.Progress = nil
	all := m.cfg.Input.Workloads()
	i := slices.Index(WorkloadNames(all), load)
	if i < 0 {
		return o, nil, refuse("there is no workload %s any more", load)
	}
	o, _, failed, err := codegen.Ready(ctx, o, codegen.Whole(all[i:i+1]), m.cfg.Input.Contenders())
	return o, failed, err
}

// builtWith stores what the programs were built with. A resumed run must have been made with the
// same.
func (m *Measurement) builtWith(b result.Build) error {
	switch m.Run.Build.Key {
	case b.Key:
		return nil
	case "":
		m.Run.Build = b
		return m.store.Update(m.Run)
	}
	return refuse("run %s was made with another source or toolchain (%.12s, now %.12s); start a new run", m.Run.ID, m.Run.Build.Key, b.Key)
}

// costOf measures the build cost of one contender.
func (m *Measurement) costOf(ctx context.Context, costs *build.Costs, c result.Case, times int) (result.BuildCost, error) {
	in := m.cfg.Input
	all := in.Contenders()
	i := slices.Index(Names(all), c.Contender)
	if i < 0 {
		return result.BuildCost{Case: c, Status: result.Unsupported, Reason: "there is no such contender any more"}, nil
	}
	for _, w := range in.Workloads() {
		if w.Name != c.Workload {
			continue
		}
		if err := in.Holds(all[i], w); err != nil {
			return result.BuildCost{Case: c, Status: result.Unsupported, Reason: err.Error()}, nil
		}
	}
	load := host.Load()
	cost, err := costs.Of(ctx, build.Contender{Name: all[i].Name, Dir: all[i].Dir()}, times)
	cost.Case, cost.Load = c, load
	return cost, err
}

// crowded notes that the machine was doing other work. The builds themselves keep the load at
// about the number of processors.
func (m *Measurement) crowded() error {
	var names []string
	limit := 1.5 * float64(m.Run.Host.CPUs)
	for _, r := range m.Records {
		if r.BuildCost != nil && r.BuildCost.Load > limit {
			names = append(names, r.BuildCost.Case.Contender)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return m.note("the machine had other work (a load above %.1f) when these were built, so their times are too long: %s", limit, strings.Join(names, ", "))
}

// note reports a warning and stores it with the run.
func (m *Measurement) note(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	m.cfg.warn("%s", text)
	return m.sink(result.Record{Note: &result.Note{Text: text}})
}

// noteOf stores a note about a pass of the current runner. It replaces what an earlier attempt said
// of that pass. Without a text there is nothing to say, and an earlier note is withdrawn.
func (m *Measurement) noteOf(pass, text string) error {
	n := result.Note{About: strings.TrimSpace(m.at.group + " " + pass), Text: text}
	said := ""
	for _, r := range m.Records {
		if r.Note != nil && r.Note.About == n.About {
			said = r.Note.Text
		}
	}
	if text != "" {
		m.cfg.warn("%s", text)
	}
	if text == said {
		return nil
	}
	return m.sink(result.Record{Note: &n})
}

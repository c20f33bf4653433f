package measure

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/mod/modfile"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/userfile"
	"assay/internal/verify"
	"assay/result"
)

// A Variant is another way to build runners.
type Variant = build.Variant

// A Replacement is a module that a variant takes from a directory.
type Replacement = build.Replacement

// ParseVariant returns the variant with modules at other versions, as MODULE@VERSION, a Go
// command or release, and variables of the go command, as NAME=VALUE.
func ParseVariant(with []string, goes string, env []string) (Variant, error) {
	out := Variant{Go: goes, Env: env}
	for _, w := range with {
		m, err := build.ParseModuleVersion(w)
		if err != nil {
			return out, refuse("--with: %v", err)
		}
		out.With = append(out.With, m)
	}
	if err := out.Check(); err != nil {
		return out, refusal.Of(err)
	}
	return out, nil
}

// Module returns the module in a directory, or at a revision of the repository in a directory, as
// DIR@REVISION. Both parts may contain @: Module takes the first one behind the path of a directory
// whose repository knows the rest.
func (cfg *Config) Module(ctx context.Context, arg string) (Replacement, error) {
	if isDir(arg) {
		return withModule(Replacement{Dir: arg, Name: arg})
	}
	failed := refuse("%q is neither a directory nor DIR@REVISION", arg)
	for i, char := range arg {
		if char != '@' || !isDir(arg[:i]) {
			continue
		}
		r, err := build.Checkout(ctx, cfg.Cache, arg[:i], arg[i+1:])
		if err == nil {
			return withModule(r)
		}
		failed = refusal.Of(err) // of the longest path of a directory
	}
	return Replacement{}, failed
}

// isDir reports whether there is a directory with that path.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// withModule sets the path of the module in a directory.
func withModule(r Replacement) (Replacement, error) {
	if r.Path != "" {
		return r, nil
	}
	file := filepath.Join(r.Dir, "go.mod")
	data, err := userfile.ReadRegular(file)
	if err != nil {
		return r, refuse("%s holds no module: %w", r.Dir, err)
	}
	if r.Path = modfile.ModulePath(data); r.Path == "" {
		return r, refuse("%s names no module", file)
	}
	return r, nil
}

// Changed returns the contenders of an input whose module differs between the versions. all says
// that something differs for every contender.
func Changed(in Input, versions []Version) (names []string, all bool) {
	changed := map[string]bool{}
	for _, version := range versions {
		v, first := version.Variant, versions[0].Variant
		if v.Go != first.Go || !slices.Equal(v.Env, first.Env) {
			return nil, true
		}
		for _, w := range slices.Concat(v.With, first.With) {
			changed[w.Path] = changed[w.Path] || !slices.Contains(v.With, w) || !slices.Contains(first.With, w)
		}
		for _, r := range v.Replace {
			changed[r.Path] = true
		}
	}
	for _, c := range in.Contenders() {
		if changed[c.Module] {
			names = append(names, c.Name)
		}
	}
	return names, false
}

// A Version is one of the versions that are compared.
type Version struct {
	Label   string
	Variant Variant
}

// sideTurns is how many launches of each layout a lockstep run may have before it reaches the
// precision.
const sideTurns = 4

// sideRounds is the largest number of rounds of a launch in lockstep. Starting the processes,
// making the values and warming up take half of the time of a launch of 50 rounds.
const sideRounds = 160

// BeginVersions builds a runner of each version of a new run, with only the selected contenders,
// and makes its directory. It links only the ordinary layout. The others are linked later, so
// that a version that does not build or returns wrong values costs no more time. The caller must
// close the returned Measurement, and measures with MeasureVersions.
func (cfg *Config) BeginVersions(ctx context.Context, o Order, versions []Version) (*Measurement, error) {
	if err := cfg.Writable(); err != nil {
		return nil, err
	}
	groups := groupNames(o.Selection)
	if len(groups) > 1 {
		return nil, refuse("contenders of the groups %q need runners of their own, and versions are compared in one; choose with -c and -o", groups)
	}
	m := &Measurement{cfg: cfg, sel: o.Selection}
	for _, v := range versions {
		r, err := cfg.build(ctx, runnerOrder{
			group: groups[0], linked: o.Selection.Contenders, selected: o.Selection.Contenders, cases: o.Selection.Cases,
			layouts: append([]uint64{0}, o.Plan.Layouts...), variant: v.Variant, side: v.Label, lazy: true,
		})
		if err != nil {
			return nil, err
		}
		m.runners = append(m.runners, runner{group: groups[0], Runner: r})
		o.Plan.Sides = append(o.Plan.Sides, v.Label)
	}
	m.versions = m.runners
	m.runners = m.runners[:1]
	return m, m.create(o.Plan, o.Seed)
}

// MeasureVersions verifies the versions and measures them in lockstep.
func (m *Measurement) MeasureVersions(ctx context.Context) error {
	defer m.cfg.end()
	live, err := m.verifyVersions(ctx)
	if err != nil {
		return err
	}
	p := m.Run.Plan
	m.at, m.side = m.versions[0], p.Sides[0]
	calibrations, live, err := m.calibrate(ctx, live)
	if err != nil {
		return err
	}
	m.side = "" // later records name their side
	if len(live) == 0 {
		return m.store.Finish(m.Run)
	}
	processes := time.Duration(2 * len(m.versions)) // each version has a second process as its control
	s := plan.Of(plan.Request{
		Cases: live, Calibrations: calibrations, Overheads: inTurn(m.overheads(live, calibrations, nil)),
		Budget: p.Budget / processes, Asked: p.Budget, Layouts: len(p.Layouts), Most: sideRounds,
	})
	if _, err := m.outcome(s.Outcomes); err != nil {
		return err
	}
	cfg := drive.LockstepConfig{
		Relay: true,
		Pace: drive.Pace{
			Layouts: slices.Concat(slices.Repeat([][]uint64{p.Layouts}, sideTurns)...),
			Least:   len(p.Layouts), Look: m.look, Budget: p.Budget,
		},
	}
	for i, r := range m.versions {
		side := drive.Side{Label: p.Sides[i], Runner: m.drive()}
		side.Binary = func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} }
		side.Ready = r.Linked
		cfg.Sides = append(cfg.Sides, side)
	}
	for _, control := range slices.Clone(cfg.Sides) {
		control.Control = true
		cfg.Sides = append(cfg.Sides, control)
	}
	for _, c := range s.Cells {
		c.Launches = 0 // the budget is for all of them
		cfg.Cells = append(cfg.Cells, c)
	}
	s.Time *= processes
	m.scheduled(s)
	if _, err := drive.Lockstep(ctx, cfg, m.sink, m.event); err != nil {
		return err
	}
	return m.store.Finish(m.Run)
}

// turnCost is about what a turn costs besides its batch and the work before the batch: switching
// the processor from one process to another.
const turnCost = 20 * time.Microsecond

// inTurn adds the cost of taking turns with other processes to each batch.
func inTurn(overheads map[result.Case]plan.Overhead) map[result.Case]plan.Overhead {
	for c, o := range overheads {
		o.Batch += turnCost
		overheads[c] = o
	}
	return overheads
}

// verifyVersions verifies the cases of each version, and returns those that pass in all versions.
func (m *Measurement) verifyVersions(ctx context.Context) ([]result.Case, error) {
	live := m.sel.Live()
	for i, r := range m.versions {
		m.at, m.side = r, m.Run.Plan.Sides[i]
		outcomes := failed(r.Runner, live)
		if _, err := m.outcome(outcomes); err != nil {
			return nil, err
		}
		live = plan.Without(live, outcomes)
		stop := m.ahead(ctx)
		res, err := verify.Run(ctx, m.verification(live), m.sink, m.event)
		stop()
		if err != nil {
			return nil, err
		}
		live = res.Cases
	}
	return live, nil
}

package measure

import (
	"maps"
	"slices"
	"time"

	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
)

// Costs returns how long the steps of phases take on this machine, as far as earlier
// runs have measured them.
func (cfg *Config) Costs() plan.Costs {
	return plan.CostsOf(host.Figures(cfg.Cache, host.Key(host.Facts())))
}

// sized adds to the known costs those that depend on the bytes of the values: of launches and, for
// a user's values, of the phases before them.
func (cfg *Config) sized(known plan.Costs, p result.Plan, live []result.Case) plan.Costs {
	c := maps.Clone(known)
	if c == nil {
		c = plan.Costs{}
	}
	if p.Data == nil {
		for _, one := range live {
			c.Size(plan.Step{Phase: plan.Launches, Workload: one.Workload, Size: one.Size}, cfg.bytes(one.Workload, one.Size))
		}
		return c
	}
	own := anonymous(p, result.Case{})
	verified, timed := volume(p.Data)
	for phase, bytes := range map[string]int64{plan.Trips: verified, plan.Sizings: timed, plan.Counting: timed, plan.Launches: timed} {
		c.Size(plan.Step{Phase: phase, Workload: own.Workload, Size: own.Size}, bytes)
	}
	if verified < p.Data.Bytes {
		trips := map[result.Case]bool{}
		for _, one := range live {
			if one.Op = ""; one.Mode == "" {
				trips[one] = true
			}
		}
		all := time.Duration(blockByte * float64(p.Data.Bytes) * float64(len(trips)))
		c[plan.Step{Phase: plan.Blocks}] = min(all, p.Budget/blocksShare)
	}
	return c
}

// blockByte is about how long verifying a byte of a user's records in blocks takes with one
// contender, in ns, when two processes work at the same time.
const blockByte = 150

// volume returns how many bytes of a user's records a round trip in any mode covers, and how many
// bytes are timed.
func volume(d *result.Data) (verified, timed int64) {
	timed = d.Bytes * int64(d.Measured) / max(1, d.Records)
	if d.Records == 1 || d.Bytes <= blockBytes {
		return d.Bytes, timed
	}
	return timed, timed
}

// class rounds a number of bytes up to 4 KiB times a power of 4, because the costs of similar
// numbers of bytes are similar.
func class(bytes int64) string {
	at := int64(4 << 10)
	for at < bytes {
		at *= 4
	}
	return plan.Bytes(at)
}

// learn stores the measured costs of this run's steps for the plans of later runs.
func (m *Measurement) learn() {
	before := m.cfg.Costs()
	if after := before.Learned(m.meter.Costs()); after.Moved(before) {
		host.KeepFigures(m.cfg.Cache, host.Key(m.Run.Host), after.Figures())
	}
}

// meters tells the meter when phases begin and steps end. It skips external contenders, because
// the time of their programs does not predict that of others. It skips steps that run while
// layouts are being linked, because later runs have nothing to link. Round trips are not skipped:
// verifications are remembered, so that later runs of the same programs make hardly any.
func (m *Measurement) meters(e drive.Event) {
	external := slices.ContainsFunc(m.Externals, func(x *External) bool { return x.About.Group == m.at.group })
	alone := func(pass string) bool { return !external && (!m.linking || pass == plan.Trips) }
	switch e := e.(type) {
	case drive.PassStarted:
		phase := e.Pass
		if phase == CountingCPU {
			phase = m.pass
		}
		if !alone(phase) {
			phase = ""
		}
		m.meter.Begin(phase, time.Now())
	case drive.StepDone:
		switch {
		case !alone(e.Pass):
			m.meter.Begin("", time.Now())
		case !e.Known:
			m.meter.Done(anonymous(m.Run.Plan, e.Case), e.Took, time.Now())
		}
	}
}

// longest tells the meter how long launches of the most rounds take by the schedule.
func (m *Measurement) longest(s plan.Schedule) {
	for _, c := range s.Cells {
		for _, spec := range c.Cases {
			one := anonymous(m.Run.Plan, c.Cell.Case(spec.Subject))
			m.meter.Add(plan.Step{Phase: plan.Launches, Workload: one.Workload, Size: one.Size}, c.Longest/time.Duration(len(c.Cases)))
		}
	}
}

// anonymous returns a case with the workload and size under which its cost is stored. It replaces
// the names of a user's records.
func anonymous(p result.Plan, c result.Case) result.Case {
	if p.Data != nil {
		verified, timed := volume(p.Data)
		c.Workload, c.Size = "own", class(verified)+","+class(timed)
	}
	return c
}

// most returns a func that returns the longest useful time of a pass of a plan, or 0 if that is
// unknown. launches is the time of the launches.
func most(p result.Plan, live []result.Case, costs plan.Costs, launches time.Duration) func(string) time.Duration {
	return func(name string) time.Duration {
		switch name {
		case launchesPass:
			spread := span
			if p.Quick {
				spread = quickSpan
			}
			return max(spread, launches)
		case AlsoCPU:
			var set time.Duration
			for _, c := range working(live, nil) {
				c = anonymous(p, c)
				set += costs.Of(plan.CPUSets, c.Workload, c.Size)
			}
			return set * time.Duration(mostSets(p))
		}
		return 0
	}
}

// replan reports the phases that are left, once the time of the launches is known, if they differ
// from the plan. It does so only for runs of one runner, whose phases are those of the plan.
func (m *Measurement) replan(s plan.Schedule, live []result.Case) {
	if m.began.IsZero() || m.Run.Plan.Rounds > 0 || len(m.runners)+len(m.Externals) > 1 {
		return
	}
	p, left := m.Run.Plan, time.Until(m.until)
	// The rest of the budget goes into more launches of the random layouts.
	rest := plan.Rest(left, p.Budget, passesOf(p), most(p, live, m.costs, 2*s.Time))
	if plan.Differ(m.phases, rest) {
		m.phases = rest
		m.cfg.tell(Replanned{rest, left})
	}
}

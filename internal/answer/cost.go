package answer

import (
	"cmp"
	"math"
	"slices"

	"assay/internal/analysis"
)

// Prices are what machines cost and how much there is to do. A month has 30
// days.
type Prices struct {
	// Rate is messages a second, each encoded once, sent once, and decoded once.
	Rate float64 `json:"rate"`
	// Retention is for how many days messages are kept.
	Retention float64 `json:"retention_days"`
	// Core is the price of a CPU core for an hour, Network that of a gigabyte (1e9
	// bytes) sent, and Storage that of a gigabyte kept for a month.
	Core    float64 `json:"price_core_hour"`
	Network float64 `json:"price_gb_network"`
	Storage float64 `json:"price_gb_month"`
}

// DefaultPrices are about what large clouds asked on demand in 2025, in US
// dollars: a core of a general-purpose machine, traffic between two zones of a
// region, and object storage.
var DefaultPrices = Prices{Rate: 1000, Retention: 30, Core: 0.045, Network: 0.01, Storage: 0.023}

// A Cost is what a candidate takes at the rate, by what was measured.
type Cost struct {
	*Candidate
	// Cores is how many CPU cores are busy with encoding and decoding.
	Cores analysis.Interval
	// Network is bytes a second, and Storage the bytes that are kept.
	Network, Storage float64
	// PerMonth is the price of all three for a month.
	PerMonth analysis.Interval
	// Saves is by how much less that is than what is in use costs; negative: more.
	// Nil where that is not known, and for what is in use.
	Saves *float64
	// BreakEven is nil where there is none, as where it saves in both CPU and
	// bytes.
	BreakEven *BreakEven
	// CoreAt is the rate at which it saves one core, in messages a second; 0: it
	// saves none.
	CoreAt float64
}

// A BreakEven is the price at which a candidate costs what is in use does, the
// other prices as they are.
type BreakEven struct {
	// CoreHour is the price of a core for an hour. Cheaper says on which side of it
	// the candidate is the cheaper one: below it where it takes more CPU, and above
	// it where it takes less.
	CoreHour float64
	Below    bool
}

const (
	hours   = 30 * 24
	seconds = hours * 3600
	giga    = 1e9
)

// costs computes what is asked for. A record that takes no bytes that are known
// has no cost.
func (a *asked) costs() {
	if a.encode == nil || a.decode == nil {
		return
	}
	var of []*Candidate
	add := func(c *Candidate) {
		if c.Size > 0 && !slices.Contains(of, c) {
			of = append(of, c)
		}
	}
	a.CPU = true
	for _, c := range a.Candidates {
		wanted := c.Pareto || c.Subject == a.Answer.Have
		for _, p := range a.Picks {
			wanted = wanted || slices.Contains(p.Best, c)
		}
		if !wanted {
			continue
		}
		add(c)
		if _, ok := a.busy(c, analysis.CPUTime); !ok {
			a.CPU = false // not of all: then costs would not be comparable
		}
	}
	metric := analysis.Time
	if a.CPU {
		metric = analysis.CPUTime
	}
	var have *Cost
	for _, c := range of {
		ns, ok := a.busy(c, metric)
		if !ok {
			continue
		}
		a.Costs = append(a.Costs, costOf(c, ns, a.Question.Prices))
	}
	for i := range a.Costs {
		if a.Costs[i].Subject == a.Answer.Have {
			have = &a.Costs[i]
		}
	}
	if have != nil {
		base := *have
		for i := range a.Costs {
			if a.Costs[i].Subject != base.Subject {
				a.Costs[i].against(base, a.Question.Prices)
			}
		}
	}
	slices.SortStableFunc(a.Costs, func(x, y Cost) int { return cmp.Compare(x.PerMonth.Value, y.PerMonth.Value) })
}

// busy returns the time of a round trip by a metric, in ns.
func (a *asked) busy(c *Candidate, metric string) (analysis.Interval, bool) {
	if metric == analysis.Time {
		return c.Time, c.Time.Bounded()
	}
	e, ok := a.encode.Row(a.encode.Cell.Case(c.Encode), metric)
	d, too := a.decode.Row(a.decode.Cell.Case(c.Decode), metric)
	if !ok || !too || e.Number == nil || d.Number == nil || !e.Number.Bounded() || !d.Number.Bounded() {
		return analysis.Interval{}, false
	}
	return sum(*e.Number, *d.Number), true
}

// sum adds two estimates that are independent of each other.
func sum(i, j analysis.Interval) analysis.Interval {
	v := i.Value + j.Value
	return analysis.Interval{Value: v, Lo: v - math.Hypot(i.Value-i.Lo, j.Value-j.Lo), Hi: v + math.Hypot(i.Hi-i.Value, j.Hi-j.Value)}
}

// linear returns f·i + b.
func linear(i analysis.Interval, f, b float64) analysis.Interval {
	return analysis.Interval{Value: f*i.Value + b, Lo: f*i.Lo + b, Hi: f*i.Hi + b}
}

func costOf(c *Candidate, ns analysis.Interval, p Prices) Cost {
	out := Cost{Candidate: c, Cores: linear(ns, p.Rate/1e9, 0), Network: p.Rate * c.Size}
	out.Storage = out.Network * p.Retention * 24 * 3600
	out.PerMonth = linear(out.Cores, hours*p.Core, out.bytes(p))
	return out
}

// bytes is the price of network and storage for a month.
func (c *Cost) bytes(p Prices) float64 {
	return c.Network*seconds/giga*p.Network + c.Storage/giga*p.Storage
}

// against compares with what is in use.
func (c *Cost) against(have Cost, p Prices) {
	saves := have.PerMonth.Value - c.PerMonth.Value
	c.Saves = &saves
	cores, bytes := have.Cores.Value-c.Cores.Value, have.bytes(p)-c.bytes(p)
	if cores > 0 && p.Rate > 0 {
		c.CoreAt = p.Rate / cores
	}
	if cores*bytes < 0 {
		c.BreakEven = &BreakEven{CoreHour: -bytes / (cores * hours), Below: cores < 0}
	}
}

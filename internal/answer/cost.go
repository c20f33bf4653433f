package answer

import (
	"cmp"
	"math"
	"slices"

	"assay/bench/compress"
	"assay/internal/analysis"
)

// Prices are the prices of machines and the amount of work. A month has 30 days.
type Prices struct {
	// Rate is messages per second, each encoded once, sent once, and decoded once.
	Rate float64 `json:"rate"`
	// Retention is the number of days for which messages are kept.
	Retention float64 `json:"retention_days"`
	// Core is the price of a CPU core for an hour, Network the price of a gigabyte (1e9 bytes)
	// sent, and Storage the price of a gigabyte kept for a month.
	Core    float64 `json:"price_core_hour"`
	Network float64 `json:"price_gb_network"`
	Storage float64 `json:"price_gb_month"`
	// Codec is the codec that messages are compressed with before they are sent and kept, or
	// NoCodec. Batch says that many messages are compressed together, instead of each by itself.
	// The CPU time of compressing does not count.
	Codec string `json:"codec"`
	Batch bool   `json:"batch"`
}

// NoCodec stands for messages that are sent and stored uncompressed.
const NoCodec = "none"

// Compressed is the codec of the sizes that are shown beside the uncompressed ones, and the default
// of Prices. Of the measured codecs, it is the one that most stores offer.
const Compressed = "zstd"

// DefaultPrices are about the on-demand prices of large clouds in 2025, in US dollars: for a core
// of a general-purpose machine, traffic between two zones of a region, and object storage. Records
// are sent and stored in compressed batches, as in most queues, logs and files.
var DefaultPrices = Prices{Rate: 1000, Retention: 30, Core: 0.045, Network: 0.01, Storage: 0.023, Codec: Compressed, Batch: true}

// Codecs returns the names that Prices.Codec may have.
func Codecs() []string {
	var names []string
	for _, c := range compress.Codecs {
		names = append(names, c.Name)
	}
	return append(names, NoCodec)
}

// Sending returns how messages are sent and stored, in words: "in batches of zstd", "with zstd,
// each by itself", or "as they are".
func (p Prices) Sending() string {
	switch {
	case p.Codec == NoCodec:
		return "as they are"
	case p.Batch:
		return "in batches of " + p.Codec
	}
	return "with " + p.Codec + ", each by itself"
}

// A Cost is the machine time and money that a candidate takes at the given rate, computed from
// measured means.
type Cost struct {
	*Candidate
	// Cores is how many CPU cores encoding and decoding keep busy. SavesCores is how many fewer
	// cores that is than for the contender in use; nil if it is unknown, and for the contender in
	// use itself.
	Cores      analysis.Interval
	SavesCores *analysis.Interval
	// CoreAt is the rate in messages per second at which it saves one core; 0 if it saves none.
	CoreAt float64
	// Plain is the bill for uncompressed messages, and Sent the bill for messages after the codec;
	// nil without a codec.
	Plain Bill
	Sent  *Bill
}

// A Bill is the cost of messages of one size.
type Bill struct {
	// Network is in bytes per second, and Storage in bytes kept.
	Network, Storage float64
	// PerMonth is the price of cores, network and storage for a month.
	PerMonth analysis.Interval
	// Saves is how much less that is than the cost of the contender in use, in total and by part;
	// negative if it is more. It is nil if it is unknown, and for the contender in use itself.
	Saves *Saving
	// BreakEven is nil if there is none, as when the candidate saves both CPU and bytes.
	BreakEven *BreakEven
}

// A Saving is money saved a month, and its parts.
type Saving struct {
	analysis.Interval
	Core, Network, Storage float64
}

// A BreakEven is the price at which a candidate costs as much as the contender in
// use, with the other prices unchanged.
type BreakEven struct {
	// CoreHour is the price of a core for an hour. Below says that the candidate is cheaper below
	// that price, because it takes more CPU; otherwise it is cheaper above that price.
	CoreHour float64
	Below    bool
}

// A Worth is the value of the choice at the given rate.
type Worth struct {
	// Best is the cheapest candidate per month of those that may be recommended, including the
	// contender in use. Saving is how much less it costs than the contender in use, with records as
	// they are sent and kept.
	Best   *Candidate
	Saving Saving
	// Plain is the largest saving with uncompressed records; nil if records are sent uncompressed.
	Plain *Saving
	// Cores is how many fewer cores the candidate with the fewest takes than the contender in use.
	Cores analysis.Interval
	// Matters says that the difference is worth mentioning: at least a twentieth of a core, or
	// twenty dollars a month. At is the rate from which on it is, with an interval that follows
	// from the intervals of the times; 0 if it is not at any rate.
	Matters bool
	At      analysis.Interval
}

// The smallest savings at which the choice matters.
const (
	leastCores   = 0.05
	leastDollars = 20
)

const (
	hours   = 30 * 24
	seconds = hours * 3600
	giga    = 1e9
)

// costs computes the costs of the candidates, and the worth of the choice. A candidate whose record
// size is unknown has no cost.
func (a *asked) costs() {
	if a.Shortage != nil {
		return
	}
	metric := analysis.Time
	if a.CPU = a.allCPU(); a.CPU {
		metric = analysis.CPUTime
	}
	have := a.Answer.Candidate(a.Answer.Have)
	var all []Cost
	for _, c := range a.Candidates {
		if ns, ok := a.busy(c, metric); ok && c.Size > 0 {
			all = append(all, a.costOf(c, ns))
		}
	}
	if i := slices.IndexFunc(all, func(c Cost) bool { return c.Candidate == have }); i >= 0 {
		base := all[i]
		for k := range all {
			if k != i {
				all[k].against(base, a.Question.Prices, a.ratio(all[k], base))
			}
		}
		a.worth(all, base)
	}
	for _, c := range all {
		if a.shown(c.Candidate) {
			a.Costs = append(a.Costs, c)
		}
	}
	due := func(c Cost) float64 {
		if b := a.Due(c); b != nil {
			return b.PerMonth.Value
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(a.Costs, func(x, y Cost) int { return cmp.Compare(due(x), due(y)) })
}

// Sends reports whether sizes after the codec are known.
func (a *Answer) Sends() bool {
	return slices.ContainsFunc(a.Candidates, func(c *Candidate) bool { return c.Sent > 0 })
}

// Due returns the bill for messages as they are sent: after the codec, if there is one. It is nil
// if the candidate's size after the codec is unknown.
func (a *Answer) Due(c Cost) *Bill {
	if a.Sends() {
		return c.Sent
	}
	return &c.Plain
}

// shown reports whether to show the cost of a candidate: it is in use, on the front, among the best
// of a recommendation, or the cheapest.
func (a *asked) shown(c *Candidate) bool {
	return c.Pareto || a.Worth != nil && c == a.Worth.Best || c.Subject == a.Answer.Have || slices.ContainsFunc(a.Picks, func(p Pick) bool { return slices.Contains(p.Best, c) })
}

// allCPU reports whether the CPU time of all shown candidates is known. Otherwise their costs would
// not be comparable.
func (a *asked) allCPU() bool {
	for _, c := range a.Candidates {
		if a.shown(c) && c.CPU == nil {
			return false
		}
	}
	return len(a.Candidates) > 0
}

// busy returns the time of a round trip by a metric, in ns; ok is false if it is unknown.
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

// ratio returns the time of c over that of have. The ratio is the paired one, unless costs are of
// CPU time.
func (a *asked) ratio(c, have Cost) analysis.Interval {
	if !a.CPU && c.ToHave != nil {
		return *c.ToHave
	}
	if have.Cores.Value == 0 { // at rate 0, where nothing can be saved
		return analysis.Interval{Value: 1, Lo: 1, Hi: 1}
	}
	return c.Cores.Quotient(have.Cores)
}

// sum adds two independent estimates.
func sum(i, j analysis.Interval) analysis.Interval {
	v := i.Value + j.Value
	return analysis.Interval{Value: v, Lo: v - math.Hypot(i.Value-i.Lo, j.Value-j.Lo), Hi: v + math.Hypot(i.Hi-i.Value, j.Hi-j.Value)}
}

// linear returns f·i + b.
func linear(i analysis.Interval, f, b float64) analysis.Interval {
	i = analysis.Interval{Value: f*i.Value + b, Lo: f*i.Lo + b, Hi: f*i.Hi + b}
	if f < 0 {
		i.Lo, i.Hi = i.Hi, i.Lo
	}
	return i
}

func (a *asked) costOf(c *Candidate, ns analysis.Interval) Cost {
	p := a.Question.Prices
	out := Cost{Candidate: c, Cores: linear(ns, p.Rate/1e9, 0)}
	out.Plain = p.bill(out.Cores, c.Size)
	if c.Sent > 0 {
		sent := p.bill(out.Cores, c.Sent)
		out.Sent = &sent
	}
	return out
}

// bill returns the cost of messages of a size.
func (p Prices) bill(cores analysis.Interval, size float64) Bill {
	b := Bill{Network: p.Rate * size}
	b.Storage = b.Network * p.Retention * 24 * 3600
	b.PerMonth = linear(cores, hours*p.Core, p.sent(b)+p.kept(b))
	return b
}

// sent and kept return the prices of network and of storage for a month.
func (p Prices) sent(b Bill) float64 { return b.Network * seconds / giga * p.Network }
func (p Prices) kept(b Bill) float64 { return b.Storage / giga * p.Storage }

// against compares the cost with that of the contender in use. ratio is the candidate's time over
// that of the contender in use.
func (c *Cost) against(have Cost, p Prices, ratio analysis.Interval) {
	saves := fewer(have.Cores, ratio)
	c.SavesCores = &saves
	if saves.Value > 0 && p.Rate > 0 {
		c.CoreAt = p.Rate / saves.Value
	}
	c.Plain.against(have.Plain, p, saves)
	if c.Sent != nil && have.Sent != nil {
		c.Sent.against(*have.Sent, p, saves)
	}
}

// fewer returns t·(1 − r).
func fewer(t, r analysis.Interval) analysis.Interval {
	v := t.Value * (1 - r.Value)
	// More of t, or less of r, is more saved.
	more, less := t.Hi-t.Value, t.Value-t.Lo
	if r.Value > 1 {
		more, less = less, more
	}
	share := math.Abs(1 - r.Value)
	return analysis.Interval{
		Value: v,
		Lo:    v - math.Hypot(share*less, t.Value*(r.Hi-r.Value)),
		Hi:    v + math.Hypot(share*more, t.Value*(r.Value-r.Lo)),
	}
}

// against compares a bill with that of the contender in use. cores is the number of cores saved.
func (b *Bill) against(have Bill, p Prices, cores analysis.Interval) {
	s := Saving{Core: cores.Value * hours * p.Core, Network: p.sent(have) - p.sent(*b), Storage: p.kept(have) - p.kept(*b)}
	bytes := s.Network + s.Storage
	s.Interval = linear(cores, hours*p.Core, bytes)
	b.Saves = &s
	if cores.Value*bytes < 0 {
		b.BreakEven = &BreakEven{CoreHour: -bytes / (cores.Value * hours), Below: cores.Value < 0}
	}
}

// worth finds what the choice is worth, among all candidates that may be recommended.
func (a *asked) worth(all []Cost, have Cost) {
	if a.Due(have) == nil {
		return
	}
	w := &Worth{Best: have.Candidate}
	if a.Sends() {
		w.Plain = &Saving{}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(c Cost) bool {
		return c.SavesCores == nil || !c.Safe() || len(c.Unmet) > 0 || !c.alone()
	})
	if best, ok := a.cheapest(all); ok {
		w.Best, w.Saving = best.Candidate, *a.Due(best).Saves
	}
	for _, c := range all {
		if s := c.Plain.Saves; w.Plain != nil && s.Value > w.Plain.Value {
			*w.Plain = *s
		}
		if s := *c.SavesCores; s.Value > w.Cores.Value {
			w.Cores = s
		}
	}
	rate := a.Question.Rate
	// Savings grow with the rate, so the choice matters from this rate on.
	from := func(saved, cores float64) float64 {
		return rate * min(leastDollars/max(0, saved), leastCores/max(0, cores))
	}
	at := analysis.Interval{
		Value: from(w.Saving.Value, w.Cores.Value), Lo: from(w.Saving.Hi, w.Cores.Hi), Hi: from(w.Saving.Lo, w.Cores.Lo),
	}
	if rate > 0 && !math.IsInf(at.Value, 0) {
		w.At, w.Matters = at, at.Value <= rate
	}
	a.Worth = w
}

// cheapest returns the cost that saves most a month. Among the costs that save within 1% of as
// much, it returns the one that is preferred in a tie. It returns false if none saves.
func (a *asked) cheapest(all []Cost) (Cost, bool) {
	saves := func(c Cost) float64 {
		if b := a.Due(c); b != nil {
			return b.Saves.Value
		}
		return 0
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y Cost) int { return cmp.Compare(saves(y), saves(x)) })
	var tied []*Candidate
	for _, c := range all {
		if saves(c) > 0 && saves(c) >= (1-sameSize)*saves(all[0]) {
			tied = append(tied, c.Candidate)
		}
	}
	if len(tied) == 0 {
		return Cost{}, false
	}
	a.prefer(tied, func(*Candidate) bool { return false })
	return all[slices.IndexFunc(all, func(c Cost) bool { return c.Candidate == tied[0] })], true
}

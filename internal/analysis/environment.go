package analysis

import (
	"math"
	"slices"

	"assay/result"
)

// The environment term is a half-width that is added in quadrature to the interval of
// a ratio, for what launches share and so cannot average out: a change of the machine
// that lasts for a part of the run and favours one side. It is estimated from the run:
//
//   - from the control, the reference against itself: by how much more it differs from
//     itself than the scatter of its launches explains;
//   - from ratios of contenders: by how much more the parts of the run differ, each a few
//     launches in a row, than the scatter of all launches explains. Layouts are in random
//     order, so nothing but time tells the parts apart.
//
// Both are the excess variance of a random-effects model by the method of moments
// (DerSimonian and Laird, Meta-analysis in clinical trials, 1986). The larger counts.
//
// What stays the same for the whole run does not show in it. That is why a difference
// under 2% is no rank, however narrow its interval.
const (
	// priorEnvironment is the half-width that a run is taken to have before it is
	// measured. Without it, intervals of sessions some minutes apart covered one
	// another's centre in 88% of cases; with it in 95%.
	priorEnvironment = 0.005
	// priorWorth is how many degrees of freedom the prior is worth. The ratios of many
	// contenders have some dozens, and hardly heed it; controls have one a cell, and do.
	priorWorth = 12
	// mostParts is how many parts a run is cut into, leastPart the launches of each.
	mostParts, leastPart = 4, 2
)

// Two runs are two sessions, and the difference between their environments shows in
// neither. It is told by the sentinel.
const (
	// sessionSlope is what the half-width between two runs grows by for each unit by
	// which a sentinel's multiple of its best exceeds NearSentinel: at 1.3 it is 2%.
	// Ratios under load moved by 1% (root mean square, so 2% at 95%), those of launches
	// near the best by 0.33%.
	sessionSlope = 0.1
	// dirtySession is the least half-width where most samples were disturbed.
	dirtySession = 0.02
	// mostSession is the largest: no load was seen to shift a ratio by more than 2.3%.
	mostSession = 0.03
)

// normal95 is the 97.5% quantile of the normal distribution.
const normal95 = 1.959963984540054

// An excess collects by how much the means of ratios vary more than chance explains.
// The one that is known best counts most: a variance by its degrees of freedom over the
// square of what chance gives it, which is the weight of least variance.
type excess struct {
	sum, weight float64
}

// priorVariance is that of a mean that is off by the prior.
const priorVariance = (priorEnvironment / normal95) * (priorEnvironment / normal95)

// add takes in the variance of a mean that exceeds chance, which may be negative, where
// chance gives it the variance of chance.
func (x *excess) add(variance, chance float64, df int) {
	weight := float64(df) / ((chance + priorVariance) * (chance + priorVariance))
	if !math.IsNaN(variance) && !math.IsInf(variance, 0) && weight > 0 {
		x.sum += weight * variance
		x.weight += weight
	}
}

// join takes in what another has collected.
func (x *excess) join(other excess) {
	x.sum += other.sum
	x.weight += other.weight
}

// believe adds a prior as if so many degrees of freedom had shown it.
func (x *excess) believe(df int) { x.add(priorVariance, priorVariance, df) }

// halfWidth is that of the 95% interval of what exceeds chance; 0 when nothing does.
func (x *excess) halfWidth() float64 {
	if x.weight == 0 {
		return 0
	}
	return normal95 * math.Sqrt(max(0, x.sum/x.weight))
}

// environment is the term for ratios within the run: to the reference, and between any
// two that shared launches.
func (a *account) environment() float64 {
	var all unrest
	for _, key := range a.order {
		all.join(a.unrest(key))
	}
	return all.environment()
}

// An unrest is what ratios show of the machine's changes: those of contenders, and that of
// the reference to itself.
type unrest struct {
	drift, control excess
	// controls is how many cases are in control.
	controls int
}

func (u *unrest) join(other unrest) {
	u.controls += other.controls
	u.drift.join(other.drift)
	u.control.join(other.control)
}

// environment is the term that it makes, from the prior on.
func (u unrest) environment() float64 {
	u.drift.believe(priorWorth)
	u.control.believe(priorWorth)
	return max(u.drift.halfWidth(), u.control.halfWidth())
}

// unrest is that of one cell.
func (a *account) unrest(key result.Cell) (u unrest) {
	c := a.cells[key]
	if c == nil {
		return u
	}
	reference := a.reference(key, c)
	if reference == nil {
		return u
	}
	u.control.itself(c.control(*reference))
	subjects := []result.Subject{*reference}
	for _, one := range a.compared(key, c, *reference) {
		subjects = append(subjects, one.Subject())
	}
	// No subject is in two pairs: ratios that share one would say the same twice.
	for ; len(subjects) > 1; subjects = subjects[2:] {
		use, _ := c.pick(c.ratios(subjects[1], subjects[0]))
		u.drift.parts(use)
	}
	return u
}

// lockStep is the term that it makes for two versions in lock step. They are the same code
// mostly, and feel the neighbours in the same way: to the controls of the cases, one is added
// that is as sure of itself as they are and shows nothing.
func (u unrest) lockStep() float64 {
	if n := float64(u.controls); n > 0 {
		u.control.weight *= (n + 1) / n
	}
	return max(u.drift.halfWidth(), u.control.halfWidth())
}

// lockStepEnvironment is the term for two versions in lock step.
func (a *account) lockStepEnvironment(b *account) float64 {
	var all unrest
	for _, key := range a.order {
		if a.cells[key] != nil && b.cells[key] != nil {
			all.join(a.lockStepUnrest(b, key))
		}
	}
	return all.lockStep()
}

// lockStepUnrest is that of one cell, whose controls are in the launches of each version.
func (a *account) lockStepUnrest(b *account, key result.Cell) (u unrest) {
	for _, row := range a.lockStep(b, key) {
		u.drift.parts(row.readings)
		for _, version := range []*account{a, b} {
			if control := version.cellOf(key).control(row.of.Subject()); len(control) > 0 {
				u.control.itself(control)
				u.controls++
			}
		}
	}
	return u
}

// itself adds a control: what it says should be 0.
func (x *excess) itself(readings []reading) {
	if clusters, _ := clustersOf(readings); len(clusters) >= 2*leastPart {
		m, chance := mean(clusters), variance(clusters)/float64(len(clusters))
		x.add(m*m-chance, chance, 1)
	}
}

// parts adds what differs between the parts of a run, of readings in the order of time:
// by analysis of variance, as the variance that it adds to the mean of all. Where layouts
// were measured again, each is compared with itself.
func (x *excess) parts(readings []reading) {
	first := make(map[uint64]float64)
	var once, again []float64
	for _, r := range readings {
		m := median(r.values)
		if before, ok := first[r.layout]; ok {
			again = append(again, m-before)
			continue
		}
		first[r.layout] = m
		once = append(once, m)
	}
	if len(again) >= 2*leastPart {
		// The mean of both is off by half of the difference.
		m, chance := mean(again)/2, variance(again)/float64(len(again))/4
		x.add(m*m-chance, chance, 1)
		return
	}
	parts := min(mostParts, len(once)/leastPart)
	if parts < 2 {
		return
	}
	between, all := 0.0, mean(once)
	for i := range parts {
		part := once[i*len(once)/parts : (i+1)*len(once)/parts]
		between += float64(len(part)) * math.Pow(mean(part)-all, 2)
	}
	between /= float64(parts - 1)
	// The interval has the scatter of all launches, that between the parts included.
	chance := variance(once) / float64(len(once))
	x.add(between/float64(len(once))-chance, chance, parts-1)
}

// session is the term for a ratio of this run that is compared with one of another,
// beside that within the run.
func (w *watch) session(remembered float64) float64 {
	term := 0.0
	if s := w.sentinel(remembered); s != nil {
		term += sessionSlope * max(0, s.Median-NearSentinel)
	}
	if w.cleanShare() < cleanC {
		term = max(term, dirtySession)
	}
	return min(term, mostSession)
}

// remembered is the best sentinel of earlier runs, or of any cell of this one
// if that is less; 0 when there is neither.
func (a *account) remembered() float64 {
	best := float64(max(a.run.Host.SentinelBest, 0))
	for _, key := range a.order {
		if c := a.cells[key]; c != nil && len(c.watch.sentinels) > 0 {
			if least := slices.Min(c.watch.sentinels); best == 0 || least < best {
				best = least
			}
		}
	}
	return best
}

// settle gives every cell its terms, and those of its launches to its counts of CPU time.
func (a *account) settle() {
	within, best := a.environment(), a.remembered()
	for _, c := range a.cells {
		c.environment, c.session = within, c.watch.session(best)
	}
	for key, c := range a.passes.steady {
		if own := a.cells[key.cell]; own != nil {
			c.environment, c.session = own.environment, own.session
		}
	}
}

// unreachable says whether no number of launches makes the cell's ratios as narrow as
// asked, because the machine moved them by more during the run.
func (c *cell) unreachable(precision float64) bool { return math.Expm1(c.environment) >= precision }

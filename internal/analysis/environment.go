package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// The environment term is a half-width that is added in quadrature to the interval of a ratio. It
// accounts for what launches share, and therefore cannot average out: a change of the machine that
// lasts for a part of the run and favours one side. It is estimated from the run:
//
//   - from the control, the reference against itself: by how much more the two differ
//     than the scatter of the launches explains;
//   - from ratios of contenders: by how much more the parts of the run differ than the
//     scatter of all launches explains. A part is a few consecutive launches. Layouts are
//     in random order, so the parts differ only in time.
//
// Both are the excess variance of a random-effects model by the method of moments (DerSimonian and
// Laird, Meta-analysis in clinical trials, 1986). The larger of the two is the term.
//
// A change that lasts for the whole run does not show in the term. Therefore a difference under 2%
// is not ranked, however narrow its interval is.
const (
	// priorEnvironment is the half-width that a run is assumed to have before it is measured.
	// Without it, intervals of sessions some minutes apart covered one another's centre in 88% of
	// cases; with it in 95%.
	priorEnvironment = 0.005
	// priorWorth is how many degrees of freedom the prior is worth. The ratios of many contenders
	// have dozens, so the prior hardly affects them; controls have one for each cell, so it does.
	priorWorth = 12
	// mostParts is the most parts that a run is cut into, and leastPart the fewest launches of a
	// part.
	mostParts, leastPart = 4, 2
)

// Two runs are two sessions. The difference between their environments shows in neither run, so the
// sentinel has to stand for it.
const (
	// sessionSlope is how much the half-width between two runs grows per unit by which a sentinel,
	// as a multiple of its best, exceeds NearSentinel: at 1.3 it is 2%. Ratios under load moved by
	// 1% (root mean square, so 2% at 95%), and ratios of launches near the best by 0.33%.
	sessionSlope = 0.1
	// dirtySession is the smallest half-width if fewer than cleanC of the samples were clean, or if
	// there is no clock to tell.
	dirtySession = 0.02
	// mostSession is the largest half-width: no load of the experiments (E17) shifted a ratio by more
	// than 2.3%. Neighbours that hold the caches of a host have shifted some ratios by up to 10%,
	// which METHODOLOGY says beside the coverage of intervals.
	mostSession = 0.03
)

// normal95 is the 97.5% quantile of the normal distribution.
const normal95 = 1.959963984540054

// An excess collects by how much the means of ratios vary more than chance explains. Variances that
// are known better have more weight: the weight is the degrees of freedom over the square of the
// variance by chance, which minimizes the variance of the sum.
type excess struct {
	sum, weight float64
}

// priorVariance is the variance of a mean whose 95% half-width is the prior.
const priorVariance = (priorEnvironment / normal95) * (priorEnvironment / normal95)

// add takes in variance, which is the variance of a mean in excess of chance and may be negative.
// chance is the variance that chance explains, and df its degrees of freedom.
func (x *excess) add(variance, chance float64, df int) {
	weight := float64(df) / ((chance + priorVariance) * (chance + priorVariance))
	if !math.IsNaN(variance) && !math.IsInf(variance, 0) && weight > 0 {
		x.sum += weight * variance
		x.weight += weight
	}
}

// join takes in what another excess has collected.
func (x *excess) join(other excess) {
	x.sum += other.sum
	x.weight += other.weight
}

// believe adds the prior as if df degrees of freedom had shown it.
func (x *excess) believe(df int) { x.add(priorVariance, priorVariance, df) }

// halfWidth returns the half-width of the 95% interval of the excess; 0 if there is none.
func (x *excess) halfWidth() float64 {
	if x.weight == 0 {
		return 0
	}
	return normal95 * math.Sqrt(max(0, x.sum/x.weight))
}

// environment returns the term for ratios within the run: to the reference, and between any two
// subjects that shared launches.
func (a *account) environment() float64 {
	var all unrest
	for _, key := range a.order {
		all.join(a.unrest(key))
	}
	return all.environment()
}

// An unrest is what ratios show of the machine's changes: drift from the ratios of contenders, and
// control from the ratios of the reference to itself.
type unrest struct {
	drift, control excess
	// controls is the number of series that control has taken in.
	controls int
}

func (u *unrest) join(other unrest) {
	u.controls += other.controls
	u.drift.join(other.drift)
	u.control.join(other.control)
}

// environment returns the term, with the prior included.
func (u unrest) environment() float64 {
	u.drift.believe(priorWorth)
	u.control.believe(priorWorth)
	return max(u.drift.halfWidth(), u.control.halfWidth())
}

// unrest returns the unrest of one cell.
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
	// No subject is in two pairs, because ratios that share a subject would show the same change
	// twice.
	for ; len(subjects) > 1; subjects = subjects[2:] {
		use, _ := c.pick(c.ratios(subjects[1], subjects[0]))
		u.drift.parts(use)
	}
	return u
}

// lockStep returns the term for two versions in lock step. They are mostly the same code, so the
// neighbours affect both in the same way. Instead of a prior, lockStep adds one control that shows
// no excess and has the average weight of the controls.
func (u unrest) lockStep() float64 {
	if n := float64(u.controls); n > 0 {
		u.control.weight *= (n + 1) / n
	}
	return max(u.drift.halfWidth(), u.control.halfWidth())
}

// lockStepEnvironment returns the term for two versions in lock step.
func (a *account) lockStepEnvironment(b *account) float64 {
	var all unrest
	for _, key := range a.order {
		if a.cells[key] != nil && b.cells[key] != nil {
			all.join(a.lockStepUnrest(b, key))
		}
	}
	return all.lockStep()
}

// lockStepUnrest returns the unrest of one cell, with the controls of both versions.
func (a *account) lockStepUnrest(b *account, key result.Cell) (u unrest) {
	for _, row := range a.lockStep(b, key) {
		u.drift.parts(row.readings)
		for _, version := range []*account{a, b} {
			if control := version.cellOf(key).control(row.of.Subject()); len(control) > 0 {
				if u.control.itself(control) {
					u.controls++
				}
			}
		}
	}
	return u
}

// itself adds a control, whose true ratio is 0 as a logarithm. It returns false if the control has
// too few layouts to be added.
func (x *excess) itself(readings []reading) bool {
	clusters, _ := clustersOf(readings)
	if len(clusters) < 2*leastPart {
		return false
	}
	m, chance := mean(clusters), variance(clusters)/float64(len(clusters))
	x.add(m*m-chance, chance, 1)
	return true
}

// parts adds the variance between the parts of a run, for readings in the order of time. It uses
// analysis of variance, and adds the variance of the mean of all readings. If layouts were measured
// again, it compares each layout with itself instead.
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
		// The mean of both measurements is off by half of the difference.
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
	// The interval includes the scatter of all launches, with the scatter between the parts.
	chance := variance(once) / float64(len(once))
	x.add(between/float64(len(once))-chance, chance, parts-1)
}

// session returns the term for a ratio of this run that is compared with a ratio of another run, in
// addition to the term within the run.
func (w *watch) session(remembered float64) float64 {
	term := 0.0
	if s := w.sentinel(remembered); s != nil {
		term += sessionSlope * max(0, s.Median-NearSentinel)
	}
	if clean := w.cleanShare(); math.IsNaN(clean) || clean < cleanC {
		term = max(term, dirtySession)
	}
	return min(term, mostSession)
}

// remembered returns the best sentinel of other runs or, if it is smaller, of any cell of this
// run; 0 if there is neither.
func (a *account) remembered() float64 {
	best := a.known
	for _, key := range a.order {
		if c := a.cells[key]; c != nil && len(c.watch.sentinels) > 0 {
			if least := slices.Min(c.watch.sentinels); best == 0 || least < best {
				best = least
			}
		}
	}
	return best
}

// know makes the best sentinel of two runs on one machine known to both. A run that was under load
// from end to end looks quiet beside its own best.
func (a *account) know(b *account) {
	x, y := a.remembered(), b.remembered()
	best := cmp.Or(min(x, y), max(x, y)) // 0 is no sentinel
	a.known, b.known = best, best
}

// settle sets the term of every cell. Cells of CPU time get the term of the launches.
func (a *account) settle() {
	within := a.environment()
	for _, c := range a.cells {
		c.environment = within
	}
	for key, c := range a.passes.steady {
		if own := a.cells[key.cell]; own != nil {
			c.environment = own.environment
		}
	}
}

// unreachable reports whether no number of launches can make the cell's ratios as narrow as asked,
// because the machine moved them by more during the run.
func (c *cell) unreachable(precision float64) bool { return math.Expm1(c.environment) >= precision }

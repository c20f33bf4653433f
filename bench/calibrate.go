package bench

import (
	"errors"
	"fmt"
	"math"
	"time"

	"assay/result"
)

const (
	// calibrationTries is the number of tries per case. The shortest one counts.
	calibrationTries = 7
	// calibrationSpan ends the calibration of a case once its tries took as long as this many
	// batches, so that a slow case is tried twice instead of seven times, and a case of more than
	// calibrationSlow once.
	calibrationSpan = 20
	calibrationSlow = time.Second
	// calibrationOnce is how many times as fast a try is as all before it if these did work that is
	// done once, such as compiling: sonic compiles in its first two calls. Their time is no part of
	// the span.
	calibrationOnce = 4
)

// calibrate finds how many operations make a batch, case by case.
func (s *session) calibrate(c Calibrate) ([]Calibrated, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	switch {
	case len(c.Cases) == 0:
		return nil, errors.New("no cases")
	case c.BatchNS < 1:
		return nil, fmt.Errorf("batch_ns is %d, want at least 1", c.BatchNS)
	case c.MinOps < 0 || c.MinOps > maxCount:
		return nil, fmt.Errorf("min_ops is %d, want 0 to %d", c.MinOps, maxCount)
	case c.MaxNS < 0:
		return nil, fmt.Errorf("max_ns is %d, want at least 1, or 0 for no limit", c.MaxNS)
	}
	bound, err := s.prepareAll(c.Cases, func(CaseSpec) int { return 0 })
	if err != nil {
		return nil, err
	}
	g := s.takeCollector(0)
	defer g.release()
	out := make([]Calibrated, len(c.Cases))
	for i, spec := range c.Cases {
		if err := s.loaded.mark.set(spec.Subject, spec.Op); err != nil {
			return nil, err
		}
		w := beginWatch()
		least, err := leastTime(bound[i], spec.Op, c.BatchNS, g)
		if err != nil {
			return nil, failed(spec.Subject, spec.Op, err)
		}
		out[i] = Calibrated{N: c.batch(least.best), NS: least.best}
		if spec.Role == "" {
			if out[i].Fresh, out[i].Seen, err = s.unseen(bound[i], spec.Op, least, g); err != nil {
				return nil, failed(spec.Subject, spec.Op, err)
			}
			if err := s.rebound(bound[i], spec.Op, g); err != nil {
				return nil, wrongly(spec.Subject, spec.Op, err)
			}
		}
		if err := w.charge(spec.Subject, spec.Op, "calibration"); err != nil {
			return nil, err
		}
		if fresh := out[i].Fresh; result.Renews(fresh, out[i].Seen) {
			out[i].N, out[i].NS = c.batch(fresh), fresh
		}
		if n := out[i].N; spec.Role == "" && n > leastEvery && float64(n)*out[i].NS < everyBatch {
			if err := s.everywhere(bound[i], spec.Op, out[i].N, timedTries, timedFor); err != nil {
				return nil, wrongly(spec.Subject, spec.Op, err)
			}
		}
	}
	return out, nil
}

// unseen returns the times of fresh. If fresh finds that new values take much longer than the
// values of a batch, unseen measures the case again with streak, and streak must confirm it.
func (s *session) unseen(b *bound, op result.Op, batch pace, g *collector) (fresh, seen float64, err error) {
	fresh, seen, err = s.fresh(b, op, g)
	if err != nil || result.Renews(fresh, seen) || fresh <= streakTimes*batch.best+longer(op) {
		return fresh, seen, err
	}
	streak, err := s.streak(b, op, g, math.MaxInt, func(run Op, n int) (span, error) {
		_, t, err := timed(run, n)
		return t, err
	}, func(p pace) bool { return !p.remembers(op, batch, 1) })
	if err != nil || !streak.remembers(op, batch, 1) {
		return fresh, seen, err
	}
	return streak.best, batch.best, nil
}

// prepareAll prepares the codec of every case, bound to inputs(spec) values; 0 means all.
func (s *session) prepareAll(cases []CaseSpec, inputs func(CaseSpec) int) ([]*bound, error) {
	out := make([]*bound, len(cases))
	for i, spec := range cases {
		c, err := s.prepareCase(spec, inputs(spec))
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

// leastTime returns the least time of one operation over several tries, each long enough to be
// a batch. It takes the least because other work on the machine only adds to a try. It uses
// thread CPU time because calibration by the wall clock under load gave batches that were too
// short.
func leastTime(c *bound, op result.Op, batchNS int64, g *collector) (pace, error) {
	limit := calibrationSpan * float64(batchNS)
	least, spent, counted := fastest, 0.0, 0
	for n, first, tries := 1, true, 0; tries < calibrationTries; first = false {
		g.between()
		c.mark.beat()
		c.seek(op)
		_, t, err := timed(c.codec.op(op), n)
		if err != nil {
			return pace{}, err
		}
		c.advance(op, n)
		before := least
		least = least.or(t, n)
		if first {
			continue // the first try builds caches: it is not typical and costs no budget
		}
		if least.best*calibrationOnce < before.best {
			spent, counted = 0, 0
		}
		spent += float64(t.wall)
		if counted++; spent >= limit && (counted > 1 || t.wall >= int64(calibrationSlow)) {
			break
		}
		if t.best() >= batchNS/2 || n == maxCount {
			tries++
			continue
		}
		// Inputs differ, so the least time over a few of them does not hold for all.
		n, least = grow(n, least.best, batchNS), fastest
	}
	return least, nil
}

// grow returns the number of operations of the next try: a whole batch by the least time so
// far, but at most ten times the last try, since the first operations are slow.
func grow(n int, least float64, batchNS int64) int {
	next := 10 * float64(n)
	if least > 0 {
		next = min(next, math.Ceil(float64(batchNS)/least))
	}
	return int(min(max(next, float64(n)+1), maxCount))
}

// batch returns the number of operations of a batch, if one operation takes ns nanoseconds.
func (c *Calibrate) batch(ns float64) int {
	n := float64(max(c.MinOps, 1))
	if ns > 0 {
		n = max(n, math.Ceil(float64(c.BatchNS)/ns))
		if c.MaxNS > 0 && n*ns > float64(c.MaxNS) {
			n = max(1, math.Floor(float64(c.MaxNS)/ns))
		}
	}
	return int(min(n, maxCount))
}

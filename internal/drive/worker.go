package drive

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"assay/bench"
	"assay/result"
)

// A worker is a session whose process is used for many commands, each about one subject. A
// process that dies is replaced. A subject whose process dies again and again is given up, even
// if the second try succeeds each time.
type worker struct {
	session   *Session
	accidents map[result.Subject][]*Failure
	asked     result.Subject // subject of the current command
}

// worker returns a worker that has not started a process yet.
func (r Runner) worker(layout uint64, cell result.Cell, event func(Event)) *worker {
	w := &worker{accidents: map[result.Subject][]*Failure{}}
	w.session = r.Session(layout, cell.Workload, cell.Size, func(e Event) {
		if again, ok := e.(Repeated); ok && !again.Failure.Outside {
			w.accidents[w.asked] = append(w.accidents[w.asked], again.Failure)
		}
		event(e)
	})
	return w
}

// ask sends a command about a subject. fresh says that the answer is the first one of its
// process, which was not warmed up. If there is a failure, the subject is to be given up.
func (w *worker) ask(ctx context.Context, who result.Subject, cmd bench.Command) (a bench.Answer, fresh bool, f *Failure, err error) {
	before := w.session.starts
	w.asked = who
	a, err = w.session.Ask(ctx, cmd)
	if errors.As(err, &f) {
		return a, false, f, nil
	}
	if err != nil {
		return a, false, nil, err
	}
	if died := w.accidents[who]; len(died) >= strikes {
		again := *died[len(died)-1]
		again.Reason += " (again and again, each time in a new process)"
		return a, false, &again, nil
	}
	return a, w.session.starts != before, nil, nil
}

// forgive clears the recorded failures, because the process goes on with other work.
func (w *worker) forgive() { clear(w.accidents) }

// A shuffle is an endless sequence of orders. Every odd order is random, and the order after it
// is its reverse, so that each element comes as often before as after each other one.
type shuffle struct {
	random *rand.Rand
	last   []int
	odd    bool
}

func newShuffle(seed, stream uint64) *shuffle {
	return &shuffle{random: rand.New(rand.NewPCG(seed, stream))}
}

// next returns the next order of n things.
func (s *shuffle) next(n int) []int {
	if s.odd = !s.odd; s.odd || len(s.last) != n {
		s.last, s.odd = s.random.Perm(n), true
		return s.last
	}
	s.last = slices.Clone(s.last)
	slices.Reverse(s.last)
	return s.last
}

// inTurn returns things in the order in which their processes are started: the given order, and
// its reverse in every second launch. Of two processes of the same program, the one that was
// started first was seen to be 1 to 2% slower. inTurn is for many things and few launches; see
// rotated.
func inTurn[T any](things []T, launch int) []T {
	out := slices.Clone(things)
	if launch%2 != 0 {
		slices.Reverse(out)
	}
	return out
}

// rotated is like inTurn, for few things and many launches, which take turns on the CPUs. From one
// CPU to the next, and from one launch of a CPU to its next, the order is reversed, so that each
// thing is started about as often before as after any other after any number of launches. Over
// twice as many launches of a CPU as there are things, each is started twice in every place. If
// things were only reversed, the middle one of three would always be in the middle; if four were
// only rotated, the first would start before the second in three launches of four.
func rotated[T any](things []T, launch, cpus int) []T {
	if len(things) == 0 {
		return nil
	}
	turn, cpu := launch/max(1, cpus), launch%max(1, cpus)
	first := (turn/2 + cpu/2) % len(things)
	return inTurn(slices.Concat(things[first:], things[:first]), turn+cpu)
}

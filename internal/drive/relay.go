package drive

import (
	"context"
	"errors"
	"os"
	"sync"

	"assay/bench"
)

// A relay is the pipes through which the processes of a launch pass the turn to one
// another, one for each (bench.Relay).
type relay struct {
	read, write []*os.File
}

// newRelay makes pipes for so many processes.
func newRelay(processes int) (*relay, error) {
	r := &relay{}
	for range processes {
		read, write, err := os.Pipe()
		if err == nil {
			r.read, r.write = append(r.read, read), append(r.write, write)
			err = errors.Join(blocking(read), blocking(write))
		}
		if err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

func (r *relay) close() {
	for i := range r.read {
		r.read[i].Close()
		r.write[i].Close()
	}
}

// files are those that the process of a place inherits.
func (r *relay) files(place int) []*os.File {
	return append([]*os.File{r.read[place]}, r.write...)
}

// inherited is the descriptor that a process has of the first of its files.
const inherited = 3

// command is what the process of a place is told of its files.
func (r *relay) command(place int) *bench.Relay {
	c := &bench.Relay{In: inherited, Place: place}
	for i := range r.write {
		c.Out = append(c.Out, inherited+1+i)
	}
	return c
}

// send writes to the pipe of a place. A process that has ended does not read it.
func (r *relay) send(place int, token byte) error {
	_, err := r.write[place].Write([]byte{token})
	return err
}

// relayed runs the rounds of a launch in one command a side, between whose batches the
// processes pass the turn to one another. It reports false when that failed on a side, with
// the samples of all left out: the process may have ended far from the case that is to
// blame, and the others have waited for it.
func (t *pairing) relayed(ctx context.Context) (bool, error) {
	live := t.live(t.cell)
	if len(live) == 0 {
		return true, nil
	}
	answers, errs := make([]bench.Answer, len(t.sides)), make([]error, len(t.sides))
	ended := make(chan int, len(t.sides))
	var all sync.WaitGroup
	for i, s := range t.sides {
		cmd := bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
			Cases: live, Rounds: t.cell.Rounds, Seed: t.seed, Garbage: s.session.runner.Garbage, Relay: t.relay.command(i),
		}}
		all.Go(func() {
			answers[i], errs[i] = do(s.session.proc, cmd)
			ended <- i
		})
	}
	stop := sync.OnceFunc(func() {
		for k := range t.sides {
			t.relay.send(k, bench.RelayStop) // whoever waits would wait forever
		}
	})
	failed := t.relay.send(bench.RelayFirst(t.seed, len(t.sides)), bench.RelayTurn) != nil
	for range t.sides {
		i := <-ended
		if failed = failed || errs[i] != nil; failed {
			stop()
		}
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	if failed {
		for _, s := range t.sides {
			s.session.Close()
			s.warmed = 0
		}
		return false, nil
	}
	for i, s := range t.sides {
		m := answers[i].Measured
		for _, series := range m.Series {
			series.Role = s.role
			s.series = append(s.series, series)
		}
		if err := t.noteVarying(t.cell.Cell, live, m.Varying); err != nil {
			return false, err
		}
	}
	return true, nil
}

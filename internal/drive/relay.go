package drive

import (
	"context"
	"errors"
	"os"
	"sync"

	"assay/bench"
)

// A relay has one pipe for each process of a launch. Through the pipes, the processes pass the
// turn to one another (bench.Relay).
type relay struct {
	read, write []*os.File
}

// newRelay makes a pipe for each of so many processes.
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

// files returns the files that the process at a place inherits.
func (r *relay) files(place int) []*os.File {
	return append([]*os.File{r.read[place]}, r.write...)
}

// inherited is the descriptor of the first inherited file in the process.
const inherited = 3

// command returns the description of the inherited files for the process at a place.
func (r *relay) command(place int) *bench.Relay {
	c := &bench.Relay{In: inherited, Place: place}
	for i := range r.write {
		c.Out = append(c.Out, inherited+1+i)
	}
	return c
}

// send writes a token to the pipe of the process at a place. If that process has ended, nobody
// reads the token.
func (r *relay) send(place int, token byte) error {
	_, err := r.write[place].Write([]byte{token})
	return err
}

// relayed runs all rounds of a launch with one command for each side. The processes pass the turn
// to one another between batches. If that fails on a side, relayed returns false and drops the
// samples of all sides: the process may have ended long after the batch of the case that is to
// blame, and the other sides have waited for it.
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
			t.relay.send(k, bench.RelayStop) // otherwise a waiting process would wait forever
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

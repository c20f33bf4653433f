package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
)

// A Relay has processes that were sent the same rounds take turns, batch by batch. Each
// has a pipe, and waits for a byte in it until it is its turn; then it writes one to the
// pipe of the next. So the kernel hands the processor from one to the other, in some
// microseconds: whoever started them would need tens for each of its messages, and has no
// part in it.
type Relay struct {
	// In is the descriptor of the pipe that this process reads from, and Out are those of
	// the pipes of all, by place, to write to. All are closed when the command ends.
	In  int   `json:"in"`
	Out []int `json:"out"`
	// Place is that of this process.
	Place int `json:"place"`
}

// What is in the pipe of a process.
const (
	RelayTurn = 't' // it is its turn
	RelayStop = 's' // another one has failed, and the command is to end
)

// errStopped says that another process of a relay has failed.
var errStopped = errors.New("another process of the relay has failed")

// validate reports a relay that makes no sense.
func (r *Relay) validate() error {
	if len(r.Out) < 2 || r.Place < 0 || r.Place >= len(r.Out) {
		return fmt.Errorf("relay: place %d of %d processes", r.Place, len(r.Out))
	}
	for _, fd := range append([]int{r.In}, r.Out...) {
		if fd < firstInherited {
			return fmt.Errorf("relay: descriptor %d is none that was handed on", fd)
		}
	}
	return nil
}

// firstInherited is the descriptor after those of standard input, output and error.
const firstInherited = 3

// turns are the part that a process has in a relay. One that is nil has all turns.
//
// A step is one turn of each process: the first is to prepare, one comes for each batch, and
// the last is for what follows the batches.
type turns struct {
	place  int
	in     *os.File
	out    []*os.File
	random *rand.Rand
	order  []int // of the places in this step; nil before the first
	next   []int // and in the next one
	paired bool  // next is the reverse of order
}

// relayStream tells the random order of the processes from that of the cases.
const relayStream = 1

// turns opens the relay of a command whose order has the seed.
func (r *Relay) turns(seed uint64) *turns {
	if r == nil {
		return nil
	}
	t := &turns{place: r.Place, random: relayOrder(seed), in: os.NewFile(uintptr(r.In), "relay")}
	for _, fd := range r.Out {
		t.out = append(t.out, os.NewFile(uintptr(fd), "relay"))
	}
	t.next = t.random.Perm(len(t.out))
	return t
}

func relayOrder(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, relayStream)) }

// RelayFirst is the place of the process that has the first turn of a relay of rounds with
// the seed. Whoever started the processes gives it the turn.
func RelayFirst(seed uint64, processes int) int { return relayOrder(seed).Perm(processes)[0] }

// await begins a step: it waits until it is the turn of this process.
func (t *turns) await() error {
	if t == nil {
		return nil
	}
	// It has the turn still if it came last in one step and comes first in the next.
	has := t.order != nil && t.order[len(t.order)-1] == t.place && t.next[0] == t.place
	t.order = t.next
	// An order and its reverse put every process as often before as after every other.
	if t.paired = !t.paired; t.paired {
		t.next = slices.Clone(t.order)
		slices.Reverse(t.next)
	} else {
		t.next = t.random.Perm(len(t.out))
	}
	if has {
		return nil
	}
	token, err := readToken(t.in)
	if err != nil {
		return fmt.Errorf("relay: %w", err)
	}
	if token != RelayTurn {
		return errStopped
	}
	return nil
}

// pass gives the turn to the next.
func (t *turns) pass() error {
	if t == nil {
		return nil
	}
	next := t.next[0]
	if i := slices.Index(t.order, t.place); i+1 < len(t.order) {
		next = t.order[i+1]
	} else if next == t.place {
		return nil
	}
	return t.give(next)
}

// end gives the turn to the next of the last step, unless there is none.
func (t *turns) end() error {
	if t == nil {
		return nil
	}
	if i := slices.Index(t.order, t.place); i+1 < len(t.order) {
		return t.give(t.order[i+1])
	}
	return nil
}

func (t *turns) give(place int) error {
	if err := writeToken(t.out[place], RelayTurn); err != nil {
		return fmt.Errorf("relay: %w", err)
	}
	return nil
}

// close closes the descriptors.
func (t *turns) close() {
	if t == nil {
		return
	}
	t.in.Close()
	for _, out := range t.out {
		out.Close()
	}
}

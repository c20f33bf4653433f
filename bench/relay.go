package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
)

// A Relay makes processes that were sent the same rounds take turns, batch by batch. Each
// process has a pipe and waits for a byte in it until its turn. At the end of its turn, it
// writes a byte to the pipe of the next process. So the kernel passes the processor from one
// process to the next within some microseconds. The parent takes no part: it would need tens of
// microseconds for each message.
type Relay struct {
	// In is the descriptor of the pipe that this process reads from. Out are the descriptors
	// for writing to the pipes of all processes, by place. All are closed when the command
	// ends.
	In  int   `json:"in"`
	Out []int `json:"out"`
	// Place is the place of this process in Out.
	Place int `json:"place"`
}

// The bytes that are sent to the pipe of a process.
const (
	RelayTurn = 't' // it is the turn of the process
	RelayStop = 's' // another process has failed, and the command must end
)

// errStopped says that another process of a relay has failed.
var errStopped = errors.New("another process of the relay has failed")

// validate reports an argument that is out of range.
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

// firstInherited is the first descriptor after standard input, output and error.
const firstInherited = 3

// turns are the state of one process in a relay. Nil turns never wait.
//
// In a step, each process has one turn. The first step prepares the cases, each batch has a
// step, and the last step is for the work after the batches.
type turns struct {
	place  int
	in     *os.File
	out    []*os.File
	random *rand.Rand
	order  []int // places in the order of this step; nil before the first step
	next   []int // order of the next step
	paired bool  // next is the reverse of order
}

// relayStream separates the random order of the processes from the random order of the cases.
const relayStream = 1

// turns opens the relay of a command with the seed of its order.
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

// RelayFirst returns the place of the process that has the first turn of a relay of rounds with
// the seed. The parent of the processes sends it RelayTurn.
func RelayFirst(seed uint64, processes int) int { return relayOrder(seed).Perm(processes)[0] }

// await begins a step: it waits for the turn of this process.
func (t *turns) await() error {
	if t == nil {
		return nil
	}
	// A process that is last in one step and first in the next keeps its turn.
	has := t.order != nil && t.order[len(t.order)-1] == t.place && t.next[0] == t.place
	t.order = t.next
	// With an order and its reverse, every process comes as often before as after every other
	// process.
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

// pass gives the turn to the next process, of this step or the next.
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

// end gives the turn to the next process of the last step, if there is one.
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

package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// A Kind is a way to disturb a command.
type Kind string

// The kinds.
const (
	Killed        Kind = "SIGKILL"
	Interrupted   Kind = "SIGINT"
	Terminated    Kind = "SIGTERM"
	HungUp        Kind = "SIGHUP"
	Quit          Kind = "SIGQUIT"
	InterruptedII Kind = "SIGINT twice"
	TerminatedII  Kind = "SIGTERM twice"
	HungUpII      Kind = "SIGHUP twice"
	QuitII        Kind = "SIGQUIT twice"
	// Stopped stops the command for a while, and ChildStopped a program that it
	// started.
	Stopped      Kind = "SIGSTOP, SIGCONT"
	ChildStopped Kind = "SIGSTOP, SIGCONT of a child"
	// ChildKilled kills a program that the command started.
	ChildKilled Kind = "SIGKILL of a child"
	// The disks are small file systems that are filled to the last byte.
	ResultsFull Kind = "results disk full"
	CacheFull   Kind = "cache disk full"
	TempFull    Kind = "TMPDIR full"
	// FileSize keeps the command, and what it starts, from writing files that are
	// larger than its samples are at that moment.
	FileSize Kind = "RLIMIT_FSIZE"
	// Memory keeps the command, and what it starts, from getting more address space
	// than it has, and ChildMemory a program that it started.
	Memory      Kind = "RLIMIT_AS"
	ChildMemory Kind = "RLIMIT_AS of a child"
)

// Kinds are all kinds in the order of tables.
var Kinds = []Kind{
	Killed, Interrupted, Terminated, HungUp, Quit, InterruptedII, TerminatedII, HungUpII, QuitII,
	Stopped, ChildStopped, ChildKilled, ResultsFull, CacheFull, TempFull, FileSize, Memory, ChildMemory,
}

// A Disturbance is one that is planned.
type Disturbance struct {
	Kind  Kind
	Phase Phase
	// At is when it comes, as a share of the time that the phase usually takes, and
	// For how long a program is stopped.
	At  float64
	For time.Duration
}

// A Planned is a run with what is done to it.
type Planned struct {
	Number int
	// Command is "try" or "run".
	Command string
	// Cold says that the cache is empty at first.
	Cold bool
	// Disturbances come one after another, each but the first to a process that goes
	// on with the run.
	Disturbances []Disturbance
	// Second says when a second process wants to go on with the run: "meanwhile",
	// when another one does and measures already; "at once", when both begin together;
	// or never.
	Second string
}

// starves says whether memory is taken away from a program that measures or builds.
func (p Planned) starves() bool {
	return slices.ContainsFunc(p.Disturbances, func(d Disturbance) bool { return d.Kind == Memory || d.Kind == ChildMemory })
}

// String names what is done: "try, cold: SIGKILL while building".
func (p Planned) String() string {
	var parts []string
	for _, d := range p.Disturbances {
		parts = append(parts, fmt.Sprintf("%s while %s", d.Kind, d.Phase))
	}
	command := p.Command
	if p.Cold {
		command += ", cold"
	}
	return command + ": " + strings.Join(parts, ", then ")
}

// A deck deals its cards in random order and begins anew when none is left, so that
// each is dealt as often as any other, give or take one.
type deck[T any] struct {
	cards, left []T
}

func (d *deck[T]) deal(random *rand.Rand) T {
	if len(d.left) == 0 {
		d.left = append(d.left, d.cards...)
		random.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
	}
	card := d.left[len(d.left)-1]
	d.left = d.left[:len(d.left)-1]
	return card
}

// schedule returns what is done to n runs, two at a time. The runs of a pair share
// the results directory and the cache, so both begin with an empty one or neither
// does.
func schedule(seed uint64, n int, commands []string) [][]Planned {
	random := rand.New(rand.NewPCG(seed, 0))
	kinds := deck[Kind]{cards: Kinds}
	phases := deck[Phase]{cards: Phases}
	warm := deck[Phase]{cards: Phases[3:]}
	seconds := deck[string]{cards: []string{"", "meanwhile", "", "at once"}}
	again := deck[bool]{cards: []bool{false, false, true}}
	var pairs [][]Planned
	for number := 0; number < n; {
		var pair []Planned
		for len(pair) < 2 && number < n {
			number++
			p := Planned{Number: number, Command: commands[number%len(commands)], Second: seconds.deal(random)}
			disturb := func(k Kind) {
				d := Disturbance{Kind: k, At: random.Float64(), For: time.Duration(200+random.IntN(1500)) * time.Millisecond}
				if p.Command == "try" {
					d.Phase = phases.deal(random)
				} else { // it is given no file, and its programs are there already
					d.Phase = warm.deal(random)
				}
				p.Disturbances = append(p.Disturbances, d)
			}
			disturb(kinds.deal(random))
			if again.deal(random) {
				disturb([]Kind{Killed, Interrupted, Stopped}[random.IntN(3)])
			}
			pair = append(pair, p)
		}
		chill(pair)
		pairs = append(pairs, pair)
	}
	return pairs
}

// chill has both runs of a pair begin with an empty cache of their own if one of them
// is disturbed while it fills the cache, or if the cache is filled: that must be a small
// one. Only assay try fills a cache in little time.
func chill(pair []Planned) {
	cold, full := false, false
	for _, p := range pair {
		for _, d := range p.Disturbances {
			cold = cold || p.Command == "try" && (d.Phase == Generating || d.Phase == Building)
			full = full || d.Kind == CacheFull
		}
	}
	for i := range pair {
		if full {
			pair[i].Command = "try"
		}
		pair[i].Cold = full || cold && pair[i].Command == "try"
	}
}

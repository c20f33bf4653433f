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
	// Stopped stops the command for a while, and ChildStopped does the same to a program that it
	// started.
	Stopped      Kind = "SIGSTOP, SIGCONT"
	ChildStopped Kind = "SIGSTOP, SIGCONT of a child"
	// ChildKilled kills a program that the command started.
	ChildKilled Kind = "SIGKILL of a child"
	// ResultsFull, CacheFull and TempFull fill a small file system to its last byte.
	ResultsFull Kind = "results disk full"
	CacheFull   Kind = "cache disk full"
	TempFull    Kind = "TMPDIR full"
	// FileSize prevents the command and its children from writing files larger than its present
	// samples.
	FileSize Kind = "RLIMIT_FSIZE"
	// Memory prevents the command and its children from growing their address space, and
	// ChildMemory does the same to a program that it started.
	Memory      Kind = "RLIMIT_AS"
	ChildMemory Kind = "RLIMIT_AS of a child"
)

// Kinds are all kinds in the order of the report's tables.
var Kinds = []Kind{
	Killed, Interrupted, Terminated, HungUp, Quit, InterruptedII, TerminatedII, HungUpII, QuitII,
	Stopped, ChildStopped, ChildKilled, ResultsFull, CacheFull, TempFull, FileSize, Memory, ChildMemory,
}

// A Disturbance is a planned disturbance.
type Disturbance struct {
	Kind  Kind
	Phase Phase
	// At is the moment as a share of the phase's usual duration. For is how long a stopped program
	// stays stopped.
	At  float64
	For time.Duration
}

// A Planned is a run with its planned disturbances.
type Planned struct {
	Number int
	// Command is "try" or "run".
	Command string
	// Cold reports whether the run begins with an empty cache.
	Cold bool
	// Disturbances come one after another. Each but the first disturbs a process that resumes the
	// run.
	Disturbances []Disturbance
	// Second says when a second process tries to resume the run: "meanwhile", if another process
	// has resumed it and already measures; "at once", if both begin together; or empty for never.
	Second string
}

// starves reports whether the memory of a program that measures or builds is limited.
func (p Planned) starves() bool {
	return slices.ContainsFunc(p.Disturbances, func(d Disturbance) bool { return d.Kind == Memory || d.Kind == ChildMemory })
}

// String describes the run: "try, cold: SIGKILL while building".
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

// A deck deals its cards in random order and reshuffles them when none is left, so that all cards
// are dealt equally often, give or take one.
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

// schedule plans the disturbances of n runs, in pairs that run at the same time. The runs of a
// pair share the results directory. chill decides which of them begin with an empty cache.
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
				} else { // run reads no file, and its programs are already built
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

// chill gives runs of assay try in a pair a new empty cache if one of them is disturbed while it
// fills the cache. Only assay try fills a cache quickly, so an assay run in the pair keeps the
// warm cache. If the disturbance is CacheFull, the cache must be small: then both runs become
// assay try and begin with an empty cache.
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

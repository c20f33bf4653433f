package analysis

import "fmt"

// A Warning is something that a reader of a number should know. It is shown beside the number and
// does not replace it.
type Warning struct {
	Kind WarningKind
	// Text is the warning in one line.
	Text string
}

// A WarningKind names a kind of warning; WarningText explains each.
type WarningKind string

// The kinds of warning.
const (
	CPUTimes   WarningKind = "cpu-times"
	NoCPUClock WarningKind = "no-cpu-clock"
	OneLaunch  WarningKind = "one-launch"
	OneLayout  WarningKind = "one-layout"
	FewSamples WarningKind = "few-samples"
	Misreads   WarningKind = "misreads"
	Control    WarningKind = "control"
	Damaged    WarningKind = "damaged"
	Unfinished WarningKind = "unfinished"
	TwoSides   WarningKind = "two-sides"
	AcrossRuns WarningKind = "across-runs"
	FewLayouts WarningKind = "few-layouts"
	RunNote    WarningKind = "run-note"

	AcrossProcesses WarningKind = "across-processes"

	// Properties of a contender, and numbers that are impossible or hard to believe.
	OtherThreads WarningKind = "other-threads"
	Waits        WarningKind = "waits"
	Leaves       WarningKind = "leaves"
	Impossible   WarningKind = "impossible"
	BelowFloor   WarningKind = "below-floor"
	SeenBefore   WarningKind = "seen-before"
	CountVaries  WarningKind = "count-varies"
)

// WarningText explains each kind of warning.
var WarningText = map[WarningKind]string{
	CPUTimes: "In some launches, fewer than a quarter of the samples ran undisturbed. There assay used the thread's CPU times of all " +
		"samples instead of the wall times of the clean ones. A quieter machine gives more precise numbers.",
	NoCPUClock: "This system has no thread CPU clock that is fine enough, so assay could not tell interrupted samples " +
		"from clean ones. It used all of them.",
	OneLaunch: "One launch gives an interval over its rounds only. It does not show how much another process or another " +
		"link of the same code would differ.",
	OneLayout: "All launches used one link layout. Ratios of another link of the same code may differ by several per cent, which the " +
		"interval does not show.",
	FewSamples: "With five samples or fewer, no 95% interval holds for every distribution. assay uses Student's interval, no " +
		"narrower than the samples' range.",
	Misreads: "The contender read another value than a contender of the same format had " +
		"written. Its own round trip was verified.",
	Control: "The reference took part twice and differed from itself. Differences of that size in this table mean " +
		"nothing.",
	Damaged:    "assay left out stored samples that cannot be times, or whose columns differ in length.",
	Unfinished: "The run was interrupted. This is what it had measured.",
	TwoSides: "The run compares two versions in lock step. These are the numbers of one of them; " +
		"assay compare shows the change.",
	AcrossRuns: "A machine is never quite the same in two runs: its clock frequency alone moves times by several per " +
		"cent. So assay compares each run's ratios to the reference. A change of the reference itself would show " +
		"as a change of all others.",
	FewLayouts: "With one link layout a side, 32% of comparisons found the same source different; with four a " +
		"side, 5% did. Use at least four.",
	AcrossProcesses: "This external contender has a runner of its own, perhaps in another language. Its batches and those of the " +
		"reference ran in turn on one CPU, each in its own process. So the ratio includes what differs between processes, such as " +
		"where their memory lies.",
	OtherThreads: "While its batches ran, other threads of the process used a tenth or more of the CPU time that its own " +
		"thread did. Its times are wall times, so that such work counts for as long as somebody waits for it; cpu-time has " +
		"all of it.",
	Waits: "Its thread gives up the processor to wait for something. Its times are wall times, so that waiting counts.",
	Leaves: "After its turn there was something in the process that had not been there before: goroutines, threads or open " +
		"files. They did no work when nothing was asked of it.",
	Impossible: "No operation that does something takes under 0.2 ns, which is less than a cycle, and none is done a " +
		"billion times in a batch. The compiler or the contender left the work out.",
	BelowFloor: "It allocates less than the floor of its op: the copy of the bytes or of the value that everybody " +
		"who makes a new one needs. Reusing memory is a mode; interning strings, or keeping results of values that were " +
		"seen before, is not, and does not happen with values that are new each time.",
	SeenBefore: "It is faster with values that it has seen before than with new ones, by more than 10%. Memory that " +
		"is kept from message to message, such as a table of strings, works only as long as messages repeat themselves. " +
		"\"timed on new values\", from 50% on, says that each pass over the inputs had new content, so that its time and rank have no such gain. " +
		"Other metrics, such as allocations, are of values that it has seen.",
	CountVaries: "It allocated another amount each time that the same operations were counted, so its allocations are no exact " +
		"count. The least of fifteen counts is shown; comparisons allow for the largest too.",
	RunNote: "Something happened during the run that may have affected its numbers.",
}

// acrossProcesses is the warning on the rows of external contenders.
var acrossProcesses = Warning{AcrossProcesses, "external contender, compared across processes: its runner and the reference's took turns on one CPU"}

// warnings returns the warnings about how the estimate was made.
func (e estimate) warnings() []Warning {
	var w []Warning
	if n := e.clocks[cpuAll]; n > 0 {
		w = append(w, Warning{CPUTimes, fmt.Sprintf("disturbed: CPU times instead of wall times in %d of %d launches", n, e.launches)})
	}
	if n := e.clocks[wallWhole]; n > 0 {
		w = append(w, Warning{Waits, fmt.Sprintf("waits, or works on other threads: wall times in %d of %d launches", n, e.launches)})
	}
	if e.clocks[wallUnchecked] > 0 {
		w = append(w, Warning{NoCPUClock, "no CPU clock: disturbed samples could not be left out"})
	}
	switch {
	case e.launches == 1:
		w = append(w, Warning{OneLaunch, "one launch: the interval does not show how launches and layouts differ"})
	case e.layouts == 1:
		w = append(w, Warning{OneLayout, "one layout: another link of the same code may differ by 2 to 4%"})
	}
	if 1 < e.samples && e.samples < 6 {
		w = append(w, Warning{FewSamples, fmt.Sprintf("%d samples: too few for an interval without assumptions", e.samples)})
	}
	return w
}

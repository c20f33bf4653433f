package result

import (
	"slices"
	"strings"
)

// A Status says whether a case has a number, and if not, why. Statuses explains each one.
type Status string

// The statuses. Only rows with status OK or Noisy have a number.
const (
	OK          Status = "ok"
	Noisy       Status = "noisy"
	Timeout     Status = "timeout"
	Unsupported Status = "unsupported"
	OOM         Status = "oom"
	Panic       Status = "panic"
	BuildFailed Status = "build-failed"
	Unverified  Status = "unverified"
)

// Failed reports whether a case has no number because its contender failed. The other statuses
// without a number are about the size of the value: they may not be true of a smaller one, or with
// more time or memory.
func (s Status) Failed() bool { return s == Unverified || s == Panic || s == BuildFailed }

// Words in the reasons of outcomes by which cases of one status are told apart. Stored runs have them, so
// they stay as they are.
const (
	// NoAnswer begins the reason of a process that hung; the time limit follows.
	NoAnswer = "no answer in "
	// NoLaunch is in the reason of a case that had no turn before the budget ended.
	NoLaunch = "ended before its first launch"
	// TooLargeForQuick ends the reason of a case that a quick run for claims leaves out.
	TooLargeForQuick = "too large for --quick"
	// AddGiants begins the advice at the end of the reason of a case that takes too much memory. A
	// semicolon is before it.
	AddGiants = "add --giants"
	// TooMuchMemory is in the reason of a case whose size takes more memory than a process may use.
	TooMuchMemory = " in one process, more than the "
)

// Hung reports whether a case has no number because its contender hung, by its status and reason. A
// case that is too slow has the same status.
func Hung(s Status, reason string) bool { return s == Timeout && strings.Contains(reason, NoAnswer) }

// Unlaunched reports whether a case has no number because the budget ended before it had a turn.
func Unlaunched(s Status, reason string) bool {
	return s == Timeout && strings.Contains(reason, NoLaunch)
}

// LeftByQuick reports whether a case has no number because a quick run for claims leaves out its size.
func LeftByQuick(s Status, reason string) bool {
	return s == Timeout && strings.HasSuffix(reason, TooLargeForQuick)
}

// LacksMemory reports whether a case has no number because its size takes more memory than a process may
// use. A case whose format cannot hold the workload has the same status.
func LacksMemory(s Status, reason string) bool {
	return s == Unsupported && strings.Contains(reason, TooMuchMemory)
}

// WithoutGiants returns a reason without the advice at its end to use --giants. It reports whether that
// was there.
func WithoutGiants(reason string) (rest string, found bool) {
	rest, _, found = strings.Cut(reason, "; "+AddGiants)
	return rest, found
}

// A StatusWord is a status with its explanation.
type StatusWord struct {
	Status Status
	// Text explains the status. It fits at the end of a sentence.
	Text string
}

// Statuses lists all statuses. If a case has several reasons for having no number, the status
// that comes later in the list explains more.
var Statuses = []StatusWord{
	{OK, "measured and verified"},
	{Noisy, "measured, but too disturbed for the precision that was asked for"},
	{Timeout, "the process did not answer in time, or one op takes too long for the budget"},
	{Unsupported, "the format cannot hold the workload, or the size does not fit into memory"},
	{OOM, "the process outgrew its memory limit; only this row is lost"},
	{Panic, "the process died: a panic, a fatal error, a signal, or an exit of its own; only this row is lost"},
	{BuildFailed, "the contender's code does not compile, its module could not be fetched, or a runner of its own cannot be started"},
	{Unverified, "a result was wrong, in the round trip or while it was timed, so the case has no number"},
}

// Rank returns the index of the status in Statuses, or -1 for an unknown status.
func (s Status) Rank() int {
	return slices.IndexFunc(Statuses, func(w StatusWord) bool { return w.Status == s })
}

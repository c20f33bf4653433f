package analysis

import (
	"fmt"
	"strings"

	"assay/internal/phrase"
	"assay/result"
)

const (
	// mostOps is the largest number of operations in a batch. If so many
	// operations fit into 200 µs, an operation takes no time.
	mostOps = 1 << 30
	// belowFloor is the share of its floor's memory under which a case gets a warning.
	belowFloor = 0.9
)

// oddities returns the warnings about what a case does to the process, and about numbers that are
// too good to be true.
func (a *account) oddities(row *Row, m *measured, c *cell) []Warning {
	var out []Warning
	say := func(kind WarningKind, format string, args ...any) {
		out = append(out, Warning{kind, fmt.Sprintf(format, args...)})
	}
	if row.Case.Contender == Floor {
		return nil
	}
	others, left, ops, fresh := c.elsewhere(row.Case.Subject())
	if others > othersShare {
		say(OtherThreads, "uses other threads: they add %.0f%% to the CPU time of its own", 100*others)
	}
	trip := row.Case
	trip.Op = ""
	if v := a.verified[trip]; v != nil && len(v.Traces) > 0 {
		say(Leaves, "%s", strings.Join(v.Traces, ", "))
	} else if left > 0 {
		say(Leaves, "leaves goroutines behind: %d", left)
	}
	switch {
	case row.Number.Value < result.LeastTime:
		say(Impossible, "%.2g ns an operation: no work takes less than %.1f", row.Number.Value, result.LeastTime)
	case ops >= mostOps:
		say(Impossible, "a batch has %d operations, the most that it may: they do no work", ops)
	}
	out = append(out, a.belowFloor(row.Case, m)...)
	out = append(out, m.varying()...)
	if seen := a.calibrated[row.Case]; seen != nil && seen.Remembers() {
		timed := ""
		if fresh {
			timed = "timed on new values: "
		}
		say(SeenBefore, "%sgains %.0f%% from seeing the same values again: %s with new ones, %s with known ones",
			timed, 100*(seen.Fresh/seen.Seen-1), phrase.Nanoseconds(seen.Fresh), phrase.Nanoseconds(seen.Seen))
	}
	return out
}

// varying warns if the counts of memory differ.
func (m *measured) varying() []Warning {
	if m.count == nil || m.count.Ops == 0 || m.count.MostBytes == 0 {
		return nil
	}
	ops := float64(m.count.Ops)
	return []Warning{{CountVaries, fmt.Sprintf("allocates another amount each time: %.0f to %.0f B an operation, the least is shown",
		float64(m.count.Bytes)/ops, float64(m.count.MostBytes)/ops)}}
}

// elsewhere returns, for a subject, the median over launches of the CPU time on other threads as a
// share of its own, the most goroutines that it left behind in one launch, the operations of its
// largest batch, and whether batches were on new values.
func (c *cell) elsewhere(who result.Subject) (others float64, left, ops int, fresh bool) {
	var shares []float64
	for _, l := range c.launches {
		if s := l.series[who]; s != nil {
			shares = append(shares, s.others)
			left, ops, fresh = max(left, s.left), max(ops, s.ops), fresh || s.fresh
		}
	}
	if len(shares) > 0 {
		others = median(shares)
	}
	return others, left, ops, fresh
}

// belowFloor warns if a case in the default mode, which keeps nothing, allocates less memory than
// what it returns takes.
func (a *account) belowFloor(one result.Case, m *measured) []Warning {
	if one.Mode != "" || m.count == nil || m.count.Ops == 0 {
		return nil
	}
	got := float64(m.count.Bytes) / float64(m.count.Ops)
	switch one.Op {
	case result.Encode:
		if m.count.Messages == 0 {
			return nil
		}
		if wrote := float64(m.count.Encoded) / float64(m.count.Messages); got < belowFloor*wrote {
			return []Warning{{BelowFloor, fmt.Sprintf("allocates %.0f B an operation and writes %.0f B: it keeps memory from call to call", got, wrote)}}
		}
	case result.Decode:
		floor := one
		floor.Contender = Floor
		n := a.counts[floor]
		if n == nil || n.Ops == 0 {
			return nil
		}
		if least := float64(n.Bytes) / float64(n.Ops); got < belowFloor*least {
			return []Warning{{BelowFloor, fmt.Sprintf("allocates %.0f B an operation where a copy of the value takes %.0f B: it shares or keeps parts of it", got, least)}}
		}
	}
	return nil
}

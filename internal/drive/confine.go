package drive

import (
	"fmt"

	"assay/bench"
)

// spareTimes is how many times the memory of the values a command about their cases may
// take besides Limits.Spare. The collector is off in most of them, so an operation keeps all
// that it allocates until it ends, and a count of memory has two of them. yaml.v3 was seen
// to take 8.6 GiB for one encode of values of 45 MB, 195 times as much, and 16.1 GiB for a
// count.
const spareTimes = 512

// confine holds the process, while it carries out a command, to what the command's cases
// may take: Limits.Spare and spareTimes the values above what it had before. Then it is
// held to Limits.Memory again. Where resident sets cannot be seen, it does nothing.
func (p *Process) confine(cmd bench.Command) (release func()) {
	if p.limits.Spare <= 0 || p.limits.Memory <= 0 {
		return func() {}
	}
	before, ok := residentSet(p.cmd.Process.Pid)
	if !ok {
		return func() {}
	}
	var extra int64
	switch {
	case cmd.Load != nil:
		before := ownMemory(p.cmd.Process.Pid)
		return func() { p.values = max(0, ownMemory(p.cmd.Process.Pid)-before) }
	case cmd.Rounds != nil:
		extra = max(cmd.Rounds.Garbage, 0)
	case cmd.Verify != nil, cmd.Calibrate != nil, cmd.Memory != nil:
	default: // it keeps values alive, or asks for memory, on purpose
		return func() {}
	}
	most := p.limits.Spare + spareTimes*p.values + extra
	if before+most >= p.limits.Memory {
		return func() {}
	}
	p.hold(&bound{before + most, fmt.Sprintf("took %s more memory than before, which is the limit of this case", byteText(most))})
	return func() { p.hold(nil) }
}

// A bound is how large the resident set of a process may be, and what is said of one
// that is larger.
type bound struct {
	most int64
	why  string
}

// hold sets a bound below Limits.Memory; nil: none.
func (c *child) hold(b *bound) { c.bound.Store(b) }

// tooMuch says what is wrong with a resident set of so many bytes; empty: nothing.
func (c *child) tooMuch(rss int64) string {
	if b := c.bound.Load(); b != nil && rss > b.most {
		return b.why
	}
	if rss > c.limits.Memory {
		text := "grew past " + byteText(c.limits.Memory)
		if c.limits.Raise != "" {
			text += ", the memory limit of a process: measure a smaller size, or raise the limit with " + c.limits.Raise
		}
		return text
	}
	return ""
}

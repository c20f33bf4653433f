package drive

import (
	"fmt"

	"assay/bench"
)

// spareTimes limits the memory that a command may add, as a multiple of the memory of the values
// and in addition to Limits.Spare. The collector is off during most commands, so an operation
// keeps all that it allocates until it ends, and a memory count keeps two operations. yaml.v3 was
// seen to take 8.6 GiB to encode values of 45 MB once, 195 times as much, and 16.1 GiB to count.
const spareTimes = 512

// confine limits the resident set of the process while it carries out a command: it may grow by
// Limits.Spare plus spareTimes the memory of the values, and in a rounds command by its Garbage
// too. The function release restores Limits.Memory as the only limit. confine does nothing where
// resident sets cannot be seen.
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
		if p.bare == 0 {
			p.bare = ownMemory(p.cmd.Process.Pid)
		}
		return func() { p.values = max(0, ownMemory(p.cmd.Process.Pid)-p.bare) }
	case cmd.Rounds != nil:
		extra = max(cmd.Rounds.Garbage, 0)
	case cmd.Verify != nil, cmd.Calibrate != nil, cmd.Memory != nil:
	default: // other commands keep values alive or take memory on purpose
		return func() {}
	}
	most := p.limits.Spare + spareTimes*p.values + extra
	if before+most >= p.limits.Memory {
		return func() {}
	}
	p.hold(&bound{before + most, fmt.Sprintf("took %s more memory than before, which is the limit of this case", byteText(most))})
	return func() { p.hold(nil) }
}

// A bound is a limit on the resident set of a process, in bytes, and the reason to give if the
// process exceeds it.
type bound struct {
	most int64
	why  string
}

// hold sets a bound in addition to Limits.Memory, or removes it if b is nil.
func (c *child) hold(b *bound) { c.bound.Store(b) }

// tooMuch says which limit a resident set of so many bytes exceeds, or returns "".
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

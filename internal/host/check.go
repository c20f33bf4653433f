package host

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"assay/result"
)

// A Level says how a check affects measuring.
type Level string

// The levels.
const (
	OK      Level = "ok"
	Warn    Level = "warn"    // intervals are wider, or numbers need more care
	Bad     Level = "bad"     // do not measure before the problem is solved
	Unknown Level = "unknown" // the system does not show it
)

// A Check is one property of the machine that affects measuring.
type Check struct {
	Name  string `json:"name"`
	Level Level  `json:"level"`
	// Text describes the result of the check.
	Text string `json:"text"`
	// Remedy says how to solve the problem; empty: there is none.
	Remedy string `json:"remedy,omitempty"`
}

// hidden returns the check of a property that this system does not show.
func hidden(name string) Check {
	return Check{Name: name, Level: Unknown, Text: "not shown by this " + runtime.GOOS + " system"}
}

// watch is how long Doctor watches the machine. Ticks of /proc are 10 ms, so one tick is 1%
// of a CPU.
const watch = time.Second

// Doctor checks this machine for a little over a second and returns the results, most
// important first. It returns fewer if ctx ends early.
func Doctor(ctx context.Context) []Check {
	const root = "/"
	checks := []Check{
		ProbeClock().Check(),
		ProbeThreadClock().Check(),
		CheckPinning(Pinning()),
		ProbeSpin().Check(),
	}
	before, began := observe(root), Now()
	select {
	case <-time.After(watch):
	case <-ctx.Done():
		return checks
	}
	w := between(before, observe(root))
	_, w.others = Now().since(began)
	checks = append(checks, w.stealCheck(), w.busyCheck(), w.throttleCheck())
	h := facts(root)
	whole := h // the load is that of all CPUs, of which this process may use a part
	whole.CPUs = max(h.CPUs, before.cpus)
	return append(checks,
		checkLoad(whole, Load()),
		checkCPUs(h),
		checkSiblings(siblings(root)),
		checkGovernor(h),
		checkTurbo(turbo(root)),
		checkMemory(availableMB(root)),
		checkVirtual(h),
	)
}

func checkLoad(h result.Host, load float64) Check {
	c := Check{Name: "load", Level: OK, Text: fmt.Sprintf("%.1f on %d CPUs in the last minute", load, h.CPUs)}
	switch {
	case h.OS != "linux":
		return hidden(c.Name)
	case load >= float64(h.CPUs):
		c.Level = Bad
	case load >= float64(h.CPUs)/2:
		c.Level = Warn
	default:
		return c
	}
	c.Remedy = "stop other work, and wait a minute"
	return c
}

func checkCPUs(h result.Host) Check {
	c := Check{Name: "cpus", Level: OK, Text: fmt.Sprintf("%d CPUs", h.CPUs)}
	if h.CPUs == 1 {
		c.Level, c.Text = Warn, "1 CPU"
		c.Remedy = "expect wider intervals: the garbage collector, assay and the system take turns with what is measured"
	}
	return c
}

// checkSiblings judges the groups of CPUs that share a core. A group is written as the system
// writes it, such as "0-1".
func checkSiblings(groups []string) Check {
	c := Check{Name: "smt", Level: OK, Text: "no two CPUs share a core"}
	if groups == nil {
		return hidden(c.Name)
	}
	shared := false
	for _, g := range groups {
		shared = shared || strings.ContainsAny(g, ",-")
	}
	if shared {
		c.Level = Warn
		c.Text = "two hardware threads a core: CPUs " + strings.Join(groups[:min(len(groups), 4)], " and ")
		if len(groups) > 4 {
			c.Text += " and so on"
		}
		c.Remedy = "keep other work off while measuring; or, as root: echo off > /sys/devices/system/cpu/smt/control"
	}
	return c
}

func checkGovernor(h result.Host) Check {
	switch h.Governor {
	case "":
		return hidden("governor")
	case "performance":
		return Check{Name: "governor", Level: OK, Text: "performance"}
	}
	return Check{
		Name: "governor", Level: Warn, Text: h.Governor + ": the frequency follows the load",
		Remedy: "as root: cpupower frequency-set -g performance",
	}
}

// checkTurbo judges the results of turbo: whether the CPU may exceed its nominal frequency,
// the file that controls this, and the text that turns it off. An empty file means unknown.
func checkTurbo(on bool, file, off string) Check {
	switch {
	case file == "":
		return hidden("turbo")
	case !on:
		return Check{Name: "turbo", Level: OK, Text: "off"}
	}
	return Check{
		Name: "turbo", Level: Warn, Text: "on: the frequency depends on heat and on what other cores do; ratios stay valid, absolute times do not",
		Remedy: "as root: echo " + off + " > /" + file,
	}
}

func checkMemory(availableMB int64) Check {
	c := Check{Name: "memory", Level: OK, Text: fmt.Sprintf("%d MiB available", availableMB)}
	switch {
	case availableMB == 0:
		return hidden(c.Name)
	case availableMB < 512:
		c.Level = Bad
	case availableMB < 2048:
		c.Level = Warn
	default:
		return c
	}
	c.Remedy = "free memory, or choose small sizes with --size"
	return c
}

func checkVirtual(h result.Host) Check {
	switch {
	case h.Virtual:
		return Check{Name: "virtual", Level: OK, Text: "a guest: neighbours on the host show only as steal and as a slower cache"}
	case h.OS == "linux" && h.Arch == "amd64":
		return Check{Name: "virtual", Level: OK, Text: "no hypervisor to be seen"}
	}
	return hidden("virtual")
}

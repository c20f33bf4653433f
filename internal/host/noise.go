package host

import (
	"bytes"
	"os"
	"runtime"
	"strconv"

	"assay/result"
)

// A Moment is what had been done with the machine's CPU time at one time; without content
// where the system is not Linux.
type Moment struct {
	stat ticks
	own  int64 // of this process and of the children that it has waited for, in ns
}

// Now reads the clocks.
func Now() Moment {
	if runtime.GOOS != "linux" {
		return Moment{}
	}
	data, _ := os.ReadFile("/proc/stat")
	return Moment{parseStat(data), ownCPU()}
}

// Record writes into a launch what has been taken from it since the moment, when its
// processes have ended, and the load.
func (m Moment) Record(l *result.Launch) {
	l.Steal, l.Others = Now().since(m)
	l.Load = Load()
}

// tick is the unit of /proc/stat in ns: USER_HZ is 100 on every architecture that Go knows.
const tick = 1e7

// since returns what the host has taken since before, in ticks over all CPUs, and which part of all
// CPUs' time others than this process and its children took; 0 where it cannot be seen.
func (m Moment) since(before Moment) (steal int64, others float64) {
	all := m.stat.total - before.stat.total
	if !m.stat.ok || !before.stat.ok || all <= 0 {
		return 0, 0
	}
	taken := float64(m.stat.busy-before.stat.busy) - float64(m.own-before.own)/tick
	return max(0, m.stat.steal-before.stat.steal), max(0, taken/float64(all))
}

// Load returns the one-minute load average; 0 where that is not shown.
func Load() float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/loadavg")
	return loadAverage(data)
}

// ticks are the first line of /proc/stat: CPU time over all CPUs since the
// machine started, in clock ticks. Busy is what programs and the kernel used.
type ticks struct {
	total, busy, steal int64
	ok                 bool
}

// parseStat reads the first line of /proc/stat: "cpu user nice system idle
// iowait irq softirq steal guest guest_nice". Guest time is part of user time.
func parseStat(stat []byte) ticks {
	line, _, _ := bytes.Cut(stat, []byte{'\n'})
	fields := bytes.Fields(line)
	if len(fields) < 9 || string(fields[0]) != "cpu" {
		return ticks{}
	}
	const idle, iowait, steal = 4, 5, 8
	t := ticks{ok: true}
	for i := 1; i <= steal; i++ {
		n, err := strconv.ParseInt(string(fields[i]), 10, 62)
		if err != nil || n < 0 {
			return ticks{}
		}
		t.total += n
		switch i {
		case steal:
			t.steal = n
		case idle, iowait:
		default:
			t.busy += n
		}
	}
	return t
}

package host

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"

	"assay/result"
)

// A Moment is what had been done with the machine's CPU time at one time; without content
// where the system is not Linux.
type Moment struct {
	all, allowed ticks // of all CPUs, and of those that this process may use
	own          int64 // of this process and of the children that it has waited for, in ns
}

// Now reads the clocks.
func Now() Moment {
	if runtime.GOOS != "linux" {
		return Moment{}
	}
	stat, _ := os.ReadFile("/proc/stat")
	status, _ := os.ReadFile("/proc/self/status")
	return Moment{parseStat(stat, nil), parseStat(stat, allowed(status)), ownCPU()}
}

// Record writes into a launch what has been taken from it since the moment, when its
// processes have ended, and the load.
func (m Moment) Record(l *result.Launch) {
	l.Steal, l.Others = Now().since(m)
	l.Load = Load()
}

// tick is the unit of /proc/stat in ns: USER_HZ is 100 on every architecture that Go knows.
const tick = 1e7

// since returns what the host has taken since before, in ticks over all CPUs, and which part of
// the time of the CPUs that this process may use others than it and its children took; 0 and nil where
// it cannot be seen.
func (m Moment) since(before Moment) (steal int64, others *float64) {
	if m.all.ok && before.all.ok {
		steal = max(0, m.all.steal-before.all.steal)
	}
	total := m.allowed.total - before.allowed.total
	if !m.allowed.ok || !before.allowed.ok || total <= 0 {
		return steal, nil
	}
	taken := float64(m.allowed.busy-before.allowed.busy) - float64(m.own-before.own)/tick
	share := taken / float64(total)
	return steal, &share
}

// allowed returns the CPUs that a process may use by its /proc/PID/status, which has them as
// "Cpus_allowed_list: 0-3,8"; nil where that is not to be read.
func allowed(status []byte) map[string]bool {
	for line := range bytes.Lines(status) {
		list, ok := bytes.CutPrefix(line, []byte("Cpus_allowed_list:"))
		if !ok {
			continue
		}
		out := map[string]bool{}
		for _, part := range strings.Split(string(bytes.TrimSpace(list)), ",") {
			first, last, to := strings.Cut(part, "-")
			if !to {
				last = first
			}
			from, err := strconv.ParseUint(first, 10, 16)
			until, err2 := strconv.ParseUint(last, 10, 16)
			if err != nil || err2 != nil {
				return nil
			}
			for n := from; n <= until; n++ {
				out["cpu"+strconv.FormatUint(n, 10)] = true
			}
		}
		return out
	}
	return nil
}

// Load returns the one-minute load average; 0 where that is not shown.
func Load() float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/loadavg")
	return loadAverage(data)
}

// ticks are CPU time since the machine started, in clock ticks. Busy is what programs and the
// kernel used.
type ticks struct {
	total, busy, steal int64
	ok                 bool
}

// parseStat adds up those lines of /proc/stat that are of the named CPUs, such as cpu0; nil is the
// first line, which has the sums over all. Each is "cpu user nice system idle iowait irq softirq steal
// guest guest_nice". Guest time is part of user time.
func parseStat(stat []byte, of map[string]bool) ticks {
	if of == nil {
		line, _, _ := bytes.Cut(stat, []byte{'\n'})
		stat, of = line, map[string]bool{"cpu": true}
	}
	const idle, iowait, steal = 4, 5, 8
	var t ticks
	for line := range bytes.Lines(stat) {
		fields := bytes.Fields(line)
		if len(fields) <= steal || !of[string(fields[0])] {
			continue
		}
		t.ok = true
		for i := 1; i <= steal; i++ {
			n, err := strconv.ParseInt(string(fields[i]), 10, 62)
			if err != nil || n < 0 {
				return ticks{}
			}
			t.total += n
			switch i {
			case steal:
				t.steal += n
			case idle, iowait:
			default:
				t.busy += n
			}
		}
	}
	return t
}

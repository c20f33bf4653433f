package host

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"

	"assay/result"
)

// A Moment holds the CPU time used on the machine up to one time. It is empty if the system
// is not Linux.
type Moment struct {
	all, allowed ticks // of all CPUs, and of the CPUs that this process may use
	own          int64 // CPU time of this process and of children that have been waited for, in ns
}

// Now returns the present Moment.
func Now() Moment {
	if runtime.GOOS != "linux" {
		return Moment{}
	}
	stat, _ := os.ReadFile("/proc/stat")
	status, _ := os.ReadFile("/proc/self/status")
	return Moment{parseStat(stat, nil), parseStat(stat, allowed(status)), ownCPU()}
}

// Record sets Steal, Others and Load of a launch that began at the moment m. Call it after
// the launch's processes have ended.
func (m Moment) Record(l *result.Launch) {
	l.Steal, l.Others = Now().since(m)
	l.Load = Load()
}

// tick is the unit of /proc/stat in ns: USER_HZ is 100 on every architecture that Go
// supports.
const tick = 1e7

// since returns what happened between before and m. steal is the time that the host took, in
// ticks over all CPUs. others is the share of the time of the CPUs that this process may use
// which programs other than this process and its children used. If the system does not show
// them, they are 0 and nil.
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

// allowed returns the CPUs that a process may use according to its /proc/PID/status, which
// has a line such as "Cpus_allowed_list: 0-3,8". It returns nil if there is no valid line.
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

// Load returns the one-minute load average; 0 if the system does not show it.
func Load() float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, _ := os.ReadFile("/proc/loadavg")
	return loadAverage(data)
}

// ticks holds CPU times since the machine started, in clock ticks. busy is the time that
// programs and the kernel used.
type ticks struct {
	total, busy, steal int64
	ok                 bool
}

// cpusOf returns how many CPUs a /proc/stat has lines for.
func cpusOf(stat []byte) (n int) {
	for line := range bytes.Lines(stat) {
		if number, ok := bytes.CutPrefix(line, []byte("cpu")); ok && len(number) > 0 && number[0] != ' ' {
			n++
		}
	}
	return n
}

// parseStat adds up the lines of /proc/stat for the CPUs in of, such as cpu0. If of is nil,
// it reads the first line, which has the sums over all CPUs. A line is "cpu user nice system
// idle iowait irq softirq steal guest guest_nice". User time includes guest time.
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

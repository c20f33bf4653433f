package host

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"assay/internal/phrase"
	"assay/result"
)

// An observation holds Linux's counters at one time.
type observation struct {
	cpus      int // CPUs of the machine, of which stat is the sum; this process may use fewer
	stat      ticks
	processes map[int]process
	quota     float64 // CPUs that the control group may use; 0: no limit
	throttled int64   // periods in which the group was throttled
	limited   bool    // the system shows the group's limits
}

// A process is the name and the CPU time of a process.
type process struct {
	name  string
	ticks int64 // CPU time, user and system
}

// observe reads the files of Linux below root. It skips absent files.
func observe(root string) observation {
	if runtime.GOOS != "linux" {
		return observation{}
	}
	stat, _ := os.ReadFile(filepath.Join(root, "proc/stat"))
	o := observation{stat: parseStat(stat, nil), cpus: cpusOf(stat), processes: map[int]process{}}
	dirs, _ := os.ReadDir(filepath.Join(root, "proc"))
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, "proc", d.Name(), "stat"))
		if err != nil {
			continue // the process has ended
		}
		if p, ok := parseProcess(data); ok {
			o.processes[pid] = p
		}
	}
	o.quota, o.throttled, o.limited = group(root)
	return o
}

// parseProcess parses /proc/PID/stat: "pid (name) state ...". The name may contain any
// character. The CPU times are the 14th and 15th fields.
func parseProcess(stat []byte) (process, bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 13 {
		return process{}, false
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 62)
	system, err2 := strconv.ParseInt(fields[12], 10, 62)
	if err1 != nil || err2 != nil || user < 0 || system < 0 {
		return process{}, false
	}
	return process{string(stat[open+1 : end]), user + system}, true
}

// group returns the CPU limits of the control group of this process, of version 2 or 1: the
// strictest quota of the group and the groups above it, and the sum of their throttled
// periods.
func group(root string) (quota float64, throttled int64, ok bool) {
	read := func(names ...string) string {
		data, _ := os.ReadFile(filepath.Join(append([]string{root, "sys/fs/cgroup"}, names...)...))
		return string(data)
	}
	own, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(own)) {
		// "0::/path" or "4:cpu,cpuacct:/path"
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		v2 := parts[0] == "0" && parts[1] == ""
		if !v2 && !slices.Contains(strings.Split(parts[1], ","), "cpu") {
			continue
		}
		// In a container, the path may be the host's and not exist here.
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			var limit float64
			stat := ""
			if v2 {
				limit, stat = parseMax(read(dir, "cpu.max")), read(dir, "cpu.stat")
				ok = ok || stat != "" || limit != 0
			} else {
				limit, stat = parseMax(read(parts[1], dir, "cpu.cfs_quota_us")+" "+read(parts[1], dir, "cpu.cfs_period_us")), read(parts[1], dir, "cpu.stat")
				ok = ok || stat != ""
			}
			if limit > 0 && (quota == 0 || limit < quota) {
				quota = limit
			}
			throttled += parseThrottled(stat)
			if dir == "/" {
				break
			}
		}
	}
	return quota, throttled, ok
}

// parseMax parses "quota period", both in µs, and returns the quotient: the number of CPUs
// that may be used. It returns 0 if there is no limit, which is written as max or -1.
func parseMax(text string) float64 {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0
	}
	quota, err1 := strconv.ParseInt(fields[0], 10, 64)
	period, err2 := strconv.ParseInt(fields[1], 10, 64)
	if err1 != nil || err2 != nil || quota <= 0 || period <= 0 {
		return 0
	}
	return float64(quota) / float64(period)
}

// parseThrottled returns nr_throttled of a cpu.stat file, 0 if it is absent.
func parseThrottled(stat string) int64 {
	for line := range strings.Lines(stat) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "nr_throttled" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			if err == nil && n >= 0 {
				return n
			}
		}
	}
	return 0
}

// A window holds the differences between two observations.
type window struct {
	shown bool
	steal float64 // fraction of the CPUs' time
	busy  []busy  // busiest first
	// others is the share of the CPUs that this process may use which other programs used; nil if
	// the system does not show it. It has what ended while watching, which busy lacks.
	others    *float64
	quota     float64
	throttled int64
	limited   bool
}

// A busy is a process name and the fraction of one CPU that processes of this name used.
type busy struct {
	name string
	cpu  float64
}

// negligible is the fraction of a CPU below which a process is not busy. hiddenMuch is the share of the
// CPUs from which on it is said that programs used it which are not shown by name.
const (
	negligible = 0.03
	hiddenMuch = 0.05
)

func between(a, b observation) window {
	w := window{quota: b.quota, throttled: max(0, b.throttled-a.throttled), limited: b.limited}
	total := b.stat.total - a.stat.total
	if !a.stat.ok || !b.stat.ok || total <= 0 {
		return w
	}
	w.shown = true
	w.steal = float64(max(0, b.stat.steal-a.stat.steal)) / float64(total)
	byName := map[string]float64{}
	for pid, now := range b.processes {
		used := now.ticks
		if before, ok := a.processes[pid]; ok {
			used -= before.ticks
		}
		byName[now.name] += float64(used) / float64(total) * float64(b.cpus)
	}
	for name, cpu := range byName {
		if cpu >= negligible {
			w.busy = append(w.busy, busy{name, cpu})
		}
	}
	slices.SortFunc(w.busy, func(a, b busy) int {
		return cmp.Or(cmp.Compare(b.cpu, a.cpu), strings.Compare(a.name, b.name))
	})
	return w
}

func (w window) stealCheck() Check {
	c := Check{Name: "steal", Level: OK, Text: "the host took no time from this machine while watching"}
	switch {
	case !w.shown:
		return hidden(c.Name)
	case w.steal == 0:
		return c
	case w.steal > 0.05:
		c.Level = Bad
	default:
		c.Level = Warn
	}
	c.Text = fmt.Sprintf("the host took %.1f%% of the CPUs' time while watching", 100*w.steal)
	c.Remedy = "measure at another time, or on a machine with CPUs of its own"
	return c
}

func (w window) busyCheck() Check {
	c := Check{Name: "processes", Level: OK, Text: "no other process was busy while watching"}
	if !w.shown {
		return hidden(c.Name)
	}
	var sum float64
	var names []string
	for _, b := range w.busy {
		sum += b.cpu
		names = append(names, fmt.Sprintf("%q %.0f%%", b.name, 100*b.cpu))
	}
	cpus := float64(runtime.NumCPU())
	crowded := sum >= result.Crowded*cpus
	if w.others != nil {
		crowded = *w.others >= result.Crowded
		if rest := *w.others*cpus - sum; rest > hiddenMuch*cpus {
			names = slices.Insert(names, 0, fmt.Sprintf("what has ended since or is not shown %.0f%%", 100*rest))
		}
	}
	if len(names) == 0 {
		return c
	}
	c.Level, c.Text = Warn, "busy while watching, in percent of a CPU: "+phrase.Some(names, 3)
	if crowded {
		c.Level = Bad
	}
	c.Remedy = "stop them while measuring"
	return c
}

func (w window) throttleCheck() Check {
	c := Check{Name: "quota", Level: OK, Text: "no limit on CPU time"}
	switch {
	case !w.limited:
		return hidden(c.Name)
	case w.quota == 0:
		return c
	}
	c.Text = fmt.Sprintf("this container may use %.4g CPUs", w.quota)
	switch {
	case w.throttled > 0:
		c.Level = Bad
		c.Text += fmt.Sprintf(", and was stopped %d times while watching", w.throttled)
	case w.quota < 1:
		c.Level = Bad
	case w.quota < float64(runtime.NumCPU()):
		c.Level = Warn
		c.Text += ", fewer than it sees, and is stopped when it uses more"
	default:
		return c
	}
	c.Remedy = "run without a CPU limit"
	return c
}

package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/result"
)

func share(of float64) *float64 { return &of }

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func linux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the files are those of Linux")
	}
}

func TestDoctor(t *testing.T) {
	if testing.Short() {
		t.Skip("watches the machine for a second")
	}
	seen := map[string]bool{}
	for _, c := range Doctor(t.Context()) {
		t.Logf("%-8s%-14s%s → %s", c.Level, c.Name, c.Text, c.Remedy)
		if c.Name == "" || c.Text == "" || seen[c.Name] || strings.Contains(c.Text, "\n") {
			t.Errorf("check %+v", c)
		}
		seen[c.Name] = true
		if needs := c.Level == Warn || c.Level == Bad; needs != (c.Remedy != "") {
			t.Errorf("%s: level %s with remedy %q", c.Name, c.Level, c.Remedy)
		}
	}
	if len(seen) != 14 {
		t.Errorf("%d checks, want 14: %v", len(seen), seen)
	}
}

func TestDoctorCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if checks := Doctor(ctx); len(checks) != 4 {
		t.Errorf("%d checks without watching, want 4", len(checks))
	}
}

func TestChecks(t *testing.T) {
	const us = time.Microsecond
	spins := func(first, rest time.Duration) Spin {
		s := Spin{}
		for i := range 50 {
			if i < 25 {
				s = append(s, first)
			} else {
				s = append(s, rest)
			}
		}
		return s
	}
	two := result.Host{OS: "linux", Arch: "amd64", CPUs: 2}
	tests := []struct {
		name  string
		check Check
		level Level
		text  string
	}{
		{"fine clock", Clock{23, 26, 49, 1}.Check(), OK, "steps of 26ns (least 23ns, 1 in 1000 over 49ns), resolution 1ns"},
		{"slow clock", Clock{400, 500, 900, 1}.Check(), Warn, "steps of 500ns"},
		{"coarse clock", Clock{0, 0, 0, 15 * time.Millisecond}.Check(), Bad, "resolution 15ms"},
		{"clock that stands", clockOf(make([]time.Duration, 9)).Check(), Bad, "stands still"},
		{"no thread clock", ThreadClock{}.Check(), Warn, "times are wall time"},
		{"thread clock", ThreadClock{true, 272}.Check(), OK, "takes 272ns to read"},
		{"slow thread clock", ThreadClock{true, 3 * us}.Check(), Warn, "takes 3µs to read, more than 1% of a batch"},
		{"pinning", CheckPinning(nil), OK, "can be pinned"},
		{"no pinning", CheckPinning(errors.New("not permitted")), Warn, "cannot be pinned to a CPU: not permitted"},
		{"steady", spins(100*us, 101*us).Check(), OK, "steady within 1.0%"},
		{"levels", spins(100*us, 110*us).Check(), Warn, "differs by 10.0%"},
		{"disturbed", spins(100*us, 200*us).Check(), Bad, "differs by 100.0%"},
		{"little load", checkLoad(two, 0.5), OK, "0.5 on 2 CPUs in the last minute"},
		{"load", checkLoad(two, 1), Warn, "1.0 on 2 CPUs"},
		{"much load", checkLoad(two, 2), Bad, "2.0 on 2 CPUs"},
		{"load elsewhere", checkLoad(result.Host{OS: "plan9", CPUs: 2}, 0), Unknown, "not shown by this"},
		{"CPUs", checkCPUs(two), OK, "2 CPUs"},
		{"one CPU", checkCPUs(result.Host{CPUs: 1}), Warn, "1 CPU"},
		{"own cores", checkSiblings([]string{"0", "1"}), OK, "no two CPUs share a core"},
		{"shared cores", checkSiblings([]string{"0-1", "2-3"}), Warn, "two hardware threads a core: CPUs 0-1 and 2-3"},
		{"many shared cores", checkSiblings([]string{"0,5", "1,6", "2,7", "3,8", "4,9"}), Warn, "CPUs 0,5 and 1,6 and 2,7 and 3,8 and so on"},
		{"cores not shown", checkSiblings(nil), Unknown, "not shown"},
		{"no governor", checkGovernor(two), Unknown, "not shown"},
		{"performance", checkGovernor(result.Host{Governor: "performance"}), OK, "performance"},
		{"powersave", checkGovernor(result.Host{Governor: "powersave"}), Warn, "powersave: the frequency follows the load"},
		{"turbo", checkTurbo(true, "sys/x", "1"), Warn, "on: "},
		{"no turbo", checkTurbo(false, "sys/x", "1"), OK, "off"},
		{"turbo not shown", checkTurbo(false, "", ""), Unknown, "not shown"},
		{"memory", checkMemory(8000), OK, "8000 MiB available"},
		{"little memory", checkMemory(1000), Warn, "1000 MiB"},
		{"no memory", checkMemory(100), Bad, "100 MiB"},
		{"memory not shown", checkMemory(0), Unknown, "not shown"},
		{"guest", checkVirtual(result.Host{Virtual: true}), OK, "a guest"},
		{"bare metal", checkVirtual(two), OK, "no hypervisor"},
		{"not x86", checkVirtual(result.Host{OS: "linux", Arch: "arm64"}), Unknown, "not shown"},
		{"no steal", window{shown: true}.stealCheck(), OK, "took no time"},
		{"steal", window{shown: true, steal: 0.01}.stealCheck(), Warn, "took 1.0% of the CPUs' time"},
		{"much steal", window{shown: true, steal: 0.2}.stealCheck(), Bad, "took 20.0%"},
		{"steal not shown", window{}.stealCheck(), Unknown, "not shown"},
		{"nobody busy", window{shown: true}.busyCheck(), OK, "no other process was busy"},
		{"all busy", window{shown: true, busy: []busy{{"a b", 1000}, {"c", .5}, {"d", .4}, {"e", .3}}}.busyCheck(), Bad, `"a b" 100000%, "c" 50%, "d" 40% and 1 more`},
		{"all busy with what has ended", window{shown: true, others: share(0.9)}.busyCheck(), Bad, fmt.Sprintf("in percent of a CPU: what has ended since or is not shown %d%%", 90*runtime.NumCPU())},
		{"something has ended", window{shown: true, busy: []busy{{"a", 0.04}}, others: share(0.2)}.busyCheck(), Warn, `% and "a" 4%`},
		{"busy on other CPUs", window{shown: true, busy: []busy{{"a b", 1000}}, others: share(0)}.busyCheck(), Warn, `"a b" 100000%`},
		{"nobody busy, as counters are rough", window{shown: true, others: share(0.02)}.busyCheck(), OK, "no other process was busy"},
		{"one busy", window{shown: true, busy: []busy{{"a", 0.04}}}.busyCheck(), Warn, `"a" 4%`},
		{"no limit", window{limited: true}.throttleCheck(), OK, "no limit on CPU time"},
		{"limit not shown", window{}.throttleCheck(), Unknown, "not shown"},
		{"ample limit", window{limited: true, quota: 4096}.throttleCheck(), OK, "4096 CPUs"},
		{"half a CPU", window{limited: true, quota: 0.5}.throttleCheck(), Bad, "this container may use 0.5 CPUs"},
		{"stopped", window{limited: true, quota: 4096, throttled: 3}.throttleCheck(), Bad, "was stopped 3 times while watching"},
	}
	for _, test := range tests {
		if test.check.Level != test.level || !strings.Contains(test.check.Text, test.text) {
			t.Errorf("%s: %+v\nwant level %s, text ... %s ...", test.name, test.check, test.level, test.text)
		}
		if needs := test.level == Warn || test.level == Bad; needs != (test.check.Remedy != "") {
			t.Errorf("%s: level %s with remedy %q", test.name, test.level, test.check.Remedy)
		}
	}
}

func TestClockOf(t *testing.T) {
	tests := []struct {
		name  string
		steps []time.Duration
		want  Clock
	}{
		{"steps of whole nanoseconds", []time.Duration{26, 23, 25, 49}, Clock{23, 25, 26, 1}},
		{"steps of a tick", []time.Duration{200, 100, 100, 300}, Clock{100, 100, 200, 100}},
		{"readings within a tick", []time.Duration{0, 0, 0, 500, 1000}, Clock{0, 0, 500, 500}},
		{"always the same", []time.Duration{42, 42}, Clock{42, 42, 42, 42}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, clockOf(test.steps)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestProbes(t *testing.T) {
	if c := ProbeClock(); c.Min > c.P50 || c.P50 > c.P999 || c.Resolution <= 0 {
		t.Errorf("clock %+v", c)
	}
	if c := ProbeThreadClock(); c.Available != (runtime.GOOS == "linux") {
		t.Errorf("thread clock %+v", c)
	}
	if s := ProbeSpin(); len(s) != 50 || s.Spread() < 0 {
		t.Errorf("spin %v, spread %v", s, s.Spread())
	}
	if (Spin{}).Spread() != 0 {
		t.Error("no spins have a spread")
	}
}

func TestWindow(t *testing.T) {
	linux(t)
	proc := func(name, ticks string) string { return "7 (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + ticks + " 0 0" }
	before := observe(tree(t, map[string]string{
		"proc/stat":                  "cpu  100 0 0 900 0 0 0 5 70 0\n",
		"proc/11/stat":               proc("cc1 (x) y", "10 5"),
		"proc/12/stat":               proc("idle", "50 50"),
		"proc/13/stat":               "damaged",
		"proc/self/cgroup":           "0::/box/in\n",
		"proc/self/stat":             proc("self", "1 1"),
		"sys/fs/cgroup/box/cpu.max":  "150000 100000\n",
		"sys/fs/cgroup/box/cpu.stat": "nr_throttled 1\n",
	}))
	after := observe(tree(t, map[string]string{
		"proc/stat":                    "cpu  200 0 0 1000 0 0 0 15 70 0\ncpu0 1 2 3 4 5 6 7 8 9 0\ncpu1 1 2 3 4 5 6 7 8 9 0\ncpu10 1 2 3 4 5 6 7 8 9 0\nintr 5\n",
		"proc/11/stat":                 proc("cc1 (x) y", "60 5"),
		"proc/12/stat":                 proc("idle", "50 50"),
		"proc/14/stat":                 proc("new", "20 1"),
		"proc/self/cgroup":             "0::/box/in\n",
		"sys/fs/cgroup/box/in/cpu.max": "max 100000\n",
		"sys/fs/cgroup/box/cpu.max":    "150000 100000\n",
		"sys/fs/cgroup/box/cpu.stat":   "usage_usec 5\nnr_periods 9\nnr_throttled 4\n",
	}))
	const cpus = 3
	want := window{
		shown: true, steal: 10. / 210,
		busy:  []busy{{"cc1 (x) y", 50. / 210 * cpus}, {"new", 21. / 210 * cpus}},
		quota: 1.5, throttled: 3, limited: true,
	}
	opts := cmp.Options{cmp.AllowUnexported(window{}, busy{}), cmpopts.EquateApprox(1e-9, 0)}
	if diff := cmp.Diff(want, between(before, after), opts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(window{}, between(observe(t.TempDir()), observe(t.TempDir())), opts); diff != "" {
		t.Errorf("nothing visible (-want +got):\n%s", diff)
	}
}

func TestGroup(t *testing.T) {
	linux(t)
	tests := []struct {
		name      string
		files     map[string]string
		quota     float64
		throttled int64
		ok        bool
	}{
		{"nothing", nil, 0, 0, false},
		{"version 2 in a container", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n", "sys/fs/cgroup/cpu.stat": "nr_throttled 2\n",
		}, 0.5, 2, true},
		{"version 2 without a limit", map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/cpu.stat": "usage_usec 1\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n",
		}, 0, 0, true},
		{"version 1", map[string]string{
			"proc/self/cgroup": "5:memory:/m\n4:cpu,cpuacct:/docker/0\n0::/\n",
			"sys/fs/cgroup/cpu,cpuacct/docker/0/cpu.stat":          "nr_throttled 7\n",
			"sys/fs/cgroup/cpu,cpuacct/docker/0/cpu.cfs_quota_us":  "200000\n",
			"sys/fs/cgroup/cpu,cpuacct/docker/0/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":           "-1\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us":          "100000\n",
		}, 2, 7, true},
		{"damaged", map[string]string{
			"proc/self/cgroup": "::\n0::\nx\n", "sys/fs/cgroup/cpu.max": "9 0\n", "sys/fs/cgroup/cpu.stat": "nr_throttled x\n",
		}, 0, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			quota, throttled, ok := group(tree(t, test.files))
			if quota != test.quota || throttled != test.throttled || ok != test.ok {
				t.Errorf("%v, %v, %v; want %v, %v, %v", quota, throttled, ok, test.quota, test.throttled, test.ok)
			}
		})
	}
}

func TestCPUFiles(t *testing.T) {
	linux(t)
	const cpu = "sys/devices/system/cpu/"
	root := tree(t, map[string]string{
		cpu + "cpu0/topology/thread_siblings_list":  "0,10\n",
		cpu + "cpu1/topology/thread_siblings_list":  "1\n",
		cpu + "cpu10/topology/thread_siblings_list": "0,10\n",
		cpu + "cpu2/online":                         "0\n",
		cpu + "cpufreq/boost":                       "1\n",
		"proc/meminfo":                              "MemTotal: 9 kB\nMemAvailable: 2048 kB\n",
	})
	if diff := cmp.Diff([]string{"0,10", "1"}, siblings(root)); diff != "" {
		t.Errorf("siblings (-want +got):\n%s", diff)
	}
	if on, file, off := turbo(root); !on || file != cpu+"cpufreq/boost" || off != "0" {
		t.Errorf("turbo = %v, %s, %s", on, file, off)
	}
	if mb := availableMB(root); mb != 2 {
		t.Errorf("availableMB = %d, want 2", mb)
	}
	root = tree(t, map[string]string{cpu + "intel_pstate/no_turbo": "1\n", cpu + "cpufreq/boost": "?\n"})
	if on, file, off := turbo(root); on || file != cpu+"intel_pstate/no_turbo" || off != "1" {
		t.Errorf("turbo = %v, %s, %s", on, file, off)
	}
	if on, file, _ := turbo(t.TempDir()); on || file != "" || siblings(t.TempDir()) != nil {
		t.Errorf("turbo of nothing = %v, %s", on, file)
	}
}

func FuzzWatch(f *testing.F) {
	f.Add("cpu 1 2 3 4 5 6 7 8 9 0\n")
	f.Add("1 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13")
	f.Add("max 100000")
	f.Add("-1 0")
	f.Add("nr_throttled -1")
	f.Fuzz(func(t *testing.T, text string) {
		if s := parseStat([]byte(text), nil); s.steal < 0 {
			t.Errorf("steal of %d", s.steal)
		}
		if p, ok := parseProcess([]byte(text)); ok && p.ticks < 0 {
			t.Errorf("process %+v", p)
		}
		if q := parseMax(text); !(q >= 0) {
			t.Errorf("quota of %v", q)
		}
		if n := parseThrottled(text); n < 0 {
			t.Errorf("throttled %d times", n)
		}
	})
}

// TestAvailable checks that the available memory is the smaller of the system's and the
// control groups'.
func TestAvailable(t *testing.T) {
	linux(t)
	const meminfo = "MemTotal: 9000000 kB\nMemAvailable: 8192000 kB\n" // 8000 MiB
	tests := []struct {
		name  string
		files map[string]string
		want  int64 // MiB
	}{
		{"no group", nil, 8000},
		{"version 2, file pages can go", map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.current": "1048576\n",
			"sys/fs/cgroup/a/memory.max": "1048576000\n", "sys/fs/cgroup/a/memory.current": "209715200\n", "sys/fs/cgroup/a/memory.stat": "anon 1\ninactive_file 104857600\n",
		}, 900},
		{"version 2 in a container", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "524288000\n", "sys/fs/cgroup/memory.current": "0\n",
		}, 500},
		{"version 1", map[string]string{
			"proc/self/cgroup": "5:memory:/docker/0\n4:cpu:/x\n", "sys/fs/cgroup/memory/docker/0/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "943718400\n", "sys/fs/cgroup/memory/memory.usage_in_bytes": "104857600\n",
			"sys/fs/cgroup/memory/memory.stat": "inactive_file 9\ntotal_inactive_file 52428800\n",
		}, 850},
		{"more than the system has", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "99999999999\n", "sys/fs/cgroup/memory.current": "5\n",
		}, 8000},
		{"nothing left", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n", "sys/fs/cgroup/memory.current": "2097152\n",
		}, 1},
		{"damaged", map[string]string{
			"proc/self/cgroup": "::\n0::/\nx\n", "sys/fs/cgroup/memory.max": "-7\n", "sys/fs/cgroup/memory.current": "x\n",
		}, 8000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"proc/meminfo": meminfo}
			maps.Copy(files, test.files)
			if got := availableMB(tree(t, files)); got != test.want {
				t.Errorf("%d MiB, want %d", got, test.want)
			}
		})
	}
}

package host

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

const x86 = `processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 143
model name	: Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz
flags		: fpu vme hypervisor lahf_lm

processor	: 1
model name	: another
`

func TestFacts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the files are those of Linux")
	}
	tests := []struct {
		name  string
		files map[string]string
		want  result.Host
	}{{
		name: "nothing is visible",
	}, {
		name: "everything is visible",
		files: map[string]string{
			"proc/cpuinfo":              x86,
			"proc/meminfo":              "MemTotal:       24689164 kB\nMemFree:        1 kB\n",
			"proc/loadavg":              "0.52 0.31 0.11 1/233 4321\n",
			"proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
		},
		want: result.Host{
			Kernel:   "6.1.0-18-amd64",
			CPU:      "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz",
			MemoryMB: 24110,
			Governor: "performance",
			Load:     0.52,
			Virtual:  true,
		},
	}, {
		name: "a board",
		files: map[string]string{
			"proc/cpuinfo":           "processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd\n",
			"proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\x00",
		},
		want: result.Host{CPU: "Raspberry Pi 5 Model B Rev 1.0"},
	}, {
		name: "damaged files",
		files: map[string]string{
			"proc/cpuinfo": "model name\nflags",
			"proc/meminfo": "MemTotal: many kB",
			"proc/loadavg": "NaN",
		},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range test.files {
				file := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			test.want.OS, test.want.Arch, test.want.CPUs = runtime.GOOS, runtime.GOARCH, runtime.NumCPU()
			if diff := cmp.Diff(test.want, facts(root)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFactsOfThisMachine(t *testing.T) {
	h := Facts()
	if h.OS == "" || h.Arch == "" || h.CPUs < 1 {
		t.Errorf("Facts() = %+v", h)
	}
	if runtime.GOOS == "linux" && (h.Kernel == "" || h.MemoryMB == 0) {
		t.Errorf("Facts() = %+v, want a kernel and memory", h)
	}
}

func TestKey(t *testing.T) {
	a := result.Host{OS: "linux", CPU: "one", CPUs: 2, Load: 1}
	b := a
	b.Load = 3
	if Key(a) != Key(b) {
		t.Error("the load changes the key")
	}
	b.CPU = "two"
	if Key(a) == Key(b) {
		t.Error("the processor does not change the key")
	}
}

func FuzzFacts(f *testing.F) {
	f.Add([]byte(x86))
	f.Add([]byte("MemTotal: -1 kB"))
	f.Add([]byte("1e400 2 3"))
	f.Fuzz(func(t *testing.T, file []byte) {
		cpuModel(file)
		hypervisor(file)
		if n := megabytes(file, "MemTotal"); n < 0 {
			t.Errorf("memory of %d MiB", n)
		}
		if l := loadAverage(file); !(l >= 0) {
			t.Errorf("load of %v", l)
		}
	})
}

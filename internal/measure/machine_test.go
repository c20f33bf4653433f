package measure

import (
	"strings"
	"testing"

	"assay/result"
)

func TestBegunHere(t *testing.T) {
	then := result.Host{OS: "linux", Kernel: "6.1", Arch: "amd64", CPU: "Example 1", CPUs: 4, MemoryMB: 8000}
	for _, test := range []struct {
		name   string
		change func(*result.Host)
		text   string // description of the machine; empty: it is the same
	}{
		{"itself", func(*result.Host) {}, ""},
		{"another kernel", func(h *result.Host) { h.Kernel = "6.2" }, ""},
		{"more memory", func(h *result.Host) { h.MemoryMB = 16000 }, ""},
		{"an unknown CPU", func(h *result.Host) { h.CPU = "" }, ""},
		{"another CPU", func(h *result.Host) { h.CPU = "Example 2" }, "this is Example 2, 4 CPUs, linux/amd64"},
		{"an unknown number of CPUs", func(h *result.Host) { h.CPUs = 0 }, ""},
		{"fewer CPUs", func(h *result.Host) { h.CPUs = 1 }, "this is Example 1, 1 CPU, linux/amd64"},
		{"another architecture", func(h *result.Host) { h.Arch = "arm64" }, "this is Example 1, 4 CPUs, linux/arm64"},
		{"another system", func(h *result.Host) { h.OS, h.CPU = "darwin", "" }, "this is 4 CPUs, darwin/amd64"},
	} {
		here := then
		test.change(&here)
		err := begunHere(&result.Run{ID: "r", Host: then}, here)
		switch {
		case test.text == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.text != "" && (err == nil || !strings.Contains(err.Error(), "run r was begun on another machine (Example 1, 4 CPUs, linux/amd64; "+test.text+"): go on there, or start a new run")):
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Another kernel is noted once, however often the run is resumed under it.
func TestNoteKernel(t *testing.T) {
	m := &Measurement{cfg: &Config{}, Run: &result.Run{Host: result.Host{Kernel: "6.1"}}}
	for _, kernel := range []string{"6.1", "", "6.2", "6.2", "6.1"} {
		if err := m.noteKernel(result.Host{Kernel: kernel}); err != nil {
			t.Fatal(err)
		}
	}
	if want := "the run was begun under the kernel 6.1 and gone on with under 6.2"; len(m.Records) != 1 || m.Records[0].Note.Text != want {
		t.Errorf("%d records, want one: %s", len(m.Records), want)
	}
}

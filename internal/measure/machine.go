package measure

import (
	"fmt"

	"assay/internal/phrase"
	"assay/result"
)

// sameMachine returns an error if a run began on another machine, because launches of two
// machines are not samples of the same time. Facts that are unknown for one of them are not
// compared.
func sameMachine(run *result.Run, here result.Host) error {
	then := run.Host
	differ := func(a, b string) bool { return a != b && a != "" && b != "" }
	if differ(then.OS, here.OS) || differ(then.Arch, here.Arch) || differ(then.CPU, here.CPU) || then.CPUs != here.CPUs && then.CPUs > 0 {
		return refuse("run %s was begun on another machine (%s; this is %s): go on there, or start a new run", run.ID, machineText(then), machineText(here))
	}
	return nil
}

// machineText describes a machine.
func machineText(h result.Host) string {
	text := fmt.Sprintf("%s, %s/%s", phrase.Count(h.CPUs, "CPU"), h.OS, h.Arch)
	if h.CPU != "" {
		text = h.CPU + ", " + text
	}
	return text
}

// noteKernel stores a note, once, if the run continues under another kernel.
func (m *Measurement) noteKernel(here result.Host) error {
	then := m.Run.Host.Kernel
	if then == here.Kernel || then == "" || here.Kernel == "" {
		return nil
	}
	text := fmt.Sprintf("the run was begun under the kernel %s and gone on with under %s", then, here.Kernel)
	for _, r := range m.Records {
		if r.Note != nil && r.Note.Text == text {
			return nil
		}
	}
	return m.note("%s", text)
}

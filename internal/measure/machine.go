package measure

import (
	"fmt"

	"assay/internal/phrase"
	"assay/result"
)

// begunHere returns an error if a run began on another machine, because launches of two machines
// are not samples of the same time.
func begunHere(run *result.Run, here result.Host) error {
	if !run.Host.Other(here) {
		return nil
	}
	return refuse("run %s was begun on another machine (%s; this is %s): go on there, or start a new run", run.ID, machineText(run.Host), machineText(here))
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

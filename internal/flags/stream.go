package flags

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/outfile"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/result"
)

const (
	// patience is how long streams and whole values may take without --giants.
	patience = 10 * time.Minute
	// leastMemory is the smallest memory limit of a process that runs a stream. someMemory is the
	// limit if the free memory is not known.
	leastMemory = 256 << 20
	someMemory  = 2 << 30
	// diskTrial is how many bytes assay writes, before any stream, to measure the speed of the
	// disk.
	diskTrial = 64 << 20
)

// Streams has the flags for streams and whole values.
type Streams struct {
	dir    string
	Giants bool
}

// Add adds the flags to a command. modes names the words of -m that need them.
func (o *Streams) Add(cmd *cobra.Command, modes string) {
	f := cmd.Flags()
	f.StringVar(&o.dir, "stream-dir", "", "with -m "+modes+": write files to `DIR` (default: the directory for temporary files)")
	f.BoolVar(&o.Giants, "giants", false, fmt.Sprintf("with -m %s: measure what takes more than %.0f minutes", modes, patience.Minutes()))
}

// Given reports whether a flag is set.
func (o *Streams) Given() bool { return *o != Streams{} }

// Plan fills in the settings of a run of streams and whole values. asked is the memory that a
// process may take; 0 if no flag sets it.
func (o *Streams) Plan(p *result.Plan, asked int64) error {
	free := host.Available()
	memory := free / measure.StreamMemory
	if memory == 0 {
		memory = someMemory
	}
	if asked != 0 {
		memory = asked
		switch {
		case memory < leastMemory:
			return refusal.Errorf("--memory: %s is less than %s, which a process of a stream takes before its first message", plan.Bytes(memory), plan.Bytes(leastMemory))
		case free > 0 && memory > free:
			return refusal.Errorf("--memory: %s is more than the %s that are free", plan.Bytes(memory), plan.Bytes(free))
		}
	}
	if o.dir != "" {
		if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
			return refusal.Errorf("--stream-dir: %s is no directory", o.dir)
		}
		if err := outfile.CheckDir(o.dir); err != nil {
			return refusal.Errorf("--stream-dir: %v", err)
		}
	}
	p.Stream = &result.StreamPlan{Memory: max(memory, leastMemory), Dir: o.dir}
	p.Layouts, p.Also, p.CPUs, p.Budget = measure.Layouts(0), nil, nil, 0
	return nil
}

// Remedy says what to do if the demand is too large. It is empty if it is not.
func (o *Streams) Remedy(d report.Demand) string {
	switch {
	case d.Room > 0 && max(d.Values, d.Whole) > d.Room:
		return "a file of that size does not fit: name another directory with --stream-dir, or a smaller size"
	case d.Room > 0 && d.Streams > 0 && d.Room < diskTrial:
		return fmt.Sprintf("measuring the speed of the disk takes a file of %s: name another directory with --stream-dir", plan.Bytes(diskTrial))
	case d.Time > patience && !o.Giants:
		return "add --giants to measure that, or select less, as with -c"
	}
	return ""
}

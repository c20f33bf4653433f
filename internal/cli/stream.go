package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/texttab"
	"assay/result"
)

// streamOptions has the flags for streams and whole values.
type streamOptions struct {
	dir    string
	giants bool
}

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

// flags adds the flags to a command. modes names the words of -m that need them.
func (o *streamOptions) flags(cmd *cobra.Command, modes string) {
	f := cmd.Flags()
	f.StringVar(&o.dir, "stream-dir", "", "with -m "+modes+": write files to `DIR` (default: the directory for temporary files)")
	f.BoolVar(&o.giants, "giants", false, fmt.Sprintf("with -m %s: measure what takes more than %.0f minutes", modes, patience.Minutes()))
}

// streamFlags adds --memory, with the given text, and the flags for streams. modes names the
// words of -m that need them.
func (o *runOptions) streamFlags(cmd *cobra.Command, modes, memory string) {
	cmd.Flags().Var(&o.selection.memory, "memory", memory)
	o.streams.flags(cmd, modes)
}

// given reports whether a flag is set.
func (o *streamOptions) given() bool { return *o != streamOptions{} }

// plan fills in the settings of a run of streams and whole values. asked is the memory that a
// process may take; 0 if no flag sets it.
func (o *streamOptions) plan(p *result.Plan, asked int64) error {
	free := host.Available()
	memory := free / measure.StreamMemory
	if memory == 0 {
		memory = someMemory
	}
	if asked != 0 {
		memory = asked
		switch {
		case memory < leastMemory:
			return usagef("--memory: %s is less than %s, which a process of a stream takes before its first message", plan.Bytes(memory), plan.Bytes(leastMemory))
		case free > 0 && memory > free:
			return usagef("--memory: %s is more than the %s that are free", plan.Bytes(memory), plan.Bytes(free))
		}
	}
	if o.dir != "" {
		if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
			return usagef("--stream-dir: %s is no directory", o.dir)
		}
		if err := outfile.CheckDir(o.dir); err != nil {
			return usagef("--stream-dir: %v", err)
		}
	}
	p.Stream = &result.StreamPlan{Memory: max(memory, leastMemory), Dir: o.dir}
	p.Layouts, p.Also, p.CPUs, p.Budget = measure.Layouts(0), nil, nil, 0
	return nil
}

// A demand says how much time, memory and disk space the streams and whole values of an order
// need.
type demand struct {
	plan.StreamNeed
	memory int64 // the limit of a process, in bytes
	room   int64 // free disk space, in bytes; 0 if it is not known
}

func demandOf(order measure.Order) (demand, error) {
	need, err := plan.NeedOfStreams(order.Selection, order.Plan.Stream.Repeats)
	return demand{need, order.Plan.Stream.Memory, measure.RoomFor(order.Plan.Stream.Dir)}, err
}

// allow prints the demand of the streams. It returns an error if that is too much.
func (o *streamOptions) allow(a *app, order measure.Order) error {
	d, err := demandOf(order)
	if err != nil {
		return err
	}
	if remedy := o.remedy(d); remedy != "" {
		return usagef("%s; %s", d, remedy)
	}
	a.progress().Line("plan      %s", d)
	return nil
}

// remedy says what to do if the demand is too large. It is empty if it is not.
func (o *streamOptions) remedy(d demand) string {
	switch {
	case d.room > 0 && max(d.Values, d.Whole) > d.room:
		return "a file of that size does not fit: name another directory with --stream-dir, or a smaller size"
	case d.room > 0 && d.Streams > 0 && d.room < diskTrial:
		return fmt.Sprintf("measuring the speed of the disk takes a file of %s: name another directory with --stream-dir", plan.Bytes(diskTrial))
	case d.Time > patience && !o.giants:
		return "add --giants to measure that, or select less with -c or --size"
	}
	return ""
}

// String describes the demand.
func (d demand) String() string {
	var counts, largest []string
	if d.Streams > 0 {
		counts = append(counts, phrase.Count(d.Streams, "stream"))
		largest = append(largest, fmt.Sprintf("the largest has %s of values in messages of %s", plan.Bytes(d.Values), plan.Bytes(d.Message)))
	}
	if d.Wholes > 0 {
		counts = append(counts, phrase.Count(d.Wholes, "whole value"))
		largest = append(largest, fmt.Sprintf("the largest whole value has %s and may need %s of memory", plan.Bytes(d.Whole), plan.Bytes(d.Memory())))
	}
	text := fmt.Sprintf("%s one after the other, about %s; %s",
		strings.Join(counts, " and "), plan.Brief(max(time.Second, d.Time.Round(time.Second))), strings.Join(largest, ", "))
	if d.room > 0 {
		text += fmt.Sprintf(", and there is room for a file of %s", plan.Bytes(d.room))
	}
	return text + fmt.Sprintf("; a process may take %s of memory", plan.Bytes(d.memory))
}

// printStreams prints what a run of streams and whole values would measure.
func (a *app) printStreams(order measure.Order, d demand) error {
	t := &texttab.Headed{}
	t.Head("workload", "size", "contender", "op", ">messages", ">about")
	for _, c := range order.Selection.Live() {
		took, err := plan.StreamTime(order.Selection, c)
		if err != nil {
			return err
		}
		messages := plan.StreamMessages(order.Selection.Workloads, c)
		who := c.Contender
		if contender.Whole(c.Mode) {
			who = c.Subject().String()
		}
		t.Line(c.Workload, c.Size, who, string(c.Op), strconv.FormatInt(messages, 10), plan.Brief(max(time.Second, took.Round(time.Second))))
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\n%s\n", d)
	return err
}

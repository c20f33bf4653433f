package cli

import (
	"context"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/refusal"
)

// besides takes -m stream out of the flags of assay try. Streams are measured in a run of their
// own, in addition to the run of the answer. They cover the whole input unless a flag limits it or
// it is a pipe that fills the disk.
func (o *tryOptions) besides(cmd *cobra.Command) error {
	word := o.Include.Mode
	switch pattern, err := flags.StreamPattern(word); {
	case err != nil:
		return err
	case word != flags.StreamWord && pattern != word:
		return refusal.Errorf("--mode: assay try measures plain streams only, with -m stream; use assay run for -m %s", word)
	}
	if o.streamed = o.Include.Mode == flags.StreamWord; !o.streamed {
		if o.streams.Given() || o.Selection.Memory != 0 {
			return refusal.Errorf("--memory, --stream-dir and --giants need streams; add -m stream")
		}
		return nil
	}
	o.Include.Mode = ""
	if !cmd.Flags().Changed("max-records") {
		o.MaxRecords = math.MaxInt64
	}
	if !cmd.Flags().Changed("max-bytes") {
		o.MaxBytes = withoutLimit(append(slices.Clone(o.files), o.Samples...), measure.RoomFor(""))
	}
	return nil
}

// withoutLimit returns how many bytes of the files are read for streams if the user sets no limit:
// all, but not all of a pipe or device, which may have no end. Of these it returns a third of room,
// the bytes that may be written, because up to three files hold them at a time: the text, the
// records in neutral form, and a stream.
func withoutLimit(files []string, room int64) int64 {
	endless := func(name string) bool {
		if name == "-" {
			return true
		}
		info, err := os.Stat(name)
		return err == nil && !info.Mode().IsRegular()
	}
	if room > 0 && slices.ContainsFunc(files, endless) {
		return room / 3
	}
	return math.MaxInt64
}

// streamsOf plans the requested run of streams, and removes its settings from the options of the
// answer. It returns nil if no streams are requested.
func (a *app) streamsOf(o *tryOptions) (*measure.Order, error) {
	if !o.streamed {
		return nil, nil
	}
	s := o.runOptions
	s.Include.Mode, s.Exclude.Mode, s.Ops = flags.StreamWord, "", nil
	s.Selection.Streams, s.Selection.CPUs, s.passes.Also, s.Share = true, s.passes.CPUs, nil, 0
	o.streams, o.Selection.Memory = flags.Streams{}, 0
	order, err := s.plan()
	if err == nil {
		a.warnWithout(&s.Selection, order.Selection)
		err = a.pass(gate.Measurable(order.Selection))
	}
	if err == nil {
		order.Variant.Go = a.goCommand
		err = a.allow(&s.streams, order)
	}
	return &order, err
}

// tryStreams measures the streams of a user's records, after the answer.
func (a *app) tryStreams(ctx context.Context, t *trial) error {
	a.Hint("")
	m, err := a.measuring().Begin(ctx, *t.after)
	if err != nil {
		return interrupted(ctx, err, " before any stream was measured")
	}
	defer m.Close()
	if err := a.keep(m, t); err != nil {
		return err
	}
	return a.streamed(ctx, m, t.tryOptions)
}

// streamed measures the rest of a run of streams of a user's records, and prints it. It prints
// nothing after an answer in a format for programs, because two documents would be printed.
func (a *app) streamed(ctx context.Context, m *measure.Measurement, o tryOptions) error {
	a.watch(m)
	if err := a.keeping(ctx, a.onward(m.Run, o.runOptions), m.Measure); err != nil {
		return err
	}
	results := analysis.Of(m.Run, m.Records, analysis.View{})
	if o.resume != "" || o.Format == "text" || o.Format == "md" {
		var err error
		if results, err = a.print(m.Run, m.Records, o.Output, flags.Selection{}); err != nil {
			return err
		}
	}
	a.Hint("\nstored    %s", m.Dir())
	a.Next([2]string{"assay show " + m.Run.Name, "the streams again"})
	return a.pass(gate.Measured(results, true))
}

package cli

import (
	"github.com/spf13/cobra"

	"assay/internal/flags"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
)

// streamFlags adds --memory, with the given text, and the flags for streams. modes names the
// words of -m that need them.
func (o *runOptions) streamFlags(cmd *cobra.Command, modes, memory string) {
	cmd.Flags().Var(&o.Selection.Memory, "memory", memory)
	o.streams.Add(cmd, modes)
}

// demandOf returns what the streams and whole values of an order need.
func demandOf(order measure.Order) (report.Demand, error) {
	need, err := plan.NeedOfStreams(order.Selection, order.Plan.Stream.Repeats)
	return report.Demand{StreamNeed: need, Limit: order.Plan.Stream.Memory, Room: measure.RoomFor(order.Plan.Stream.Dir)}, err
}

// allow prints the demand of streams and whole values. It returns an error if that is too much.
func (a *app) allow(o *flags.Streams, order measure.Order) error {
	d, err := demandOf(order)
	if err != nil {
		return err
	}
	if remedy := o.Remedy(d); remedy != "" {
		return refusal.Errorf("%s; %s", d, remedy)
	}
	a.progress().Line("plan      %s", d)
	return nil
}

// printStreams prints what a run of streams and whole values would measure, and returns what it needs.
func (a *app) printStreams(order measure.Order) (report.Demand, error) {
	d, err := demandOf(order)
	if err != nil {
		return d, err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return d, err
	}
	return d, report.StreamsText(a.Out, order.Selection, d, opts)
}

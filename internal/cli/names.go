package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/contenders"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/texttab"
)

// lists returns the kinds of things that assay list shows.
func lists() []string { return append(catalog.Kinds(), "runs") }

func (a *app) listCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list [KIND]",
		Short: "list contenders, workloads, modes, claims, runs and other names",
		Long: strings.Join(texttab.Wrap("List shows one kind of thing at a time: "+phrase.List(lists(), "or")+". "+
			"The default is contenders. To learn what a name means, use assay explain. The list of axes says how many contenders have a mode on each, "+
			"and how many say why they lack it; as md, it is a page with every contender's modes, reasons, and the advice of its authors.", 80), "\n"),
		Example:   "  assay list\n  assay list sizes\n  assay list contenders --format json\n  assay list axes --format md",
		Args:      flags.ArgsAtMost(1),
		ValidArgs: lists(),
		RunE: func(_ *cobra.Command, args []string) error {
			what := "contenders"
			if len(args) > 0 {
				what = args[0]
			}
			switch {
			case what == "axes" && format == "md":
				return report.Axes(a.Out, contenders.All())
			case what == "axes" && !slices.Contains(textOrJSON(), format):
				return refusal.Errorf("--format is %q; assay list axes prints text, json or md", format)
			case !slices.Contains(textOrJSON(), format):
				return refusal.Errorf("--format is %q; assay list prints text or json", format)
			}
			return a.list(what, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text, json, and md for axes")
	flags.Values(cmd, "format", func() []string { return append(textOrJSON(), "md") })
	return cmd
}

// textOrJSON returns the formats of commands that print no table of measurements.
func textOrJSON() []string { return []string{"text", "json"} }

func (a *app) list(what string, asJSON bool) error {
	l, err := catalog.List(what, a.source)
	switch {
	case err != nil:
		return err
	case what == "runs":
		if l, err = a.listRuns(asJSON); l == nil || err != nil {
			return err
		}
	case l == nil:
		return refusal.Errorf("there is no list of %q%s", what, nearest.Otherwise(what, lists()))
	}
	if asJSON {
		return a.JSON(l.Contract)
	}
	return a.Table(l.Table)
}

// listRuns lists the stored runs. If there are none, it says so and returns nil, except with
// asJSON.
func (a *app) listRuns(asJSON bool) (*catalog.Listing, error) {
	runs, err := a.runs.List()
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 && !asJSON {
		a.Hint("there is no run in %s yet; assay run makes one", a.runs.Dir)
		return nil, nil
	}
	return catalog.Runs(a.runs.Dir, runs), nil
}

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain NAME",
		Short: "explain a name or a word in the tables",
		Long: `Explain says what a name means: a contender, workload, probe, mode, op, metric,
claim, trait, loss or status, or a word in the tables. It says how assay calls a
contender and when to choose it, where a workload comes from, what a mode gives
up, and what a metric leaves out.`,
		Example: "  assay explain vtprotobuf\n  assay explain output=reuse\n  assay explain time",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return refusal.Errorf("explain takes one name; assay list shows them")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.TopicNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explain(args[0]) },
	}
}

func (a *app) explain(name string) error {
	known, err := catalog.Explain(a.Out, name)
	if err == nil && !known {
		return refusal.Errorf("there is nothing called %q%s", name, nearest.Otherwise(name, catalog.TopicNames()))
	}
	return err
}

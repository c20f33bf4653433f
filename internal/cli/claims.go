package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/page"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/internal/userfile"
	"assay/published/claims"
	"assay/result"
)

// claimsOptions are the flags of assay claims.
type claimsOptions struct {
	files []string
	// chosen are the IDs or numbers of the claims to show in detail. If it is empty, all claims
	// are shown, one line for each unless details is set.
	chosen  []string
	details bool
	source  string
	run     string
	resume  string
	format  string
	flags.Effort
	seed  uint64
	page  flags.Page
	whole flags.Wholes
	// reproduced names stored runs of assay reproduce.
	reproduced []string
}

func (a *app) claimsCommand() *cobra.Command {
	var o claimsOptions
	cmd := &cobra.Command{
		Use: "claims [FILE|CLAIM...]",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.ClaimIDs(a.source), cobra.ShellCompDirectiveDefault
		},
		Short: "test published claims by measurement",
		Long: `Claims rules on published statements by measurement: each one holds, is refuted,
depends on size or op, is undecided, or cannot be tested. The first verdict is
on the claim as published, the second on other sizes and ways of use.
Without a FILE it tests the claims of the published benchmarks that assay's
workloads come from. A FILE, whose name ends in .toml, holds your own claims.
It prints one line for each claim, or only the claims' names if the lines do
not fit on a screen. With a CLAIM, an ID or a printed number, it prints the
details of that claim.
With --quick, assay rules by code-only time, without garbage collection.
It measures exactly what the claims need, in one stored run.
Sizes that take too much memory for that are measured with --giants, each op
alone in a process, in a stored run of their own, which takes many minutes.
Where an op takes no longer than the loop around it, --reproduced rules by the
source's own method, from a stored run of assay reproduce.
With --run it uses a stored run and measures nothing. If a claim differs from
what its file expects, it exits with 1.`,
		Example: `  assay claims --quick
  assay claims --source movie
  assay claims design.toml --budget 2m
  assay claims --source chain --giants --memory 16GiB
  assay claims --run latest movie-json-size
  assay claims --run latest --format md > claims.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				if claims.IsID(arg) || !strings.ContainsAny(arg, `./\`) && !userfile.Is(arg) {
					o.chosen = append(o.chosen, arg)
				} else {
					o.files = append(o.files, arg)
				}
			}
			if err := o.complete(cmd); err != nil {
				return err
			}
			return a.claims(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	flags.FormatFlag(cmd, &o.format, report.ClaimFormats)
	o.page.Add(cmd)
	f.StringVar(&o.source, "source", "", "show only the claims of source `ID`")
	f.BoolVar(&o.details, "details", false, "print each claim's reasons and conditions")
	f.StringVar(&o.run, "run", "", "use the stored `RUN` (an ID, a directory, or latest) and measure nothing")
	o.whole.Add(cmd, a.runs.IDs)
	f.StringArrayVar(&o.reproduced, "reproduced", nil, "use the source's own method, from the stored `RUN` of assay reproduce, for times as short as a loop; may be repeated")
	flags.Values(cmd, "reproduced", a.runs.IDs)
	flags.Quick(cmd, &o.Quick, "use fewer layouts, time no large values", flags.QuickClaims)
	flags.Budget(cmd, &o.Budget, flags.FullClaims, flags.QuickClaims)
	flags.Layouts(cmd, &o.Layouts, flags.FullClaims, flags.QuickClaims)
	flags.Seed(cmd, &o.seed)
	flags.Resume(cmd, &o.resume, ", then rule by it", a.runs.IDs)
	flags.Values(cmd, "run", a.runs.IDs)
	flags.Values(cmd, "source", func() []string { return catalog.SourceIDs(a.source) })
	return cmd
}

// complete checks that the flags fit together, and fills in the defaults.
func (o *claimsOptions) complete(cmd *cobra.Command) error {
	shown := []string{"source", "format", "details", "report", "whole", "reproduced"}
	if err := cmp.Or(flags.OnlyWith(cmd, "run", "measures nothing", shown...), flags.OnlyWithResume(cmd, shown...), o.whole.Check()); err != nil {
		return err
	}
	return errors.Join(o.Effort.Complete(cmd, flags.FullClaims, flags.QuickClaims), o.page.Check())
}

// claims rules on a ledger and prints the rulings.
func (a *app) claims(ctx context.Context, o claimsOptions) error {
	a.runs.Strict = o.run != "" || len(o.whole.Runs) > 0 || len(o.reproduced) > 0 || o.resume != ""
	f, err := flags.Format(report.ClaimFormats, o.format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	ledger, chosen, err := a.chosenOf(ctx, o)
	if err != nil {
		return err
	}
	var reproductions []claims.Reproduction
	if reproductions, o.reproduced, err = a.runs.Reproductions(o.reproduced); err != nil {
		return err
	}
	besides, err := a.besides(ctx, &o.whole, o.seed, func(p result.Plan) (result.Plan, plan.Selection, error) {
		return a.measuring().WholesForClaims(p, ledger.Part(chosen).Needs(true))
	}, "rule by it")
	if err != nil {
		return err
	}
	results, dir, err := a.claimed(ctx, o, ledger.Part(chosen))
	if err != nil {
		return err
	}
	if results == nil && besides != nil {
		results = &analysis.Results{Run: besides.Run}
	}
	if results != nil {
		results.Besides = besides
	}
	c := report.Ruled(ledger, results, reproductions...)
	c.Only(chosen)
	c.Details = o.details || len(o.chosen) > 0
	c.Repeat, c.Print = repeatAnew(o, results), printAgain(o, results)
	if err := f.Write(a.Out, c, opts); err != nil {
		return err
	}
	if err := a.pageTo(o.page, func() *page.Source { return a.described(page.OfClaims(c), measure.Known()...) }); err != nil {
		return err
	}
	if dir != "" {
		a.Hint("stored    %s", dir)
		again := repeat(o) + " --run " + stored.Name(dir) + o.otherRuns()
		a.Next(
			[2]string{again + " --details", "why; or name a claim by its number"},
			[2]string{again, "these verdicts again; --format md or json"},
			[2]string{"assay show " + stored.Name(dir), "the tables that they rest on"},
		)
	}
	return a.pass(gate.Claims(c.Rulings, c.Results, c.Reproductions...))
}

// chosenOf returns the ledger, and the IDs of its claims that the command is about.
func (a *app) chosenOf(ctx context.Context, o claimsOptions) (*claims.Ledger, []string, error) {
	ledger, err := a.ledger(ctx, o.files)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := ledger.Choose(o.source, o.chosen)
	if i := slices.IndexFunc(o.chosen, userfile.Is); err != nil && i >= 0 {
		return nil, nil, refusal.Errorf("%w; the name of a file of claims ends in .toml, and that of %s does not", err, o.chosen[i])
	}
	return ledger, chosen, refusal.Of(err)
}

// repeatAnew returns the command that measures what results have once more, with the same budget.
func repeatAnew(o claimsOptions, results *analysis.Results) string {
	if results == nil {
		return repeat(o)
	}
	var wholes *result.Run
	if results.Besides != nil {
		wholes = results.Besides.Run
	}
	return repeat(o) + flags.Anew(results.Run, wholes, flags.FullClaims, flags.QuickClaims)
}

// printAgain returns the command that prints the page of a stored run, or "" if the run is new.
func printAgain(o claimsOptions, results *analysis.Results) string {
	if o.run == "" {
		return ""
	}
	return fmt.Sprintf("%s --run %s%s --format md", repeat(o), results.Run.Name, o.otherRuns())
}

// otherRuns returns the flags that name the other stored runs to rule by, each after a space.
func (o *claimsOptions) otherRuns() string {
	return stored.WholeFlags(o.whole.Runs) + stored.ReproducedFlags(o.reproduced)
}

// repeat returns the command that measures the same claims again.
func repeat(o claimsOptions) string {
	words := append([]string{"assay", "claims"}, o.files...)
	words = append(words, o.chosen...)
	if o.source != "" {
		words = append(words, "--source", o.source)
	}
	return phrase.ShellLine(words...)
}

// ledger reads claims files, or without files the ledger that the program contains. The exhibits that
// a file names must exist.
func (a *app) ledger(ctx context.Context, files []string) (*claims.Ledger, error) {
	if len(files) == 0 {
		l, err := claims.Embedded(a.source)
		return l, refusal.Of(err)
	}
	l, err := claims.Read(files, func(name string) ([]byte, error) { return userfile.Read(ctx, name) })
	if err != nil {
		return nil, refusal.Of(err)
	}
	return l, catalog.ClaimedExhibits(a.source, l.Claims)
}

// claimed returns the results that a ledger is ruled on by, from a stored run or from a new one.
// For a new run it also returns the directory. The results are nil if no claim needs any.
func (a *app) claimed(ctx context.Context, o claimsOptions, l *claims.Ledger) (*analysis.Results, string, error) {
	if o.run != "" {
		run, records, err := a.runs.Read(o.run, stored.Timed)
		if err == nil {
			err = stored.OfOneVersion(run, records)
		}
		if err != nil {
			return nil, "", err
		}
		return analysis.Of(run, records, analysis.View{}), "", nil
	}
	needs := l.Needs(!o.Quick)
	if len(claims.Ordinary(needs)) == 0 && o.resume == "" {
		return nil, "", nil
	}
	if err := a.locate(&o.resume); err != nil {
		return nil, "", err
	}
	var m *measure.Measurement
	again := repeat(o) + o.otherRuns()
	err := a.keeping(ctx, afterWholes(&o.whole, a.beforehand(again, o.resume, nil)), func(ctx context.Context) (err error) {
		m, err = a.beginClaims(ctx, o, needs)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	if err := a.keeping(ctx, goOn(again+" --resume "+m.Run.Name+a.builtBy(nil)), m.Measure); err != nil {
		return nil, "", err
	}
	return analysis.Of(m.Run, m.Records, analysis.View{}), m.Dir(), nil
}

// beginClaims begins a new run of what the claims need, or opens the run to resume.
func (a *app) beginClaims(ctx context.Context, o claimsOptions, needs []claims.Need) (*measure.Measurement, error) {
	if o.resume != "" {
		return a.reopen(ctx, o.resume, measure.Continuation{})
	}
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	p, sel, err := cfg.ForClaims(result.Plan{Budget: o.Budget, Quick: o.Quick, Layouts: measure.Layouts(o.Layouts)}, needs)
	if err != nil {
		return nil, err
	}
	return cfg.Begin(ctx, measure.Order{
		Plan: p, Selection: sel, Seed: o.seed, Variant: measure.Variant{Go: a.goCommand},
	})
}

package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/measure"
	"assay/internal/outfile"
	"assay/internal/page"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/published/claims"
	"assay/published/reproduce"
	"assay/result"
)

// pageTo writes the page that --report asks for. Without --report it does nothing.
func (a *app) pageTo(f flags.Page, source func() *page.Source) error {
	if f.File == "" {
		return nil
	}
	if err := page.WriteFile(f.File, source()); err != nil {
		return err
	}
	a.Hint("report    %s", f.File)
	return nil
}

// pageOf returns the source of the page of a run. t is the answer of a run of assay try, and
// others are contenders that are not built in.
func (a *app) pageOf(run *result.Run, records []result.Record, t *report.Try, others ...*contender.Contender) *page.Source {
	return a.described(page.Of(run, records, t), contendersOf(run, others...)...)
}

// described adds to the source of a page what is known of contenders and sizes.
func (a *app) described(s *page.Source, contenders ...*contender.Contender) *page.Source {
	s.Code, s.Contenders, s.Typical = assay.Source, contenders, a.typical
	return s
}

// typical reports whether a size stands for its workload.
func (a *app) typical(c result.Cell) bool { return measure.Typical(a.input, c) }

// contendersOf returns others, the known contenders, and what the run keeps of its external
// contenders, each name once: others know more of a contender of a user's own .proto.
func contendersOf(run *result.Run, others ...*contender.Contender) []*contender.Contender {
	all := slices.Clone(others)
	add := func(c *contender.Contender) {
		if !slices.Contains(measure.Names(all), c.Name) {
			all = append(all, c)
		}
	}
	for _, c := range measure.Known() {
		add(c)
	}
	for _, x := range run.Plan.Externals {
		add(&contender.Contender{Name: x.Name, Format: x.Format, Title: x.Title})
	}
	return all
}

func (a *app) reportCommand() *cobra.Command {
	var out, site string
	cmd := &cobra.Command{
		Use:   "report [RUN]...",
		Short: "write a stored run as one HTML page",
		Long: `Report writes a stored run as one HTML file for a browser: the verdict, a
picture of size against time, the ranking, and what they rest on, down
to every sample. The file makes no request, and you can send it to others. For a
run of assay try it has the names of files, the schema, and the texts that say
what kind an object is, such as values of "type"; it quotes nothing else of the
records. It shows the first RUN, and you can choose another one to compare with.
With --site it writes a page for each RUN and each contender, and an index,
which any static host can serve; pages of an earlier site in that directory go.
RUN is an ID, a directory, or latest, which is the default.`,
		Example: "  assay report\n  assay report latest --out customer.html\n  assay report 20260102-150405-ab12 latest --out both.html\n  assay report --site public 20260102-150405-ab12 latest",
		Args:    cobra.ArbitraryArgs,

		ValidArgsFunction: a.completeRuns,
		RunE: func(_ *cobra.Command, args []string) error {
			if site != "" && out != "" {
				return refusal.Errorf("--site writes several pages: it cannot be combined with --out")
			}
			if site != "" {
				return a.site(args, site)
			}
			return a.report(args, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to the new `FILE` (default: the run's ID with .html, in the current directory)")
	cmd.Flags().StringVar(&site, "site", "", "write an index and a page for each run and contender to `DIR`")
	return cmd
}

// site writes the pages of stored runs to a directory.
func (a *app) site(names []string, dir string) error {
	if len(names) == 0 {
		names = []string{""}
	}
	var runs []*page.Source
	for _, name := range names {
		s, err := a.storedPage(name)
		if err != nil {
			return err
		}
		runs = append(runs, s)
	}
	if err := page.WriteSite(dir, runs); err != nil {
		return err
	}
	fmt.Fprintln(a.Out, filepath.Join(dir, "index.html"))
	return nil
}

// completeRuns completes any number of runs.
func (a *app) completeRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return append(a.runs.IDs(), "latest"), cobra.ShellCompDirectiveDefault
}

// report writes the page of stored runs.
func (a *app) report(names []string, out string) error {
	s, err := a.storedPage(first(names))
	if err != nil {
		return err
	}
	for _, name := range names[min(1, len(names)):] {
		other, err := a.storedPage(name)
		if err != nil {
			return err
		}
		s.Beside = append(s.Beside, other.Results)
	}
	if out == "" {
		out = s.Results.Run.ID + ".html"
	}
	if err := outfile.Check(out); err != nil {
		return refusal.Errorf("--out: %w", err)
	}
	if err := page.WriteFile(out, s); err != nil {
		return err
	}
	fmt.Fprintln(a.Out, out)
	return nil
}

// storedPage returns the source of the page of a stored run.
func (a *app) storedPage(name string) (*page.Source, error) {
	dir, err := a.runs.Find(name, stored.WithCases)
	if err != nil {
		return nil, err
	}
	run, records, err := a.runs.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if run.Answers() {
		t, err := tried.Again(dir, run, records, &tried.Asking{})
		if err != nil {
			return nil, err
		}
		kept, err := tried.Kept(dir, run)
		return a.pageOf(run, records, t, kept.About()...), err
	}
	if len(run.Plan.Sources) == 0 {
		if err := stored.HasCases(run, records); err != nil {
			return nil, err
		}
	}
	s := a.pageOf(run, records, nil)
	if labels := analysis.Sides(run, records); len(labels) == 2 {
		if s.Comparison, err = compareSides(run, records, labels, flags.Selection{}); err != nil {
			return nil, err
		}
	}
	if len(run.Plan.Sources) > 0 {
		s.Reproduction, err = a.reproducedPage(run, records)
	} else if ofLedger(run) {
		s.Claims, err = a.ruled(s.Results)
	}
	return s, err
}

// ofLedger reports whether a run was made for the embedded ledger. A run does not contain the
// claims of a file, which may have changed since.
func ofLedger(run *result.Run) bool {
	other := newApp(nil, io.Discard, io.Discard, nil) // another app, because Find and ParseFlags set its flags
	cmd, args, err := other.root().Find(run.Args)
	if err != nil || cmd.Name() != "claims" {
		return false
	}
	cmd.FParseErrWhitelist.UnknownFlags = true // flags of other versions
	if cmd.ParseFlags(args) != nil {
		return false
	}
	return !slices.ContainsFunc(cmd.Flags().Args(), func(arg string) bool { return !claims.IsID(arg) })
}

// reproducedPage returns the published tables with the numbers of a run.
func (a *app) reproducedPage(run *result.Run, records []result.Record) (*reproduce.Reproduction, error) {
	all, err := catalog.Sources(a.source, nil)
	if err != nil {
		return nil, err
	}
	if all, err = reproduce.Within(run, all, nil); err != nil {
		return nil, refusal.Of(err)
	}
	return reproduce.Of(all, run, records, nil), nil
}

// ruled returns the rulings of a run on the embedded ledger.
func (a *app) ruled(results *analysis.Results) (*report.Claims, error) {
	ledger, err := claims.Embedded(a.source)
	if err != nil {
		return nil, refusal.Of(err)
	}
	c := report.Ruled(ledger, results)
	c.Repeat, c.Details = "assay claims", true
	return c, nil
}

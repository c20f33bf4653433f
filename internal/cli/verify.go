package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/result"
)

func (a *app) verifyCommand() *cobra.Command {
	var s flags.Selection
	var format string
	var seed uint64
	var runners []string
	var quick, ask bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "check that every contender returns what it was given",
		Long: `Verify makes every selected contender encode and decode every value and compares
what comes back with what went in, then lets the contenders of each format read
one another's bytes. It times nothing. It exits with 1 if a value comes back
changed, apart from the losses that a contender declares.

With --probes it sends values that libraries are known to change or refuse: time
zones, NaN, empty and nil lists, bytes that are not UTF-8. It forgives no loss.
A matrix shows which values come back unchanged, which come back changed, and
which are refused. It exits with 1 if a contender declares other losses.`,
		Example: "  assay verify -w movie\n  assay verify -c 'proto|json' --format json\n  assay verify --probes -c msgpack",
		Args:    flags.ArgsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ask {
				switch {
				case len(runners) > 0:
					return refusal.Errorf("--probes asks the contenders of assay only: leave --runner out")
				case quick || cmd.Flags().Changed("seed"):
					return refusal.Errorf("the probes are always the same: leave --quick and --seed out")
				}
				return a.probe(cmd.Context(), &s, format)
			}
			f, ok := report.Named(report.VerifiedFormats, format)
			if !ok {
				return refusal.Errorf("--format is %q; assay verify prints text or json, and md with --probes", format)
			}
			s.Input = a.input
			if err := a.invite(cmd.Context(), &s, runners); err != nil {
				return err
			}
			sel, err := s.Plan(quick)
			if err != nil {
				return err
			}
			a.warnWithout(&s, sel)
			if err := a.pass(gate.Measurable(s.Wanted(sel))); err != nil {
				return cmp.Or(a.printRuledOut(sel, f), err)
			}
			return a.verify(cmd.Context(), sel, s.Externals, seed, f)
		},
	}
	s.Add(cmd)
	s.All, cmd.Flags().Lookup("all").DefValue = true, "true"
	flags.FormatFlag(cmd, &format, report.MatrixFormats)
	cmd.Flags().Lookup("format").Usage = "print as `FORMAT`: text, json, and md with --probes"
	cmd.Flags().BoolVar(&ask, "probes", false, "send values that libraries are known to change or refuse, and show what becomes of them")
	flags.Seed(cmd, &seed)
	runnerFlag(cmd, &runners, "")
	cmd.Flags().BoolVar(&quick, "quick", false, "use only the sizes of a quick run")
	return cmd
}

func (a *app) verify(ctx context.Context, sel plan.Selection, xs measure.Externals, seed uint64, f report.FormatOf[*report.Verified]) error {
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	cfg, err := a.building()
	if err != nil {
		return err
	}
	res, err := cfg.Verify(ctx, sel, xs, seed)
	a.progress().Clear()
	if err != nil {
		return err
	}
	v := report.VerifiedOf(sel.Cases, res.Outcomes, res.Verifications)
	if err := f.Write(a.Out, v, opts); err != nil {
		return err
	}
	return a.pass(gate.Verified(v.Rows, xs.Names()))
}

// printRuledOut prints why the cases of a selection cannot be verified.
func (a *app) printRuledOut(sel plan.Selection, f report.FormatOf[*report.Verified]) error {
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	var cases []result.Case
	for _, out := range sel.Outcomes {
		cases = append(cases, out.Case)
	}
	return f.Write(a.Out, report.VerifiedOf(cases, sel.Outcomes, nil), opts)
}

// probe sends every probe to the selected contenders and prints what became of the values. It
// forgives no losses. If a finding differs from what a contender declares, its error is that of a
// failed check.
func (a *app) probe(ctx context.Context, s *flags.Selection, format string) error {
	f, err := flags.Format(report.MatrixFormats, format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	sel, err := s.Probes()
	if err != nil {
		return err
	}
	cfg, err := a.building()
	if err != nil {
		return err
	}
	res, err := cfg.Probe(ctx, sel)
	a.progress().Clear()
	if err != nil {
		return err
	}
	m := catalog.Matrix(sel.Contenders, res.Verifications, res.Outcomes)
	for _, r := range m.Rows {
		names, err := catalog.Differs(r)
		switch {
		case err != nil:
			a.Warn("%v", err)
		case len(names) > 0:
			a.Warn("%s behaves differently than in its last test with the probes %s", result.Subject{Contender: r.Contender, Mode: r.Mode}, strings.Join(names, ", "))
		}
	}
	if err := f.Write(a.Out, m, opts); err != nil {
		return err
	}
	return a.pass(gate.Probed(m))
}

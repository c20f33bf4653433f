package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/result"
)

func (a *app) verifyCommand() *cobra.Command {
	var s selection
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
		Args:    argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ask {
				switch {
				case len(runners) > 0:
					return usagef("--probes asks the contenders of assay only: leave --runner out")
				case quick || cmd.Flags().Changed("seed"):
					return usagef("the probes are always the same: leave --quick and --seed out")
				}
				return a.probe(cmd.Context(), &s, format)
			}
			if !slices.Contains(textOrJSON(), format) {
				return usagef("--format is %q; assay verify prints text or json, and md with --probes", format)
			}
			var err error
			if s.externals, err = a.measuring().Invite(cmd.Context(), runners); err != nil {
				return interrupted(cmd.Context(), err, " before anything was measured")
			}
			sel, err := s.plan(quick)
			if err != nil {
				return err
			}
			return a.verify(cmd.Context(), sel, s.externals, seed, format == "json")
		},
	}
	s.flags(cmd)
	s.all, cmd.Flags().Lookup("all").DefValue = true, "true"
	formatFlag(cmd, &format, report.MatrixFormats)
	cmd.Flags().BoolVar(&ask, "probes", false, "send values that libraries are known to change or refuse, and show what becomes of them")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "make the values from `SEED`")
	runnerFlag(cmd, &runners)
	cmd.Flags().BoolVar(&quick, "quick", false, "use only the sizes of a quick run")
	return cmd
}

// A verifyRow is the outcome of one subject at one size.
type verifyRow struct {
	Workload  string        `json:"workload"`
	Size      string        `json:"size"`
	Contender string        `json:"contender"`
	Mode      string        `json:"mode"`
	Status    result.Status `json:"status"`
	Reason    string        `json:"reason"`
	Losses    []string      `json:"losses"`
	// Reads are the contenders of the same format whose bytes it decoded.
	Reads []string `json:"reads"`
}

func (a *app) verify(ctx context.Context, sel plan.Selection, xs measure.Externals, seed uint64, asJSON bool) error {
	res, err := a.measuring().Verify(ctx, sel, xs, seed)
	a.progress().clear()
	if err != nil {
		return interrupted(ctx, err, "")
	}
	rows := verifyRows(sel.Cases, res.Outcomes, res.Verifications)
	if asJSON {
		err = a.printJSON(struct {
			Schema int         `json:"schema"`
			Rows   []verifyRow `json:"rows"`
		}{1, rows})
	} else {
		err = a.printVerified(rows)
	}
	if err != nil {
		return err
	}
	return a.pass(judgeVerified(rows))
}

// verifyRows returns a row for each subject at each size.
func verifyRows(cases []result.Case, outcomes []result.Outcome, verifications []result.Verification) []verifyRow {
	type key struct {
		workload, size string
		subject        result.Subject
	}
	var rows []verifyRow
	at := map[key]int{}
	for _, c := range cases {
		k := key{c.Workload, c.Size, c.Subject()}
		if _, ok := at[k]; !ok {
			at[k] = len(rows)
			rows = append(rows, verifyRow{
				Workload: c.Workload, Size: c.Size, Contender: c.Contender, Mode: c.Mode,
				Status: result.OK, Losses: []string{}, Reads: []string{},
			})
		}
	}
	for _, v := range verifications {
		i, ok := at[key{v.Workload, v.Size, v.Subject}]
		switch {
		case !ok:
		case v.From == nil:
			rows[i].Losses = append([]string{}, v.Losses...)
		case v.OK:
			rows[i].Reads = append(rows[i].Reads, v.From.Contender)
		}
	}
	for _, o := range outcomes {
		if i, ok := at[key{o.Case.Workload, o.Case.Size, o.Case.Subject()}]; ok {
			rows[i].Status, rows[i].Reason = o.Status, o.Reason
		}
	}
	return rows
}

func (a *app) printVerified(rows []verifyRow) error {
	t := newTable()
	t.head("workload", "size", "contender", "mode", "status", "reads", "remarks")
	good := 0
	for _, r := range rows {
		remarks := r.Reason
		if r.Status == result.OK {
			good++
			if len(r.Losses) > 0 {
				remarks = "loses, as declared: " + strings.Join(r.Losses, ", ")
			}
		}
		t.row(r.Workload, r.Size, r.Contender, r.Mode, string(r.Status), strings.Join(r.Reads, ", "), remarks)
	}
	if err := t.print(a); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\n%d of %s return what they are given\n", good, count(len(rows), "subject"))
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/contender"
	"assay/internal/answer"
	"assay/internal/catalog"
	"assay/internal/export"
	"assay/internal/flags"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/internal/userdata"
	"assay/internal/userfile"
)

// exportDataCommand returns assay data export, which writes schemas and code for the user.
func (a *app) exportDataCommand() *cobra.Command {
	var in flags.Input
	var t flags.TakeAway
	var names []string
	cmd := &cobra.Command{
		Use:               "export [RUN | FILE...]",
		ValidArgsFunction: a.completeRuns,
		Short:             "write the schema in every format, and code that is ready to copy",
		Long: `Export writes a directory for your own repository: the schema as TOML, .proto,
.fbs, .capnp and .avsc, plain Go types, and for each contender a Go package with
functions that encode and decode, conversions, and a test. Together they are a
module that requires the measured versions and nothing of assay.

The data come from a RUN of assay try, by default the latest; or from samples,
which it reads as assay try does; or, with --schema and no sample, from a schema
alone. Without -c, it takes the contender that the run's answer recommends
first; without a run, it writes no packages.`,
		Example: `  assay data export --out wire
  assay data export latest --out wire -c msgp --module corp.example/wire
  assay data export orders.ndjson --out wire -c protobuf --with-records
  assay data export --schema orders.toml --out wire -c capnp`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if t.Dir == "" {
				return refusal.Errorf("there is nowhere to write; name a directory with --out")
			}
			if err := errors.Join(in.Check(), t.Check()); err != nil {
				return err
			}
			if _, err := tried.Chosen(measure.Known(), names); err != nil {
				return err
			}
			e, err := a.exported(cmd, in, args, t.WithRecords)
			if err != nil {
				return interrupted(cmd.Context(), err, " before anything was written")
			}
			chosen, err := tried.Chosen(e.Contenders(), names)
			if err == nil && e.Run != "" {
				chosen, err = a.recommended(&e, chosen)
			}
			if err != nil {
				return err
			}
			return a.takeAway(cmd.Context(), t, e, chosen, names...)
		},
	}
	in.Add(cmd)
	t.Add(cmd)
	cmd.Flags().StringArrayVarP(&names, "contender", "c", nil, "write a package for `CONTENDER` (may be repeated)")
	flags.Values(cmd, "contender", catalog.ContenderNames)
	return cmd
}

// exported finds the data of a run, of samples, or of a schema alone.
func (a *app) exported(cmd *cobra.Command, in flags.Input, args []string, withRecords bool) (tried.TakeAway, error) {
	ctx, stdin := cmd.Context(), cmd.InOrStdin()
	goType, err := in.Kind(args)
	switch {
	case err != nil:
		return tried.TakeAway{}, err
	case goType == "" && len(args) == 0 && in.SchemaFile != "":
		if withRecords {
			return tried.TakeAway{}, refusal.Errorf("--with-records needs records; name a sample besides --schema")
		}
		if flag := flags.InputGiven(cmd, "schema"); flag != "" {
			return tried.TakeAway{}, refusal.Errorf("--%s needs a sample, and only --schema is given; name a sample too", flag)
		}
		s, err := in.Schema(ctx)
		if err != nil {
			return tried.TakeAway{}, err
		}
		return tried.TakeAway{Source: userdata.Source{Schema: s, Root: s.Roots[0]}, Of: in.Made(userdata.Source{})}, nil
	case goType == "" && (len(args) == 0 || len(args) == 1 && !userfile.Is(args[0])): // a run
		if flag := flags.InputGiven(cmd); flag != "" {
			if len(args) == 1 {
				if _, err := a.runs.Find(args[0], stored.OfTry); err != nil {
					return tried.TakeAway{}, refusal.Errorf("%s is no file, and %v", args[0], err)
				}
			}
			return tried.TakeAway{}, refusal.Errorf("--%s applies to samples, but a stored run has its own schema and records; leave --%[1]s out", flag)
		}
		return a.exportedRun(ctx, first(args), withRecords)
	}
	if !withRecords {
		// Only the schema is needed, so the records are read but not kept.
		s, err := a.inferred(ctx, stdin, &in, args)
		return tried.TakeAway{Source: s, Of: in.Made(s)}, err
	}
	d, typed, err := a.sampled(ctx, stdin, &in, args)
	if typed != nil {
		err = errors.Join(err, typed.Close())
	}
	if err != nil {
		return tried.TakeAway{}, err
	}
	e := tried.TakeAway{Source: d.Source, Of: in.Made(d.Source)}
	return e, e.Some(d)
}

// exportedRun returns the data of a stored run.
func (a *app) exportedRun(ctx context.Context, name string, withRecords bool) (tried.TakeAway, error) {
	dir, err := a.runs.Find(name, stored.OfTry)
	if err != nil {
		return tried.TakeAway{}, err
	}
	return tried.FromRun(ctx, a.cacheDir(), dir, withRecords)
}

// recommended returns what Recommend does by the answer of the stored run.
func (a *app) recommended(e *tried.TakeAway, chosen []*contender.Contender) ([]*contender.Contender, error) {
	run, records, err := a.runs.ReadDir(e.Run)
	if err != nil {
		return nil, err
	}
	t, err := tried.Again(e.Run, run, records, &tried.Asking{})
	if err != nil {
		return nil, err
	}
	if chosen = e.Recommend(chosen, t.Answer); len(chosen) == 0 {
		a.Warn("the answer of run %s names no winner, so no contender's code is written; name one with -c", stored.Name(e.Run))
	}
	return chosen, nil
}

// takeFromTry writes schemas and code after a run of assay try. It writes the code of the
// contenders that -c names or, without -c, of the first recommendation.
func (a *app) takeFromTry(ctx context.Context, o tryOptions, m *measure.Measurement, answers *answer.Answer) error {
	e := tried.TakeAway{Source: o.data.Source, Of: o.Input.Made(o.data.Source), Run: m.Dir()}
	asked, err := flags.Compile("contender", o.Include.Contender)
	if err != nil {
		return err
	}
	var chosen []*contender.Contender
	for _, c := range m.Selected().Contenders { // all that were measured, also those that -c did not select
		if asked != nil && asked.MatchString(c.Name) && slices.Contains(e.Contenders(), c) {
			chosen = append(chosen, c)
		}
	}
	if asked == nil || len(chosen) > 0 { // -c may match only contenders without code
		if chosen = e.Recommend(chosen, answers); len(chosen) == 0 {
			a.Warn("the answer names no winner, so no contender's code is written; name one with -c")
		}
	}
	if o.out.WithRecords {
		if err := e.Some(o.data); err != nil {
			return err
		}
	}
	return a.takeAway(ctx, o.out, e, chosen)
}

// takeAway writes the schemas and code for the data. It returns an error if one of the named contenders
// has no package.
func (a *app) takeAway(ctx context.Context, t flags.TakeAway, e tried.TakeAway, chosen []*contender.Contender, named ...string) error {
	p := a.progress()
	p.Status("writing   schemas and code")
	o := e.Options(chosen, t.Module, assay.Version())
	if e.Run != "" {
		o.About.Show = "assay show " + stored.Name(e.Run)
	}
	cfg, err := a.building()
	if err != nil {
		return err
	}
	o.Build = cfg.Tools()
	m, err := export.Make(ctx, o)
	p.Clear()
	if err != nil {
		return interrupted(ctx, err, " before anything was written")
	}
	if err := m.Write(t.Dir); err != nil {
		return err
	}
	var missing []string
	for _, l := range m.LeftOut { // the exit code shows only those that the user named
		fmt.Fprintf(a.Err, "left out  %s: %s\n", l.Name, l.Reason)
		if slices.Contains(named, l.Name) {
			missing = append(missing, l.Name)
		}
	}
	var names []string
	for _, p := range m.Packages {
		names = append(names, "package "+p.Dir)
	}
	switch {
	case len(names) > 0:
		a.Hint("written   %s: schemas, Go types, %s", t.Dir, strings.Join(names, ", "))
	case m.Tested():
		a.Hint("written   %s: schemas, Go types, and a test that they can read your records; -c adds the code of a contender", t.Dir)
	default:
		a.Hint("written   %s: schemas and Go types; -c adds the code of a contender, with a test of it", t.Dir)
		return nil
	}
	test := "go test ./..."
	if export.InWorkspace(t.Dir) {
		test = "GOWORK=off " + test
	}
	a.Next([2]string{phrase.ShellLine("cd", t.Dir) + " && " + test, "check the code"})
	if len(missing) > 0 {
		return fmt.Errorf("%s has no package of %s, which -c names", t.Dir, phrase.List(missing, "and"))
	}
	return nil
}

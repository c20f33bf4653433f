package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/contenders"
	"assay/internal/answer"
	"assay/internal/export"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/internal/userdata"
)

// takeAway is the flags that say what is written for the user to copy.
type takeAway struct {
	dir         string
	module      string
	withRecords bool
	force       bool
}

func (t *takeAway) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.dir, "out", "", "write schemas and code to `DIR`, a new or empty directory")
	f.StringVar(&t.module, "module", "", "give the module of the code this `PATH` (default example.com/NAME)")
	f.BoolVar(&t.withRecords, "with-records", false, "write a few of your records to DIR too, and test the code on them (default: an invented value)")
	f.BoolVar(&t.force, "force", false, "write to DIR even if it is not empty, and replace files that assay wrote there and nobody changed")
}

// check checks the flags, and that the directory can be written to.
func (t *takeAway) check() error {
	if t.dir == "" {
		if t.module != "" || t.withRecords || t.force {
			return usagef("--module, --with-records and --force need --out DIR")
		}
		return nil
	}
	if err := export.Check(t.dir, t.force); err != nil {
		return usagef("--out: %v", err)
	}
	if err := export.CheckModule(t.module); err != nil {
		return usagef("--module: %v", err)
	}
	return nil
}

// exportDataCommand writes what a user takes away.
func (a *app) exportDataCommand() *cobra.Command {
	var in input
	var t takeAway
	var names []string
	cmd := &cobra.Command{
		Use:   "export [RUN | FILE...]",
		Short: "write the schema in every format, and code that is ready to copy",
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
			if t.dir == "" {
				return usagef("there is nowhere to write; name a directory with --out")
			}
			if err := errors.Join(in.check(), t.check()); err != nil {
				return err
			}
			if _, err := chosenContenders(measure.Known(), names); err != nil {
				return err
			}
			e, err := a.exported(cmd.Context(), cmd.InOrStdin(), in, args, t.withRecords)
			if err != nil {
				return interrupted(cmd.Context(), err, " before anything was written")
			}
			chosen, err := chosenContenders(e.contenders(), names)
			if err == nil && e.run != "" {
				chosen, err = a.recommended(&e, chosen)
			}
			if err != nil {
				return err
			}
			return a.takeAway(cmd.Context(), t, e, chosen)
		},
	}
	in.flags(cmd)
	t.flags(cmd)
	cmd.Flags().StringArrayVarP(&names, "contender", "c", nil, "write a package for `CONTENDER` (may be repeated)")
	completeFlag(cmd, "contender", contenderNames)
	return cmd
}

// chosenContenders returns those of the contenders that have the names.
func chosenContenders(all []*contender.Contender, names []string) ([]*contender.Contender, error) {
	var chosen []*contender.Contender
	for _, name := range names {
		i := slices.IndexFunc(all, func(c *contender.Contender) bool { return c.Name == name })
		switch {
		case i < 0 && strings.HasPrefix(name, ownproto.Prefix) && slices.Contains(measure.Names(measure.Known()), name):
			return nil, usagef("--contender: %s is for records of a .proto file, and these are of none", name)
		case i < 0:
			return nil, usagef("--contender: there is no contender %q%s", name, otherwise(name, measure.Names(all)))
		case !slices.Contains(chosen, all[i]):
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}

// exportedData is the data that are exported.
type exportedData struct {
	userdata.Source
	// of says what the schema was made of.
	of    string
	run   string // of assay try; empty: the data are not from one
	about report.TryData
	// records, neutral, messages and protoJSON are as in export.Options.
	records             [][]byte
	neutral             bool
	messages, protoJSON [][]byte
	// why is why contenders were chosen, by their names.
	why map[string][]string
}

// contenders are those that code can be written for.
func (e *exportedData) contenders() []*contender.Contender {
	return slices.Concat(contenders.All(), e.Own)
}

// some takes some of the records along.
func (e *exportedData) some(d *userdata.Data) error {
	all, err := d.Originals()
	if err != nil {
		return err
	}
	if e.Spelled && len(all) > 0 {
		e.records = all
		return nil
	}
	if e.Proto != nil {
		for _, raw := range all {
			data, inJSON, err := e.Proto.Binary(raw)
			if err != nil {
				return err
			}
			e.messages = append(e.messages, data)
			if inJSON {
				e.protoJSON = append(e.protoJSON, raw)
			}
		}
	}
	e.neutral = true
	e.records, err = someRecords(d)
	return err
}

// exported finds the data: those of a run, of samples, or of a schema alone.
func (a *app) exported(ctx context.Context, stdin io.Reader, in input, args []string, withRecords bool) (exportedData, error) {
	goType, err := in.kind(args)
	switch {
	case err != nil:
		return exportedData{}, err
	case goType == "" && len(args) == 0 && in.schemaFile != "":
		if withRecords {
			return exportedData{}, usagef("--with-records needs records; name a sample besides --schema")
		}
		s, err := in.schema(ctx)
		if err != nil {
			return exportedData{}, err
		}
		return exportedData{Source: userdata.Source{Schema: s, Root: s.Roots[0]}, of: "given as " + in.schemaFile}, nil
	case goType == "" && len(args) == 0:
		return a.exportedRun(ctx, "latest", withRecords)
	case goType == "" && len(args) == 1 && !isFile(args[0]):
		return a.exportedRun(ctx, args[0], withRecords)
	}
	if !withRecords {
		// The records are read for the schema, and not kept.
		s, err := a.inferred(ctx, stdin, in, args)
		return exportedData{Source: s, of: made(s, goType)}, err
	}
	d, typed, err := a.sampled(ctx, stdin, in, args)
	if typed != nil {
		err = errors.Join(err, typed.Close())
	}
	if err != nil {
		return exportedData{}, err
	}
	e := exportedData{Source: d.Source, of: made(d.Source, goType)}
	return e, e.some(d)
}

// made says what a schema was made of.
func made(s userdata.Source, goType string) string {
	switch {
	case s.Proto != nil:
		return "made of the message " + s.Proto.Message + " of " + strings.Join(s.Proto.Named(), ", ")
	case goType != "":
		return "made of the Go type " + goType
	}
	var names []string
	for _, f := range s.Files {
		names = append(names, filepath.Base(f))
	}
	return fmt.Sprintf("inferred from %s of %s", count(int(s.Total), "record"), strings.Join(names, ", "))
}

// isFile says whether an argument is a file or standard input rather than a run.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir()
}

// exportedRun finds the data of a stored run.
func (a *app) exportedRun(ctx context.Context, name string, withRecords bool) (exportedData, error) {
	dir, err := a.runDir(name, tried)
	if err != nil {
		return exportedData{}, err
	}
	e := exportedData{run: dir}
	if withRecords {
		d, err := a.recall(ctx, dir, &e.about)
		if err != nil {
			return e, err
		}
		e.Source, e.of = d.Source, made(d.Source, "")
		return e, e.some(d)
	}
	if err := readData(dir, &e.about); err != nil {
		return e, err
	}
	e.Source, err = storedSource(ctx, dir, e.about)
	e.of = made(e.Source, "")
	return e, err
}

// someRecords returns records that are spread evenly over all.
func someRecords(d *userdata.Data) ([][]byte, error) {
	file, err := d.Few(userdata.Shown)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var records [][]byte
	lines := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			records = append(records, line)
		}
		if err != nil {
			return records, nil
		}
	}
}

// recommended returns the contenders that were chosen or, where none was, the one
// that the answer of a stored run names first, and keeps what the answer says of
// them.
func (a *app) recommended(e *exportedData, chosen []*contender.Contender) ([]*contender.Contender, error) {
	run, records, err := a.readDir(e.run)
	if err != nil {
		return nil, err
	}
	t, err := a.storedTry(e.run, run, records, asking{})
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 {
		first := e.firstPick(t.Answer)
		if first == nil {
			a.warn("the answer of run %s names no winner, so no contender's code is written; name one with -c", runName(e.run))
			return nil, nil
		}
		chosen = append(chosen, first)
	}
	e.explain(chosen, t.Answer)
	return chosen, nil
}

// firstPick returns the contender that is recommended first of those that code
// can be written for; nil: none is.
func (e *exportedData) firstPick(a *answer.Answer) *contender.Contender {
	if a.Shortage != nil {
		return nil
	}
	all := e.contenders()
	for _, p := range a.Picks {
		for _, c := range p.Best {
			if i := slices.IndexFunc(all, func(x *contender.Contender) bool { return x.Name == c.Contender }); i >= 0 {
				return all[i]
			}
		}
	}
	return nil
}

// explain keeps why contenders were chosen.
func (e *exportedData) explain(chosen []*contender.Contender, answers *answer.Answer) {
	e.why = map[string][]string{}
	for _, c := range chosen {
		e.why[c.Name] = report.Why(answers, c.Name)
	}
}

// takeFromTry writes what is taken away from a run that was just made: the code
// of the contenders that were asked for by name, or of the first recommended.
func (a *app) takeFromTry(ctx context.Context, o tryOptions, m *measure.Measurement, measured []*contender.Contender, answers *answer.Answer, data report.TryData) error {
	d := o.data
	e := exportedData{Source: d.Source, of: made(d.Source, ""), about: data, run: m.Dir()}
	if goType, err := o.goType(); err == nil && goType != "" {
		e.of = made(d.Source, goType)
	}
	var chosen []*contender.Contender
	if o.include.contender != "" {
		asked, err := compile("contender", o.include.contender)
		if err != nil {
			return err
		}
		for _, c := range measured { // what they have among them, asked for or not
			if slices.Contains(e.contenders(), c) && asked.MatchString(c.Name) {
				chosen = append(chosen, c)
			}
		}
	} else if first := e.firstPick(answers); first != nil {
		chosen = append(chosen, first)
	} else {
		a.warn("the answer names no winner, so no contender's code is written; name one with -c")
	}
	e.explain(chosen, answers)
	if o.out.withRecords {
		if err := e.some(d); err != nil {
			return err
		}
	}
	return a.takeAway(ctx, o.out, e, chosen)
}

// takeAway writes the data's schemas and code.
func (a *app) takeAway(ctx context.Context, t takeAway, e exportedData, chosen []*contender.Contender) error {
	p := a.progress()
	p.status("writing   schemas and code")
	about := export.About{Tool: toolVersion(), Of: e.of, Why: e.why, Guesses: e.Guesses, Notes: e.Notes}
	if e.run != "" {
		about.Run = filepath.Base(e.run)
	}
	m, err := export.Make(ctx, export.Options{
		Schema: userdata.Named(e.Schema), Root: e.Root, Spelling: e.Spelling, Proto: e.Proto, Contenders: chosen, Module: t.module,
		Records: e.records, Neutral: e.neutral, Messages: e.messages, ProtoJSON: e.protoJSON, About: about,
		Build: a.measuring().Tools(),
	})
	p.clear()
	if err != nil {
		return interrupted(ctx, err, " before anything was written")
	}
	if err := m.Write(t.dir); err != nil {
		return err
	}
	for _, l := range m.LeftOut {
		a.hint("left out  %s: %s", l.Name, l.Reason)
	}
	var names []string
	for _, p := range m.Packages {
		names = append(names, "package "+p.Dir)
	}
	if len(names) == 0 {
		a.hint("written   %s: schemas and Go types; -c adds the code of a contender", t.dir)
		return nil
	}
	a.hint("written   %s: schemas, Go types, %s", t.dir, strings.Join(names, ", "))
	a.next([2]string{"cd " + t.dir + " && go test ./...", "check the code"})
	return nil
}

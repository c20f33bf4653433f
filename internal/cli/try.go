package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/intake"
	"assay/internal/measure"
	"assay/internal/page"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/tried"
	"assay/internal/userdata"
	"assay/result"
)

// tryOptions has the flags of assay try.
type tryOptions struct {
	runOptions
	flags.Input
	flags.Asking
	out   flags.TakeAway
	files []string
	typed *gotype.Result // of the records, if they are of a Go type
	data  *userdata.Data // the records
	// tables asks for the tables that the answer is based on.
	tables bool
	// streamed asks for streams of the records, in addition to the answer.
	streamed bool
}

func (a *app) tryCommand() *cobra.Command {
	var o tryOptions
	cmd := &cobra.Command{
		Use:   "try [FILE...]",
		Short: "measure every format on your own data, and say which one fits",
		Long: `Try takes samples of your data, JSON or NDJSON, compressed by gzip or zstd or
not, or - for standard input. It infers their schema and lists what it guessed.
Objects of several kinds, such as events, become a union; --only takes the
records of one kind, to measure it by itself.
Given a .proto file it takes the schema from there and the messages from
--sample, in protobuf's binary form, length-delimited, its JSON or its text
form. The contenders ` + ownproto.Name + `, ` + ownproto.Prefix + `vtprotobuf and so on are then measured
too: their code is generated from your file as it is, and all others are
compared with ` + ownproto.Name + `. Given --type PKG.NAME it takes the schema from a Go
type of your module, which decodes the JSON of --sample, or from a function that
returns a slice of records; your type as it is, methods included, is then
measured too, as ` + gotype.ExternalName + `. Try then generates and builds the code of
every contender that can hold it, verifies that each gives back the records,
measures, and answers: which is the fastest, the smallest, the least change from
what you have, and what you give up by each. With --out it writes the schema in
every format and the code of the contender that is recommended first, or of
those of -c; assay data export does so afterwards. With -m stream it takes all
of your file, however long, and has each contender stream it through a file
message by message, in a run of its own after the answer.
Nothing leaves this machine.`,
		Example: `  assay try orders.ndjson --quick
  assay try twitter.json --records 'statuses[]' --have sonic
  assay try events.ndjson.gz --map labels --type user.id=string --must safe
  assay try events.ndjson --only type=order
  assay try orders.ndjson --schema .assay/runs/20260102-150405-ab12/schema.toml
  assay try api.proto --message pkg.Order --sample orders.bin -I proto
  assay try --type ./internal/model.Order --sample orders.json
  assay try orders.ndjson --quick --out wire
  assay try events.ndjson -m stream --memory 1GiB
  assay try orders.ndjson --rate 20000 --retention 90 --format json > o.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			if err := o.complete(cmd); err != nil {
				return err
			}
			a.warnOfPlan(cmd, o.planOnly)
			return a.try(cmd.Context(), cmd.InOrStdin(), o)
		},
	}
	o.AddCases(cmd)
	flags.StreamWords(cmd, `"stream" streams the records through a file, after the answer`)
	flags.FormatFlag(cmd, &o.Format, report.TryFormats)
	a.measuringFlags(cmd, &o.runOptions, flags.FullTry, flags.QuickTry)
	flags.Quick(cmd, &o.Quick, "use fewer layouts, measure encode and decode in default modes only, without CPU time", flags.QuickTry)
	cmd.Flags().Lookup("also").DefValue = strings.Join(alsoOfTry(false), ",") + ", with --quick " + strings.Join(alsoOfTry(true), ",")
	o.Input.Add(cmd)
	o.out.Add(cmd)
	o.Asking.Add(cmd)
	o.page.Add(cmd)
	o.streamFlags(cmd, "stream", "end a stream that takes more memory than `SIZE`, such as 1GiB (default half of the free memory)")
	cmd.Flags().BoolVar(&o.tables, "tables", false, "print the tables that the answer rests on too, as assay show does later")
	return cmd
}

// alsoOfTry returns the default passes of --also.
func alsoOfTry(quick bool) []string {
	if quick {
		return []string{measure.AlsoCompressed}
	}
	return []string{measure.AlsoCPU, measure.AlsoCompressed}
}

// complete checks that the flags fit together, and fills in the defaults.
func (o *tryOptions) complete(cmd *cobra.Command) error {
	if given := flags.InputGiven(cmd); o.resume != "" && given != "" {
		return refusal.Errorf("--resume goes on with the records and the schema of the run; it cannot be combined with --%s", given)
	}
	if err := o.runOptions.complete(cmd, flags.FullTry, flags.QuickTry); err != nil {
		return err
	}
	if err := o.besides(cmd); err != nil {
		return err
	}
	goType, err := o.Input.Kind(o.files)
	if err == nil {
		err = o.Input.WithRecords(o.files)
	}
	if err != nil {
		return err
	}
	if o.resume == "" && len(o.files) == 0 && goType == "" {
		return refusal.Errorf("there is nothing to try; name a file of JSON or NDJSON, or - for standard input")
	}
	if given := append(o.files, goType); o.resume != "" && given[0] != "" {
		return refusal.Errorf("--resume goes on with the records of the run; leave %s out", given[0])
	}
	if err := o.Asking.Complete(cmd, o.haves(goType)); err != nil {
		return err
	}
	if !cmd.Flags().Changed("also") {
		o.passes.Also = alsoOfTry(o.Quick)
	}
	if o.Quick {
		o.Ops = []result.Op{result.Encode, result.Decode}
		if o.Include.Mode+o.Exclude.Mode == "" {
			o.Include.Mode = "^" + analysis.DefaultMode + "$"
		}
	}
	o.Always = o.Have
	return errors.Join(o.Input.Check(), o.out.Check())
}

// haves returns the contenders that --have may name. If the records are of a .proto file or a Go
// type, its own contenders are among them.
func (o *tryOptions) haves(goType string) []string {
	names := catalog.ContenderNames()
	if goType != "" || o.resume != "" {
		names = append(names, gotype.ExternalName)
	}
	if slices.ContainsFunc(o.files, intake.IsProto) || o.resume != "" {
		names = append(names, measure.Names(ownproto.All())...)
	}
	return names
}

// A trial is a run on a user's own records, from the records to the answer.
type trial struct {
	tryOptions
	start  time.Time              // when the first record was read
	read   time.Duration          // how long reading took
	about  report.TryData         // what the answer says about the records
	after  *measure.Order         // the streams that follow the answer, or nil
	others []*contender.Contender // the contenders that are not built in
}

// try makes or resumes a run on a user's own records and prints the answer.
func (a *app) try(ctx context.Context, stdin io.Reader, o tryOptions) error {
	if err := a.locate(&o.resume); err != nil {
		return err
	}
	kept := a.beforehand("assay try", o.resume, nil)
	a.kept.Store(&kept) // until rest
	t := &trial{tryOptions: o}
	if err := a.readTrial(ctx, stdin, t); err != nil {
		return interrupted(ctx, err, kept)
	}
	var err error
	if t.after, err = a.streamsOf(&t.tryOptions); err != nil {
		return err
	}
	if t.planOnly {
		return a.planTrial(t)
	}
	t.Budget = t.Left(t.read)
	a.progress().Stage("read", t.read)
	m, err := a.begin(ctx, t.runOptions)
	if err != nil {
		return interrupted(ctx, err, kept)
	}
	defer m.Close()
	a.haveOf(m, t)
	t.others = slices.Concat(t.data.Own, m.Externals.Contenders())
	if err := a.keep(m, t); err != nil {
		return err
	}
	if m.Run.Plan.Stream != nil {
		return a.streamTrial(ctx, m, t)
	}
	return a.answerTrial(ctx, m, t)
}

// readTrial reads the records of a trial and makes them the input of the command.
func (a *app) readTrial(ctx context.Context, stdin io.Reader, t *trial) error {
	if err := a.ready(ctx, t.tryOptions); err != nil {
		return err
	}
	t.start = time.Now()
	d, err := a.records(ctx, stdin, &t.tryOptions, &t.about)
	if err != nil {
		return err
	}
	t.read = time.Since(t.start) // without the build of the user's own type
	t.data, a.input = d, measure.Records(d, a.more...)
	t.Selection.Input = a.input
	a.progress().ListsLeftOut = true
	if len(d.Own) > 0 && !t.Has("have") {
		t.Have, t.Always = ownproto.Name, ownproto.Name
	}
	return a.withOwnType(ctx, &t.tryOptions)
}

// planTrial prints what a trial would measure.
func (a *app) planTrial(t *trial) error {
	err := a.planned(t.runOptions)
	if t.after != nil {
		_, failed := a.printStreams(*t.after)
		err = errors.Join(err, failed)
	}
	return err
}

// haveOf sets what the user has, unless --have says it: the user's own type if it is measured, and
// the reference if the user's .proto file as it is cannot be.
func (a *app) haveOf(m *measure.Measurement, t *trial) {
	if t.Has("have") {
		return
	}
	if m.Externals.Named(gotype.ExternalName) != nil {
		t.Have = gotype.ExternalName
	}
	if why, out := a.input.LeftOut(t.Have); out {
		a.Warn("your .proto file as it is cannot be measured, and %s is compared with: %s", measure.Reference, why.Text)
		t.Have = measure.Reference
	}
}

// streamTrial resumes a run that has streams and no answer.
func (a *app) streamTrial(ctx context.Context, m *measure.Measurement, t *trial) error {
	if t.Format == exportFormat {
		return noLaunches("run " + m.Run.ID)
	}
	if t.page.File != "" || t.out.Dir != "" {
		return refusal.Errorf("run %s has only streams, which --report and --out do not cover; use assay report or assay data export with the run of the answer", m.Run.Name)
	}
	return a.streamed(ctx, m, t.tryOptions)
}

// answerTrial measures what is left of a trial's run, and prints and writes the answer.
func (a *app) answerTrial(ctx context.Context, m *measure.Measurement, t *trial) error {
	a.runs.Strict = t.resume != "" && (m.Run.Plan.Precision > 0 || len(t.Asked.Must) > 0)
	m.Have = t.Have
	a.watch(m)
	kept := a.onward(m.Run, t.runOptions)
	if t.after != nil {
		kept += "; its streams have not begun: they need assay try with -m stream again"
	}
	if err := a.keeping(ctx, kept, m.Measure); err != nil {
		if lost(err) {
			a.printSoFar(m, t.Output)
		}
		return err
	}
	results, answers := tried.Answer(m.Run, m.Records, t.Asked, t.others)
	shown := &report.Try{Results: results, Answer: answers, Data: t.about, Tables: t.tables, Again: "assay show " + m.Run.Name}
	unexportable := exportable(results, t.Format)
	if unexportable == nil {
		if err := a.printTry(shown, t.Format); err != nil {
			return err
		}
	}
	if n := a.onRequest(); n > 0 && !t.All && t.Include.Contender == "" {
		a.Hint("\nnot tried %s with a runner of their own: --all", phrase.Count(n, "contender"))
	}
	a.Hint("\nstored    %s", m.Dir())
	if err := a.pageTo(t.page, func() *page.Source { return a.pageOf(m.Run, m.Records, shown, t.others...) }); err != nil {
		return err
	}
	if t.out.Dir != "" {
		if err := a.takeFromTry(ctx, t.tryOptions, m, answers); err != nil {
			return err
		}
	}
	a.nextOfTrial(m, t)
	a.Hint("answered  in %s: %s", phrase.Seconds(time.Since(t.start)), a.progress().Took())
	var streamed error
	if t.after != nil {
		streamed = a.tryStreams(ctx, t)
	}
	if must := gate.Must(answers); must.Verdict() != gate.Passed {
		if streamed != nil {
			a.Warn("%v", streamed)
		}
		return a.pass(must)
	}
	return cmp.Or(streamed, a.judged(gate.Measured(results, false), unexportable))
}

// nextOfTrial prints commands that lead on from the answer.
func (a *app) nextOfTrial(m *measure.Measurement, t *trial) {
	show := "assay show " + m.Run.Name
	next := [][2]string{
		{show, "the answer again, with its tables; --have, --must, --rate and the prices ask anew"},
		{show + " -o .", "the tables of encode and decode"},
	}
	if t.resume == "" && len(t.Samples) == 0 && t.typed == nil { // the records are JSON, so the schema is a guess
		next = append(next, [2]string{"assay try … --schema " + phrase.ShellLine(filepath.Join(m.Dir(), tried.SchemaFile)), "with the schema as you edit it"})
	}
	a.Next(append(next, [2]string{"assay explain " + explained(m.Run), "what that is; any contender, mode, op or metric"})...)
}

// onRequest counts the contenders outside the default group.
func (a *app) onRequest() (n int) {
	for _, c := range a.input.Contenders() {
		if c.Group != "" {
			n++
		}
	}
	return n
}

// ready checks that the cache and a go command can be used. It runs before samples are read,
// which may take minutes.
func (a *app) ready(ctx context.Context, o tryOptions) error {
	cfg, err := a.building()
	if err != nil {
		return err
	}
	if o.planOnly {
		return nil // it builds nothing
	}
	return cfg.CheckGo(ctx)
}

// keep stores in the directory of a new run what is known about the records, and the question.
// For a resumed run it reads the stored question, which the given flags override.
func (a *app) keep(m *measure.Measurement, t *trial) error {
	dir := m.Dir()
	if t.resume != "" {
		kept, err := tried.Kept(dir, m.Run)
		if err != nil {
			return err
		}
		t.Asked = t.Over(kept.Asked)
	} else if err := tried.Keep(dir, t.about, t.data.Proto); err != nil {
		return err
	}
	return tried.KeepQuestion(dir, t.Asked, t.others)
}

// printTry prints an answer.
func (a *app) printTry(t *report.Try, format string) error {
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	f, err := flags.Format(report.TryFormats, format)
	if err != nil {
		return err
	}
	if err := exportable(t.Results, format); err != nil {
		return err
	}
	a.warnBeside(t.Results, format)
	return f.Write(a.Out, t, opts)
}

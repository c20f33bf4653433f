package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/report"
	"assay/internal/userdata"
	"assay/result"
	"assay/schema"
	"assay/schema/text"
)

// tryOptions are the flags of assay try.
type tryOptions struct {
	runOptions
	input
	have   string
	must   []string
	prices answer.Prices
	out    takeAway
	files  []string
	typed  *gotype.Result // of the records, when they are of a Go type
	// haveGiven says that have is no default.
	haveGiven bool
}

func (a *app) tryCommand() *cobra.Command {
	o := tryOptions{prices: answer.DefaultPrices}
	cmd := &cobra.Command{
		Use:   "try [FILE...]",
		Short: "measure every format on your own data, and say which fits",
		Long: `Try takes samples of your data, JSON or NDJSON, compressed by gzip or zstd or
not, or - for standard input. It infers their schema and lists what it guessed.
Given a .proto file it takes the schema from there and the messages from
--sample, in protobuf's binary form, length-delimited, its JSON or its text
form. The contenders ` + ownproto.Name + `, ` + ownproto.Prefix + `vtprotobuf and so on are then measured
too: their code is generated from your file as it is, and all others are
compared with ` + ownproto.Name + `. Given --type PKG.NAME it takes the schema from a Go
type of your module, which decodes the JSON of --sample, or from a function that
returns a slice of records; your type as it is, methods included, is then
measured too, as ` + gotype.GuestName + `. Try then generates and builds the code of
every contender that can hold it, verifies that each gives back every record,
measures, and answers: which is the fastest, the smallest, the least change from
what you have, and what you give up by each. With --out it writes the schema in
every format and the code of the contender that is recommended first, or of
those of -c; assay data export does so afterwards.
Nothing leaves this machine.`,
		Example: `  assay try orders.ndjson --quick
  assay try twitter.json --records 'statuses[]' --have sonic
  assay try events.ndjson.gz --map labels --type 'user.id=string' --must schema-free,safe
  assay try orders.ndjson --schema .assay/runs/latest/schema.toml
  assay try api.proto --message pkg.Order --sample orders.bin -I proto
  assay try --type ./internal/model.Order --sample orders.json
  assay try orders.ndjson --quick --out wire
  assay try orders.ndjson --rate 20000 --retention 90 --format json > orders.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			if err := o.complete(cmd); err != nil {
				return err
			}
			return a.try(cmd.Context(), cmd.InOrStdin(), o)
		},
	}
	o.caseFlags(cmd)
	formatFlag(cmd, &o.format, report.TryFormats)
	a.measuringFlags(cmd, &o.runOptions)
	o.input.flags(cmd)
	o.out.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.have, "have", reference, "compare with `CONTENDER`, which is in use now; with a .proto file the default is "+ownproto.Name+", with a Go type "+gotype.GuestName)
	completeFlag(cmd, "have", func() []string { return called(known()) })
	f.StringSliceVar(&o.must, "must", nil, "recommend only what is `LIST`, of "+strings.Join(answer.MustNames(), ", "))
	completeFlag(cmd, "must", answer.MustNames)
	for _, x := range []struct {
		name, text string
		to         *float64
	}{
		{"rate", "cost: `N` messages a second", &o.prices.Rate},
		{"retention", "cost: kept for `DAYS`", &o.prices.Retention},
		{"price-core", "cost: `PRICE` of a core for an hour", &o.prices.Core},
		{"price-gb-network", "cost: `PRICE` of a GB sent", &o.prices.Network},
		{"price-gb-month", "cost: `PRICE` of a GB kept for a month", &o.prices.Storage},
	} {
		f.Float64Var(x.to, x.name, *x.to, x.text)
	}
	return cmd
}

// complete checks the flags against each other and fills in the defaults.
func (o *tryOptions) complete(cmd *cobra.Command) error {
	format := o.format
	o.format = "text" // of the formats of a run, which has fewer
	err := o.runOptions.complete(cmd)
	o.format = format
	if err != nil {
		return err
	}
	if _, err := formatOf(report.TryFormats, o.format); err != nil {
		return err
	}
	goType, err := o.input.kind(o.files)
	if err == nil {
		err = o.input.withRecords(o.files)
	}
	if err != nil {
		return err
	}
	if o.resume == "" && len(o.files) == 0 && goType == "" {
		return usagef("there is nothing to try; name a file of JSON or NDJSON, or - for standard input")
	}
	if given := append(o.files, goType); o.resume != "" && given[0] != "" {
		return usagef("--resume goes on with the records of the run; leave %s out", given[0])
	}
	o.haveGiven = cmd.Flags().Changed("have")
	if names := o.haves(goType); !slices.Contains(names, o.have) {
		return usagef("--have: there is no contender %q%s", o.have, otherwise(o.have, names))
	}
	if o.must, err = answer.CheckMust(o.must, otherwise); err != nil {
		return usagef("--must: %v", err)
	}
	for name, v := range map[string]float64{
		"rate": o.prices.Rate, "retention": o.prices.Retention, "price-core": o.prices.Core,
		"price-gb-network": o.prices.Network, "price-gb-month": o.prices.Storage,
	} {
		if v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
			return usagef("--%s is %v; it must be a number that is not negative", name, v)
		}
	}
	if !cmd.Flags().Changed("also") {
		o.also = append(o.also, alsoComp)
	}
	if o.quick {
		o.ops = []result.Op{result.Encode, result.Decode}
		if o.include.mode+o.exclude.mode == "" {
			o.include.mode = "^" + analysis.DefaultMode + "$"
		}
	}
	o.always = o.have
	return errors.Join(o.input.check(), o.out.check())
}

// haves are the contenders that may be in use: those of a .proto file or a Go type
// where the records are of one.
func (o *tryOptions) haves(goType string) []string {
	names := contenderNames()
	if goType != "" || o.resume != "" {
		names = append(names, gotype.GuestName)
	}
	if slices.ContainsFunc(o.files, isProto) || o.resume != "" {
		names = append(names, called(ownproto.All())...)
	}
	return names
}

// try makes or resumes a run on a user's own records and prints the answer.
func (a *app) try(ctx context.Context, stdin io.Reader, o tryOptions) error {
	if err := userdata.Writable(a.cacheDir()); err != nil {
		return err
	}
	if err := homeless(a.cacheDir()); err != nil {
		return err
	}
	start := time.Now()
	var data report.TryData
	d, err := a.records(ctx, stdin, &o, &data)
	if err != nil {
		return interrupted(ctx, err, " before anything was measured")
	}
	a.own = newOwn(d)
	o.selection.own = a.own
	if len(d.Own) > 0 && !o.haveGiven {
		o.have, o.always = ownproto.Name, ownproto.Name
	}
	if err := a.withOwnType(ctx, &o); err != nil {
		return interrupted(ctx, err, " before anything was measured")
	}
	if o.planOnly {
		p, sel, err := o.plan()
		if err != nil {
			return err
		}
		return a.printPlan(p, sel)
	}
	m, sel, err := a.begin(ctx, o.runOptions)
	if err != nil {
		return interrupted(ctx, err, " before anything was measured")
	}
	defer m.store.Close()
	if !o.haveGiven && m.visitors.named(gotype.GuestName) != nil {
		o.have = gotype.GuestName
	}
	if why, out := a.own.packages.LeftOut[o.have]; out && !o.haveGiven {
		a.warn("your .proto file as it is cannot be measured, and %s is compared with: %s", reference, why.Text)
		o.have = reference
	}
	if o.resume == "" {
		if err := remember(m.store.Dir(), data, d.Proto); err != nil {
			return err
		}
	}
	name := runName(m.store.Dir())
	err = m.measure(ctx, sel)
	m.progress.clear()
	if err != nil {
		return interrupted(ctx, err, "; what was measured is kept: go on with assay try --resume "+name)
	}
	results, answers, err := a.printTry(m, o, data)
	if err != nil {
		return err
	}
	if n := a.others(); n > 0 && !o.all && o.include.contender == "" {
		a.hint("\nnot tried %s with a runner of their own: --all", count(n, "contender"))
	}
	a.hint("\nanswered  in %s, from the files to here", seconds(time.Since(start)))
	a.hint("stored    %s", m.store.Dir())
	if o.out.dir != "" {
		if err := a.takeFromTry(ctx, o, m, sel.Contenders, answers, data); err != nil {
			return err
		}
	}
	next := [][2]string{{"assay show " + name, "the tables of encode and decode; -c, -m and -o choose among them"}}
	if o.resume == "" && len(o.samples) == 0 && o.typed == nil { // of JSON, whose schema is a guess
		next = append(next, [2]string{"assay try … --schema " + filepath.Join(m.store.Dir(), schemaFile), "with the schema as you edit it"})
	}
	a.next(append(next, [2]string{"assay explain " + explained(m.run), "what that is; any contender, mode, op or metric"})...)
	return precise(results)
}

// others counts the contenders that are measured on request only.
func (a *app) others() (n int) {
	for _, c := range a.own.contenders() {
		if c.Group != "" {
			n++
		}
	}
	return n
}

// homeless gives the go command a build cache in ours where it can make none of
// its own, because the home directory cannot be written.
func homeless(cache string) error {
	if os.Getenv("GOCACHE") != "" {
		return nil
	}
	if dir, err := os.UserCacheDir(); err == nil && os.MkdirAll(filepath.Join(dir, "go-build"), 0o777) == nil {
		return nil
	}
	dir, err := filepath.Abs(filepath.Join(cache, "go-build"))
	if err != nil {
		return err
	}
	return os.Setenv("GOCACHE", dir)
}

// printTry analyses the run, answers, and prints.
func (a *app) printTry(m *measurement, o tryOptions, data report.TryData) (*analysis.Results, *answer.Answer, error) {
	opts, err := a.reportOptions()
	if err != nil {
		return nil, nil, err
	}
	f, err := formatOf(report.TryFormats, o.format)
	if err != nil {
		return nil, nil, err
	}
	results := analysis.Of(m.run, m.records, analysis.View{})
	d := a.own.data
	q := answer.Question{
		Results: results, Cell: result.Cell{Workload: a.own.load.Name, Size: d.Size().Key}, Contenders: slices.Concat(a.own.contenders(), m.visitors.about()),
		Have: o.have, Must: o.must, Records: d.Records, Prices: o.prices,
		Bytes: map[result.Subject]int64{}, Aliases: map[result.Subject][]string{},
	}
	for _, r := range m.records {
		v := r.Verification
		if v == nil || v.From != nil || !v.OK {
			continue
		}
		if v.Encoded > 0 {
			q.Bytes[v.Subject] = v.Encoded
		}
		if v.Habits != nil && len(v.Habits.Aliases) > 0 {
			q.Aliases[v.Subject] = v.Habits.Aliases
		}
	}
	answers := answer.Of(q)
	return results, answers, f.Write(a.stdout, &report.Try{Results: results, Answer: answers, Data: data}, opts)
}

// The files that a run directory of a user's records has besides the run, and the
// directory of copies of their .proto files.
const (
	schemaFile = "schema.toml"
	dataFile   = "data.json"
	protoDir   = "proto"
)

// remember keeps in the run directory what is known of the records, with the .proto
// files that they are messages of, if there are such.
func remember(dir string, data report.TryData, proto *protofile.Result) error {
	if proto != nil {
		if err := copyProto(filepath.Join(dir, protoDir), proto); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, schemaFile), []byte(data.Schema), 0o666); err != nil {
		return err
	}
	b, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, dataFile), append(b, '\n'), 0o666)
}

// recall reads what remember wrote, and finds the records.
func (a *app) recall(ctx context.Context, name string, data *report.TryData) (*userdata.Data, error) {
	dir, err := a.runDir(name)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, dataFile))
	if err == nil {
		err = json.Unmarshal(b, data)
	}
	if err != nil {
		return nil, usagef("run %s is none of assay try: %v", name, err)
	}
	source, err := storedSource(ctx, dir, *data)
	if err != nil {
		return nil, err
	}
	d, err := userdata.Open(a.cacheDir(), source, data.Hash)
	if err != nil {
		return nil, usagef("the records of run %s are no longer in the cache: try %s again", name, strings.Join(data.Files, " "))
	}
	return d, nil
}

// storedSource is what a run knows of its records, which it cannot write.
func storedSource(ctx context.Context, dir string, data report.TryData) (userdata.Source, error) {
	s, err := text.Parse(filepath.Join(dir, schemaFile), []byte(data.Schema))
	if err != nil {
		return userdata.Source{}, err
	}
	source := userdata.Source{Files: data.Files, Schema: s, Root: data.Root, Notes: data.Notes, Bytes: data.Bytes, Total: data.Records}
	for _, g := range data.Guesses {
		source.Guesses = append(source.Guesses, infer.Guess(g))
	}
	if data.Spelling != nil {
		source.Spelling, source.Spelled = *data.Spelling, true
	}
	if data.Proto == nil {
		return source, nil
	}
	r, err := storedProto(ctx, dir, *data.Proto)
	if err != nil {
		return source, err
	}
	return source.WithProto(r), nil
}

// describe says of records what reports need.
func describe(d *userdata.Data) report.TryData {
	out := report.TryData{Data: *d.Plan(), Root: d.Root, Notes: d.Notes, Schema: string(text.Format(d.Schema))}
	for _, g := range d.Guesses {
		out.Guesses = append(out.Guesses, report.TryGuess(g))
	}
	out.Messages, out.Fields = counts(d.Schema)
	if d.Spelled {
		out.Spelling = &d.Spelling
	}
	if d.Proto != nil {
		out.Proto = &report.TryProto{Message: d.Proto.Message, Files: d.Proto.Named()}
	}
	return out
}

func counts(s *schema.Schema) (messages, fields int) {
	for _, m := range s.Messages {
		fields += len(m.Fields)
	}
	return len(s.Messages), fields
}

// caseFlags adds the flags of the selection that make sense where there is one
// workload of one size.
func (s *selection) caseFlags(cmd *cobra.Command) {
	var all cobra.Command
	s.flags(&all)
	all.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "workload", "no-workload", "size":
		default:
			cmd.Flags().AddFlag(f)
		}
	})
}

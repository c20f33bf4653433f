package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/internal/userdata"
	"assay/internal/userfile"
	"assay/schema"
	"assay/schema/text"
)

// input is the flags that say how samples are read.
type input struct {
	records    string
	name       string
	schemaFile string
	skipBad    bool
	maxRecords int64
	maxBytes   byteSize
	maxRecord  byteSize
	said       []said
	only       []string
	samples    []string // of a .proto file or a Go type
	proto      protoInput
}

// said is one answer of the user's to what would be guessed: a flag and its
// value. They are kept in the order of the command line, because of several
// about one path the last counts.
type said struct{ flag, value string }

// A saying is a flag whose values are kept in one list with those of others.
type saying struct {
	flag string
	to   *[]said
}

func (s saying) String() string { return "" }
func (s saying) Type() string   { return "string" }
func (s saying) Set(v string) error {
	*s.to = append(*s.to, said{s.flag, v})
	return nil
}

// A byteSize is a flag of a number of bytes.
type byteSize int64

func (s *byteSize) String() string {
	if *s == 0 {
		return ""
	}
	return plan.Bytes(int64(*s))
}

func (s *byteSize) Type() string { return "size" }

// units are what may follow a number of bytes.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"B", 1}, {"", 1},
}

func (s *byteSize) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n > 0) || n*u.bytes >= 1<<62 {
			break
		}
		*s = byteSize(n * u.bytes)
		return nil
	}
	return fmt.Errorf("%q is no size", text)
}

func (i *input) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&i.records, "records", "", "take the records at `PATH` in each document, as in 'statuses[]' (default: the elements of an array, otherwise whole documents)")
	f.StringVar(&i.name, "name", "", "call the schema `NAME` (default: the name of the first file)")
	f.StringVar(&i.schemaFile, "schema", "", "take the schema from `FILE`, as a run keeps it, and guess nothing")
	f.Var(saying{flag: "map", to: &i.said}, "map", "treat the objects at `PATH` as maps, whose keys are data (may be repeated)")
	f.Var(saying{flag: "struct", to: &i.said}, "struct", "treat the objects at `PATH` as a struct with its own type, whose keys are fields (may be repeated)")
	f.Var(saying{flag: "union", to: &i.said}, "union", "treat the objects at `PATH` as a union: several kinds, each with its own fields (may be repeated)")
	f.StringArrayVar(&i.only, "only", nil, "take only the records of JSON with a value, given as `PATH=VALUE`, as in type=order, or with any value at PATH (may be repeated; all must be true)")
	f.Var(saying{flag: "type", to: &i.said}, "type", "make a value a type, given as `PATH=TYPE`, as in user.id=string, or id=uuid, at=unix-ms and price=decimal:2 for texts and numbers that stand for something else (assay explain spelling); or have it left out when absent or null, with omitempty or omitzero, or written as null, with null (may be repeated); or, without =, the records are of your Go type PKG.NAME, as in ./internal/model.Order, or what a function of that name returns")
	f.StringArrayVar(&i.samples, "sample", nil, "read the records of a .proto file or of a Go type from `FILE` (may be repeated)")
	i.proto.flags(cmd)
	f.BoolVar(&i.skipBad, "skip-bad", false, "leave out records that cannot be read or do not fit, and say which")
	f.Int64Var(&i.maxRecords, "max-records", 1_000_000, "read at most `N` records")
	f.Var(&i.maxBytes, "max-bytes", "read at most `SIZE` of records, as in 100MB (default 1 GiB)")
	f.Var(&i.maxRecord, "max-record", "refuse a record larger than `SIZE` (default 16 MiB)")
}

// overrules are the user's answers.
func (i *input) overrules() ([]infer.Overrule, error) {
	var all []infer.Overrule
	for _, s := range i.said {
		if s.flag == "type" && namesType(s.value) {
			continue
		}
		o, err := infer.ParseOverrule(s.flag, s.value)
		if err != nil {
			return nil, usagef("--%s: %v", s.flag, err)
		}
		all = append(all, o)
	}
	return all, nil
}

// check checks the flags.
func (i *input) check() error {
	if i.maxRecords < 1 {
		return usagef("--max-records is %d; it must be positive", i.maxRecords)
	}
	if _, err := i.conditions(); err != nil {
		return err
	}
	_, err := i.overrules()
	return err
}

// conditions are those on records.
func (i *input) conditions() (all []infer.Only, err error) {
	for _, text := range i.only {
		o, err := infer.ParseOnly(text)
		if err != nil {
			return nil, usagef("--only: %v", err)
		}
		all = append(all, o)
	}
	return all, nil
}

// limits are how much is read.
func (i *input) limits() infer.Options {
	return infer.Options{MaxRecords: i.maxRecords, MaxBytes: int64(i.maxBytes), MaxRecord: int64(i.maxRecord)}
}

// options returns how samples are inferred from.
func (i *input) options(ctx context.Context) (infer.Options, error) {
	o := i.limits()
	o.Name, o.Records, o.SkipBad = i.name, i.records, i.skipBad
	var err error
	if o.Only, err = i.conditions(); err != nil {
		return o, err
	}
	if o.Overrules, err = i.overrules(); err != nil || i.schemaFile == "" {
		return o, err
	}
	o.Schema, err = i.schema(ctx)
	return o, err
}

// schema reads the schema that was given.
func (i *input) schema(ctx context.Context) (*schema.Schema, error) {
	data, err := userfile.Read(ctx, i.schemaFile)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, usagef("--schema: %v", err)
	}
	s, err := text.Parse(i.schemaFile, data)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return s, nil
}

// records reads the samples, or finds the records of the run to resume.
func (a *app) records(ctx context.Context, stdin io.Reader, o *tryOptions, data *report.TryData) (*userdata.Data, error) {
	if o.resume != "" {
		dir, err := a.runDir(o.resume, anyRun)
		if err != nil {
			return nil, err
		}
		o.resume = dir // the latest may be another one later
		return a.recall(ctx, dir, data)
	}
	start := time.Now()
	p := a.progress()
	p.status("reading   %s", strings.Join(slices.Concat(o.files, o.samples), ", "))
	d, typed, err := a.sampled(ctx, stdin, o.input, o.files)
	p.clear()
	if err != nil {
		return nil, err
	}
	o.typed = typed
	if len(d.Own) > 0 {
		d.Notes = slices.Insert(d.Notes, 1, "the contenders "+ownproto.Prefix+"… have the messages as that file has them; what is said of the schema is about all others")
	}
	*data = describe(d)
	guesses := "nothing guessed of the schema"
	if n := len(d.Guesses); n > 0 {
		guesses = count(n, "thing") + " guessed of the schema, listed with the answer"
	}
	p.line("read      %s, %s, in %s; %s", count(int(d.Records), "record"), plan.Bytes(d.Bytes), seconds(time.Since(start)), guesses)
	return d, nil
}

// sampled reads samples and keeps their records in the cache. The result is nil
// unless they are of a Go type; it is to be closed.
func (a *app) sampled(ctx context.Context, stdin io.Reader, in input, files []string) (*userdata.Data, *gotype.Result, error) {
	s, typed, done, err := a.readSamples(ctx, stdin, in, files)
	defer done()
	if err != nil {
		return nil, nil, err
	}
	d, err := userdata.New(a.cacheDir(), s)
	if err != nil && typed != nil {
		err = errors.Join(err, typed.Close())
	}
	return d, typed, err
}

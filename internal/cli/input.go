package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/intake"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/internal/tried"
	"assay/internal/userdata"
)

// input has the flags that say how samples are read.
type input struct{ intake.Options }

// A saying is a flag whose values go to a list that it shares with other flags, in the order of
// the command line.
type saying struct {
	flag string
	to   *[]intake.Said
}

func (s saying) String() string { return "" }

func (s saying) Type() string { return "string" }

func (s saying) Set(v string) error {
	*s.to = append(*s.to, intake.Said{Flag: s.flag, Value: v})
	return nil
}

// A byteSize is a flag with a number of bytes.
type byteSize int64

func (s *byteSize) String() string {
	if *s == 0 {
		return ""
	}
	return plan.Bytes(int64(*s))
}

func (s *byteSize) Type() string { return "size" }

func (s *byteSize) Set(text string) error {
	n, err := plan.ParseBytes(text)
	if err == nil {
		*s = byteSize(n)
	}
	return err
}

func (i *input) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&i.Records, "records", "", "take the records at `PATH` in each document, as in 'statuses[]' (default: the elements of an array, otherwise whole documents)")
	f.StringVar(&i.Name, "name", "", "call the schema `NAME` (default: the name of the first file)")
	f.StringVar(&i.SchemaFile, "schema", "", "take the schema from `FILE`, as a run keeps it, and guess nothing")
	f.Var(saying{flag: "map", to: &i.Said}, "map", "treat the objects at `PATH` as maps, whose keys are data (may be repeated)")
	f.Var(saying{flag: "struct", to: &i.Said}, "struct", "treat the objects at `PATH` as a struct with its own type, whose keys are fields (may be repeated)")
	f.Var(saying{flag: "union", to: &i.Said}, "union", "treat the objects at `PATH` as a union: several kinds, each with its own fields (may be repeated)")
	f.StringArrayVar(&i.Only, "only", nil, "take only the records of JSON with a value, given as `PATH=VALUE`, as in type=order, or with any value at PATH (may be repeated; all must be true)")
	f.Var(saying{flag: "type", to: &i.Said}, "type", "make a value another type, given as `PATH=TYPE`, as in user.id=string, id=uuid or price=decimal:2 (assay explain spelling lists more); omitempty, omitzero and null say how an absent value is written (may be repeated). Without =: take the records as your Go type PKG.NAME, as in ./internal/model.Order")
	f.StringArrayVar(&i.Samples, "sample", nil, "read the records of a .proto file or of a Go type from `FILE` (may be repeated)")
	protoFlags(cmd, &i.Proto)
	f.BoolVar(&i.SkipBad, "skip-bad", false, "leave out records that cannot be read or do not fit, and say which")
	f.Int64Var(&i.MaxRecords, "max-records", intake.MaxRecords, "read at most `N` records")
	f.Var((*byteSize)(&i.MaxBytes), "max-bytes", "read at most `SIZE` of records, as in 100MB (default 1 GiB)")
	f.Var((*byteSize)(&i.MaxRecord), "max-record", "refuse a record larger than `SIZE` (default 16 MiB)")
}

// inputGiven returns the name of an input flag that the command line has, other than those in
// besides, or "" if it has none.
func inputGiven(cmd *cobra.Command, besides ...string) string {
	var in input
	all := &cobra.Command{}
	in.flags(all)
	var names []string
	all.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(besides, f.Name) {
			names = append(names, f.Name)
		}
	})
	return firstGiven(cmd, names...)
}

// protoFlags adds the flags for records that are protobuf messages.
func protoFlags(cmd *cobra.Command, p *intake.Proto) {
	f := cmd.Flags()
	f.StringVar(&p.Message, "message", "", "with a .proto file: take the records as messages `NAME`, as in pkg.Order (default: the only one that no other holds)")
	f.StringArrayVarP(&p.Imports, "proto-path", "I", nil, "with a .proto file: look for imports in `DIR`, or PREFIX=DIR (may be repeated; default: beside the file and above it, then in the modules of its go.mod)")
	f.StringVar(&p.Form, "proto-form", "", "with a .proto file: read samples in `FORM`, one of "+strings.Join(intake.Forms(), ", ")+" (default: by their names, then by what is in them)")
	completeFlag(cmd, "proto-form", intake.Forms)
}

// reading returns the options for reading samples, with the go command of this invocation. During
// a long read, the progress shows how far the read is. The caller clears the progress afterwards.
func (a *app) reading(in *input) *intake.Options {
	in.Go = a.measuring().ToolGo()
	p := a.progress()
	in.Heard = func(r intake.Reading) {
		of := ""
		if r.Size > 0 {
			of = " of " + plan.Bytes(r.Size)
		}
		if r.Times > 1 {
			of += fmt.Sprintf(" in reading %d", r.Times)
		}
		p.Status("reading   %s: %s%s", r.Name, plan.Bytes(r.Bytes), of)
	}
	return &in.Options
}

// records reads the samples, or finds the records of the run to resume.
func (a *app) records(ctx context.Context, stdin io.Reader, o *tryOptions, data *report.TryData) (*userdata.Data, error) {
	if o.resume != "" {
		dir, err := a.runDir(o.resume, anyRun)
		if err != nil {
			return nil, err
		}
		o.resume = dir // "latest" may name another run later
		return tried.Recall(ctx, a.cacheDir(), dir, data)
	}
	start := time.Now()
	p := a.progress()
	p.Status("reading   %s", strings.Join(slices.Concat(o.files, o.Samples), ", "))
	d, typed, err := a.sampled(ctx, stdin, &o.input, o.files)
	if err != nil {
		return nil, err
	}
	o.typed = typed
	if len(d.Own) > 0 {
		d.Notes = slices.Insert(d.Notes, 1, "the contenders "+ownproto.Prefix+"… have the messages as that file has them; what is said of the schema is about all others")
	}
	*data = tried.Describe(d)
	guesses := "nothing guessed of the schema"
	if n := len(d.Guesses); n > 0 {
		guesses = phrase.Count(n, "thing") + " guessed of the schema, listed with the answer"
	}
	p.Line("read      %s, %s, in %s; %s", phrase.Count(int(d.Records), "record"), plan.Bytes(d.Bytes), phrase.Seconds(time.Since(start)), guesses)
	if n := len(d.Schema.Messages); n > manyMessages {
		a.warn("the schema has %s, whose code takes minutes to compile the first time; where the keys of objects are data, --map PATH makes one type of their values, and assay data infer shows them all", phrase.Count(n, "message"))
	}
	return d, nil
}

// manyMessages is the number of messages of a schema above which its code compiles for minutes.
// The code of 23 contenders for 1,200 messages takes 7 minutes on two busy cores.
const manyMessages = 250

// sampled reads samples and keeps their records in the cache. The gotype.Result is nil unless the
// records are of a Go type. The caller must close it.
func (a *app) sampled(ctx context.Context, stdin io.Reader, in *input, files []string) (*userdata.Data, *gotype.Result, error) {
	defer a.progress().Clear()
	s, typed, done, err := a.reading(in).Read(ctx, stdin, files)
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

// inferred reads samples only for their schema.
func (a *app) inferred(ctx context.Context, stdin io.Reader, in *input, files []string) (userdata.Source, error) {
	defer a.progress().Clear()
	return a.reading(in).Inferred(ctx, stdin, files)
}

// withOwnType adds the user's own type to the measurement, if there is one. The type is measured
// even if it is not selected, unless --have names another contender.
func (a *app) withOwnType(ctx context.Context, o *tryOptions) error {
	if o.typed == nil {
		return nil
	}
	externals, err := a.measuring().InviteType(ctx, o.data, o.typed)
	a.progress().Clear()
	if err = errors.Join(err, o.typed.Close()); err != nil {
		return err
	}
	o.selection.externals = externals
	if externals != nil && !o.Has("have") {
		o.always = gotype.ExternalName
	}
	return nil
}

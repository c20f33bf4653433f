package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/internal/flags"
	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/intake"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/internal/tried"
	"assay/internal/userdata"
	"assay/result"
)

// reading returns the options for reading samples, with the go command of this invocation. During
// a long read, the progress shows how far the read is. The caller clears the progress afterwards.
func (a *app) reading(in *flags.Input) *intake.Options {
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
		run, err := result.ReadRun(o.resume)
		if err != nil {
			return nil, err
		}
		if err := unasked(run, o.Asking.Given); err != nil {
			return nil, err
		}
		return tried.Recall(ctx, a.cacheDir(), o.resume, data)
	}
	start := time.Now()
	p := a.progress()
	p.Status("reading   %s", strings.Join(slices.Concat(o.files, o.Samples), ", "))
	d, typed, err := a.sampled(ctx, stdin, &o.Input, o.files)
	if err != nil {
		return nil, err
	}
	o.typed = typed
	if len(d.Own) > 0 {
		d.Notes = slices.Insert(d.Notes, 1, "the contenders "+ownproto.Prefix+"… use the messages exactly as in that file; notes about the schema concern the other contenders")
	}
	*data = tried.Describe(d)
	guesses := "nothing guessed of the schema"
	if n := len(d.Guesses); n > 0 {
		guesses = phrase.Count(n, "thing") + " guessed of the schema, listed with the answer"
	}
	p.Line("read      %s, %s, in %s; %s", phrase.Count(int(d.Records), "record"), plan.Bytes(d.Bytes), phrase.Seconds(time.Since(start)), guesses)
	if n := len(d.Schema.Messages); n > manyMessages {
		a.Warn("the schema has %s, whose code takes minutes to compile the first time; where the keys of objects are data, --map PATH makes one type of their values, and assay data infer shows them all", phrase.Count(n, "message"))
	}
	return d, nil
}

// manyMessages is the number of messages of a schema above which its code compiles for minutes.
// The code of 23 contenders for 1,200 messages takes 7 minutes on two busy cores.
const manyMessages = 250

// sampled reads samples and keeps their records in the cache. The gotype.Result is nil unless the
// records are of a Go type. The caller must close it.
func (a *app) sampled(ctx context.Context, stdin io.Reader, in *flags.Input, files []string) (*userdata.Data, *gotype.Result, error) {
	defer a.progress().Clear()
	if err := a.runsHere(ctx, in, files); err != nil {
		return nil, nil, err
	}
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
func (a *app) inferred(ctx context.Context, stdin io.Reader, in *flags.Input, files []string) (userdata.Source, error) {
	defer a.progress().Clear()
	if err := a.runsHere(ctx, in, files); err != nil {
		return userdata.Source{}, err
	}
	return a.reading(in).Inferred(ctx, stdin, files)
}

// runsHere returns an error if samples are read by a program with the user's Go type, and programs
// of the go command do not run here.
func (a *app) runsHere(ctx context.Context, in *flags.Input, files []string) error {
	if goType, err := in.Kind(files); err != nil || goType == "" {
		return err
	}
	return a.measuring().CheckGo(ctx)
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
	o.Selection.Externals = externals
	if externals != nil && !o.Has("have") {
		o.Always = gotype.ExternalName
	}
	return nil
}

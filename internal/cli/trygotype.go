package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/userdata"
	"assay/result"
)

// namesType says whether the value of --type is a Go type, as in
// ./internal/model.Order, and none for a value of the records, which has an =.
func namesType(value string) bool {
	base := value[strings.LastIndexByte(value, '/')+1:]
	i := strings.LastIndexByte(base, '.')
	return !strings.ContainsRune(value, '=') && i >= 0 && token.IsIdentifier(base[i+1:])
}

// goType returns the Go type of the records; empty: none was named.
func (in *input) goType() (string, error) {
	var name string
	for _, s := range in.said {
		switch {
		case s.flag != "type" || strings.ContainsRune(s.value, '='):
		case !namesType(s.value):
			return "", usagef("--type is %q, which is neither PATH=TYPE for a value of JSON, as in user.id=string, nor a Go type with its package, as in ./internal/model.Order", s.value)
		case name != "":
			return "", usagef("--type names two Go types, %s and %s; all records are of one", name, s.value)
		default:
			name = s.value
		}
	}
	return name, nil
}

// kind checks that the flags are about one kind of records, and returns their
// Go type where one was named.
func (in *input) kind(files []string) (goType string, err error) {
	if goType, err = in.goType(); err != nil {
		return "", err
	}
	proto := slices.IndexFunc(files, isProto)
	switch {
	case goType != "" && proto >= 0:
		return "", usagef("--type %s names a Go type, and %s has types too; give one of them", goType, files[proto])
	case goType != "" && len(files) > 0:
		return "", usagef("--type %[1]s names a Go type of yours: give its records with --sample %[2]s. To make what is at %[1]s in %[2]s of a type, say which, as in --type %[1]s=string", goType, files[0])
	case goType != "":
		if f := in.proto.given(); f != "" {
			return "", usagef("%s is about .proto files, and --type %s names a Go type; give one of them", f, goType)
		}
		return goType, in.nothingGuessed("--type "+goType, true)
	case proto >= 0:
		if i := slices.IndexFunc(files, func(f string) bool { return !isProto(f) }); i >= 0 {
			return "", usagef("%s is no .proto file; if it has messages of %s, give it with --sample", files[i], files[proto])
		}
		if err := in.proto.check(); err != nil {
			return "", err
		}
		return "", in.nothingGuessed(files[proto], false)
	case len(in.samples) > 0:
		return "", usagef("--sample is for the records of a .proto file, or of a Go type named by --type; files of JSON are named without it: %s", strings.Join(in.samples, " "))
	}
	if f := in.proto.given(); f != "" {
		return "", usagef("%s is about .proto files; name one, and its messages with --sample", f)
	}
	return "", nil
}

// withRecords checks that there are records to read.
func (in *input) withRecords(files []string) error {
	if i := slices.IndexFunc(files, isProto); i >= 0 && len(in.samples) == 0 {
		return usagef("%s has no records; give messages with --sample, in protobuf's binary form, its JSON or its text form", files[i])
	}
	return nil
}

// nothingGuessed checks that there is no flag about what is guessed of JSON,
// where types are said by what.
func (in *input) nothingGuessed(what string, json bool) error {
	flag := ""
	for _, s := range in.said {
		if s.flag != "type" || !namesType(s.value) {
			flag = s.flag // its value is no Go type
		}
	}
	switch {
	case in.schemaFile != "":
		flag = "schema"
	case in.records != "" && !json:
		flag = "records"
	case len(in.only) > 0:
		flag = "only"
	}
	if flag == "" {
		return nil
	}
	return usagef("--%s is for samples of JSON alone; here %s says what the records are", flag, what)
}

// values reads samples with a Go type.
func (in *input) values(ctx context.Context, goCommand string, samples []infer.Source, name string) (userdata.Source, *gotype.Result, error) {
	r, err := gotype.Read(ctx, gotype.Options{
		Type: name, Name: in.name, Samples: samples, Records: in.records, Go: goCommand,
		SkipBad: in.skipBad, MaxRecords: in.maxRecords, MaxBytes: int64(in.maxBytes), MaxRecord: int64(in.maxRecord),
	})
	if err != nil {
		return userdata.Source{}, nil, wrongInput(ctx, err)
	}
	files := in.samples
	if len(files) == 0 {
		files = []string{name} // a function, whose records it returns
	}
	s := userdata.Values(ctx, files, r)
	s.Notes = append([]string{"the records are values of " + r.Type}, s.Notes...)
	return s, r, nil
}

// readSamples reads samples of any kind, of which standard input may be one. done is
// to be called when the records were written; typed is nil unless they are of a
// Go type, and is to be closed by the caller.
func (a *app) readSamples(ctx context.Context, stdin io.Reader, in input, files []string) (s userdata.Source, typed *gotype.Result, done func(), err error) {
	nothing := func() {}
	goType, err := in.kind(files)
	if err == nil {
		err = in.withRecords(files)
	}
	if err != nil {
		return s, nil, nothing, err
	}
	proto := slices.ContainsFunc(files, isProto)
	samples := files
	if goType != "" || proto {
		samples = in.samples
	}
	sources, done, err := infer.Files(ctx, samples, stdin, in.limits())
	if err != nil {
		return s, nil, nothing, &exitError{exitUsage, err}
	}
	switch {
	case goType != "":
		s, typed, err = in.values(ctx, a.toolGo(), sources, goType)
	case proto:
		s, err = in.messages(ctx, sources, files)
	default:
		var options infer.Options
		if options, err = in.options(ctx); err != nil {
			break
		}
		var r *infer.Result
		if r, err = infer.JSON(sources, options); err != nil {
			err = wrongInput(ctx, err)
			break
		}
		s = userdata.Inferred(slices.Clone(files), r)
	}
	return s, typed, done, err
}

// toolGo returns the go command for what is no runner: --go, unless that is a
// release, by which runners are built.
func (a *app) toolGo() string {
	if _, err := exec.LookPath(a.goCommand); err != nil {
		return ""
	}
	return a.goCommand
}

// withOwnType adds the user's own type to what is measured, if there is one. It
// is measured whatever is selected, unless something else is what they have.
func (a *app) withOwnType(ctx context.Context, o *tryOptions) error {
	if o.typed == nil {
		return nil
	}
	guests, err := a.ownType(ctx, o.typed)
	if err = errors.Join(err, o.typed.Close()); err != nil {
		return err
	}
	o.selection.guests = guests
	if guests != nil && !o.haveGiven() {
		o.always = gotype.GuestName
	}
	return nil
}

// ownType makes the runner of the user's own type with encoding/json, and invites
// it as a contender from outside. Where there can be none, it says why and
// returns nobody.
func (a *app) ownType(ctx context.Context, r *gotype.Result) (visitors, error) {
	p := a.newProgress()
	defer p.clear()
	p.status("compiling a runner into the module of %s", r.Type)
	start := time.Now()
	packages, err := a.own.data.Generate(ctx, build.Options{Source: a.source, Cache: a.cacheDir(), Go: a.toolGo()}, nil)
	if err != nil {
		return nil, err
	}
	tmp, err := a.cacheDir().Temp(true)
	if err != nil {
		return nil, err
	}
	defer tmp.Remove()
	like := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == reference })
	err = r.Guest(ctx, tmp, gotype.GuestOptions{
		Source: a.source, Files: packages.Extra, Workload: a.own.load.Name, Like: contenders.All()[like],
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		p.clear()
		a.warn("%s is not measured as it is in your module: %v", r.Type, err)
		return nil, nil
	}
	// Its place is named by what it is: a run that is resumed finds the same.
	name, err := digest(tmp.Path())
	if err != nil {
		return nil, err
	}
	e := a.cacheDir().Entry(cachedir.Types, name)
	if same, err := digest(e.Path()); err != nil || same != name {
		if err := errors.Join(e.Remove(), tmp.Keep(".", e)); err != nil {
			return nil, fmt.Errorf("keeping the runner of %s: %w", r.Type, err)
		}
	}
	p.line("own type  runner of %s in %s, called %s", r.Type, seconds(time.Since(start)), gotype.GuestName)
	return a.invite(ctx, []string{e.Path()})
}

// digest names the content of a directory of files.
func digest(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", e.Name(), len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:cachedir.KeySize]), nil
}

// undamaged returns an error when the runner in a directory is one of a user's own
// type that the cache has, and not what was built: what it does would be put down
// to the type.
func (a *app) undamaged(dir string) error {
	e := a.cacheDir().Entry(cachedir.Types, filepath.Base(dir))
	if e.Path() != filepath.Clean(dir) {
		return nil
	}
	name, err := digest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("the runner of your type is no longer in the cache; start a new run")
	}
	if err == nil && name != e.Key() {
		err = usagef("the runner of your type in %s is damaged; start a new run", dir)
	}
	return err
}

// verifyOwnType verifies all records in the user's own type, a block at a time,
// and keeps how many bytes they have together. It returns the cases that are left.
func (m *measurement) verifyOwnType(ctx context.Context, v *visitor, live []result.Case, exchanged exchange) ([]result.Case, error) {
	all := map[result.Subject]*result.Verification{}
	err := m.app.own.data.Blocks(blockBytes, func(file string, first, n int64) error {
		if len(live) == 0 {
			return nil
		}
		m.progress.status("verifying %s, records %d to %d of %d", v.Name, first+1, first+n, m.app.own.data.Records)
		ours := m.drive()
		ours.Data = at(file)
		res, err := v.verified(ctx, ours, m.runners[0].group, live, exchanged, func(r result.Record) error {
			if x := r.Verification; x != nil && x.From == nil && x.Contender == v.Name {
				merge(all, x, first, n)
			}
			return nil
		}, m.progress.quietly)
		if err != nil {
			return err
		}
		for c, s := range res.Sizes {
			if sum := all[c.Subject()]; sum != nil && c.Op == result.Encode {
				sum.Encoded += s.Encoded
			}
		}
		live, err = m.lost(live, res.Outcomes, first, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, sum := range all {
		if err := m.sink(result.Record{Verification: sum}); err != nil {
			return nil, err
		}
	}
	return live, nil
}

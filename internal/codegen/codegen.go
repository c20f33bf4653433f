// Package codegen generates the code that contenders need for a schema in a runner. It runs the
// emitters and the generators that they name, and keeps the results in the cache under a hash
// of all inputs. Built-in workloads and a user's own records are treated alike.
package codegen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/result"
	"assay/schema"
)

// A Target is a schema that contenders get a package for.
type Target struct {
	// Schema is the schema, with only the wanted roots. Its name is the workload's.
	Schema *schema.Schema
	// Whole is the schema with all roots; nil if Schema has all.
	Whole *schema.Schema
	// Model is the import path of the package of the model types.
	Model string
	// Own says that the schema is made from a user's own data, which the cache keeps apart.
	Own bool
	// Streams asks for the streams of the roots and for nothing else.
	Streams bool
	// Salt returns further inputs of a contender's package, besides its emitter and the schema:
	// "" for most contenders. Nil means "" for all.
	Salt func(*contender.Contender) string
}

// Dir returns the directory of a contender's package within the module.
func (t Target) Dir(c *contender.Contender) string {
	return "contenders/" + c.Dir() + "/gen/" + t.Schema.Name
}

// Request returns the request to a contender's emitter.
func (t Target) Request(c *contender.Contender) contender.Request {
	return contender.Request{Schema: t.Schema, Whole: t.Whole, Package: "assay/" + t.Dir(c), Model: t.Model, Contender: c.Name, Varies: c.Varies, Stream: t.Streams}
}

// Golden is the first line of a committed Go file of a contender's package that no package of
// this module imports. Such files are for readers, and their build constraint keeps the go command
// from compiling the libraries that they import. Files in a runner do not have it.
const Golden = "//go:build golden\n\n"

// Packages are the packages of contenders for targets.
type Packages struct {
	// Files are for build.Options.Generated. They are not nil.
	Files []contender.File
	// Contenders are the contenders that have a package, with the workloads of their packages.
	Contenders []build.Contender
	// LeftOut says which contenders have no package for a workload, and why.
	LeftOut []LeftOut
}

// A LeftOut is a contender that has no package for a workload.
type LeftOut struct {
	Contender, Workload string
	Reason
}

// A Reason says why a contender has no package.
type Reason struct {
	// Status is Unsupported if the contender's format cannot hold the schema, and BuildFailed
	// if its generator failed.
	Status result.Status `json:"status"`
	// Text explains the status. It names the field if the reason is about one.
	Text string `json:"text"`
}

// Contender returns the contender with the name, or false if it has no package.
func (p *Packages) Contender(name string) (build.Contender, bool) {
	for _, c := range p.Contenders {
		if c.Name == name {
			return c, true
		}
	}
	return build.Contender{}, false
}

// Generate generates the packages of the contenders, for each target. It leaves out contenders
// whose formats cannot hold the schema or whose generators fail. It keeps generated packages in
// the cache. Generators run with the go command of the options; the options' variant does not
// affect them.
func Generate(ctx context.Context, o build.Options, targets []Target, wanted []*contender.Contender) (*Packages, error) {
	tools, err := build.NewTools(o)
	if err != nil {
		return nil, err
	}
	g := &generator{o.Cache, tools}
	jobs := make([]*job, 0, len(targets)*len(wanted))
	for _, c := range wanted {
		for _, t := range targets {
			jobs = append(jobs, &job{target: t, contender: c})
		}
	}
	if err := each(ctx, jobs, g.recall); err != nil {
		return nil, err
	}
	var need []string
	for _, j := range jobs {
		for _, p := range j.out.Plugins {
			need = append(append(need, p.Tool), p.Uses...)
		}
	}
	if err := tools.Build(ctx, need...); err != nil {
		return nil, err
	}
	if err := each(ctx, jobs, g.finish); err != nil {
		return nil, err
	}
	return collect(jobs), nil
}

// each calls do for every job, several at a time.
func each(ctx context.Context, jobs []*job, do func(context.Context, *job) error) error {
	errs := make([]error, len(jobs))
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(2, runtime.NumCPU()))
	for i, j := range jobs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() == nil {
				errs[i] = do(ctx, j)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errs...)
}

// collect combines the packages of the jobs.
func collect(jobs []*job) *Packages {
	p := &Packages{Files: []contender.File{}}
	for _, j := range jobs {
		c, name := j.contender, j.target.Schema.Name
		if j.LeftOut != nil {
			p.LeftOut = append(p.LeftOut, LeftOut{c.Name, name, *j.LeftOut})
			continue
		}
		if n := len(p.Contenders); n == 0 || p.Contenders[n-1].Name != c.Name {
			p.Contenders = append(p.Contenders, build.Contender{Name: c.Name, Dir: c.Dir()})
		}
		last := &p.Contenders[len(p.Contenders)-1]
		last.Workloads = append(last.Workloads, name)
		for _, f := range j.Files {
			p.Files = append(p.Files, contender.File{Name: j.target.Dir(c) + "/" + f.Name, Data: f.Data})
		}
	}
	return p
}

// A job is the package of one contender for one target.
type job struct {
	target    Target
	contender *contender.Contender
	key       string
	out       contender.Output // the emitter's output; empty if the package was in the cache
	kept
}

// kept is the part of a job that the cache keeps.
type kept struct {
	Files   []contender.File `json:"files,omitempty"`
	LeftOut *Reason          `json:"left_out,omitempty"`
}

// done says whether the job's result is known.
func (k kept) done() bool { return k.Files != nil || k.LeftOut != nil }

// A generator is the state of one call of Generate.
type generator struct {
	cache cachedir.Dir
	tools *build.Tools
}

// part returns the part of the cache that keeps a target's packages.
func (t Target) part() cachedir.Part { return cachedir.Generated.Of(t.Own) }

// keyOf returns the cache key of a job's package.
func (g *generator) keyOf(j *job) string {
	// A request refuses modes by the whole schema, also those that only other roots lack.
	text, err := json.Marshal([]any{j.target.Schema, j.target.Whole})
	if err != nil {
		panic(err) // every type in it can be marshalled
	}
	salt := ""
	if j.target.Salt != nil {
		salt = j.target.Salt(j.contender)
	}
	if j.target.Streams {
		salt += " streams"
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q\n", g.tools.Source(), runtime.Version(), j.target.Model, j.contender.Name, salt)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)[:cachedir.KeySize])
}

// recall takes a package from the cache, or runs the contender's emitter.
func (g *generator) recall(_ context.Context, j *job) error {
	j.key = g.keyOf(j)
	if data, ok := g.cache.Recall(j.target.part(), j.key); ok && json.Unmarshal(data, &j.kept) == nil && j.done() {
		g.cache.Entry(j.target.part(), j.key).Touch()
		return nil
	}
	j.kept = kept{}
	out, err := j.contender.Emit(j.target.Request(j.contender))
	var no *contender.Unsupported
	switch {
	case errors.As(err, &no):
		j.LeftOut = &Reason{result.Unsupported, no.Error()}
		return g.keep(j)
	case err != nil:
		j.LeftOut = failed(err)
		return nil
	}
	j.out = out
	return nil
}

// failed returns the reason of a contender whose code could not be generated.
func failed(err error) *Reason {
	return &Reason{result.BuildFailed, "its code could not be generated: " + err.Error()}
}

// finish runs the generators of a package, unless the job is done.
func (g *generator) finish(ctx context.Context, j *job) error {
	if j.done() {
		return nil
	}
	files, err := g.tools.Generate(ctx, j.contender.Name, j.out)
	j.out = contender.Output{}
	var machine *build.MachineError
	switch {
	case errors.As(err, &machine):
		return err
	case err != nil:
		// Do not keep it: the next attempt may succeed, for example if a module could not be
		// fetched.
		j.LeftOut = failed(err)
		return nil
	}
	j.Files = files
	return g.keep(j)
}

func (g *generator) keep(j *job) error {
	data, err := json.Marshal(j.kept)
	if err != nil {
		return err
	}
	return g.cache.Keep(j.target.part(), j.key, data)
}

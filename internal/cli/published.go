package cli

import (
	"context"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/published/protocol"
	"assay/result"
)

// publishedProgram is the package that links the sources' benchmarks and the
// exhibits.
const publishedProgram = "published/program"

// program builds the program of published benchmarks in all layouts.
func (a *app) program(ctx context.Context, layouts []uint64, v build.Variant, p *progress) (*build.Runner, error) {
	r, err := build.Program(ctx, build.Options{Source: a.source, Cache: a.cacheDir(), Variant: v, Progress: p.build}, publishedProgram, layouts)
	p.clear()
	if err != nil {
		return nil, err
	}
	how := "cached"
	if !p.started.IsZero() {
		how = "built in " + seconds(p.now().Sub(p.started))
	}
	p.line("program   %s, %s", count(len(layouts), "layout"), how)
	for _, c := range r.Changed {
		p.line("          %s", c)
	}
	return r, nil
}

// publishedConfig returns how published benchmarks are run with a program, each
// for at most longest in one round. They may have most of the memory that there
// is: the sources' own are as large as they were published.
func publishedConfig(r *build.Runner, longest time.Duration, requests []drive.PublishedRequest) drive.PublishedConfig {
	memory := host.Available() / 5 * 4
	if memory == 0 { // it cannot be seen
		memory = memoryLimit
	}
	return drive.PublishedConfig{
		Binary:   func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} },
		Limits:   drive.Limits{Memory: memory, Answer: longest},
		Requests: requests,
	}
}

// publishedSets returns the benchmarks that a program has.
func publishedSets(ctx context.Context, r *build.Runner) ([]protocol.Set, error) {
	cfg := publishedConfig(r, answerLimit, nil)
	return drive.ListPublished(ctx, cfg.Binary(0), cfg.Limits)
}

// hasBenches says whether a run has published benchmarks.
func hasBenches(records []result.Record) bool {
	for _, r := range records {
		if r.Bench != nil {
			return true
		}
	}
	return false
}

package measure

import (
	"context"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/published/protocol"
)

// publishedProgram is the package that links the sources' benchmarks and the exhibits.
const publishedProgram = "published/program"

// program builds the program of published benchmarks in all layouts.
func (cfg *Config) program(ctx context.Context, layouts []uint64, v build.Variant) (*build.Runner, error) {
	r, err := build.Program(ctx, cfg.options(v), publishedProgram, layouts)
	if err != nil {
		return nil, err
	}
	cfg.tell(Built{Program: publishedProgram, Layouts: len(layouts), Changed: r.Changed})
	return r, nil
}

// publishedConfig returns how to run published benchmarks of a program, each for at most longest
// in one round. They may use most of the available memory, because the sources' values are as
// large as they were published.
func publishedConfig(r *build.Runner, longest time.Duration, requests []drive.PublishedRequest) drive.PublishedConfig {
	memory := host.Available() / 5 * 4
	if memory == 0 { // unknown
		memory = memoryLimit
	}
	return drive.PublishedConfig{
		Binary:   func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} },
		Limits:   drive.Limits{Memory: memory, Answer: longest},
		Requests: requests,
	}
}

// publishedSets returns the benchmark sets of a program.
func publishedSets(ctx context.Context, r *build.Runner) ([]protocol.Set, error) {
	cfg := publishedConfig(r, answerLimit, nil)
	return drive.ListPublished(ctx, cfg.Binary(0), cfg.Limits)
}

package measure

import (
	"context"
	"time"

	"assay/internal/drive"
	"assay/published/exhibits"
	"assay/result"
)

// An extent is the effort that is spent on each exhibit.
type extent struct {
	layouts   int // including the ordinary one
	rounds    int // in each layout
	benchtime string
}

// The extents of a run of exhibits. A quick run takes one or two minutes, a full run five.
var (
	quickExhibits = extent{layouts: 4, rounds: 3, benchtime: "50ms"}
	fullExhibits  = extent{layouts: 8, rounds: 5, benchtime: "100ms"}
)

// longestExhibit is the longest time that one half of an exhibit may take in one round.
const longestExhibit = 30 * time.Second

// BeginExhibits builds the program of exhibits and makes the directory of a new run. The caller
// must close the returned Measurement, and measures with MeasureExhibits.
func (cfg *Config) BeginExhibits(ctx context.Context, v Variant, quick bool) (*Measurement, error) {
	x := fullExhibits
	if quick {
		x = quickExhibits
	}
	p := result.Plan{Quick: quick, Rounds: x.rounds, Layouts: Layouts(x.layouts - 1)}
	if err := cfg.Writable(); err != nil {
		return nil, err
	}
	program, err := cfg.program(ctx, p.Layouts, v)
	if err != nil {
		return nil, err
	}
	m := &Measurement{cfg: cfg, runners: one(program)}
	return m, m.create(p, 0)
}

// MeasureExhibits runs the named exhibits.
func (m *Measurement) MeasureExhibits(ctx context.Context, names []string) error {
	defer m.cfg.end()
	x := fullExhibits
	if m.Run.Plan.Quick {
		x = quickExhibits
	}
	var requests []drive.PublishedRequest
	for _, layout := range m.Run.Plan.Layouts {
		for _, name := range names {
			requests = append(requests, drive.PublishedRequest{
				Layout: layout, Set: exhibits.Set(name), Names: exhibits.Halves, Rounds: x.rounds, Benchtime: x.benchtime,
			})
		}
	}
	if err := drive.Published(ctx, publishedConfig(m.runners[0].Runner, longestExhibit, requests), m.sink, m.event); err != nil {
		return err
	}
	return m.store.Finish(m.Run)
}

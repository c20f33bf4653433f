package cli

import (
	"assay"
	"assay/internal/analysis"
	"assay/internal/cachedir"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/progress"
	"assay/internal/stored"
)

// measuring returns the configuration of this command's measurements: the flags that every
// command has, the input, and the progress as listener.
func (a *app) measuring() *measure.Config {
	var temporary func(string) (string, error)
	if a.temporaries != nil {
		temporary = a.temporaries.In
	}
	return &measure.Config{
		Source: a.source, Cache: a.cacheDir(), Go: a.goCommand, Results: a.runs.Dir, Input: a.input,
		Tool: assay.Version(), Args: a.args, RunName: stored.Name, Listen: a.progress().Event, Temporary: temporary,
	}
}

// building is measuring for a command that builds. It returns an error if there is no cache to build
// in.
func (a *app) building() (*measure.Config, error) {
	cfg := a.measuring()
	return cfg, cfg.CheckCache()
}

// cacheDir returns the directory of the cache.
func (a *app) cacheDir() cachedir.Dir { return cachedir.In(a.cache) }

// progress returns the progress of the command. With --quiet it shows nothing. If standard error
// is a terminal, it shows a view.
func (a *app) progress() *progress.Progress {
	switch {
	case a.shown != nil:
	case a.Quiet:
		a.shown = progress.New(nil, nil)
	case a.Watched():
		color, err := a.Colored()
		view := live.New(a.Err, a.Size, color && err == nil)
		a.Clear = view.Clear
		a.shown = progress.New(a.Err, view)
	default:
		a.shown = progress.New(a.Err, nil)
	}
	return a.shown
}

// watch makes the terminal show the table of a run while it is measured. The table is the
// analysis of the records so far.
func (a *app) watch(m *measure.Measurement) {
	about := live.About{Workloads: live.Workloads(m.Run.Plan), Precision: m.Precision(), Typical: a.typical}
	a.progress().Watch(about, func() *analysis.Results { return analysis.Of(m.Run, m.Records, analysis.View{}) })
}

package cli

import (
	"assay/internal/analysis"
	"assay/internal/cachedir"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/progress"
)

// measuring returns the configuration of this command's measurements: the flags that every
// command has, the input, and the progress as listener.
func (a *app) measuring() *measure.Config {
	var temporary func(string) (string, error)
	if a.temporaries != nil {
		temporary = a.temporaries.In
	}
	return &measure.Config{
		Source: a.source, Cache: a.cacheDir(), Go: a.goCommand, Results: a.results, Input: a.input,
		Tool: toolVersion(), Args: a.args, RunName: runName, Listen: a.progress().Event, Temporary: temporary,
	}
}

// cacheDir returns the directory of the cache.
func (a *app) cacheDir() cachedir.Dir { return cachedir.In(a.cache) }

// progress returns the progress of the command. With --quiet it shows nothing. If standard error
// is a terminal, it shows a view.
func (a *app) progress() *progress.Progress {
	switch _, ok := terminal(a.stderr); {
	case a.shown != nil:
	case a.quiet:
		a.shown = progress.New(nil, nil)
	default:
		if ok {
			color, err := a.colored()
			a.view = live.New(a.stderr, func() (int, int) { return terminalSize(a.stderr) }, color && err == nil)
		}
		a.shown = progress.New(a.stderr, a.view)
	}
	return a.shown
}

// watch makes the terminal show the table of a run while it is measured. The table is the
// analysis of the records so far.
func (a *app) watch(m *measure.Measurement) {
	about := live.About{Workloads: live.Workloads(m.Run.Plan), Precision: m.Precision(), Typical: a.typical}
	a.progress().Watch(about, func() *analysis.Results { return analysis.Of(m.Run, m.Records, analysis.View{}) })
}

package cli

import (
	"assay/internal/analysis"
	"assay/internal/cachedir"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/progress"
)

// measuring returns how this command measures: with the flags of every command, what
// is measured by it, and its progress as the listener.
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

// cacheDir returns where things are kept between runs.
func (a *app) cacheDir() cachedir.Dir { return cachedir.In(a.cache) }

// progress returns what shows how far the command is: nothing where it is quiet, and a
// view where standard error is a terminal.
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

// watch has the terminal show the table of a run while that is measured: the analysis
// of the finished run, of the records that there are.
func (a *app) watch(m *measure.Measurement) {
	about := live.About{Workloads: live.Workloads(m.Run.Plan), Precision: m.Precision(), Typical: a.typical}
	a.progress().Watch(about, func() *analysis.Results { return analysis.Of(m.Run, m.Records, analysis.View{}) })
}

package cli

import (
	"assay/internal/cachedir"
	"assay/internal/measure"
)

// measuring returns how this command measures: with the flags of every command, what
// is measured by it, and its progress as the listener.
func (a *app) measuring() *measure.Config {
	return &measure.Config{
		Source: a.source, Cache: a.cacheDir(), Go: a.goCommand, Results: a.results, Input: a.input,
		Tool: toolVersion(), Args: a.args, RunName: runName, Listen: a.progress().event,
	}
}

// cacheDir returns where things are kept between runs.
func (a *app) cacheDir() cachedir.Dir { return cachedir.In(a.cache) }

// progress returns what shows how far the command is.
func (a *app) progress() *progress {
	if a.shown == nil {
		a.shown = a.newProgress()
	}
	return a.shown
}

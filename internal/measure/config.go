// Package measure runs the experiment, from what was asked for to the records of a run. It builds
// runners, verifies, sizes, counts and launches cases, runs the further passes, and holds their
// constants. It prints nothing: it sends events to a listener and returns errors that say what
// kind they are.
package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/host"
	"assay/internal/refusal"
	"assay/result"
)

// A Config is what the measurements of one command share. Only one Measurement may use it at a
// time.
type Config struct {
	// Source is the source that runners are built from: assay.Source.
	Source fs.FS
	// Cache stores runners, records, and the machine's best sentinel.
	Cache cachedir.Dir
	// Go is the go command or the Go release that builds runners; empty: the go command on PATH.
	Go string
	// Results is the directory of runs.
	Results string
	// Input is what is measured.
	Input Input
	// Tool is the version of this program, and Args is its command line. Both are stored in runs.
	Tool string
	Args []string
	// RunName returns the name under which users find the run in a directory; nil: the directory.
	RunName func(dir string) string
	// Temporary makes a directory for temporary files in a directory that the user named. It is
	// removed when the process ends; nil: files are made in the user's directory.
	Temporary func(parent string) (string, error)
	// Listen is called for each event; nil: events are dropped.
	Listen func(Event)

	phase string // current phase; empty: none
	began time.Time
}

// refuse is an error in the request. The package returns such errors as *refusal.Error.
func refuse(format string, args ...any) error { return refusal.Errorf(format, args...) }

// Reference is the contender that ratios refer to: the one in Go's standard library that every
// program can use.
const Reference = "encoding/json"

// options returns the options by which package build makes a runner.
func (cfg *Config) options(v build.Variant) build.Options {
	return build.Options{Source: cfg.Source, Cache: cfg.Cache, Go: cfg.ToolGo(), Variant: v, Progress: cfg.building}
}

// Tools returns the options by which package build makes other programs than runners.
func (cfg *Config) Tools() build.Options {
	return build.Options{Source: cfg.Source, Cache: cfg.Cache, Go: cfg.ToolGo(), Progress: cfg.building}
}

// ToolGo returns the go command for other programs than runners: Go, unless Go is a release,
// which only builds runners.
func (cfg *Config) ToolGo() string {
	if _, err := exec.LookPath(cfg.Go); err != nil {
		return ""
	}
	return cfg.Go
}

// CheckCache returns an error if there is no cache. If the go command cannot make a build cache
// of its own, because the home directory is not writable, it gets one in our cache.
func (cfg *Config) CheckCache() error {
	if err := cfg.Cache.Check(); err != nil {
		return err
	}
	if os.Getenv("GOCACHE") != "" {
		return nil
	}
	if dir, err := os.UserCacheDir(); err == nil && os.MkdirAll(filepath.Join(dir, "go-build"), 0o777) == nil {
		return nil
	}
	dir, err := cfg.Cache.GoBuild()
	if err != nil {
		return err
	}
	return os.Setenv("GOCACHE", dir)
}

// CheckGo returns an error if there is no go command whose programs run here.
func (cfg *Config) CheckGo(ctx context.Context) error {
	return build.CheckGo(ctx, cfg.ToolGo(), os.TempDir())
}

// Writable returns an error if runs cannot be stored, so that this is known before measuring.
func (cfg *Config) Writable() error {
	if err := os.MkdirAll(cfg.Results, 0o777); err != nil {
		return fmt.Errorf("the results directory %s cannot be made: %w; choose another with --results", cfg.Results, err)
	}
	f, err := os.CreateTemp(cfg.Results, ".write-*")
	if err == nil {
		return errors.Join(f.Close(), os.Remove(filepath.Clean(f.Name())))
	}
	return fmt.Errorf("the results directory %s cannot be written: %w; choose another with --results", cfg.Results, err)
}

// newRun returns the record of a new run.
func (cfg *Config) newRun(p result.Plan, seed uint64, b result.Build) *result.Run {
	now := time.Now()
	return &result.Run{
		Schema: result.RunSchema, ID: result.NewID(now), Tool: cfg.Tool, Args: cfg.Args,
		Started: now, Seed: seed, Plan: p, Host: cfg.machine(), Build: b,
	}
}

// machine returns the facts of this machine, including its best sentinel.
func (cfg *Config) machine() result.Host {
	h := host.Facts()
	h.SentinelBest = int64(host.Remember(cfg.Cache, host.Key(h), 0))
	return h
}

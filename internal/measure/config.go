// Package measure is the experiment: everything between what was asked for and the
// records of a run. It builds runners, verifies, sizes, counts and launches, takes the
// further passes, and keeps the constants of them. It prints nothing: it tells a
// listener what happens, and gives errors that say what kind they are.
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

// A Config is what all measuring of one command shares. One thing is measured with it
// at a time.
type Config struct {
	// Source is what runners are built from: assay.Source.
	Source fs.FS
	// Cache keeps runners, records, and the machine's best sentinel.
	Cache cachedir.Dir
	// Go is the go command or the release of Go that builds runners; empty: the go
	// command on PATH.
	Go string
	// Results is the directory of runs.
	Results string
	// Input is what is measured.
	Input Input
	// Tool is the version of this program, and Args its command line, as runs keep them.
	Tool string
	Args []string
	// RunName returns the name by which people find the run of a directory; nil: the
	// directory.
	RunName func(dir string) string
	// Temporary makes a directory for temporary files in one that the user named, which goes
	// with the process; nil: files are made in the user's.
	Temporary func(parent string) (string, error)
	// Listen hears what happens; nil: nobody does.
	Listen func(Event)

	phase string // that is going on; empty: none
	began time.Time
}

// A Refusal is an error of what was asked for, not of what happened: somebody has to
// ask for something else.
type Refusal = refusal.Error

func refuse(format string, args ...any) error { return refusal.Errorf(format, args...) }

// Reference is the contender that ratios are taken to: the one that every Go
// program could use without asking anybody.
const Reference = "encoding/json"

// options are how package build makes a runner.
func (cfg *Config) options(v build.Variant) build.Options {
	return build.Options{Source: cfg.Source, Cache: cfg.Cache, Go: cfg.ToolGo(), Variant: v, Progress: cfg.building}
}

// Tools are how package build makes what is no runner.
func (cfg *Config) Tools() build.Options {
	return build.Options{Source: cfg.Source, Cache: cfg.Cache, Go: cfg.ToolGo(), Progress: cfg.building}
}

// ToolGo returns the go command for what is no runner: Go, unless that is a release,
// by which runners are built.
func (cfg *Config) ToolGo() string {
	if _, err := exec.LookPath(cfg.Go); err != nil {
		return ""
	}
	return cfg.Go
}

// CheckCache finds out whether there is a cache, and gives the go command a build
// cache in there where it can make none of its own, because the home directory cannot
// be written.
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

// CheckGo finds out whether there is a go command whose programs run here.
func (cfg *Config) CheckGo(ctx context.Context) error {
	return build.CheckGo(ctx, cfg.ToolGo(), os.TempDir())
}

// Writable checks that runs can be stored before an hour is spent on one.
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

// newRun returns the record of a run that is about to begin.
func (cfg *Config) newRun(p result.Plan, seed uint64, b result.Build) *result.Run {
	now := time.Now()
	return &result.Run{
		Schema: result.RunSchema, ID: result.NewID(now), Tool: cfg.Tool, Args: cfg.Args,
		Started: now, Seed: seed, Plan: p, Host: cfg.machine(), Build: b,
	}
}

// machine returns what is known of this machine, its best sentinel included.
func (cfg *Config) machine() result.Host {
	h := host.Facts()
	h.SentinelBest = int64(host.Remember(cfg.Cache, host.Key(h), 0))
	return h
}

// Package cachetest provides a cache that tests share. Tests of several packages make the same
// generators, code and runners. With the shared cache each of them is made once, and is reused
// the next time that the tests run.
package cachetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/cachedir"
)

const (
	// within is the name of the directory in the go command's build cache. If the build cache is
	// removed, so is the shared cache, and a test with its own build cache shares nothing.
	within = "assay-test"
	// keep is the number of directories that stay whatever their age: those of a few states of the
	// source.
	keep = 3
	// limit is the number of bytes that stay in a directory. Some tests use new paths each time,
	// so nothing finds the programs that they make again.
	limit = 2 << 30
	// idle is the time after its last use at which a directory counts as unused.
	idle = 2 * time.Hour
)

// BuildFlags are the flags of go build for compiling runners. Tests that compile with these flags
// share compiled libraries with the runners.
var BuildFlags = []string{"-trimpath", "-gcflags=all=-dwarf=false"}

// makers are the packages that fill caches. A change to them or to the packages that they import
// leads to another directory: a test must not use what other code has made.
var makers = []string{"assay/internal/measure", "assay/internal/userdata", "assay/internal/export", "assay/internal/infer/gotype/own"}

// What this process knows of the shared cache. Its source does not change while it runs.
var (
	onceBase = sync.OnceValues(goCache)
	onceName = sync.OnceValues(source)
	onceOpen = sync.OnceValues(func() (string, error) {
		base, err := onceBase()
		if err != nil {
			return "", err
		}
		name, err := onceName()
		if err != nil {
			return "", err
		}
		return open(filepath.Join(base, within), name, time.Now())
	})
)

// Dir returns the directory of the shared cache, for --cache. If it cannot be made, Dir returns a
// temporary directory.
func Dir(t testing.TB) string {
	t.Helper()
	if _, err := onceBase(); err != nil {
		t.Fatal(err)
	}
	if _, err := onceName(); err != nil {
		t.Fatal(err)
	}
	dir, err := onceOpen()
	if err != nil {
		t.Logf("tests share no cache: %v", err)
		return t.TempDir()
	}
	return dir
}

// Shared returns the shared cache.
func Shared(t testing.TB) cachedir.Dir {
	t.Helper()
	return cachedir.In(Dir(t))
}

// goCache returns the go command's build cache.
func goCache() (string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	dir := strings.TrimSpace(string(out))
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("the go command has no build cache: GOCACHE is %q", dir)
	}
	return dir, err
}

// source returns a hash of the Go files of the makers and of the packages of this module that
// they import.
func source() (string, error) {
	const files = `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", files}, makers...)...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("listing what fills caches: %w\n%s", err, &complaints)
	}
	h := sha256.New()
	for file := range strings.FieldsFuncSeq(string(out), func(r rune) bool { return r == '\n' || r == '\r' }) {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d\n", filepath.Base(file), len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:cachedir.KeySize]), nil
}

// shape matches the names of directories that open makes.
var shape = regexp.MustCompile(`^[0-9a-f]{20}$`)

// open returns the directory with that name in base, made if necessary, and removes unused
// directories with other names. It removes the measurements of the machine, so that a slow run of
// the tests does not affect the next one.
func open(base, name string, now time.Time) (string, error) {
	dir := filepath.Join(base, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.Chtimes(dir, now, now); err != nil {
		return "", err
	}
	if err := os.Remove(filepath.Join(dir, cachedir.Name, "sentinel.jsonl")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if _, err := cachedir.In(dir).Evict(limit, now); err != nil {
		return "", err
	}
	return dir, prune(base, name, now)
}

// prune removes unused directories that open made for other names, except the latest.
func prune(base, name string, now time.Time) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	type other struct {
		name string
		used time.Time
	}
	var others []other
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !shape.MatchString(e.Name()) || e.Name() == name {
			continue
		}
		others = append(others, other{e.Name(), info.ModTime()})
	}
	slices.SortFunc(others, func(a, b other) int { return b.used.Compare(a.used) })
	for _, o := range others[min(keep-1, len(others)):] {
		if now.Sub(o.used) < idle {
			continue
		}
		if err := os.RemoveAll(filepath.Join(base, o.name)); err != nil {
			return err
		}
	}
	return nil
}

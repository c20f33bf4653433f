package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"

	"assay/internal/cachedir"
)

// sumFile returns the name of the file with the hash and the size that the program had when it
// was linked.
func sumFile(program string) string { return program + ".sum" }

// A sum identifies the content of a linked program.
type sum struct {
	size int64
	hash string // SHA-256
}

func (s sum) text() []byte { return fmt.Appendf(nil, "%s %d\n", s.hash, s.size) }

// sumOf reads a program.
func sumOf(f io.Reader) (sum, error) {
	h := sha256.New()
	n, err := io.Copy(h, f)
	return sum{n, hex.EncodeToString(h.Sum(nil))}, err
}

// keepProgram moves a newly linked program into its entry, together with its sum. It writes the
// sum first, because a program without a sum would be linked again.
func keepProgram(tmp *cachedir.Temp, e cachedir.Entry, name string) error {
	f, err := os.Open(tmp.Path(name))
	if err != nil {
		return err
	}
	s, err := sumOf(f)
	if err = errors.Join(err, f.Chmod(0o700), f.Close()); err != nil {
		return err
	}
	if err := e.WriteFile(sumFile(name), s.text()); err != nil {
		return err
	}
	return tmp.KeepFile(name, e, name)
}

// missing returns the layouts that must be linked, in ascending order: those absent from the
// cache and those that were damaged, whose failures would be blamed on contenders. It reads
// every program in full each time, because a bit flip on a disk changes neither size nor
// modification time.
func (m *maker) missing(ctx context.Context, r *Runner, layouts []uint64) ([]uint64, error) {
	all := slices.Compact(slices.Sorted(slices.Values(layouts)))
	states := make([]state, len(all))
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(1, runtime.NumCPU()))
	for i, layout := range all {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() == nil {
				states[i] = r.state(r.file(layout))
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var missing []uint64
	for i, layout := range all {
		switch states[i] {
		case damaged:
			m.emit(Event{Step: Damaged, Layout: layout})
			fallthrough
		case absent:
			missing = append(missing, layout)
		}
	}
	return missing, nil
}

// A state is the condition of a program in the cache.
type state int

const (
	absent state = iota
	damaged
	whole
)

// stands says whether a program is in the cache and undamaged.
func (r *Runner) stands(name string) bool { return r.state(name) == whole }

// state returns the condition of a program.
func (r *Runner) state(name string) state {
	f, err := r.entry.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return absent
	}
	if err != nil {
		return damaged
	}
	defer f.Close()
	want, err := r.read(sumFile(name))
	if err != nil {
		return damaged
	}
	info, err := f.Stat()
	if err != nil || r.goos != "windows" && info.Mode()&0o100 == 0 {
		return damaged
	}
	if got, err := sumOf(f); err != nil || string(got.text()) != string(want) {
		return damaged
	}
	return whole
}

// read reads a small file of the runner.
func (r *Runner) read(name string) ([]byte, error) {
	f, err := r.entry.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 1 << 10
	return io.ReadAll(io.LimitReader(f, most))
}

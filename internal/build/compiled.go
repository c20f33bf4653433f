package build

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// listAfter is how long a build goes on before its packages are listed.
const listAfter = time.Second

// linkFirst compiles everything and links a first layout. It reports each package that is
// compiled, and the number of all packages.
func (m *maker) linkFirst(ctx context.Context, r *Runner, pkg string, layout uint64) error {
	by, end := m.telling(ctx, "./"+pkg)
	defer end()
	return m.linkBy(ctx, by, r, pkg, layout)
}

// telling returns a go command whose builds report each package that they compile, and the
// number of all packages of the program, if somebody listens. Call end after the build.
func (m *maker) telling(ctx context.Context, packages ...string) (by gocmd, end func()) {
	if m.progress == nil {
		return m.gocmd, func() {}
	}
	var (
		compiled     atomic.Int64
		all          atomic.Int64
		listing      sync.WaitGroup
		list, cancel = context.WithCancel(ctx)
	)
	listing.Go(func() {
		// Listing takes a third of a second of a CPU, which a build from compiled packages needs itself.
		select {
		case <-list.Done():
			return
		case <-time.After(listAfter):
		}
		// The number is only shown to people. The build itself reports errors.
		out, _ := m.run(list, nil, nil, append([]string{"list", "-deps", "-mod=readonly"}, packages...)...)
		all.Store(int64(bytes.Count(out, []byte("\n"))))
	})
	by = m.gocmd
	by.flags = append(slices.Clone(by.flags), "-v")
	by.told = func(string) {
		m.emit(Event{Step: Compiled, I: int(compiled.Add(1)), N: int(all.Load())})
	}
	return by, func() {
		cancel()
		listing.Wait()
	}
}

// A sieve passes on what is written to it, except lines of one word, which it gives to told.
type sieve struct {
	told func(word string)
	rest *bytes.Buffer
	line []byte // the beginning of an unfinished line
}

// word matches a line with a package's path. No message of the go command is a single word.
var word = regexp.MustCompile(`^[\w./~+@-]+\n$`)

func (s *sieve) Write(p []byte) (int, error) {
	n := len(p)
	for {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			s.line = append(s.line, p...)
			return n, nil
		}
		line := append(s.line, p[:end+1]...)
		s.line, p = nil, p[end+1:]
		if word.Match(line) {
			s.told(string(line[:len(line)-1]))
			continue
		}
		s.rest.Write(line)
	}
}

// end passes on the last line, which has no end.
func (s *sieve) end() { s.rest.Write(s.line) }

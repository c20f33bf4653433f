package bench

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"assay/result"
)

// MarkSize is the length of a mark file in bytes. It never changes, so that one write
// replaces the whole record and a reader never sees a mixture.
const MarkSize = 256

// errMark is a mark that cannot be written, which is no contender's fault.
var errMark = errors.New("mark file")

// A mark is the file that names the case that the runner works on. It outlives
// the runner: that is its purpose. A nil *mark writes nothing.
type mark struct {
	file *os.File
	mu   sync.Mutex // of what follows
	now  string     // what the file holds, without the padding
	last time.Time
}

// beatEvery is how often a runner that works on one case for long gives a sign of
// life.
const beatEvery = time.Second

// openMark opens or makes the file and blanks it. An empty path is no mark.
func openMark(path string) (*mark, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMark, err)
	}
	m := &mark{file: f, now: "?"}
	if err := m.write(""); err != nil {
		f.Close()
		return nil, err
	}
	return m, nil
}

// set names the case that is worked on from now on.
func (m *mark) set(who result.Subject, op result.Op) error {
	return m.name(who.Contender + "\t" + who.Mode + "\t" + string(op) + "\n")
}

// beat writes the record again if it is old, so that the file's time says that the
// runner is alive. That it cannot be written shows when the next case begins.
func (m *mark) beat() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.last) > beatEvery {
		text := m.now
		m.now = "?"
		if m.write(text) != nil {
			m.now = text
		}
	}
}

// meanwhile gives signs of life until done is called. It is for work of ours that takes
// long with large values, in which no contender can hang.
func (m *mark) meanwhile() (done func()) {
	if m == nil {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	t := time.AfterFunc(beatEvery, func() {
		defer close(stopped)
		for {
			m.beat()
			select {
			case <-stop:
				return
			case <-time.After(beatEvery):
			}
		}
	})
	return func() {
		if !t.Stop() {
			close(stop)
			<-stopped
		}
	}
}

// blank says that there is no telling whom a failure is to be charged to.
func (m *mark) blank() error {
	return m.name("")
}

// name writes a record.
func (m *mark) name(text string) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.write(text)
}

// write replaces the record. The caller has the lock.
func (m *mark) write(text string) error {
	if text == m.now {
		return nil
	}
	if len(text) > MarkSize {
		return fmt.Errorf("%w: %q is longer than %d bytes", errMark, text, MarkSize)
	}
	var record [MarkSize]byte
	for i := copy(record[:], text); i < MarkSize; i++ {
		record[i] = ' '
	}
	if _, err := m.file.WriteAt(record[:], 0); err != nil {
		return fmt.Errorf("%w: %w", errMark, err)
	}
	m.now, m.last = text, time.Now()
	return nil
}

// close closes the file and leaves its last record.
func (m *mark) close() {
	if m != nil {
		m.file.Close()
	}
}

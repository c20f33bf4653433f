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

// errMark reports a mark that cannot be written. No contender is to blame for it.
var errMark = errors.New("mark file")

// A mark is the file that names the case that the runner works on. It outlives the runner, so
// that the parent can read it after a crash. A nil *mark writes nothing.
type mark struct {
	file *os.File
	mu   sync.Mutex // guards the fields below
	now  string     // content of the file, without the padding
	last time.Time
}

// beatEvery is how often a runner that works on one case for a long time gives a sign of life.
const beatEvery = time.Second

// openMark opens or creates the file and blanks it. If path is empty, the mark is nil.
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

// set names the case that the runner is about to work on.
func (m *mark) set(who result.Subject, op result.Op) error {
	return m.name(who.Contender + "\t" + who.Mode + "\t" + string(op) + "\n")
}

// beat writes the record again if it is old, so that the file's modification time shows that
// the runner is alive. It ignores a failed write, because set reports it when the next case
// begins.
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

// meanwhile gives signs of life until done is called. It is for assay's own work that takes
// long with large values and runs no contender's code, so that no contender can hang in it.
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

// blank says that it is not known which contender a failure is to be charged to.
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

// write replaces the record. The caller holds the lock.
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

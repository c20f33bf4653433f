package result

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The files of a run directory.
const (
	RunFile     = "run.json"
	samplesFile = "samples.jsonl"
	// packedFile is a compressed samples.jsonl, for runs that are archived. It is read only
	// if there is no samples.jsonl, and such a run cannot be resumed.
	packedFile = samplesFile + ".gz"
)

// A Store is a run directory that is being written. It holds run.json and samples.jsonl, to
// which each record is appended as one line. Its methods may be called from several
// goroutines.
type Store struct {
	dir  string
	mode fs.FileMode // the mode of its files

	mu      sync.Mutex
	file    *os.File
	size    int64 // bytes of samples.jsonl up to the end of its last whole line
	damaged bool
}

// NewID returns an identifier for a run that starts at t: the time in UTC to the second and
// four random hexadecimal digits, so that names sort by time.
func NewID(t time.Time) string {
	return fmt.Sprintf("%s-%04x", t.UTC().Format("20060102-150405"), rand.IntN(1<<16))
}

// Create makes a directory for the run in the results directory. It makes the results
// directory too if needed. It sets the run's Schema, and its ID, which is the directory's
// name. First it calls [Tidy] to remove what killed processes have left.
func Create(results string, run *Run) (*Store, error) {
	if err := os.MkdirAll(results, 0o755); err != nil {
		return nil, createError(results, err)
	}
	Tidy(results, time.Now())
	started := run.Started
	if started.IsZero() {
		started = time.Now()
	}
	run.Schema = RunSchema
	for tries := 0; ; tries++ {
		run.ID = NewID(started)
		err := os.Mkdir(filepath.Join(results, run.ID), run.dirMode())
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) || tries == 100 {
			return nil, createError(results, err)
		}
	}
	s := &Store{dir: filepath.Join(results, run.ID), mode: run.fileMode()}
	err := s.Update(run)
	if err == nil {
		err = s.open()
	}
	if err != nil {
		return nil, errors.Join(err, s.undo())
	}
	return s, nil
}

// undo removes the run directory that Create has made, because the run could not begin.
func (s *Store) undo() error {
	if err := os.Remove(filepath.Join(s.dir, RunFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(s.dir)
}

func createError(results string, err error) error {
	return fmt.Errorf("cannot write results in %s: %w; name another directory with --results", results, err)
}

// Resume opens the run directory for appending. First it removes a last line that was cut
// short, and any run.json that a killed process was writing; neither is of use. The caller
// must hold the run's lock. Besides the store, Resume returns what [Read] returns.
func Resume(dir string) (*Store, *Run, []Record, []string, error) {
	run, err := ReadRun(dir)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	read, err := readSamples(dir)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if read.packed {
		return nil, nil, nil, nil, fmt.Errorf("run %s is compressed and cannot be resumed: unpack its %s first", run.ID, packedFile)
	}
	if err := guard(dir, run); err != nil {
		return nil, nil, nil, nil, fmt.Errorf("cannot resume run %s: %w", run.ID, err)
	}
	halves, _ := halvesOf(dir)
	for _, name := range halves {
		os.Remove(name) // a file that stays is harmless
	}
	s := &Store{dir: dir, mode: run.fileMode()}
	if err := s.open(); err != nil {
		return nil, nil, nil, nil, err
	}
	if err := s.mend(read); err != nil {
		s.file.Close()
		return nil, nil, nil, nil, fmt.Errorf("cannot resume run %s: %w", run.ID, err)
	}
	records, odd := agree(run, read.records, filepath.Join(dir, samplesFile))
	s.damaged = len(odd) > 0 || len(read.warnings) > 1 || len(read.warnings) == 1 && !read.cut
	return s, run, records, append(read.warnings, odd...), nil
}

// Damaged reports whether Resume left out records of the run, besides a last line that was
// cut short.
func (s *Store) Damaged() bool { return s.damaged }

// mend makes samples.jsonl end with a whole line.
func (s *Store) mend(read samples) error {
	if err := s.file.Truncate(read.whole); err != nil {
		return err
	}
	s.size = read.whole
	if !read.unended {
		return nil
	}
	n, err := s.file.Write([]byte("\n"))
	s.size += int64(n)
	return err
}

func (s *Store) open() error {
	f, err := os.OpenFile(filepath.Join(s.dir, samplesFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, s.mode)
	if err != nil {
		return createError(filepath.Dir(s.dir), err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return createError(filepath.Dir(s.dir), err)
	}
	s.file, s.size = f, info.Size()
	return nil
}

// Dir returns the run directory.
func (s *Store) Dir() string { return s.dir }

// Append writes each record as one line. It writes all lines in one write, so that a process
// killed at any moment leaves at most its last line incomplete. If the write fails, Append
// keeps none of the records. It does not sync the lines to the disk: if the tool crashes,
// nothing is lost; if the machine crashes, the last seconds may be. Append sets a zero time
// to the present time. If the file is no longer where it was, the error is a RemovedError.
func (s *Store) Append(records ...Record) error {
	var lines []byte
	for _, r := range records {
		if r.Time.IsZero() {
			r.Time = time.Now()
		}
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("cannot encode a record of run %s: %w", filepath.Base(s.dir), err)
		}
		lines = append(append(lines, line...), '\n')
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.file.Write(lines); err != nil {
		// Remove the lines that were written in part, so that a later record does not start
		// in the middle of one. If that fails too, the reader reports the damaged line and
		// continues.
		s.file.Truncate(s.size)
		return s.appendError(err)
	}
	s.size += int64(len(lines))
	return s.removed()
}

// removed returns an error if the name of the file no longer leads to it. The system writes on to
// a file without a name, and nobody would ever read what is measured.
func (s *Store) removed() error {
	path := filepath.Join(s.dir, samplesFile)
	named, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &RemovedError{path}
	case err != nil:
		return s.appendError(err)
	}
	written, err := s.file.Stat()
	if err != nil {
		return s.appendError(err)
	}
	if !os.SameFile(named, written) {
		return &RemovedError{path}
	}
	return nil
}

// A RemovedError says that the file of the records was moved, removed or replaced while the run
// was measured. If it was moved, it has the records so far; otherwise they are lost.
type RemovedError struct{ path string }

func (e *RemovedError) Error() string {
	return e.path + " was moved, removed or replaced while the run was measured, so the run has ended: resume it where it is now, or measure again"
}

func (s *Store) appendError(err error) error {
	return &AppendError{fmt.Errorf("cannot append to %s: %w: %s", filepath.Join(s.dir, samplesFile), err, remedy(err))}
}

// remedy says what to do about a file that cannot be written.
func remedy(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free some space there"
	}
	return "check that the directory is there and can be written to"
}

// An AppendError says that a record could not be stored. Earlier records are kept, and the
// run can be resumed.
type AppendError struct{ err error }

func (e *AppendError) Error() string { return e.err.Error() }
func (e *AppendError) Unwrap() error { return e.err }

// Update replaces run.json atomically: concurrent readers find the old or the new file.
func (s *Store) Update(run *Run) error {
	path := filepath.Join(s.dir, RunFile)
	if err := replace(path, run, s.mode); err != nil {
		return fmt.Errorf("cannot write %s: %w; %s, or name another directory with --results", path, err, remedy(err))
	}
	return nil
}

// replace writes v as JSON beside path and renames it to path.
func replace(path string, v any, mode fs.FileMode) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Finish marks the run as finished and closes the store. It first syncs the samples to the
// disk, so that a crash of the machine never leaves a run that claims to be complete and is
// not. If that fails, the run stays unfinished and the error is an AppendError.
func (s *Store) Finish(run *Run) error {
	if err := s.sync(); err != nil {
		return errors.Join(err, s.Close())
	}
	run.Finished = time.Now()
	return errors.Join(s.Update(run), s.Close())
}

// sync syncs the samples to the disk.
func (s *Store) sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.file.Sync(); err != nil {
		return s.appendError(err)
	}
	return nil
}

// Close closes the store without finishing the run.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}

// ReadRun reads run.json of a run directory, without the samples. The run's ID is the
// directory's present name, even if the directory was renamed.
func ReadRun(dir string) (*Run, error) {
	path := filepath.Join(dir, RunFile)
	text, err := readRunFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a run directory: it has no %s; assay list runs names those there are: %w", dir, RunFile, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the run: %w", err)
	}
	run, err := decodeRun(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the run: %w", err)
	}
	run.ID = filepath.Base(abs)
	return run, nil
}

// readRunFile reads run.json.
func readRunFile(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostLine+1))
	if err == nil && len(text) > mostLine {
		err = fmt.Errorf("%s is larger than %d MiB, more than a run may have", path, mostLine>>20)
	}
	return text, err
}

// openRegular opens a regular file of a run for reading. Anything else, such as a pipe, is an
// error, because it could block its reader.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	return os.Open(path)
}

// decodeRun decodes run.json. It checks the schema's version first, because a later version
// may have another shape.
func decodeRun(text []byte) (*Run, error) {
	var version struct{ Schema int }
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("damaged, or not a run of assay: %w", err)
	}
	switch {
	case version.Schema > RunSchema:
		return nil, fmt.Errorf("run.json has schema %d, and this version of assay reads up to %d: use the version that wrote it, or a later one", version.Schema, RunSchema)
	case version.Schema < 1:
		return nil, fmt.Errorf("damaged, or not a run of assay: it has no schema number from 1 to %d", RunSchema)
	}
	run := new(Run)
	if err := json.Unmarshal(text, run); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if err := run.check(); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return run, nil
}

// Read reads a run directory. It returns the run, its records in the order of measurement,
// and warnings about lines that it left out: damaged lines, a last line that was cut short,
// which a killed run leaves, and launches that appear a second time.
func Read(dir string) (*Run, []Record, []string, error) {
	run, err := ReadRun(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	read, err := readSamples(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	records, odd := agree(run, read.records, filepath.Join(dir, samplesFile))
	return run, records, append(read.warnings, odd...), nil
}

// samples is what samples.jsonl holds.
type samples struct {
	records  []Record
	warnings []string
	whole    int64 // bytes before a last line that was cut short
	cut      bool  // the last line was cut short
	unended  bool  // the last line lacks only its newline
	packed   bool  // the file is compressed
}

func readSamples(dir string) (samples, error) {
	path := filepath.Join(dir, samplesFile)
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return readPacked(filepath.Join(dir, packedFile))
	}
	if err != nil {
		return samples{}, fmt.Errorf("cannot read the samples: %w", err)
	}
	defer f.Close()
	read, err := decodeSamples(f, path, mostRecords)
	if err != nil {
		return samples{}, fmt.Errorf("cannot read the samples: %s: %w", path, err)
	}
	return read, nil
}

// readPacked reads compressed samples. It returns no samples if the file does not exist: the
// run was killed after it wrote run.json and before it made samples.jsonl.
func readPacked(path string) (samples, error) {
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return samples{}, nil
	}
	if err != nil {
		return samples{}, fmt.Errorf("cannot read the samples: %w", err)
	}
	defer f.Close()
	var read samples
	in, err := gzip.NewReader(f)
	if err == nil {
		rest := &io.LimitedReader{R: in, N: mostPacked}
		read, err = decodeSamples(rest, path, mostRecords)
		if err == nil && rest.N <= 0 {
			err = fmt.Errorf("it unpacks to more than %d MiB, more than is read of a compressed file: if you trust it, unpack it with gunzip", mostPacked>>20)
		}
	}
	if err != nil {
		return samples{}, fmt.Errorf("cannot read the samples: %s: %w", path, err)
	}
	read.packed = true
	return read, nil
}

// Limits of stored runs, which keep a file that assay did not write from taking all memory:
// the bytes of a line and of run.json, the bytes of unpacked samples, the number of records,
// and the number of damaged lines with a warning each. A record of twenty bytes takes ten
// times as many in memory, so mostRecords of them take half a gigabyte. A run with one record
// every second for three weeks has fewer. A number of two bytes takes eight in memory, so
// mostPacked bytes take two gigabytes at most; a run of an hour has a twentieth of them.
const (
	mostLine    = 64 << 20
	mostPacked  = 512 << 20
	mostRecords = 2_000_000
	mostDamaged = 1000
)

// readLine reads a line including its end. At the end of in, it returns what is left,
// possibly nothing, and io.EOF.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > mostLine {
			return nil, fmt.Errorf("a line is longer than %d MiB, more than a run may have", mostLine>>20)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// decodeSamples reads records until the end of r. name is the file name for warnings. It
// returns an error if reading fails or if there are more than most records.
func decodeSamples(r io.Reader, name string, most int) (out samples, err error) {
	damaged := 0
	defer func() {
		if damaged > mostDamaged {
			out.warnings = append(out.warnings, fmt.Sprintf("%s: %d more damaged lines left out", name, damaged-mostDamaged))
		}
	}()
	in := bufio.NewReaderSize(r, 1<<20)
	for number := 1; ; number++ {
		line, failed := readLine(in)
		switch failed {
		case nil, io.EOF:
		case io.ErrUnexpectedEOF: // of a compressed file, as a copy that broke off leaves
			out.cut = true
			out.warnings = append(out.warnings, fmt.Sprintf("%s:%d: the file was cut short here; what follows is missing", name, number))
			return out, nil
		default:
			return samples{}, failed
		}
		last := failed == io.EOF
		if last && len(line) == 0 {
			return out, nil
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			record, bad := decodeRecord(text)
			switch {
			case bad == nil && len(out.records) == most:
				return samples{}, fmt.Errorf("it has more than %d records, more than a run may have", most)
			case bad == nil:
				out.records = append(out.records, record)
				out.unended = last
			case last:
				out.cut = true
				out.warnings = append(out.warnings, fmt.Sprintf("%s:%d: the last line was cut short and is left out", name, number))
				return out, nil
			default:
				if damaged++; damaged <= mostDamaged {
					out.warnings = append(out.warnings, fmt.Sprintf("%s:%d: damaged line left out: %v", name, number, bad))
				}
			}
		}
		out.whole += int64(len(line))
		if last {
			return out, nil
		}
	}
}

// decodeRecord decodes one line, which must hold exactly one kind of record.
func decodeRecord(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return Record{}, err
	}
	things := 0
	for _, set := range []bool{r.Launch != nil, r.Count != nil, r.Verification != nil,
		r.Calibration != nil, r.Outcome != nil, r.Steady != nil, r.Cold != nil,
		r.Retained != nil, r.Peak != nil, r.Scaling != nil, r.Footprint != nil, r.Compressed != nil, r.BuildCost != nil, r.Stream != nil, r.Bench != nil, r.Note != nil} {
		if set {
			things++
		}
	}
	if things != 1 {
		return Record{}, fmt.Errorf("a record holds one thing, this one holds %d", things)
	}
	if err := r.check(); err != nil {
		return Record{}, err
	}
	if r.Bench != nil {
		if source, ok := strings.CutPrefix(r.Bench.Set, "seeds/"); ok {
			r.Bench.Set = "sources/" + source
		}
	}
	return r, nil
}

// List returns the runs in a results directory, newest first. A results directory that does
// not exist holds none. List leaves out runs that it cannot read, and returns an error that
// names them together with the other runs.
func List(results string) ([]*Run, error) {
	entries, err := os.ReadDir(results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list runs: %w", err)
	}
	var runs []*Run
	var bad []error
	for _, e := range entries {
		run, err := ReadRun(filepath.Join(results, e.Name()))
		switch {
		case err == nil:
			runs = append(runs, run)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			// Not a run.
		default:
			bad = append(bad, err)
		}
	}
	slices.SortFunc(runs, func(a, b *Run) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return runs, errors.Join(bad...)
}

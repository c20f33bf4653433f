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
	runFile     = "run.json"
	samplesFile = "samples.jsonl"
	// packedFile is samples.jsonl compressed: a run that is kept and not gone on
	// with. It is read where there is no samples.jsonl.
	packedFile = samplesFile + ".gz"
)

// A Store is a run directory that is being written: run.json, and
// samples.jsonl, to which each record is appended as one line. Its methods may
// be called from several goroutines.
type Store struct {
	dir  string
	mode fs.FileMode // of its files

	mu   sync.Mutex
	file *os.File
	size int64 // of samples.jsonl up to its last whole line
	// damaged is Damaged.
	damaged bool
}

// NewID returns an identifier for a run that starts at t: the time in UTC to
// the second and four random digits, so that names sort by time.
func NewID(t time.Time) string {
	return fmt.Sprintf("%s-%04x", t.UTC().Format("20060102-150405"), rand.IntN(1<<16))
}

// Create makes a directory for the run in the results directory, which is made
// as well if it does not exist. It sets the run's Schema, and its ID, which is
// the directory's name. What killed processes have left there goes first: see Tidy.
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

// undo removes the directory of a run that could not be begun, which was made just now.
func (s *Store) undo() error {
	if err := os.Remove(filepath.Join(s.dir, runFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(s.dir)
}

func createError(results string, err error) error {
	return fmt.Errorf("cannot write results in %s: %w; name another directory with --results", results, err)
}

// Resume opens the run directory for appending. A last line that was cut short
// is removed first, as is a run.json that a killed process was writing; they hold
// nothing that can be used. The caller has the run's lock. It returns what Read
// returns besides.
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
		return nil, nil, nil, nil, fmt.Errorf("run %s is packed, and cannot be gone on with: unpack its %s first", run.ID, packedFile)
	}
	if err := guard(dir, run); err != nil {
		return nil, nil, nil, nil, fmt.Errorf("cannot resume run %s: %w", run.ID, err)
	}
	halves, _ := halvesOf(dir)
	for _, name := range halves {
		os.Remove(name) // what stays does no harm
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

// Damaged says that the run was resumed and that records of it were left out, besides a last line that
// was cut short.
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

// Append writes each record as one line, and all in one write, so that a process killed
// at any moment leaves at most its last line incomplete. Of records that cannot be written
// none is kept. The lines are not
// synced to the disk: a crash of the tool loses nothing, one of the machine
// may lose the last seconds. A record without a time is given the present one.
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
		// Whatever part of the lines was written goes again, so that a later
		// record does not start in the middle of it. Should that fail too, the
		// reader reports the damaged line and reads on.
		s.file.Truncate(s.size)
		return s.appendError(err)
	}
	s.size += int64(len(lines))
	return nil
}

func (s *Store) appendError(err error) error {
	free := "see what is wrong there"
	if errors.Is(err, syscall.ENOSPC) {
		free = "free some space there"
	}
	return &AppendError{fmt.Errorf("cannot append to %s: %w: %s", filepath.Join(s.dir, samplesFile), err, free)}
}

// An AppendError says that a record could not be stored. What was stored before is
// kept, and the run can be gone on with.
type AppendError struct{ err error }

func (e *AppendError) Error() string { return e.err.Error() }
func (e *AppendError) Unwrap() error { return e.err }

// Update replaces run.json. Whoever reads it meanwhile finds the old or the new
// one, never a part.
func (s *Store) Update(run *Run) error {
	path := filepath.Join(s.dir, runFile)
	if err := replace(path, run, s.mode); err != nil {
		return fmt.Errorf("cannot write %s: %w; free some space there, or name another directory with --results", path, err)
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

// Finish marks the run as finished now and closes the store. The samples are on the disk
// before that: a machine that crashes leaves no run that says it is complete and is not. If
// they cannot be, the run stays unfinished and the error is an AppendError.
func (s *Store) Finish(run *Run) error {
	if err := s.sync(); err != nil {
		return errors.Join(err, s.Close())
	}
	run.Finished = time.Now()
	return errors.Join(s.Update(run), s.Close())
}

// sync has the samples written to the disk.
func (s *Store) sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.file.Sync(); err != nil {
		return s.appendError(err)
	}
	return nil
}

// Close closes the store of a run that goes no further for now.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}

// ReadRun reads the run of a run directory, without its samples. Its ID is the
// directory's name, also if the directory was renamed.
func ReadRun(dir string) (*Run, error) {
	path := filepath.Join(dir, runFile)
	text, err := readRunFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a run directory: it has no %s; assay list runs names those there are: %w", dir, runFile, err)
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
		err = fmt.Errorf("%s is larger than %d MiB, which no run is", path, mostLine>>20)
	}
	return text, err
}

// openRegular opens a file of a run to read it. What is no regular file, such as a
// pipe, could keep its reader waiting.
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

// decodeRun looks at the schema's version first: a later version may not have
// the shape that this one decodes.
func decodeRun(text []byte) (*Run, error) {
	var version struct{ Schema int }
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("not the run of an assay: %w", err)
	}
	switch {
	case version.Schema > RunSchema:
		return nil, fmt.Errorf("schema %d is newer than schema %d, the last that this assay reads: read it with the assay that wrote it, or a later one", version.Schema, RunSchema)
	case version.Schema < 1:
		return nil, fmt.Errorf("not the run of an assay: it has no schema number")
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

// Read reads a run directory: the run, its records in the order in which they
// were measured, and warnings about lines that could not be read. A last line
// that was cut short is what a killed run leaves. It, damaged lines and launches that
// come again are left out with a warning, and everything else is returned.
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
	whole    int64 // bytes up to a last line that was cut short
	cut      bool  // there is such a line
	unended  bool  // the last line lacks only its newline
	packed   bool  // they are compressed
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

// readPacked reads compressed samples. There are none in a run that was killed
// between the making of its two files.
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
			err = fmt.Errorf("it unpacks to more than %d GiB, which no run does", mostPacked>>30)
		}
	}
	if err != nil {
		return samples{}, fmt.Errorf("cannot read the samples: %s: %w", path, err)
	}
	read.packed = true
	return read, nil
}

// Limits of what is read back, which keep a file that is not of this assay from taking
// all memory: the bytes of a line, and of run.json; the bytes of packed samples; how many
// records there are; and how many damaged lines are told of one by one. A record of twenty bytes takes
// ten times as many in memory, so two million of these take half a gigabyte; a run with a
// record every second for three weeks has fewer.
const (
	mostLine    = 64 << 20
	mostPacked  = 4 << 30
	mostRecords = 2_000_000
	mostDamaged = 1000
)

// readLine reads a line with its end, or what there is of one at the end of in, and
// then the error is io.EOF.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > mostLine {
			return nil, fmt.Errorf("a line is longer than %d MiB, which none of a run is", mostLine>>20)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// decodeSamples reads records until the end of r, whose name is for warnings.
// Its error is one of reading, or that there are more than most.
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
		if failed != nil && failed != io.EOF {
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
				return samples{}, fmt.Errorf("it has more than %d records, which no run has", most)
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

// decodeRecord decodes one line, which must hold exactly one thing.
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

// List returns the runs in a results directory, newest first. A results
// directory that does not exist holds none. Runs that cannot be read are left
// out and named by the error, which comes beside the others.
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
			// Something else that is kept there.
		default:
			bad = append(bad, err)
		}
	}
	slices.SortFunc(runs, func(a, b *Run) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return runs, errors.Join(bad...)
}

// Latest returns the newest run in a results directory that can be read.
func Latest(results string) (*Run, error) {
	runs, err := List(results)
	if len(runs) > 0 {
		return runs[0], nil
	}
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no runs in %s: measure one with assay run, or name another directory with --results", results)
}

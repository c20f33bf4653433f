// Package userdata makes a workload of a user's own records: it keeps them in
// neutral form, where runners read them, chooses those that are timed, and has
// the contenders' code for their schema generated. Where the records come from,
// from JSON, from a .proto file and its messages or from a Go type, is not its
// concern: all of them are a Source.
package userdata

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/contender"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	"assay/internal/infer/protofile/own"
	"assay/result"
	"assay/schema"
	"assay/workload"
	"assay/workload/builtin"
)

// A Source is records and what is known of them.
type Source struct {
	// Files are the names by which the user gave them.
	Files []string
	// Schema is valid, and Root is the message of the records, one of its roots.
	Schema *schema.Schema
	Root   string
	// Guesses are what had to be guessed, and Notes what else a reader should
	// know, a sentence each.
	Guesses []infer.Guess
	Notes   []string
	// Bytes is the bytes of all records as they are in the files, uncompressed.
	Bytes int64
	// Write writes all records in neutral form, one a line, and shows each as it is
	// in the files, valid until the next one: JSON, or a message of a .proto file in
	// binary form. One that has no such form is empty.
	Write func(w io.Writer, original func(raw []byte) error) error
	// Total is how many records there are, where that is known before they are
	// written; 0: it is not.
	Total int64
	// Spelling is how JSON records write what the schema says otherwise. Spelled says
	// that the records are such.
	Spelling infer.Spelling
	Spelled  bool
	// Proto is the .proto file that the records are messages of; nil: they are none.
	Proto *protofile.Result
	// Own are the contenders whose code is made of Proto, and OwnKey names that
	// code: equal keys are equal code.
	Own    []*contender.Contender
	OwnKey string
}

// WithProto returns the source with a .proto file that its records are messages of,
// and the contenders whose code is made of that.
func (s Source) WithProto(r *protofile.Result) Source {
	s.Proto, s.Own, s.OwnKey = r, own.Contenders(r), own.Key(r)
	return s
}

// Data are a user's records, kept in the cache.
type Data struct {
	Source
	// Records is how many there are.
	Records int64
	// Hash is of all records in neutral form: equal hashes are equal values.
	Hash string

	dir    string
	index  []int64 // where each record begins in the file, and where the last ends
	digest string  // of the schema
}

// The names in a directory of records.
const recordsFile = "records.jsonl"

// New keeps the records of a source in the cache and returns them. The name of
// the schema becomes one that no built-in workload has.
func New(cache string, s Source) (*Data, error) {
	s.Schema = Named(s.Schema)
	d := &Data{Source: s}
	parent := filepath.Join(cache, "data")
	if err := Writable(cache); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return nil, unwritable(cache, err)
	}
	defer os.RemoveAll(tmp) // fails after the rename, as it should
	if err := d.write(filepath.Join(tmp, recordsFile)); err != nil {
		return nil, err
	}
	if d.Records == 0 {
		return nil, fmt.Errorf("%s: there is no record", strings.Join(s.Files, ", "))
	}
	d.dir = filepath.Join(parent, d.Hash)
	if err := d.keep(tmp); err != nil {
		return nil, err
	}
	return d, nil
}

// Open finds records in the cache by their hash.
func Open(cache string, s Source, hash string) (*Data, error) {
	d := &Data{Source: s, Hash: hash, dir: filepath.Join(cache, "data", filepath.Base(hash))}
	f, err := os.Open(d.All())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := &counter{hash: sha256.New(), file: bufio.NewWriter(io.Discard)}
	if _, err := io.Copy(w, f); err != nil {
		return nil, err
	}
	if hex.EncodeToString(w.hash.Sum(nil)[:10]) != hash {
		return nil, fmt.Errorf("the records in %s are damaged", d.dir)
	}
	d.index, d.Records = append(w.index, w.size), int64(len(w.index))
	return d, nil
}

// Writable returns an error that says what to do where the cache cannot be
// written.
func Writable(cache string) error {
	if cache == "" {
		return errors.New("there is no directory for the cache; name one with --cache")
	}
	for _, part := range []string{"data", "generated"} {
		if err := os.MkdirAll(filepath.Join(cache, part), 0o777); err != nil {
			return unwritable(cache, err)
		}
	}
	f, err := os.CreateTemp(filepath.Join(cache, "data"), ".new-")
	if err != nil {
		return unwritable(cache, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func unwritable(cache string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("the cache directory %s cannot be written: %w; name another with --cache", cache, err)
}

// write writes the records to a new file and remembers where each begins.
func (d *Data) write(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := &counter{hash: sha256.New(), file: bufio.NewWriterSize(f, 1<<20)}
	kept := originals{total: d.Total}
	err = errors.Join(d.Source.Write(w, kept.take), w.file.Flush(), f.Close())
	if err != nil {
		return err
	}
	if err := kept.write(filepath.Join(filepath.Dir(file), originalsFile)); err != nil {
		return err
	}
	d.index = append(w.index, w.size)
	d.Records = int64(len(w.index))
	d.Hash = hex.EncodeToString(w.hash.Sum(nil)[:10])
	return nil
}

// keep renames the directory into its place, unless the records are there.
func (d *Data) keep(tmp string) error {
	name := filepath.Join(d.dir, recordsFile)
	if info, err := os.Stat(name); err == nil && info.Size() == d.index[d.Records] {
		// Equal records may be spelled otherwise: these are how they are now.
		if err := os.Rename(filepath.Join(tmp, originalsFile), filepath.Join(d.dir, originalsFile)); err != nil {
			return err
		}
		now := time.Now() // the cache keeps what was used last
		return os.Chtimes(d.dir, now, now)
	}
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	err := os.Rename(tmp, d.dir)
	if _, there := os.Stat(name); err != nil && there != nil {
		return fmt.Errorf("keeping the records: %w", err)
	}
	return nil
}

// A counter is a writer that hashes and finds the beginnings of lines.
type counter struct {
	hash interface {
		io.Writer
		Sum([]byte) []byte
	}
	file  *bufio.Writer
	size  int64
	index []int64
	in    bool // a line
}

func (c *counter) Write(p []byte) (int, error) {
	for rest, at := p, c.size; len(rest) > 0; {
		if !c.in {
			c.index = append(c.index, at)
		}
		n := slices.Index(rest, '\n') + 1
		if c.in = n == 0; c.in {
			break
		}
		rest, at = rest[n:], at+int64(n)
	}
	c.size += int64(len(p))
	c.hash.Write(p)
	return c.file.Write(p)
}

// Named returns the schema under a name that can be that of a workload beside
// the built-in ones: the packages of runners are named by it, and generated
// files.
func Named(s *schema.Schema) *schema.Schema {
	taken := func(name string) bool {
		last := name[strings.LastIndexByte(name, '_')+1:]
		return name == "builtin" || name == "workloadtest" || slices.Contains(platforms, last) ||
			slices.ContainsFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == name })
	}
	if !taken(s.Name) {
		return s
	}
	own := *s
	own.Name += "_data"
	return &own
}

// platforms are what the go command takes for a condition at the end of a file's
// name: generators name files by the schema.
var platforms = strings.Fields(`test aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9
	solaris wasip1 windows zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)

// Digest returns a name for the schema: equal schemas have equal ones.
func (d *Data) Digest() string {
	if d.digest == "" {
		text, err := json.Marshal(d.Schema)
		if err != nil {
			panic(err) // it holds no type that could fail
		}
		sum := sha256.Sum256(text)
		d.digest = hex.EncodeToString(sum[:10])
	}
	return d.digest
}

// Neutral is the bytes of all records in neutral form: about what they take in
// memory.
func (d *Data) Neutral() int64 { return d.index[d.Records] }

// Size is the size under which the records are measured: "records=100".
func (d *Data) Size() workload.Size {
	return workload.Size{
		Key: fmt.Sprintf("records=%d", d.Records), Root: d.Root,
		Text: "one record an operation", Bytes: max(1, d.Neutral()/d.Records),
		Default: true, Quick: true, Items: 1,
	}
}

// Timed is how many of the records are timed.
func (d *Data) Timed() int { return int(min(d.Records, int64(d.Size().Inputs()))) }

// Workload is what the records are to whoever plans a run. It makes no values:
// runners read them from files.
func (d *Data) Workload() *workload.Workload {
	return &workload.Workload{
		Name: d.Schema.Name, Schema: d.Schema, Sizes: []workload.Size{d.Size()},
		Title: "records of " + strings.Join(d.Files, ", "),
		Text:  "A user's own records. What is timed are records that are spread evenly over all, one an operation.",
	}
}

// Plan is what a run remembers of the records.
func (d *Data) Plan() *result.Data {
	return &result.Data{Files: d.Files, Hash: d.Hash, Records: d.Records, Bytes: d.Bytes, Measured: d.Timed()}
}

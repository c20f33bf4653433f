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
	"errors"
	"fmt"
	"go/build"
	"hash"
	"io"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/guess"
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
	Guesses []guess.Guess
	Notes   []string
	// Bytes is the bytes of all records as they are in the files, uncompressed.
	Bytes int64
	// Write writes all records in neutral form, one a line, and shows each as it is
	// in the files, valid until the next one: JSON, or a message of a .proto file in
	// binary form. One that has no such form is empty.
	Write func(w io.Writer, show func(original []byte) error) error
	// Size returns, after Write, how far the JSON that is measured is that of the
	// records; nil where they are not JSON. It may be nil itself.
	Size func() *result.JSONSize
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
	// JSON is what Source.Size returned.
	JSON *result.JSONSize

	cache  cachedir.Dir
	entry  cachedir.Entry // that holds the records
	places places         // where the records begin in the file
	size   int64          // of the file, in bytes
	// originals are records as they are in the files, when these were just read.
	originals originals
}

// The names in a directory of records.
const (
	recordsFile   = "records.jsonl"
	originalsFile = "originals.json"
)

// New keeps the records of a source in the cache and returns them. The name of
// the schema becomes one that no built-in workload has. Records that are in the
// cache already are not written again, and a cache that cannot be written to will
// do for them.
func New(cache cachedir.Dir, s Source) (*Data, error) {
	s.Schema = Named(s.Schema)
	d := &Data{Source: s, cache: cache}
	tmp, err := cache.Temp(true)
	if err != nil {
		return d.recognised(err)
	}
	defer tmp.Remove()
	var bad error // of the source
	err = tmp.Fill(func(w *cachedir.Writer) error {
		return w.Write(recordsFile, func(to io.Writer) error {
			var err error
			bad, err = d.write(to)
			return errors.Join(bad, err)
		})
	})
	if bad != nil {
		return nil, bad
	}
	if err != nil {
		return nil, err
	}
	if !d.whole() {
		if err := errors.Join(d.entry.Remove(), tmp.Keep(".", d.entry)); err != nil {
			return nil, err
		}
	}
	d.entry.Touch() // the cache keeps what was used last
	// Equal records may be spelled otherwise: these are how they are now.
	return d, d.keepOriginals()
}

// recognised returns the records if they are in the cache, to which nothing can
// be written, and otherwise the error that says so.
func (d *Data) recognised(unwritable error) (*Data, error) {
	if _, err := d.cache.Entries(cachedir.Records); err != nil {
		return nil, unwritable // there is no cache at all
	}
	if bad, err := d.write(io.Discard); bad != nil || err != nil {
		return nil, errors.Join(bad, err)
	}
	if !d.whole() {
		return nil, unwritable
	}
	return d, nil
}

// Open finds records in the cache by their Hash.
func Open(cache cachedir.Dir, s Source, key string) (*Data, error) {
	d := &Data{Source: s, Hash: key, cache: cache, entry: cache.Entry(cachedir.Records, key)}
	f, err := d.entry.Open(recordsFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := newCounter(io.Discard)
	if _, err := io.Copy(w, f); err != nil {
		return nil, err
	}
	if w.hashed() != key {
		return nil, fmt.Errorf("the records in %s are damaged", d.entry.Path())
	}
	d.places, d.size, d.Records = w.places, w.size, w.places.n
	d.entry.Touch()
	return d, nil
}

// whole says whether the cache has the records as they were written.
func (d *Data) whole() bool {
	f, err := d.entry.Open(recordsFile)
	if err != nil {
		return false
	}
	defer f.Close()
	w := newCounter(io.Discard)
	_, err = io.Copy(w, f)
	return err == nil && w.hashed() == d.Hash
}

// write writes the records and remembers where each begins. The errors are those
// of the source and of writing.
func (d *Data) write(to io.Writer) (bad, err error) {
	w := newCounter(to)
	d.originals = originals{total: d.Total}
	bad = d.Source.Write(w, d.originals.take)
	if w.failed == nil {
		w.failed = w.file.Flush()
	}
	if w.failed != nil {
		return nil, w.failed
	}
	if bad != nil {
		return bad, nil
	}
	if d.Source.Size != nil {
		d.JSON = d.Source.Size()
	}
	d.places, d.size = w.places, w.size
	if d.Records = w.places.n; d.Records == 0 {
		return fmt.Errorf("%s: there is no record", strings.Join(d.Files, ", ")), nil
	}
	d.Hash = w.hashed()
	d.entry = d.cache.Entry(cachedir.Records, d.Hash)
	return nil, nil
}

// A counter is a writer that hashes and finds the beginnings of lines.
type counter struct {
	hash   hash.Hash
	file   *bufio.Writer
	failed error // of writing to file
	size   int64
	places places
	in     bool // a line
}

func newCounter(to io.Writer) *counter {
	return &counter{hash: sha256.New(), file: bufio.NewWriterSize(to, 1<<20)}
}

// hashed returns the name of what was written: equal content has equal ones.
func (c *counter) hashed() string { return hex.EncodeToString(c.hash.Sum(nil)[:cachedir.KeySize]) }

func (c *counter) Write(p []byte) (int, error) {
	for rest, at := p, c.size; len(rest) > 0; {
		if !c.in {
			c.places.add(at)
		}
		n := slices.Index(rest, '\n') + 1
		if c.in = n == 0; c.in {
			break
		}
		rest, at = rest[n:], at+int64(n)
	}
	c.size += int64(len(p))
	c.hash.Write(p)
	n, err := c.file.Write(p)
	c.failed = err
	return n, err
}

// Named returns the schema under a name that can be that of a workload beside
// the built-in ones: the packages of runners are named by it, and generated
// files.
func Named(s *schema.Schema) *schema.Schema {
	taken := func(name string) bool {
		last := name[strings.LastIndexByte(name, '_')+1:]
		return name == "builtin" || name == "workloadtest" || conditional(last) ||
			slices.ContainsFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == name })
	}
	if !taken(s.Name) {
		return s
	}
	own := *s
	own.Name += "_data"
	return &own
}

// conditional reports whether the go command takes a word at the end of a file's name for a
// condition, such as a platform: generators name files by the schema.
func conditional(word string) bool {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "none", "none"
	nowhere.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package x")), nil
	}
	match, err := nowhere.MatchFile("", "x_"+word+".go")
	return word == "test" || !match || err != nil
}

// Neutral is the bytes of all records in neutral form: about what they take in
// memory.
func (d *Data) Neutral() int64 { return d.size }

// Size is the size under which the records are measured: "records=100".
func (d *Data) Size() workload.Size {
	return workload.Size{
		Key: workload.RecordsKey(d.Records), Root: d.Root,
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
		Stream: func(size workload.Size, _ uint64) (*workload.Stream, error) {
			return &workload.Stream{
				Root: size.Root, Messages: d.Records, Items: 1, Bytes: size.Bytes, Parsed: true,
				Next: func(int) (any, error) { return nil, errors.New("runners read the records from a file") },
			}, nil
		},
	}
}

// Plan is what a run remembers of the records.
func (d *Data) Plan() *result.Data {
	return &result.Data{Files: d.Files, Hash: d.Hash, Records: d.Records, Bytes: d.Bytes, Measured: d.Timed(), JSON: d.JSON}
}

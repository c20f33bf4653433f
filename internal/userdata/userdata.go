// Package userdata makes a workload of a user's own records. It stores them in neutral form,
// which runners read, chooses the records that are timed, and generates the contenders' code
// for their schema. A [Source] provides the records, whether they come from JSON, from a
// .proto file and its messages, or from a Go type.
package userdata

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
	"time"

	"assay/contender"
	"assay/contender/emit"
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

// A Source provides records and describes them.
type Source struct {
	// Files are the names that the user gave.
	Files []string
	// Schema is a valid schema, and Root is the message of the records, one of its roots.
	Schema *schema.Schema
	Root   string
	// Guesses are the guesses that were made about the schema. Notes are other facts that a
	// reader should know, a sentence each.
	Guesses []guess.Guess
	Notes   []string
	// Bytes is the size of all records as they are in the files, uncompressed.
	Bytes int64
	// Write writes all records in neutral form, one a line. It calls show with each record as
	// it is in the files: JSON, or a message of a .proto file in binary form. A record
	// without such a form is empty. The slice is valid until the next call of show.
	Write func(w io.Writer, show func(original []byte) error) error
	// Size returns, after Write, how the measured JSON differs from the JSON of the records,
	// or nil if they are not JSON. Size itself may be nil.
	Size func() *result.JSONSize
	// Total is the number of records, if it is known before Write; otherwise 0.
	Total int64
	// Spelling describes what the records write differently from the schema's default.
	// Spelled says that Spelling is set, because the records are JSON.
	Spelling infer.Spelling
	Spelled  bool
	// Proto is the .proto file with the message of the records; nil: the records are not
	// protobuf messages.
	Proto *protofile.Result
	// Own are the contenders whose code is generated from Proto. OwnKey identifies that code:
	// equal keys mean equal code.
	Own    []*contender.Contender
	OwnKey string
}

// WithProto returns the source with the .proto file of its records, and the contenders whose
// code is generated from that file.
func (s Source) WithProto(r *protofile.Result) Source {
	s.Proto, s.Own, s.OwnKey = r, own.Contenders(r), own.Key(r)
	return s
}

// Data is a user's records, stored in the cache.
type Data struct {
	Source
	// Records is the number of records.
	Records int64
	// Hash is the hash of all records in neutral form: equal hashes mean equal values.
	Hash string
	// JSON is the result of Source.Size.
	JSON *result.JSONSize

	cache  cachedir.Dir
	entry  cachedir.Entry // holds the records
	places places         // offsets of the records in the file
	size   int64          // size of the file, in bytes
	evenly bool           // see Evenly
	// originals holds original records if this process read them from the source.
	originals originals
}

// Names of files in a directory of records.
const (
	recordsFile   = "records.jsonl"
	originalsFile = "originals.json"
)

// New stores the records of a source in the cache and returns them. It renames the schema if
// a built-in workload has its name. It does not write records again that are in the cache
// already, so a cache that cannot be written to is sufficient for them.
func New(cache cachedir.Dir, s Source) (*Data, error) {
	s.Schema = Named(s.Schema)
	d := &Data{Source: s, cache: cache}
	tmp, err := cache.Temp(true)
	if err != nil {
		return d.recognised(err)
	}
	defer tmp.Remove()
	var bad error // error of the source
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
	known := d.entry.Exists()
	if err := tmp.KeepWhole(".", d.entry, d.whole); err != nil {
		return nil, err
	}
	d.entry.Touch() // eviction keeps what was used last
	if !known {
		// Records of one schema share a runner, so that no build follows that would keep the cache within its
		// limit. What cannot be removed now is told by the next build that evicts.
		_, _ = cache.Evict(cachedir.SizeLimit, time.Now(), d.entry.Path())
	}
	// Equal records may have other original forms: store the present ones.
	return d, d.keepOriginals()
}

// recognised returns the records if a cache that cannot be written to has them. Otherwise it
// returns the error unwritable.
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

// Open opens records in the cache by their Hash. It returns an error if they are damaged.
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
	if w.hashed() != key || w.places.n == 0 {
		return nil, fmt.Errorf("the records in %s are damaged", d.entry.Path())
	}
	d.places, d.size, d.Records = w.ended(), w.size, w.places.n
	d.entry.Touch()
	return d, nil
}

// whole reports whether the cache has the records undamaged.
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

// write writes the records and sets the fields of d that describe them. bad is an error of
// the source, err an error of writing.
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
	d.places, d.size = w.ended(), w.size
	if d.Records = w.places.n; d.Records == 0 {
		return fmt.Errorf("%s: there is no record", strings.Join(d.Files, ", ")), nil
	}
	d.Hash = w.hashed()
	d.entry = d.cache.Entry(cachedir.Records, d.Hash)
	return nil, nil
}

// A counter is a writer that hashes its input and finds the offsets and sizes of lines.
type counter struct {
	hash   hash.Hash
	file   *bufio.Writer
	failed error // error of writing to file
	size   int64
	places places
	in     bool // within a line
}

func newCounter(to io.Writer) *counter {
	return &counter{hash: sha256.New(), file: bufio.NewWriterSize(to, 1<<20)}
}

// hashed returns the key of the content: equal contents have equal keys.
func (c *counter) hashed() string { return hex.EncodeToString(c.hash.Sum(nil)[:cachedir.KeySize]) }

// ended returns the places of all lines, after the last one was written.
func (c *counter) ended() places {
	c.places.finish(c.size)
	return c.places
}

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

// Named returns the schema under a name that can be the name of a workload. It differs from
// the names of built-in workloads and is valid in the names of packages and generated files.
func Named(s *schema.Schema) *schema.Schema {
	taken := func(name string) bool {
		last := name[strings.LastIndexByte(name, '_')+1:]
		return name == "builtin" || name == "workloadtest" || emit.Conditional("x_"+last+".go") ||
			slices.ContainsFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == name })
	}
	if !taken(s.Name) {
		return s
	}
	own := *s
	own.Name += "_data"
	return &own
}

// Neutral returns the size of all records in neutral form, in bytes: about the memory that
// they take.
func (d *Data) Neutral() int64 { return d.size }

// Size returns the workload size of the records, such as "records=100".
func (d *Data) Size() workload.Size {
	return workload.Size{
		Key: workload.RecordsKey(d.Records), Root: d.Root,
		Text: "one record an operation", Bytes: max(1, d.Neutral()/d.Records),
		Default: true, Quick: true, Items: 1,
	}
}

// Timed returns how many of the records are timed.
func (d *Data) Timed() int { return int(min(d.Records, int64(d.Size().Inputs()))) }

// Workload returns the workload for planning a run. It makes no values: runners read them
// from files.
func (d *Data) Workload() *workload.Workload {
	return &workload.Workload{
		Name: d.Schema.Name, Schema: d.Schema, Sizes: []workload.Size{d.Size()},
		Title: "records of " + strings.Join(d.Files, ", "),
		Text:  "A user's own records. What is timed are records whose sizes are distributed like those of all, one an operation.",
		Stream: func(size workload.Size, _ uint64) (*workload.Stream, error) {
			return &workload.Stream{
				Root: size.Root, Messages: d.Records, Items: 1, Bytes: size.Bytes, Parsed: true,
				Next: func(int) (any, error) { return nil, errors.New("runners read the records from a file") },
			}, nil
		},
	}
}

// Evenly makes the data choose records that are spread evenly over all, whatever their sizes, as
// runs of earlier versions did. So a run that is gone on with times the same records.
func (d *Data) Evenly() { d.evenly = true }

// chosen returns the numbers of n records whose sizes are distributed like those of all.
func (d *Data) chosen(n int64) []int64 {
	if d.evenly {
		return d.places.even(n)
	}
	return d.places.representative(n)
}

// timedMean returns the mean size of the timed records relative to that of all.
func (d *Data) timedMean() float64 {
	n := int64(d.Timed())
	if n == d.Records {
		return 1
	}
	return d.places.mean(d.chosen(n), d.size)
}

// Plan returns the description of the records that a run stores.
func (d *Data) Plan() *result.Data {
	return &result.Data{
		Files: d.Files, Hash: d.Hash, Records: d.Records, Bytes: d.Bytes, Measured: d.Timed(), MeasuredMean: d.timedMean(), JSON: d.JSON,
	}
}

// Package workload defines what a workload is: a schema, and deterministic values for
// it. The built-in workloads are in the directories below.
//
// A [Workload] has a schema and sizes. A [Size] names the root message, and
// [Workload.Generate] makes values of it: a slice of the root's model type, which is
// generated from the schema. Equal seeds give equal values on every platform, so every
// contender gets the same data in every process.
//
// [Rand] and [Vary] help to write Generate. [Vary] makes variants of a published value
// that every format encodes to the same number of bytes.
//
// [Diff] compares what a contender gave back with what it was given, and forgives the
// losses that it declares. The Leaf functions define what op scan must read of each kind
// of value: they fold a leaf into a sum, which is the same for every contender.
//
// Values of a user's own records come from a file in neutral form instead, which
// [ReadFile] reads.
package workload

import (
	"fmt"
	"math/rand/v2"

	"assay/schema"
)

// A Workload is a schema and deterministic values for it.
type Workload struct {
	// Name is lower-case. It is also the schema's name.
	Name string
	// Title says in one line what the data are.
	Title string
	// Text is a paragraph: where the workload comes from, what it stands for,
	// and how it differs from what was published.
	Text string
	// Source names the published benchmark that the workload reproduces.
	Source string
	// Schema is the workload's schema.
	Schema *schema.Schema
	// Sizes are the declared sizes in the order of tables.
	Sizes []Size
	// Custom makes the Size of a key that is not declared, such as "txs=1". Its error
	// says which keys it takes. Nil: the workload has only its declared sizes.
	Custom func(key string) (Size, error)
	// Generate returns n values of the size's root as a slice of the model type,
	// []Root. Equal arguments give equal values, on every platform. Values are complete:
	// no list is padded with zero values.
	Generate func(size Size, seed uint64, n int) (any, error)
	// Read is set instead of Generate if the values are a user's. It returns all values
	// of a file, one a line in neutral form, as a slice of the model type. An error has
	// the file and the line.
	Read func(size Size, file string) (any, error)
	// Stream makes the values of a size message by message, for sizes that no memory
	// holds whole. Nil: the workload has no streams.
	Stream func(size Size, seed uint64) (*Stream, error)
	// ReadStream is set instead of Stream if the values are a user's: it reads them from
	// a file as Read does, message by message.
	ReadStream func(size Size, file string) (*Stream, error)
}

// A Stream is the values of one size as messages in turn. Equal sizes and seeds make
// equal streams, on every platform.
type Stream struct {
	// Root is the message of the schema that is streamed. It need not be a root.
	Root string
	// Messages is how many there are, at least 1.
	Messages int64
	// Items is how many elements one message has, as Size.Items; otherwise 1.
	Items int
	// Bytes is about how much memory one message takes.
	Bytes int64
	// Parsed says that Next reads the messages from a text, which takes longer than
	// making them.
	Parsed bool
	// Next returns the next messages, n of them or those that are left, as a slice of
	// the model type, []model.Root; an empty slice at the end. It holds no earlier
	// messages.
	Next func(n int) (any, error)
}

// A Model is a pointer to a value of the model type of a root message, which is
// generated.
type Model interface {
	// LeafSum adds up every leaf of the value by the Leaf functions.
	LeafSum() uint64
}

// A Size is a workload's scale or shape.
type Size struct {
	// Key is key=value pairs joined by commas, for example "txs=30000".
	Key string
	// Root is the name of the message that is encoded.
	Root string
	// Text says in a few words what it is, for lists.
	Text string
	// Bytes estimates the memory of one value.
	Bytes int64
	// Typical marks the one size of the workload that is measured by default. Default
	// marks sizes of a full run, Quick those of a quick full run.
	Typical, Default, Quick bool
	// Items is how many elements one value has, if a number per element makes sense;
	// otherwise 1.
	Items int
}

// Inputs returns how many distinct values a case cycles through. It is 64, so that the
// branch predictor cannot learn one value, or fewer if 64 would take more than 256 KiB:
// a large value varies in itself, and every launch has to make, convert and encode all
// of them.
func (s Size) Inputs() int {
	const want, limit = 64, 256 << 10
	if s.Bytes*want <= limit {
		return want
	}
	return int(max(1, limit/s.Bytes))
}

// Size returns the size with the given key, declared or custom. It is an error if the
// workload has no such size.
func (w *Workload) Size(key string) (Size, error) {
	for _, s := range w.Sizes {
		if s.Key == key {
			return s, nil
		}
	}
	if w.Custom == nil {
		return Size{}, fmt.Errorf("workload %s has no size %q", w.Name, key)
	}
	return w.Custom(key)
}

// Rand returns the random generator for value i of a workload: PCG, seeded by the run's
// seed and the index. So value i does not depend on how many values are made.
func Rand(seed uint64, i int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(i)))
}

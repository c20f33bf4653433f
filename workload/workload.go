// Package workload defines workloads: schemas with deterministic values for them. The
// built-in workloads are in the directories below.
//
// A [Workload] has a schema and sizes. A [Size] names the root message, and
// [Workload.Generate] makes values of it: a slice of the root's model type, which is
// generated from the schema. Equal seeds give equal values on every platform, so every
// contender gets the same data in every process.
//
// [Rand] and [Vary] help to write Generate. [Vary] makes variants of a published value
// that every format encodes to the same number of bytes.
//
// [Diff] compares a contender's result with the original value, and forgives the losses that
// the contender declares. The Leaf functions define what op scan must read of each kind of
// value: they fold a leaf into a sum, which is the same for every contender.
//
// Values of a user's own records come from a file in neutral form, which [ReadFile] reads.
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
	// Title describes the data in one line.
	Title string
	// Text is a paragraph: the origin of the workload, what it stands for, and how it differs
	// from the published data.
	Text string
	// Source names the published benchmark that the workload reproduces.
	Source string
	// Schema is the workload's schema.
	Schema *schema.Schema
	// Sizes are the declared sizes in the order of tables.
	Sizes []Size
	// Custom returns the Size of a key that is not declared, such as "txs=1". Its error says
	// which keys are valid. Nil: the workload has only its declared sizes.
	Custom func(key string) (Size, error)
	// Generate returns n values of the size's root as a slice of the model type,
	// []Root. Equal arguments give equal values, on every platform. Values are complete:
	// no list is padded with zero values.
	Generate func(size Size, seed uint64, n int) (any, error)
	// Read replaces Generate if the values are a user's. It returns all values of a file that
	// has one value a line in neutral form, as a slice of the model type. Its errors name the
	// file and the line.
	Read func(size Size, file string) (any, error)
	// Stream makes the values of a size message by message, for sizes that do not fit into
	// memory. Nil: the workload has no streams.
	Stream func(size Size, seed uint64) (*Stream, error)
	// ReadStream replaces Stream if the values are a user's. It reads the same file as Read,
	// message by message.
	ReadStream func(size Size, file string) (*Stream, error)
}

// A Stream is a sequence of messages, which are the values of one size. Equal sizes and seeds
// make equal streams, on every platform.
type Stream struct {
	// Root is the message of the schema that is streamed. It need not be a root.
	Root string
	// Messages is the number of messages, at least 1.
	Messages int64
	// Items is the number of elements of one message, as in Size.Items; otherwise 1.
	Items int
	// Bytes is the approximate memory of one message, in bytes.
	Bytes int64
	// Parsed says that Next parses the messages from text, which takes longer than making
	// them.
	Parsed bool
	// Next returns the next n messages, or fewer at the end, as a slice of the model type,
	// []model.Root. After the last message, the slice is empty. Next keeps no reference to
	// earlier messages.
	Next func(n int) (any, error)
}

// A Model is a pointer to a value of a generated model type: the type of a root message.
type Model interface {
	// LeafSum returns the sum of the Leaf functions over every leaf of the value.
	LeafSum() uint64
}

// A Size is a workload's scale or shape.
type Size struct {
	// Key is key=value pairs joined by commas, for example "txs=30000".
	Key string
	// Root is the name of the message that is encoded.
	Root string
	// Text describes the size in a few words, for lists.
	Text string
	// Bytes estimates the memory of one value, in bytes.
	Bytes int64
	// Typical marks the one size of the workload that is measured by default. Default marks
	// the sizes of a full run, and Quick the sizes of a quick full run.
	Typical, Default, Quick bool
	// Items is the number of elements of one value, if a number per element makes sense;
	// otherwise 1.
	Items int
}

// Inputs returns the number of distinct values that a case cycles through. It is 64, so that
// the branch predictor cannot learn one value. It is less if 64 values would take more than
// 256 KiB: a large value varies in itself, and every launch has to make, convert and encode
// all values.
func (s Size) Inputs() int {
	const want, limit = 64, 256 << 10
	if s.Bytes*want <= limit {
		return want
	}
	return int(max(1, limit/s.Bytes))
}

// Size returns the declared or custom size with the given key, or an error if there is none.
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

// Rand returns the random generator for value i of a workload: PCG, seeded by the run's seed
// and the index. So value i does not depend on the number of values.
func Rand(seed uint64, i int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(i)))
}

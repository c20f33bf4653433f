// Package workload defines what a workload is: a schema, and deterministic
// values for it. The built-in workloads are in the directories below.
package workload

import (
	"fmt"
	"math/rand/v2"

	"assay/schema"
)

// A Workload is a schema and deterministic values for it.
type Workload struct {
	// Name is lower-case; it is also the schema's name.
	Name string
	// Title is one line.
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
	// Custom makes a Size of a key that is not declared, such as "txs=1". Nil:
	// the workload has only its declared sizes. An error says what keys it takes.
	Custom func(key string) (Size, error)
	// Generate returns n values of the size's root as a slice of the model
	// type, []model.Root. Equal arguments give equal values, on every platform.
	// Values are complete: no list is half full of zero values.
	Generate func(size Size, seed uint64, n int) (any, error)
	// Read is set in the place of Generate where values are a user's: it returns
	// all that a data file holds in neutral form, one a line, as Generate does.
	Read func(size Size, file string) (any, error)
}

// A Model is a pointer to a generated model type of a root message.
type Model interface {
	// LeafSum adds up every leaf of the value by the Leaf functions.
	LeafSum() uint64
}

// A Size is a workload's scale or shape.
type Size struct {
	// Key is key=value pairs joined by commas, for example "txs=30000".
	Key string
	// Root is the message that is encoded.
	Root string
	// Text is a few words for lists.
	Text string
	// Bytes is about how much memory one value takes.
	Bytes int64
	// Typical is the one size of the workload that is measured where nobody asks for
	// more. Default is in the selection of a full run; Quick is in that of a quick full
	// one.
	Typical, Default, Quick bool
	// Items is how many elements one value has when "per item" makes sense;
	// otherwise 1.
	Items int
}

// Inputs returns how many distinct values a case cycles through: 64, so that
// the branch predictor cannot learn one value by heart, or fewer when that many
// would take more than 256 KiB. Such a value holds many elements and is its own
// variety, and every launch has to make, convert and encode all of them.
func (s Size) Inputs() int {
	const want, limit = 64, 256 << 10
	if s.Bytes*want <= limit {
		return want
	}
	return int(max(1, limit/s.Bytes))
}

// Size returns the size with the given key, declared or custom.
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

// Rand returns the generator for value i of a workload: PCG seeded by the
// run's seed and the value's index, so that value i does not depend on how
// many are made.
func Rand(seed uint64, i int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(i)))
}

// Package published is the contract of benchmarks that are written for package
// testing, the way other people published theirs: the sources' own benchmarks,
// rewritten with their method and its faults, and the exhibits, each of which
// sets one faulty method beside the corrected one.
//
// They are compiled into a program of their own, which a parent process asks
// for runs line by line. Nothing here is part of how assay itself measures.
package published

import "testing"

// A Set is the benchmarks of one source or one exhibit.
type Set struct {
	// Name is the directory of the set: "sources/chain", "exhibits/lazyopen".
	Name       string
	Benchmarks []Benchmark
}

// A Benchmark is one function of a set. What it reports besides times and
// allocations, such as the bytes it encoded, it reports by b.ReportMetric.
type Benchmark struct {
	// Name is unique in its set, such as "decode/txs=5000/gob". The two of an
	// exhibit are called "published" and "corrected".
	Name string
	// Memory is about how many bytes the benchmark needs at its peak; 0 is
	// little. One that needs more than the machine has is not started.
	Memory int64
	// Benchtime is how long the method runs the benchmark, where that is part of
	// the method: a number of operations such as 10x, or a duration as for go
	// test. Empty: as long as is asked for. A benchmark that stops its timer needs
	// a number, because it may never come to a duration.
	Benchtime string
	Run       func(b *testing.B)
}

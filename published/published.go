// Package published defines benchmarks that are written for package testing, the way other people
// published theirs. There are two kinds: the sources' own benchmarks, rewritten with their method
// and its faults, and the exhibits, each of which compares one faulty method with the corrected
// one.
//
// They are compiled into a program of their own. A parent process requests runs from it line by
// line. assay itself measures without this package.
package published

import "testing"

// A Set is the benchmarks of one source or one exhibit.
type Set struct {
	// Name is the directory of the set: "sources/chain", "exhibits/lazyopen".
	Name       string
	Benchmarks []Benchmark
}

// A Benchmark is one function of a set. It reports numbers other than times and allocations, such
// as the bytes it encoded, with b.ReportMetric.
type Benchmark struct {
	// Name is unique in its set, such as "decode/txs=5000/gob". The two benchmarks of an exhibit
	// are called "published" and "corrected".
	Name string
	// Memory is about how many bytes the benchmark needs at its peak; 0 means few. A benchmark that
	// needs more than the machine has is not started.
	Memory int64
	// Benchtime is how long the method runs the benchmark, if that is part of the method: a number
	// of operations such as 10x, or a duration in the format of go test. If it is empty, the
	// request says how long. A benchmark that stops its timer needs a number of operations, because
	// it may never reach a duration.
	Benchtime string
	Run       func(b *testing.B)
}

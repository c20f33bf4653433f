// Package publishedtest runs published benchmarks in tests: those of sources to check their counts
// and sizes, and those of exhibits to check their expectations.
package publishedtest

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/published"
	"assay/workload"
)

// A Result is the mean cost of an operation of a benchmark.
type Result struct {
	Allocs, Bytes float64
	// Extra is what the benchmark reported with ReportMetric.
	Extra map[string]float64
}

// Run runs one benchmark of a set for n operations, after one operation that fills the caches and
// pools of libraries. n must be at least 2.
func Run(t *testing.T, set published.Set, name string, n int) Result {
	t.Helper()
	const benchtime = "test.benchtime"
	old := flag.Lookup(benchtime).Value.String()
	if err := flag.Set(benchtime, fmt.Sprintf("%dx", n)); err != nil {
		t.Fatal(err)
	}
	defer flag.Set(benchtime, old)
	for _, b := range set.Benchmarks {
		if b.Name != name {
			continue
		}
		r := testing.Benchmark(b.Run)
		if r.N != n {
			t.Fatalf("%s %s failed: %d of %d operations", set.Name, name, r.N, n)
		}
		return Result{Allocs: float64(r.MemAllocs) / float64(n), Bytes: float64(r.MemBytes) / float64(n), Extra: r.Extra}
	}
	t.Fatalf("%s has no benchmark %s", set.Name, name)
	return Result{}
}

// A Figure is what a benchmark must report.
type Figure struct {
	Name string
	// N is the number of operations; 0: that of Check.
	N int
	// Allocs, Bytes and Size are the allocations, the allocated bytes and the encoded bytes of an
	// operation. A value of 0 is not compared.
	Allocs, Bytes, Size float64
	// Within is how far the allocations and bytes may be off, as a share; 0 means a ten-thousandth.
	// What the run-time system may allocate meanwhile is allowed besides.
	Within float64
	// SizeWithin is how far the size may be off, as a share; 0 means not at all.
	SizeWithin float64
	// Slow figures are left out of short tests.
	Slow bool
}

// tries is how often a figure that is too high is measured. On a busy machine the run-time system
// allocates more while a benchmark runs, and how much changes from run to run. It never allocates
// less, so a figure that is too low is wrong at once, and so is a wrong size.
const tries = 3

// Check runs the benchmarks of a set and reports the figures that differ. It runs n operations of
// each, unless a figure has another number.
func Check(t *testing.T, set published.Set, n int, figures []Figure) {
	t.Helper()
	for _, f := range figures {
		t.Run(f.Name, func(t *testing.T) {
			if f.Slow && testing.Short() {
				t.Skip("slow")
			}
			within := f.Within
			if within == 0 {
				within = 1e-4
			}
			ops := f.N
			if ops == 0 {
				ops = n
			}
			var wrong []string
			for again := true; again && len(wrong) < tries; {
				var said string
				said, again = differs(f, Run(t, set, f.Name, ops), ops, within)
				if said == "" {
					return
				}
				wrong = append(wrong, said)
			}
			t.Error(strings.Join(wrong, "; then "))
		})
	}
}

// While a benchmark runs, the run-time system allocates by itself: at most about 10 KB, however many
// operations there are, in the rounds of docs/evidence/reproduction-*-run. So what a figure may
// differ by shrinks with the number of operations. allocsOfFew and bytesOfFew are the most, for few of them.
const (
	systemAllocs, allocsOfFew = 16, 1
	systemBytes, bytesOfFew   = 16 << 10, 256
)

// differs returns how a result of n operations differs from the figure; empty if it does not. again
// says that another run may not differ.
func differs(f Figure, r Result, n int, within float64) (said string, again bool) {
	var wrong []string
	again = true
	compare := func(what string, got, want, off float64, noisy bool) {
		if want != 0 && math.Abs(got-want) > off {
			wrong = append(wrong, fmt.Sprintf("%s are %.1f, want %.0f", what, got, want))
			again = again && noisy && got > want
		}
	}
	off := func(system, most, figure float64) float64 { return max(min(most, system/float64(n)), figure*within) }
	// Go's tool prints whole numbers, rounded down, so figures are.
	compare("allocations", math.Floor(r.Allocs), f.Allocs, off(systemAllocs, allocsOfFew, f.Allocs), true)
	compare("bytes allocated", math.Floor(r.Bytes), f.Bytes, off(systemBytes, bytesOfFew, f.Bytes), true)
	compare("encoded bytes", r.Extra["encoded-bytes"], f.Size, f.Size*f.SizeWithin, false)
	return strings.Join(wrong, ", "), again
}

// CheckNames reports names that are not of the form op/size/library with a size of the workload,
// and names that are not unique.
func CheckNames(t *testing.T, set published.Set, w *workload.Workload) {
	t.Helper()
	seen := map[string]bool{}
	for _, b := range set.Benchmarks {
		parts := strings.Split(b.Name, "/")
		if len(parts) != 3 || parts[0] != "encode" && parts[0] != "decode" {
			t.Errorf("%q is not encode or decode, a size, and a library", b.Name)
			continue
		}
		if _, err := w.Size(parts[1]); err != nil {
			t.Errorf("%q: %v", b.Name, err)
		}
		if seen[b.Name] {
			t.Errorf("%q is there twice", b.Name)
		}
		seen[b.Name] = true
	}
}

// Package protocol defines the messages between the program of published benchmarks
// and its parent process: JSON, one value on each line.
//
//	→ {"cmd":"list"}
//	← {"sets":[{"name":"exhibits/lazyopen","benchmarks":[{"name":"published"},…]}],"ok":true}
//	→ {"cmd":"run","set":"exhibits/lazyopen","names":["published","corrected"],"rounds":2,"benchtime":"100ms"}
//	← {"name":"published","round":0,"benchtime":"100ms","n":50000,"ns":2100.5,"bytes":64,"allocs":1,"extra":{"fields":0}}
//	← {"name":"corrected","round":0,"error":"want 10 elements, got 1"}
//	← {"name":"published","round":1,…}
//	← {"ok":true}
//	→ {"cmd":"exit"}
//
// The answer to a run is one line for each benchmark and round, in the order of Order, followed by
// a line with OK set. The answer to a request that cannot be carried out is one line with an error
// and no name.
package protocol

// A Request is one line to the program.
type Request struct {
	// Cmd is list, run or exit. The other fields are for run only.
	Cmd string `json:"cmd"`
	Set string `json:"set,omitempty"`
	// Names are benchmarks of the set, each once. If it is empty, all run.
	Names  []string `json:"names,omitempty"`
	Rounds int      `json:"rounds,omitempty"`
	// Benchtime is how long each benchmark runs in each round, in the format of go test: a
	// duration, or a number of operations followed by x. A benchmark with a benchtime of its own
	// keeps that, unless Override is set.
	Benchtime string `json:"benchtime,omitempty"`
	Override  bool   `json:"override,omitempty"`
}

// An Answer is one line from the program.
type Answer struct {
	// Reading is the result of one benchmark in one round; nil in other lines.
	*Reading
	// Error says why there is no number. With a Reading it concerns the benchmark, which then does
	// not run in later rounds; without one it concerns the whole request.
	Error string `json:"error,omitempty"`
	// Panicked and Skipped say that the error is a panic or a skip, and not a failed check.
	Panicked bool `json:"panicked,omitempty"`
	Skipped  bool `json:"skipped,omitempty"`
	// Sets is the answer to list.
	Sets []Set `json:"sets,omitempty"`
	// OK ends the answer to a request that was carried out.
	OK bool `json:"ok,omitempty"`
}

// A Reading is what package testing reports about one benchmark in one round.
type Reading struct {
	Name  string `json:"name"`
	Round int    `json:"round"` // from 0
	// Benchtime is the benchtime that the benchmark ran with.
	Benchtime string  `json:"benchtime,omitempty"`
	N         int     `json:"n,omitempty"`      // operations
	NS        float64 `json:"ns,omitempty"`     // ns for one operation
	Bytes     int64   `json:"bytes,omitempty"`  // allocated by one operation, rounded down
	Allocs    int64   `json:"allocs,omitempty"` // allocations of one operation, rounded down
	// Extra is what the benchmark itself reports, by unit.
	Extra map[string]float64 `json:"extra,omitempty"`
}

// A Set is the benchmarks of one source or exhibit.
type Set struct {
	Name       string      `json:"name"`
	Benchmarks []Benchmark `json:"benchmarks"`
}

// A Benchmark describes a benchmark that can be requested.
type Benchmark struct {
	Name string `json:"name"`
	// Memory is about how many bytes it needs at its peak; 0 means few.
	Memory int64 `json:"memory,omitempty"`
	// Benchtime is the benchmark's own; empty: the request's is used.
	Benchtime string `json:"benchtime,omitempty"`
}

// Order returns the indices of n benchmarks in the order in which they run in a round: forward in
// even rounds, backward in odd ones. So each benchmark runs as often before as after each other
// one.
func Order(n, round int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
		if round%2 != 0 {
			order[i] = n - 1 - i
		}
	}
	return order
}

package result

import "time"

// A Record is one line of samples.jsonl. Exactly one of its fields but Time is
// set.
type Record struct {
	Time         time.Time     `json:"time"`
	Launch       *Launch       `json:"launch,omitempty"`
	Count        *Count        `json:"count,omitempty"`
	Verification *Verification `json:"verification,omitempty"`
	Calibration  *Calibration  `json:"calibration,omitempty"`
	Outcome      *Outcome      `json:"outcome,omitempty"`
	Note         *Note         `json:"note,omitempty"`
}

// A Launch is the samples of one child process of one layout that ran some
// rounds of one cell.
type Launch struct {
	Cell Cell `json:"cell"`
	// Layout is the seed of the runner's link layout; 0 is the ordinary layout.
	Layout uint64 `json:"layout"`
	// Index counts the launches of the cell from 0.
	Index  int    `json:"index"`
	Seed   uint64 `json:"seed"` // of the order within rounds
	Warmup int    `json:"warmup"`
	// Elapsed is the whole launch, process start to exit, in nanoseconds.
	Elapsed int64    `json:"elapsed"`
	Series  []Series `json:"series"`
}

// A Series is the samples of one case in one launch. Its slices are parallel,
// one element a sample.
type Series struct {
	Subject
	N     int     `json:"n"`     // operations of a batch
	Round []int   `json:"round"` // the round, from 0, warm-up not counted
	Wall  []int64 `json:"wall"`  // wall time of the batch, ns
	// CPU is the thread's CPU time of the batch in ns; absent where the system
	// has no such clock.
	CPU []int64 `json:"cpu,omitempty"`
}

// A Count is an exact count of memory and sizes, made with the collector off
// in a process of the contender's own.
type Count struct {
	Case     Case   `json:"case"`
	Ops      int    `json:"ops"`
	Bytes    uint64 `json:"bytes"`    // allocated by all ops
	Allocs   uint64 `json:"allocs"`   // allocations by all ops
	Messages int    `json:"messages"` // inputs
	Encoded  int64  `json:"encoded"`  // encoded bytes of all inputs
}

// A Verification is the outcome of a round trip of one subject at one size.
type Verification struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Subject
	// From is set when the subject decoded another contender's bytes.
	From   *Subject `json:"from,omitempty"`
	OK     bool     `json:"ok"`
	Reason string   `json:"reason,omitempty"`
	// Losses are the declared losses that the values did suffer.
	Losses []string `json:"losses,omitempty"`
}

// A Calibration fixes the batch of a case for the whole run.
type Calibration struct {
	Case Case    `json:"case"`
	N    int     `json:"n"`
	NS   float64 `json:"ns"` // of one operation when calibrated
}

// An Outcome says why a case has no number. It may come after samples: a case
// that died late keeps none.
type Outcome struct {
	Case   Case   `json:"case"`
	Status Status `json:"status"`
	Reason string `json:"reason"`
}

// A Note is something that happened to the run and that a reader of its
// numbers should know.
type Note struct {
	Text string `json:"text"`
}

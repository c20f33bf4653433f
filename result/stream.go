package result

// A Stream is one pass over a stream of messages: all of them were written to a file, or
// read from it, by one process that did nothing else. In the mode of whole values it is one
// op on the value of a size, in memory, or on each of its values in turn; Bytes are those
// of the encoded values, and all that is of the pass is of the op alone.
type Stream struct {
	Case     Case  `json:"case"`
	Messages int64 `json:"messages"`
	// Items is how many elements all messages have, such as the transactions of blocks.
	Items int64 `json:"items"`
	Bytes int64 `json:"bytes"` // of the files
	// Plain are the bytes before they were compressed; 0 or Bytes where nothing compresses.
	Plain int64 `json:"plain,omitempty"`
	// Wall and CPU are the wall time, and the CPU time of all threads, of the calls that
	// write or read messages, in ns. Values are made, converted and compared between them.
	Wall int64 `json:"wall"`
	CPU  int64 `json:"cpu"`
	// Sum is a checksum of content and order of the values. Losses are the declared losses
	// that they suffered.
	Sum    string   `json:"sum"`
	Losses []string `json:"losses,omitempty"`
	// The rest is of the whole pass, with all that is between the calls. Elapsed and
	// TotalCPU are in ns.
	Elapsed  int64 `json:"elapsed"`
	TotalCPU int64 `json:"total_cpu"`
	// Cycles are collections, GCCPU the CPU time of the collector and Busy that of the
	// program with it, as the runtime estimates them, in ns; PauseMax and
	// Pause99 its longest and its 99th-percentile pause, and Late the worst delay of a
	// goroutine that sleeps, in ns.
	Cycles   int   `json:"cycles"`
	GCCPU    int64 `json:"gc_cpu"`
	Busy     int64 `json:"busy,omitempty"`
	PauseMax int64 `json:"pause_max"`
	Pause99  int64 `json:"pause_99"`
	Late     int64 `json:"late"`
	// Minor and Major are page faults, and Sentinel the median time of walks through 1 MiB
	// of pointers between the calls, in ns; 0: they could not be seen.
	Minor    int64 `json:"minor_faults,omitempty"`
	Major    int64 `json:"major_faults,omitempty"`
	Sentinel int64 `json:"sentinel,omitempty"`
	// Peak is the largest resident set, in bytes, of a whole value while the op was done; 0
	// where it cannot be seen. Limit is the one at which the process would have been ended.
	Peak  int64 `json:"peak,omitempty"`
	Limit int64 `json:"limit"`
	// AllocBytes and Allocs are what the op on a whole value allocated; 0 for streams.
	AllocBytes int64 `json:"alloc_bytes,omitempty"`
	Allocs     int64 `json:"allocs,omitempty"`
	// Root is the message of the schema; empty: it was not kept.
	Root string `json:"root,omitempty"`
	// Unread is why nobody read back what was encoded; empty: it was read back as it was.
	Unread string `json:"unread,omitempty"`
}

// A StreamPlan is what a run of streams or of whole values sets out from.
type StreamPlan struct {
	// Memory is the largest resident set of a process, in bytes.
	Memory int64 `json:"memory"`
	// Dir is where the streams are written to; empty: the directory for temporary files.
	Dir string `json:"dir,omitempty"`
	// Repeats is in how many processes each op is done; 0: as many as its time allows.
	Repeats int `json:"repeats,omitempty"`
	// Disk is how fast the disk is below that directory; nil: it was not measured, as for
	// whole values.
	Disk *Disk `json:"disk,omitempty"`
}

// A Disk is what it takes to write a file of bytes that do not compress until the disk
// has them, and to read it when no memory has it.
type Disk struct {
	Bytes int64 `json:"bytes"`
	// Write and Read are the median times in ns. Read is 0 where the system cannot be
	// told to forget a file.
	Write int64 `json:"write"`
	Read  int64 `json:"read,omitempty"`
}

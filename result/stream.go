package result

// A Stream is one pass over a stream of messages: one process wrote all of them to a file, or
// read them from it, and did nothing else. In the mode of whole values, the pass is one op on
// the value of a size in memory, or on each of its values in turn. Bytes is then the size of
// the encoded values, and the numbers of the pass cover the op alone.
type Stream struct {
	Case     Case  `json:"case"`
	Messages int64 `json:"messages"`
	// Items is how many elements all messages have together, such as the transactions of
	// blocks.
	Items int64 `json:"items"`
	Bytes int64 `json:"bytes"` // size of the files
	// Plain is the number of bytes before compression; 0 or equal to Bytes without
	// compression.
	Plain int64 `json:"plain,omitempty"`
	// Wall is the wall time, and CPU the CPU time of all threads, of the calls that write or
	// read messages, in ns. Between the calls, values are made, converted and compared; that
	// time is not included.
	Wall int64 `json:"wall"`
	CPU  int64 `json:"cpu"`
	// Sum is a checksum of the content and the order of the values. Losses are the declared
	// losses that the values suffered.
	Sum    string   `json:"sum"`
	Losses []string `json:"losses,omitempty"`
	// The rest covers the whole pass, including what happens between the calls. Elapsed and
	// TotalCPU are in ns.
	Elapsed  int64 `json:"elapsed"`
	TotalCPU int64 `json:"total_cpu"`
	// Cycles is the number of garbage collections. GCCPU is the CPU time of the collector,
	// and Busy the CPU time of the program including the collector, in ns, as the runtime
	// estimates them. PauseMax and Pause99 are the longest and the 99th-percentile pause of
	// the collector, in ns. Late is the worst delay of a goroutine that sleeps, in ns.
	Cycles   int   `json:"cycles"`
	GCCPU    int64 `json:"gc_cpu"`
	Busy     int64 `json:"busy,omitempty"`
	PauseMax int64 `json:"pause_max"`
	Pause99  int64 `json:"pause_99"`
	Late     int64 `json:"late"`
	// Minor and Major are page faults. Sentinel is the median time of walks through 1 MiB of
	// pointers between the calls, in ns. 0: the system does not show them.
	Minor    int64 `json:"minor_faults,omitempty"`
	Major    int64 `json:"major_faults,omitempty"`
	Sentinel int64 `json:"sentinel,omitempty"`
	// Peak is the largest resident set, in bytes: of a whole value during the op, and of a stream
	// during the whole life of the process. It is 0 where the system does not show it. Limit is the resident set at which the process is killed.
	Peak  int64 `json:"peak,omitempty"`
	Limit int64 `json:"limit"`
	// AllocBytes and Allocs are the allocations of the op on a whole value; 0 for streams.
	AllocBytes int64 `json:"alloc_bytes,omitempty"`
	Allocs     int64 `json:"allocs,omitempty"`
	// Root is the message of the schema; empty: it was not stored.
	Root string `json:"root,omitempty"`
	// Unread is why the encoded values were not read back; empty: they were read back and are
	// equal.
	Unread string `json:"unread,omitempty"`
}

// A StreamPlan holds the settings of a run of streams or of whole values.
type StreamPlan struct {
	// Memory is the largest resident set of a process, in bytes.
	Memory int64 `json:"memory"`
	// Dir is the directory that the streams are written to; empty: the directory for
	// temporary files.
	Dir string `json:"dir,omitempty"`
	// Repeats is the number of processes for each op; 0: as many as its time allows.
	Repeats int `json:"repeats,omitempty"`
	// Disk is the speed of the disk of that directory; nil: not measured, as for whole
	// values.
	Disk *Disk `json:"disk,omitempty"`
}

// A Disk holds the times to write a file of incompressible bytes and sync it to the disk, and
// to read it while it is not cached in memory.
type Disk struct {
	Bytes int64 `json:"bytes"`
	// Write and Read are the median times in ns. Read is 0 where the system cannot drop a
	// file from its cache.
	Write int64 `json:"write"`
	Read  int64 `json:"read,omitempty"`
}

package catalog

// words are the words of tables and of the lines above them that are the name of
// nothing else, with what they mean.
var words = []named{
	// What is measured.
	{Name: "contender", Text: "one library, with its code generator if it has one, that speaks a format; assay list shows all, and assay explain NAME says how each is used"},
	{Name: "format", Text: "a wire format, such as json or protobuf; contenders of one format read one another's messages"},
	{Name: "workload", Text: "a schema and values for it that are the same in every run; assay list workloads shows them"},
	{Name: "size", Text: "the scale or shape of a workload's values, such as level=2; assay list sizes shows them"},
	{Name: "mode", Text: "how a library is called, such as with a buffer that is kept (output=reuse); default is as most people call it, and assay list modes shows the others"},
	{Name: "op", Text: "what is timed: encode, decode, open, scan, convert, compress or decompress; assay list ops says what each begins and ends with"},
	{Name: "metric", Text: "one kind of number, such as time or encoded-size; assay list metrics shows them"},
	{Name: "case", Text: "one thing that can be measured: a workload at a size, a contender in a mode, and an op. It is written as workload/size/contender (mode)/op, and a table has a row for each"},
	{Name: "cell", Text: "a workload at a size with an op: the cases that one table compares"},
	{Name: "reference", Text: "the contender that ratios are relative to: encoding/json or, if it has no number, the first contender that has one"},
	{Name: "external contender", Text: "a contender from outside of assay, with a program of its own in any language (assay run --runner DIR). It is compared across processes"},
	// How it is measured.
	{Name: "layout", Text: "one link of a runner with its functions in a random order. The place of code moves ratios by 1.4 to 3.7%, and repeating one program does not show it. So assay links a runner many times, and intervals are over layouts"},
	{Name: "launch", Text: "one process of one layout that runs some rounds of one cell, all contenders in turn. assay repeats a launch during which the machine was disturbed, and does not count its samples"},
	{Name: "round", Text: "each contender and mode of a cell runs one batch, in random order, but for slow ones, which skip some. Ratios are paired within a round, because a disturbance then affects both"},
	{Name: "batch", Text: "as many operations, one after the other, as take at least 200 µs: what is timed as one sample"},
	{Name: "sample", Text: "the time of one batch"},
	{Name: "run", Text: "everything that one command measured, stored with every sample: assay list runs shows them, and assay show prints one again"},
	// How far it can be trusted.
	{Name: "verified", Text: "how many round trips returned the value that they were given, one for each contender and mode at each size; a case that failed is not timed. Losses that a contender declares are forgiven, and named below its table"},
	{Name: "controls", Text: "checks of how quiet the machine was during the run: the reference against itself, clean samples, the sentinel, stolen CPU time and the load. The grade sums them up"},
	{Name: "control", Text: "the reference once more in each round: any difference from itself is noise"},
	{Name: "clean", Text: "the share of samples during which nothing else ran on the CPU: wall time and the thread's CPU time differ by at most 1%. Grade A needs at least 97%"},
	{Name: "sentinel", Text: "a walk through 1 MiB of pointers between batches, relative to the best that this machine has shown: 1.00 is as good. It takes longer when other programs push the cache out, which moves ratios too"},
	{Name: "stolen", Text: "the CPU time that the host took from a virtual machine during the launches, as a share of one CPU's time: one is measured on. Grade A allows 1%"},
	{Name: "load", Text: "the median over the launches of the number of processes that wanted to run, averaged over a minute. The run itself counts, so the grade does not use it"},
	{Name: "repeated", Text: "how many launches were made again because the machine was disturbed; their first samples do not count"},
	{Name: "difference", Text: "how far two times are apart. A difference under 2% is a tie however narrow its interval is, because other programs on the machine move ratios that far"},
	{Name: "tie", Text: "two times within 2% of each other, which are never ranked; a rank with = is shared with at least one other row"},
	{Name: "interval", Text: "where the true value lies with 95% confidence, or that which a table or a comparison names, in (lo…hi) or as ±, over layouts and launches. ±? marks a single sample, which has no interval"},
	{Name: "unresolved", Text: "not told apart yet: the difference may be more than 2%, but the samples are too few or too disturbed to say. A larger --budget may tell them apart"},
	// The columns of tables of times.
	{Name: "time/op", Text: "the metric time: nanoseconds of an operation with the garbage collector off, and half of its 95% interval"},
	{Name: "vs", Text: "how many times as fast as the named contender, paired round by round, with its 95% interval; below 1 is slower"},
	{Name: "go build", Text: "the ratio in the default link layout, for comparison only: it is one layout of many"},
	{Name: "B/op", Text: "the metric alloc-bytes: bytes that an operation allocates"},
	{Name: "bytes", Text: "the metric encoded-size: bytes of a message, and after an arrow those after the codec of the row's mode"},
	// With the garbage collector on.
	{Name: "CPU/op", Text: "the metric cpu-time: CPU time of all cores for an operation, garbage collection included"},
	{Name: "64 MB live", Text: "the metric cpu-time-live64: CPU time of an operation beside a heap of 64 MiB that is alive"},
	{Name: "GC", Text: "the metric gc-share: the garbage collector's part of CPU/op"},
	{Name: "kept", Text: "the metric live-heap: heap that one decoded message keeps alive"},
	{Name: "peak RSS", Text: "the metric peak-rss: the largest resident set of a process that has this case alone"},
	{Name: "first call", Text: "the metric cold-time: how long the first call in a new process takes"},
	// On several CPUs, and compressed.
	{Name: "one goroutine", Text: "the time of an operation with one goroutine, with which several are compared"},
	{Name: "at once", Text: "how many times as many operations a second that many goroutines do together as one goroutine does"},
	{Name: "plain", Text: "bytes of a message that is not compressed"},
	// Of assay rank and assay compare.
	{Name: "letters", Text: "rows that share a letter are not told apart, and rows that share none are"},
	{Name: "to the next row", Text: "how a row compares with the next row, from the rounds of both: how many times as fast, tied, or not told apart yet"},
	{Name: "change", Text: "from the first side to the second, with its interval; + is more, ~ is no change shown, and small marks a change that is certain and may be under the margin of a tie"},
	// Of assay try.
	{Name: "round trip", Text: "encoding one record and decoding it again: the sum of both times"},
	{Name: "spelling", Text: "how your JSON writes a value that is something else in other formats, as --type PATH=NAME asks for it: uuid, hex and 0x are bytes, in upper case UUID, HEX and 0X; date is a day, local and local-space a time without a zone (local:3 with three digits of a fraction), unix, unix-ms, unix-us and unix-ns a number since 1970; decimal:2 is a text such as \"12.50\". Text formats write the spelling, binary formats bytes, timestamps and whole numbers"},
	{Name: "all", Text: "bytes of all records together; with the name of a codec, after that codec in batches"},
	{Name: "speed", Text: "how many times as fast a round trip is as with the contender of --have, with the interval that decides which rows are told apart"},
	{Name: "as zstd", Text: "bytes of all records together after zstd, in batches"},
	{Name: "cores", Text: "how many CPU cores the round trips take at the --rate of messages a second"},
	{Name: "network", Text: "how much is sent at the --rate of messages a second"},
	{Name: "stored", Text: "how much is kept at the --rate of messages a second after the days of --retention"},
	{Name: "a month", Text: "what cores, network and storage cost in a month, by --price-core, --price-gb-network and --price-gb-month, with its interval"},
	{Name: "saves", Text: "how much less that is than with the contender of --have"},
	{Name: "break-even", Text: "at which price of a core, or at which rate, a contender begins to pay"},
	// Of assay buildcost.
	{Name: "binary", Text: "the metric binary-growth: by how many bytes the program grows"},
	{Name: "first build", Text: "the metric build-time: how long go build takes when only the standard library is compiled; beside it the least and the largest of the builds"},
	{Name: "CPU", Text: "the metric build-cpu: CPU time of a first build, compilers and linker included"},
	{Name: "after a change", Text: "the metric build-time-warm: how long go build takes after the generated code has changed"},
	{Name: "generated lines", Text: "the metric generated-lines: lines of Go that are generated for the workload"},
}

// Package bench runs inside a runner, the program that links the libraries. It reads
// commands on standard input, times batches, and answers on standard output. It decides
// nothing and computes no statistics, and it stays small, because whatever it does
// happens in the measured process.
//
// A runner's main function calls [Main] with its [Program]: the workloads and the
// bindings that it links. A [Binding] is one contender in one mode for one root message
// of one workload. It binds values and returns a [Codec], whose fields are the ops. An
// [Op] runs a whole batch, so the loop is in generated code beside the call that is
// timed.
//
// The other types are the runner protocol, which PROTOCOL.md specifies: a [Command] is one line
// of JSON on standard input, and an [Answer] is the line on standard output that answers it. A
// runner in another language speaks the same protocol and needs nothing from this package.
package bench

import (
	"bufio"
	"io"
	"slices"

	"assay/result"
	"assay/workload"
)

// An Op runs n operations over a binding's inputs, in turn, and returns a checksum of their
// results. For encode, compress and decompress, sum is the total size in bytes of the results;
// for scan, it is the sum of the leaves; for the other ops, it is n. If an operation fails, the
// Op returns its error and skips the rest of the batch. The loop is inside the Op, in generated
// code, because a call through a func value for every operation would cost about 2 ns, several
// per cent of a small message's work.
type Op func(n int) (sum uint64, err error)

// A Codec is a contender bound to the values of one workload root in one mode. Verification
// checks the same ops that are timed: there is no second code path.
//
// Inputs and messages are rings: each op continues where its last call ended, and the first
// input follows the last. In a mode with a session, the codec sends what messages share while
// New binds the values, or with the first message of each pass. So the same input always has
// the same message.
type Codec struct {
	// Encode encodes the inputs in turn; Encoded returns the bytes of the last
	// one, valid until the next operation.
	Encode  Op
	Encoded func() []byte
	// Fill copies the content of v, a pointer to the root's model type, into the Go value that
	// is input i, and leaves that value at its address. Fill is nil if the content that encode
	// reads cannot be changed in place.
	Fill func(i int, v any) error
	// Placed marks the codec of a floor, which does the least possible work: encode returns
	// bytes that were made beforehand, and decode returns the value at the message's place in
	// the ring, whatever the message holds.
	Placed bool
	// Slack says that the last byte of a message may carry no information even if the byte is
	// not zero, such as the last byte of an offset to an empty struct.
	Slack bool
	// Use sets the encoded messages that Decode, Open and Scan read in turn,
	// and seeks to the first.
	Use func(messages [][]byte)
	// Decode decodes the messages in turn; Decoded returns the last result as a
	// pointer to the neutral model type.
	Decode  Op
	Decoded func() any
	// Value returns the last result itself, in the library's own type, so that the caller can
	// keep it alive.
	Value func() any
	Open  Op
	Scan  Op
	// Convert converts the inputs to the library's own type and back. It reads them from the
	// slice that New was given. Converted returns the last result as a pointer to the neutral
	// model type.
	Convert   Op
	Converted func() any
	// Compress compresses the encoded messages of the inputs in turn. Compressed returns the
	// last result, and Plain returns message i before compression. Both are valid until the
	// next operation.
	Compress   Op
	Compressed func() []byte
	Plain      func(i int) []byte
	// Decompress reads the compressed messages that Use set, in turn, and restores the encoded
	// messages. Decompressed returns the last one, valid until the next operation.
	Decompress   Op
	Decompressed func() []byte
	// Seek makes input i, and message i, the next one for every op. It is called
	// before the first call of an op and whenever another op ran in between.
	Seek func(i int)
}

// A Binding is what one contender can do with one root message of one workload
// in one mode.
type Binding struct {
	Contender string
	Workload  string
	Root      string
	Mode      string
	// Ops are the ops whose fields New sets. A mode that changes only decoding may omit encode:
	// it then reads the messages of the contender's default mode. If a mode only encodes, the
	// default mode decodes its messages.
	Ops []result.Op
	// Borrows says that the codec encodes with another library, because a contender that only
	// decodes needs messages to read. This encode is not among Ops and never timed.
	Borrows bool
	// Varies says why messages of one value may differ in length from call to call, apart from
	// the order of maps. It is empty if they do not differ.
	Varies string
	// New converts the values, a slice of the root's model type, to the library's own
	// type, and returns a codec over them.
	New func(values any) (*Codec, error)
}

// has reports whether the codec sets the fields of op.
func (b *Binding) has(op result.Op) bool {
	return slices.Contains(b.Ops, op) || op == result.Encode && b.Borrows
}

// A Program is what a runner links.
type Program struct {
	Workloads []*workload.Workload
	Bindings  []Binding
	// Streams are linked by runners that measure streams.
	Streams []StreamBinding
	// Pipes are the codecs that can compress streams.
	Pipes []Pipe
}

// A Pipe compresses the bytes written to a file and decompresses the bytes read from it.
type Pipe struct {
	Codec string // the codec's name
	// Writer returns a writer that compresses to w; its Close completes the compressed data.
	// Reader reads from r the data that such a writer wrote.
	Writer func(w io.Writer) (io.WriteCloser, error)
	Reader func(r io.Reader) (io.Reader, error)
}

// A StreamCodec writes messages of one contender to a file one after another, in the format's
// own framing, and reads them back. A StreamCodec writes or reads one file.
type StreamCodec struct {
	// Fill converts the messages that Write will write, a slice of the root's model type, to
	// the library's own type.
	Fill func(values any) error
	// Create begins a file, Write writes the messages of the last Fill, and Close ends the
	// file. The caller flushes the writer.
	Create func(w *bufio.Writer) error
	Write  func() error
	Close  func() error
	// Open begins to read a file. Read reads up to n messages, which replace those of the last
	// call, and returns their number. At the end of the file, Read returns io.EOF.
	Open func(r *bufio.Reader) error
	Read func(n int) (int, error)
	// OpenAt replaces Open for a format whose files are read by seeking; otherwise it is nil. A
	// file of such a format cannot be compressed as a whole.
	OpenAt func(f io.ReaderAt, size int64) error
	// Value returns message i of the last Read, as a pointer to the neutral model type.
	Value func(i int) any
}

// A StreamBinding makes the stream codecs of one contender for one root message of one
// workload.
type StreamBinding struct {
	Contender string
	Workload  string
	Root      string
	New       func() *StreamCodec
}

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
// The other types are the runner protocol, which PROTOCOL.md specifies: a [Command] is
// one line of JSON on standard input, and an [Answer] the line on standard output that
// answers it. A runner in another language speaks the same protocol and needs nothing of
// this package.
package bench

import (
	"bufio"
	"io"
	"slices"

	"assay/result"
	"assay/workload"
)

// An Op runs n operations over a binding's inputs, in turn, and returns a checksum of
// what it produced: for encode, compress and decompress the sum of the sizes in bytes of
// what it returned, for scan the sum of the leaves, and n for the others. The error is
// that of the first operation that failed, and the rest of the batch is not run. The
// loop is inside the Op, in generated code, because a call through a func value for
// every operation would cost about 2 ns, several per cent of a small message's work.
type Op func(n int) (sum uint64, err error)

// A Codec is a contender bound to the values of one workload root in one mode.
// The ops that are timed are the ones that verification checks: there is no
// second code path.
//
// Inputs and messages are rings: each op goes on where its last call ended, and the
// first input follows the last. In a mode with a session, what messages share is sent
// while New binds the values, or with the first message each time round. So the same
// input always has the same message.
type Codec struct {
	// Encode encodes the inputs in turn; Encoded returns the bytes of the last
	// one, valid until the next operation.
	Encode  Op
	Encoded func() []byte
	// Fill puts the content of v, a pointer to the root's model type, into the Go value
	// that is input i, without moving it. Nil: what encode reads cannot be changed in
	// place.
	Fill func(i int, v any) error
	// Placed marks the codec of a floor, the least that can be done: encode returns
	// bytes that were made beforehand, and decode returns the value at the message's
	// place in the ring, whatever the message holds.
	Placed bool
	// Slack says that the last byte of a message may say nothing although it is not zero,
	// as that of an offset to an empty struct.
	Slack bool
	// Use sets the encoded messages that Decode, Open and Scan read in turn,
	// and seeks to the first.
	Use func(messages [][]byte)
	// Decode decodes the messages in turn; Decoded returns the last result as a
	// pointer to the neutral model type.
	Decode  Op
	Decoded func() any
	// Value returns the last result itself, in the library's own type, so that
	// it can be kept alive.
	Value func() any
	Open  Op
	Scan  Op
	// Convert converts the inputs, as they are in the slice that New was given, to the
	// library's own type and back; Converted returns the last result as a pointer to the
	// neutral model type.
	Convert   Op
	Converted func() any
	// Compress compresses the encoded messages of the inputs in turn; Compressed
	// returns the last result, and Plain message i as it was before, both valid
	// until the next operation.
	Compress   Op
	Compressed func() []byte
	Plain      func(i int) []byte
	// Decompress turns the messages that Use set, compressed ones, back into
	// encoded ones in turn; Decompressed returns the last, valid until the next
	// operation.
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
	// Ops are the ops whose fields New sets. A mode that changes only decoding need not
	// encode: it reads the bytes of the contender's default mode. The default mode
	// decodes the bytes of a mode that only encodes.
	Ops []result.Op
	// Borrows says that the codec encodes with another library, because a contender that
	// only decodes needs something to read. This encode is not among Ops and never timed.
	Borrows bool
	// Varies says why messages of one value differ in length from call to call, besides the
	// order of maps. Empty: they do not.
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
	// Pipes are what streams can be compressed with.
	Pipes []Pipe
}

// A Pipe compresses what is written to a file, and decompresses what is read.
type Pipe struct {
	Codec string // its name
	// Writer writes to w what is written to it, compressed, and completes that when it is
	// closed. Reader reads from r what a Writer wrote.
	Writer func(w io.Writer) (io.WriteCloser, error)
	Reader func(r io.Reader) (io.Reader, error)
}

// A StreamCodec writes messages of one contender to a file one after another, by the
// format's own means, and reads them back. It writes or reads one file.
type StreamCodec struct {
	// Fill takes the messages that Write writes, a slice of the root's model type, and
	// converts them to the library's own type.
	Fill func(values any) error
	// Create begins a file, Write writes what Fill took, and Close ends the file. The
	// writer is flushed by the caller.
	Create func(w *bufio.Writer) error
	Write  func() error
	Close  func() error
	// Open begins to read a file. Read reads up to n messages, which replace those read
	// before, and returns how many; at the end the error is io.EOF.
	Open func(r *bufio.Reader) error
	Read func(n int) (int, error)
	// OpenAt, unless it is nil, takes the place of Open: of a format whose files are read
	// by seeking in them. Such a file cannot be compressed as a whole.
	OpenAt func(f io.ReaderAt, size int64) error
	// Value returns message i of those that Read read, as a pointer to the neutral model
	// type.
	Value func(i int) any
}

// A StreamBinding is the streams of one contender, of one message of one workload.
type StreamBinding struct {
	Contender string
	Workload  string
	Root      string
	New       func() *StreamCodec
}

// Package bench runs inside a runner, the program that links the libraries: it
// reads commands on standard input, times batches, and answers on standard
// output. It stays small because whatever it does happens in the measured
// process; it decides nothing and computes no statistics.
package bench

import (
	"slices"

	"assay/result"
	"assay/workload"
)

// An Op runs n operations over a binding's inputs, in turn, and returns a
// checksum of what it produced: the sum of the encoded sizes for encode, of
// the workload's leaves for scan, of the sizes of what it returns for compress
// and decompress, and n for the others. The loop is inside the
// Op, in generated code, because a call through a func value for every
// operation would cost about 2 ns, several per cent of a small message's work.
type Op func(n int) (sum uint64, err error)

// A Codec is a contender bound to the values of one workload root in one mode.
// The ops that are timed are the ones that verification checks: there is no
// second code path.
//
// Inputs and messages are rings: each op goes on where its last call ended, and
// after the last comes the first. In a mode with a session, what messages share
// is sent while New binds the values, or with the first each time round, so that
// the same input always has the same message.
type Codec struct {
	// Encode encodes the inputs in turn; Encoded returns the bytes of the last
	// one, valid until the next operation.
	Encode  Op
	Encoded func() []byte
	// Fill puts the content of v, a pointer to the root's model type, into the Go
	// value that is input i, which stays where it is. Nil: what encode reads cannot
	// be changed in place.
	Fill func(i int, v any) error
	// Placed says that the codec stands for the least that can be done: encode returns
	// bytes that were made beforehand, and decode the value of the place of a message,
	// whatever that holds.
	Placed bool
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
	// Convert converts the inputs to the library's own type and back; Converted
	// returns the last result as a pointer to the neutral model type.
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
	// Ops are the ops whose fields New sets. A mode that changes only decoding
	// need not encode: it reads the bytes of the contender's default mode, and
	// that mode decodes those of a mode which only encodes.
	Ops []result.Op
	// Borrows says that the codec encodes although Ops does not say so: by
	// another library, because a contender that only decodes needs something to
	// read. That encode is never timed.
	Borrows bool
	// New binds the values, a slice of the root's model type, and converts them
	// to the library's own type.
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
}

package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// The functions below implement the framings of formats whose Go libraries leave framing to
// their users. If a file ends between two messages, they return io.EOF; if it ends within a
// message, io.ErrUnexpectedEOF.

// WriteDelimited writes a protobuf message after its length as a varint, as
// protodelim and the writeDelimitedTo of other languages do.
func WriteDelimited(w *bufio.Writer, message []byte) error {
	if _, err := w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(message)))); err != nil {
		return err
	}
	_, err := w.Write(message)
	return err
}

// ReadDelimited reads what WriteDelimited wrote, into buf if that is large enough.
func ReadDelimited(r *bufio.Reader, buf []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("a message of %d bytes, and protobuf has none above 2 GiB", n)
	}
	return readMessage(r, buf[:0], int(n))
}

// ReadSized reads a FlatBuffers message that begins with its own length, four bytes in
// little-endian order, into buf if that is large enough. The result includes the length.
func ReadSized(r *bufio.Reader, buf []byte) ([]byte, error) {
	buf, err := readMessage(r, buf[:0], 4)
	if errors.Is(err, io.ErrUnexpectedEOF) && len(buf) == 0 {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(buf)
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("a message of %d bytes, and FlatBuffers has none above 2 GiB", n)
	}
	return readMessage(r, buf, int(n))
}

// ReadLine reads a line of JSON Lines and its newline, into buf if that is large
// enough.
func ReadLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	buf = buf[:0]
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case err == nil:
			return buf, nil
		case errors.Is(err, io.EOF) && len(buf) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// readStep is how many bytes of buffer readMessage reserves at a time, so that a damaged length
// does not reserve memory for bytes that the file does not have.
const readStep = 64 << 20

// readMessage appends the next n bytes to buf. It returns what it read with its error.
func readMessage(r io.Reader, buf []byte, n int) ([]byte, error) {
	for n > 0 {
		step := min(n, readStep)
		at := len(buf)
		buf = slices.Grow(buf, step)[:at+step]
		got, err := io.ReadFull(r, buf[at:])
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return buf[:at+got], err
		}
		n -= step
	}
	return buf, nil
}

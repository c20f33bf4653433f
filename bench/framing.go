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

// The framings below are parts of formats whose Go libraries leave them to their
// users. A file that ends between two messages gives io.EOF, one that ends within a
// message io.ErrUnexpectedEOF.

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

// ReadSized reads a FlatBuffers message that begins with its own length, of four bytes
// in little-endian order, into buf if that is large enough. The length is part of the
// result.
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

// readStep is how many bytes are made room for at a time: what a damaged length asks
// for is not reserved before that much was read.
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

package contendertest

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"slices"
	"time"

	"assay/bench"
	"assay/contender"
	"assay/result"
)

// errHangs says that a damaged message took longer than Patience.
var errHangs = errors.New("has not ended")

// While it reads a damaged message, a contender may allocate plenty bytes, or plentyTimes the
// message's length if that is more. Libraries with limits count elements: here two million
// elements of up to 256 bytes. goccy/go-yaml allocates 176 bytes for each byte of a message of
// 852 kB.
const (
	plenty      = 512 << 20
	plentyTimes = 1000
)

// unsafeReads reads damaged messages with every op that reads, and returns what went wrong.
// Each operation must end with an error or a value. A panic is a failure unless the contender
// declares it; so is an allocation without bounds. After an errHangs unsafeReads reads no more
// messages.
func unsafeReads(c *contender.Contender, bindings []bench.Binding, values any) ([]string, error) {
	mayPanic := c.Is(contender.Panics)
	var wrong []string
	readers := slices.DeleteFunc(slices.Clone(bindings), func(b bench.Binding) bool { return !slices.ContainsFunc(b.Ops, reads) })
	further := 0 // number of modes before this one, without the default mode
	for _, b := range readers {
		turn, turns := 0, 1 // the default mode reads everything
		if b.Mode != "" {
			turn, turns = further, max(1, len(readers)-1)
			further++
		}
		whole, err := messages(bindings, b, values)
		if err != nil {
			return nil, err
		}
		damaged := damages(whole[0])
		if !c.Is(contender.Unbounded) {
			damaged = append(damaged, lies(c.Format, whole[0], turn, turns)...)
		}
		for _, d := range damaged {
			for _, op := range b.Ops {
				if !reads(op) {
					continue
				}
				// Bad input may make a stream unusable, so each message gets its own codec.
				codec, err := b.New(values)
				if err != nil {
					return nil, err
				}
				codec.Use([][]byte{d.data})
				codec.Seek(0)
				before := allocated()
				panicked, ended := attempt(codec, op)
				switch grown := allocated() - before; {
				case !ended:
					return wrong, fmt.Errorf("%s: %s of a message %s %w after %v", result.Subject{Contender: c.Name, Mode: b.Mode}, op, d.how, errHangs, Patience)
				case grown > max(plenty, plentyTimes*uint64(len(d.data))) && !c.Is(contender.Unbounded): // stop here
					return append(wrong, fmt.Sprintf("mode %q: %s of a message %s allocates %d MiB", b.Mode, op, d.how, grown>>20)), nil
				case panicked != nil && !mayPanic:
					wrong = append(wrong, fmt.Sprintf("mode %q: %s of a message %s panics: %v", b.Mode, op, d.how, panicked))
				}
			}
		}
	}
	return wrong, nil
}

// reads reports whether op reads messages.
func reads(op result.Op) bool {
	return op == result.Decode || op == result.Open || op == result.Scan
}

// attempt performs op once and takes the decoded value. It returns the value of a panic, if
// any, and whether the operation ended within Patience.
func attempt(codec *bench.Codec, op result.Op) (panicked any, ended bool) {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		switch op {
		case result.Decode:
			if _, err := codec.Decode(1); err == nil {
				codec.Decoded()
			}
		case result.Open:
			codec.Open(1)
		case result.Scan:
			codec.Scan(1)
		}
	}()
	select {
	case panicked = <-done:
		return panicked, true
	case <-time.After(Patience):
		return nil, false
	}
}

// A damage is a damaged message.
type damage struct {
	how  string
	data []byte
}

// damages returns an empty message, truncated messages, and messages with one byte changed in
// its lowest bit or in all bits. The changes are at a few offsets that are spread over the
// message. A long message gets fewer of them.
func damages(message []byte) []damage {
	out := []damage{{"of no bytes", []byte{}}}
	n := len(message)
	at := []int{0, n / 2}
	if n < 1<<14 {
		at = append(at, 1, 2, n-2, n-1)
		for k := 1; k < 12; k++ {
			at = append(at, n*k/12)
		}
	}
	slices.Sort(at)
	for _, i := range slices.Compact(at) {
		if i < 0 || i >= n {
			continue
		}
		if i > 0 {
			out = append(out, damage{fmt.Sprintf("cut after %d of %d bytes", i, n), slices.Clone(message[:i])})
		}
		for _, mask := range []byte{0x01, 0xFF} {
			data := slices.Clone(message)
			data[i] ^= mask
			out = append(out, damage{fmt.Sprintf("with byte %d of %d changed by %#02x", i, n, mask), data})
		}
	}
	return out
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	all := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(all)
	return all[0].Value.Uint64()
}

// A nesting describes how a format writes lists and maps.
type nesting struct {
	headers []byte          // the first bytes of lists and maps with a 32-bit number of elements
	begins  func(byte) bool // reports whether a byte may begin a list or map, or a nil in its place
}

var nestings = map[string]nesting{
	"msgpack": {[]byte{0xDD, 0xDF}, func(b byte) bool { return b>>5 == 0b100 || b == 0xC0 || b >= 0xDC && b <= 0xDF }},
	"cbor":    {[]byte{0x9A, 0xBA}, func(b byte) bool { return b>>6 == 0b10 || b == 0xF6 }},
}

// lies returns messages in which one byte is replaced by the header of a list or map that
// claims 33 million elements. If a list or map begins at that byte, the reader believes the
// header. Every mode reads the messages with a header in the place of a list or map. The modes
// share the other messages in turns, because most of those have the header in the middle of a
// text.
func lies(format string, message []byte, turn, turns int) []damage {
	var out []damage
	of := nestings[format]
	for i := range min(len(message), 256) {
		for k, header := range of.headers {
			if (i+k)%turns != turn && !of.begins(message[i]) {
				continue
			}
			data := slices.Concat(message[:i], []byte{header, 0x02, 0, 0, 0}, message[i+1:])
			out = append(out, damage{fmt.Sprintf("with %#02x and 33 million at byte %d of %d", header, i, len(message)), data})
		}
	}
	return out
}

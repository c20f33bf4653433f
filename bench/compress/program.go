package compress

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"assay/bench"
	"assay/contender"
	"assay/result"
)

// Axis is the part of a mode that names a codec: codec=zstd.
const Axis = "codec"

// Ops are the ops of the modes that name a codec.
var Ops = []result.Op{result.Compress, result.Decompress}

// Modes returns the modes that Program adds, one for each codec.
func Modes() []string {
	var modes []string
	for _, c := range Codecs {
		modes = append(modes, Axis+"="+c.Name)
	}
	return modes
}

// StreamModes returns the modes of compressed streams, one for each codec.
func StreamModes() []string {
	var modes []string
	for _, c := range Codecs {
		modes = append(modes, contender.StreamWay{Codec: c.Name}.Mode())
	}
	return modes
}

// Program returns the program with more modes: each contender that encodes in its default mode
// gets a mode for each codec, which compresses the messages of the default mode. Each codec can
// compress the program's streams.
func Program(p bench.Program) bench.Program {
	p.Pipes = Pipes()
	var racks []*rack
	for _, c := range Codecs {
		racks = append(racks, &rack{Codec: c})
	}
	p.Bindings = slices.Clone(p.Bindings)
	for _, b := range slices.Clone(p.Bindings) {
		if b.Mode != "" || !slices.Contains(b.Ops, result.Encode) {
			continue
		}
		for i, mode := range Modes() {
			p.Bindings = append(p.Bindings, bench.Binding{
				Contender: b.Contender, Workload: b.Workload, Root: b.Root, Mode: mode, Ops: Ops,
				New: func(values any) (*bench.Codec, error) { return bind(b, racks[i], values) },
			})
		}
	}
	return p
}

// A rack holds the unused coders of a codec. All contenders take their coders from the same
// rack: a coder has tables of megabytes, and their place in memory would otherwise look like a
// difference between the contenders.
type rack struct {
	Codec
	mu   sync.Mutex
	free []*Coder
}

// take returns a coder for one goroutine, and give returns it to the rack.
func (r *rack) take() (*Coder, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.free); n > 0 {
		c := r.free[n-1]
		r.free = r.free[:n-1]
		return c, nil
	}
	return r.New()
}

func (r *rack) give(c *Coder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free = append(r.free, c)
}

// bind encodes the values with the binding and returns a codec that compresses the messages.
func bind(b bench.Binding, coders *rack, values any) (*bench.Codec, error) {
	plain, err := encode(b, values)
	if err != nil {
		return nil, err
	}
	coder, err := coders.take()
	if err != nil {
		return nil, err
	}
	coders.give(coder)
	if len(plain) == 0 {
		return nil, fmt.Errorf("there are no values to compress")
	}
	w := &ring{messages: plain, coders: coders, do: func(c *Coder) step { return c.Compress }}
	r := &ring{coders: coders, do: func(c *Coder) step { return c.Decompress }}
	return &bench.Codec{
		Compress: w.run, Compressed: func() []byte { return w.last },
		Decompress: r.run, Decompressed: func() []byte { return r.last },
		Plain: func(i int) []byte { return plain[i] },
		Use:   func(messages [][]byte) { r.messages, r.next = messages, 0 },
		Seek:  func(i int) { w.next, r.next = i, i },
	}, nil
}

// encode returns the message of every value, as the binding writes it.
func encode(b bench.Binding, values any) ([][]byte, error) {
	codec, err := b.New(values)
	if err != nil {
		return nil, err
	}
	codec.Seek(0)
	messages := make([][]byte, reflect.ValueOf(values).Len())
	for i := range messages {
		if _, err := codec.Encode(1); err != nil {
			return nil, fmt.Errorf("encode input %d: %w", i, err)
		}
		messages[i] = slices.Clone(codec.Encoded())
	}
	return messages, nil
}

// A ring applies one function of a coder to messages in turn.
type ring struct {
	messages [][]byte
	next     int
	last     []byte // the last result; the next one overwrites it
	coders   *rack
	do       func(*Coder) step
}

// A step is one function of a Coder.
type step = func(dst, src []byte) ([]byte, error)

// run is a bench.Op. It takes a coder for the time of the call. Its call through a func value
// costs 2 ns, which is little compared with the several hundred nanoseconds that a codec takes
// at least.
func (r *ring) run(n int) (sum uint64, err error) {
	coder, err := r.coders.take()
	if err != nil {
		return 0, err
	}
	defer r.coders.give(coder)
	do := r.do(coder)
	for range n {
		if r.next == len(r.messages) {
			r.next = 0
		}
		out, err := do(r.last, r.messages[r.next])
		if err != nil {
			return 0, err
		}
		r.next++
		r.last = out
		sum += uint64(len(out))
	}
	return sum, nil
}

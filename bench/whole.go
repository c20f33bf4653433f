package bench

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"

	"assay/result"
	"assay/workload"
)

// A whole is the state of a stream command that runs one op on all values of a size in memory.
type whole struct {
	*session
	Stream
	out   *Streamed
	codec *bound
	walks *walks
	room  *limited
}

// whole encodes the values of a size once each and writes the messages to a file, or reads that
// file and decodes it, or converts the values there and back. Encoding and decoding need
// separate processes, so that the process that decodes has neither the values nor the encoder's
// data in memory.
func (s *session) whole(c Stream) (*Streamed, error) {
	switch {
	case s.warm:
		return nil, errors.New("a contender's code has already run in this process: start a new runner for each whole value")
	case c.Data != "" || len(c.More) > 0 || c.Codec != "":
		return nil, errors.New("whole values are made from the seed and kept in one plain file: leave out data, more and codec")
	}
	w := &whole{session: s, Stream: c, out: &Streamed{}, walks: newWalks(), room: &limited{most: c.Room}}
	do := w.encode
	switch c.Op {
	case result.Encode:
	case result.Decode:
		do = w.decode
	case result.Convert:
		do = w.convert
	default:
		return nil, fmt.Errorf("op is %q, want encode, decode or convert", c.Op)
	}
	if err := do(); err != nil {
		var known *wrong
		if errors.As(err, &known) {
			return nil, err
		}
		return nil, failed(c.Subject, c.Op, err)
	}
	w.out.Root, w.out.Plain, w.out.Sentinel = s.loaded.root, w.out.Bytes, w.walks.median()
	return w.out, nil
}

// encode makes the values, encodes them, and writes the messages.
func (w *whole) encode() error {
	if err := w.make(); err != nil {
		return err
	}
	n := len(w.loaded.models)
	var messages [][]byte
	err := w.each(n, func(sum uint64) error {
		out := w.codec.codec.Encoded()
		if n > 1 { // Encoded is valid until the next op; a single message need not be copied
			out = slices.Clone(out)
		}
		messages = append(messages, out)
		return length(sum, out)
	})
	if err == nil {
		err = w.write(messages)
	}
	return w.unchanged(err)
}

// convert makes the values, converts each to the library's type and back, and compares the
// result with the value.
func (w *whole) convert() error {
	if err := w.make(); err != nil {
		return err
	}
	i := 0
	var differs error
	err := w.each(len(w.loaded.models), func(ops uint64) error {
		differs = w.rightValue(w.codec, i, w.codec.codec.Converted())
		i++
		return cmp.Or(differs, counted(ops, 1))
	})
	if differs != nil {
		return wrongly(w.Subject, w.Op, err)
	}
	return w.unchanged(err)
}

// make makes the values, computes their checksum, and binds the contender to them.
func (w *whole) make() (err error) {
	if _, err := w.load(Load{Workload: w.Workload, Size: w.Size, Seed: w.Seed, Mark: w.Mark, Losses: map[string][]string{w.Contender: w.Losses}}); err != nil {
		return err
	}
	sum := steadyDigester()
	for _, m := range w.loaded.models {
		sum.add(reflect.ValueOf(m))
	}
	w.out.Sum = sum.text()
	w.codec, err = w.attach(w.Subject, w.Op)
	return err
}

// unchanged returns err, or an error if err is nil and the op changed the values.
func (w *whole) unchanged(err error) error {
	if err == nil && !w.intact() {
		err = wrongly(w.Subject, w.Op, errors.New("the contender changed its inputs"))
	}
	return err
}

// decode reads the messages, decodes them, and compares the results with the values.
func (w *whole) decode() error {
	messages, err := w.read()
	if err != nil {
		return err
	}
	if err := w.bindEmpty(len(messages)); err != nil {
		return err
	}
	w.codec.use(messages, outsider)
	sum := steadyDigester()
	var values []any
	err = w.each(len(messages), func(ops uint64) error {
		values = append(values, w.codec.codec.Decoded())
		return counted(ops, 1)
	})
	if err == nil {
		if err = w.codec.spares(); err != nil {
			err = wrongly(w.Subject, w.Op, err)
		}
	}
	if err != nil {
		return err
	}
	w.codec = nil // frees the messages, which the comparison does not need
	for _, v := range values {
		sum.add(reflect.ValueOf(v))
	}
	if w.out.Sum = sum.text(); w.Sum == "" || w.Sum == w.out.Sum {
		return nil
	}
	return w.compare(values)
}

// each runs the op once for each of n inputs and calls look for every result. It calls look for
// the last result, which may be large, only after the measurement has ended.
func (w *whole) each(n int, look func(sum uint64) error) error {
	if err := w.loaded.mark.set(w.Subject, w.Op); err != nil {
		return err
	}
	w.codec.restart(w.Op)
	w.walks.take()
	// The memory that making the values left behind does not belong to the op.
	debug.FreeOSMemory()
	resetPeak()
	var last uint64
	err := w.out.watched(w.Subject, w.Op, func() error {
		for i := range n {
			err := w.out.allocating(func() error {
				return w.out.timed(func() (err error) {
					last, err = w.codec.run(w.Op, 1)
					return err
				})
			})
			if err == nil && i < n-1 {
				err = look(last)
			}
			if err != nil {
				return input(i, err)
			}
		}
		return nil
	})
	w.out.Peak = peakMemory()
	// Checking results takes memory and its time does not count: collect garbage more often.
	debug.SetGCPercent(lookPercent)
	if err != nil {
		return err
	}
	w.walks.take()
	w.out.Messages, w.out.Items = int64(n), int64(n)*int64(w.items())
	return input(n-1, look(last))
}

// allocating counts what f allocates.
func (s *Streamed) allocating(f func() error) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	s.AllocBytes += int64(after.TotalAlloc - before.TotalAlloc)
	s.Allocs += int64(after.Mallocs - before.Mallocs)
	return err
}

// lookPercent is the collector's percentage during checks of results, when saving memory is
// more important than saving time.
const lookPercent = 25

// size returns the workload and its size.
func (w *whole) size() (*workload.Workload, workload.Size, error) {
	i := slices.IndexFunc(w.program.Workloads, func(x *workload.Workload) bool { return x.Name == w.Workload })
	if i < 0 || w.program.Workloads[i].Generate == nil {
		return nil, workload.Size{}, fmt.Errorf("workload %q is not in this runner or does not make its values", w.Workload)
	}
	size, err := w.program.Workloads[i].Size(w.Stream.Size)
	return w.program.Workloads[i], size, err
}

// items returns how many elements one value has.
func (w *whole) items() int {
	if _, size, err := w.size(); err == nil {
		return max(1, size.Items)
	}
	return 1
}

// bindEmpty binds the contender to n empty values, since decoding needs no values. If the
// contender cannot be bound to them, bindEmpty binds it to the values of the size.
func (w *whole) bindEmpty(n int) error {
	load, size, err := w.size()
	if err != nil {
		return err
	}
	one, err := load.Generate(size, w.Seed, 0) // for the type of the slice
	if err != nil {
		return err
	}
	m, err := openMark(w.Mark)
	if err != nil {
		return err
	}
	w.drop()
	w.loaded = &values{
		schema: load.Schema, workload: load.Name, root: size.Root, mark: m, bound: map[seat]*bound{},
		slice: reflect.MakeSlice(reflect.TypeOf(one), n, n).Interface(),
	}
	if w.codec, err = w.tryAttach(w.Subject, w.Op, w.loaded.slice, n); err == nil {
		return nil
	}
	if w.loaded.slice, err = load.Generate(size, w.Seed, n); err != nil {
		return err
	}
	w.codec, err = w.attachTo(w.Subject, w.Op, w.loaded.slice, n)
	w.loaded.slice = nil
	return err
}

// compare finds out why the checksum of the decoded values differs from the checksum of the
// encoded values: only because of declared losses, or because a value is wrong.
func (w *whole) compare(values []any) error {
	runtime.GC()
	load, size, err := w.size()
	if err != nil {
		return err
	}
	all, err := load.Generate(size, w.Seed, len(values))
	if err != nil {
		return err
	}
	want := reflect.ValueOf(all)
	forgive, suffered := set(w.Losses), map[string]bool{}
	for i, got := range values {
		diff, lost := workload.Diff(want.Index(i).Addr().Interface(), got, forgive)
		if diff != "" {
			return wrongly(w.Subject, w.Op, input(i, errors.New(diff)))
		}
		for _, l := range lost {
			suffered[l] = true
		}
	}
	if len(suffered) == 0 {
		return wrongly(w.Subject, w.Op, errors.New("the decoded values have another checksum than those encoded, and equal them one by one"))
	}
	for l := range suffered {
		w.out.Losses = append(w.out.Losses, l)
	}
	slices.Sort(w.out.Losses)
	return nil
}

// write writes the messages to the file, each after its length.
func (w *whole) write(messages [][]byte) (err error) {
	f, err := os.OpenFile(w.File, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := w.room.of(f)
	for _, m := range messages {
		if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(m)))); err != nil {
			return err
		}
		for part := range slices.Chunk(m, streamBuffer) {
			if _, err := out.Write(part); err != nil {
				return err
			}
			w.loaded.mark.beat()
		}
		w.out.Bytes += int64(len(m))
	}
	return nil
}

// read reads the messages of the file.
func (w *whole) read() (messages [][]byte, err error) {
	f, err := os.Open(w.File)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	for left := info.Size(); left > 0; {
		var head [8]byte
		if _, err := io.ReadFull(f, head[:]); err != nil {
			return nil, fmt.Errorf("%s: %w", w.File, err)
		}
		left -= int64(len(head))
		n := binary.LittleEndian.Uint64(head[:])
		if n > uint64(max(0, left)) {
			return nil, fmt.Errorf("%s: a message of %d bytes where %d are left", w.File, n, left)
		}
		m := make([]byte, n)
		if _, err := io.ReadFull(f, m); err != nil {
			return nil, fmt.Errorf("%s: %w", w.File, err)
		}
		messages = append(messages, m)
		left -= int64(n)
		w.out.Bytes += int64(n)
	}
	if len(messages) == 0 {
		return nil, fmt.Errorf("%s has no messages", w.File)
	}
	return messages, nil
}

package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"assay/result"
	"assay/workload"
)

const (
	// streamBuffer is the buffer between a library and the file.
	streamBuffer = 1 << 20
	// streamBatch is about how many bytes of values are between two looks at the clock,
	// and streamMost how many messages: enough for the clock to cost nothing, and little
	// to hold.
	streamBatch = 1 << 20
	streamMost  = 1024
	// progressEvery is how often the progress file is written.
	progressEvery = 200 * time.Millisecond
)

// A streaming is one pass over a stream under way.
type streaming struct {
	Stream
	// source begins the values anew.
	source func() (*workload.Stream, error)
	values *workload.Stream
	codec  *StreamCodec
	batch  int
	mark   *mark
	said   *os.File // the progress file; nil: none
	last   time.Time
	sum    *digester
	out    *Streamed
}

// stream writes a file of messages, or reads one.
func (s *session) stream(c Stream) (_ *Streamed, err error) {
	s.drop()
	p := &streaming{Stream: c, out: &Streamed{}, sum: steadyDigester()}
	if err := p.prepare(&s.program); err != nil {
		return nil, err
	}
	if p.mark, err = openMark(c.Mark); err != nil {
		return nil, err
	}
	defer p.mark.close()
	if c.Progress != "" {
		if p.said, err = os.OpenFile(c.Progress, os.O_WRONLY, 0); err != nil {
			return nil, err
		}
		defer p.said.Close()
	}
	if err := p.mark.set(c.Subject, c.Op); err != nil {
		return nil, err
	}
	s.warm = true
	pass := p.write
	if c.Op == result.Decode {
		pass = p.read
	}
	if err := p.watched(pass); err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	return p.out, nil
}

// prepare finds what the pass is about.
func (p *streaming) prepare(program *Program) error {
	if p.Op != result.Encode && p.Op != result.Decode {
		return fmt.Errorf("op is %q, want encode or decode", p.Op)
	}
	i := slices.IndexFunc(program.Workloads, func(w *workload.Workload) bool { return w.Name == p.Workload })
	if i < 0 || program.Workloads[i].Stream == nil && program.Workloads[i].ReadStream == nil {
		return fmt.Errorf("workload %q is not in this runner or has no streams", p.Workload)
	}
	w := program.Workloads[i]
	if (p.Data == "") != (w.ReadStream == nil) {
		return fmt.Errorf("the values of workload %q are a user's, in a file, or made from the seed", p.Workload)
	}
	size, err := w.Size(p.Size)
	if err != nil {
		return err
	}
	p.source = func() (*workload.Stream, error) {
		if w.ReadStream != nil {
			return w.ReadStream(size, p.Data)
		}
		return w.Stream(size, p.Seed)
	}
	if p.values, err = p.source(); err != nil {
		return err
	}
	i = slices.IndexFunc(program.Streams, func(b StreamBinding) bool {
		return b.Contender == p.Contender && b.Workload == p.Workload && b.Root == p.values.Root
	})
	if i < 0 {
		return fmt.Errorf("%s has no streams of %s of workload %s in this runner", p.Contender, p.values.Root, p.Workload)
	}
	p.codec = program.Streams[i].New()
	p.batch = int(max(1, min(streamMost, streamBatch/max(1, p.values.Bytes))))
	return nil
}

// watched does a pass with the collector on, and counts what that does.
func (p *streaming) watched(pass func() error) error {
	percent := debug.SetGCPercent(100)
	defer debug.SetGCPercent(percent)
	runtime.GC()
	before, start, cpu, late := readCollector(), time.Now(), processCPU(), watchDelays()
	err := pass()
	p.out.Elapsed, p.out.TotalCPU = int64(time.Since(start)), processCPU()-cpu
	if !hasProcessCPU {
		p.out.CPU, p.out.TotalCPU = p.out.Wall, p.out.Elapsed
	}
	p.out.Late = int64(late())
	p.out.collected(before, readCollector())
	p.out.Items = p.out.Messages * int64(p.values.Items)
	return err
}

// timed counts the time of f.
func (p *streaming) timed(f func() error) error {
	start, cpu := time.Now(), processCPU()
	err := f()
	p.out.Wall += int64(time.Since(start))
	p.out.CPU += processCPU() - cpu
	p.mark.beat()
	return err
}

// write makes the values and writes them to the file.
func (p *streaming) write() (err error) {
	f, err := os.OpenFile(p.File, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	room := &limited{f: f, most: p.Room}
	w := bufio.NewWriterSize(room, streamBuffer)
	if err := p.timed(func() error { return p.codec.Create(w) }); err != nil {
		return err
	}
	for {
		n, err := p.fill()
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		if err := p.timed(p.codec.Write); err != nil {
			return p.at(err)
		}
		p.out.Messages += int64(n)
		if err := room.enough(int64(w.Buffered()), p.out.Messages, p.values.Messages); err != nil {
			return err
		}
		p.progress(room.written + int64(w.Buffered()))
	}
	if err := p.timed(func() error { return errors.Join(p.codec.Close(), w.Flush()) }); err != nil {
		return err
	}
	p.out.Bytes, p.out.Sum = room.written, p.sum.text()
	return p.complete()
}

// fill makes the next messages and hands them to the codec. It returns how many.
func (p *streaming) fill() (int, error) {
	values, err := p.values.Next(p.batch)
	if err != nil {
		return 0, err
	}
	list := reflect.ValueOf(values)
	for i := range list.Len() {
		p.sum.add(list.Index(i).Addr())
	}
	return list.Len(), p.codec.Fill(values)
}

// read reads the file, and compares what it reads with what was written.
func (p *streaming) read() error {
	err := p.file(func(n int) error {
		for i := range n {
			p.sum.add(reflect.ValueOf(p.codec.Value(i)))
		}
		return nil
	}, p.timed)
	if err != nil {
		return err
	}
	p.out.Sum = p.sum.text()
	if err := p.complete(); err != nil || p.Sum == "" || p.Sum == p.out.Sum {
		return err
	}
	return p.compare()
}

// file reads the file in batches of n messages and has each looked at.
func (p *streaming) file(look func(n int) error, call func(func() error) error) error {
	f, err := os.Open(p.File)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &counted64{f: f}
	r := bufio.NewReaderSize(in, streamBuffer)
	if err := call(func() error { return p.codec.Open(r) }); err != nil {
		return err
	}
	for end := false; !end; {
		var n int
		err := call(func() (err error) { n, err = p.codec.Read(p.batch); return err })
		if end = errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF); err != nil && !end {
			return p.at(err)
		}
		if err := look(n); err != nil {
			return err
		}
		p.out.Messages += int64(n)
		p.out.Bytes = in.read
		p.progress(in.read)
	}
	return nil
}

// compare finds out why the values that were read do not add up to those that were
// written: by declared losses alone, or which message is another. It reads the file
// again, beside a generator of the same values.
func (p *streaming) compare() error {
	again := &streaming{Stream: p.Stream, values: p.values, codec: p.codec, batch: p.batch, mark: p.mark, out: &Streamed{}}
	forgive := map[string]bool{}
	for _, l := range p.Losses {
		forgive[l] = true
	}
	suffered := map[string]bool{}
	source, err := p.source()
	if err != nil {
		return err
	}
	err = again.file(func(n int) error {
		want, err := source.Next(n)
		if err != nil {
			return err
		}
		list := reflect.ValueOf(want)
		if list.Len() != n {
			return fmt.Errorf("%d messages were read where %d were written", again.out.Messages+int64(n), again.out.Messages+int64(list.Len()))
		}
		for i := range n {
			diff, lost := workload.Diff(list.Index(i).Addr().Interface(), again.codec.Value(i), forgive)
			if diff != "" {
				return fmt.Errorf("message %d: %s", again.out.Messages+int64(i), diff)
			}
			for _, l := range lost {
				suffered[l] = true
			}
		}
		return nil
	}, func(f func() error) error { p.mark.beat(); return f() })
	if err != nil {
		return err
	}
	if len(suffered) == 0 {
		return errors.New("the values that were read have another checksum than those written, and equal them one by one")
	}
	for l := range suffered {
		p.out.Losses = append(p.out.Losses, l)
	}
	slices.Sort(p.out.Losses)
	return nil
}

// complete returns an error when the pass had more or fewer messages than the stream.
func (p *streaming) complete() error {
	if p.out.Messages != p.values.Messages {
		return fmt.Errorf("%d messages, want %d", p.out.Messages, p.values.Messages)
	}
	return nil
}

// at names the batch in which something failed.
func (p *streaming) at(err error) error {
	return fmt.Errorf("at message %d or one of the next %d: %w", p.out.Messages, p.batch, err)
}

// progress says now and then how far the pass is. That it cannot be said does no harm.
func (p *streaming) progress(bytes int64) {
	if p.said == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	var line [ProgressSize]byte
	for i := copy(line[:], fmt.Sprintf("%d %d", p.out.Messages, bytes)); i < len(line); i++ {
		line[i] = ' '
	}
	_, _ = p.said.WriteAt(line[:], 0)
}

// A limited file has room for so many bytes; 0: any.
type limited struct {
	f             io.Writer
	written, most int64
}

func (l *limited) Write(b []byte) (int, error) {
	if l.most > 0 && l.written+int64(len(b)) > l.most {
		return 0, fmt.Errorf("%w: more than the %d bytes that there is room for", errRoom, l.most)
	}
	n, err := l.f.Write(b)
	l.written += int64(n)
	return n, err
}

// errRoom is a stream that is too long for the disk.
var errRoom = errors.New("the stream does not fit on the disk")

// enough returns an error when a stream of so many messages will not fit, judged by
// those that are done.
func (l *limited) enough(buffered, done, all int64) error {
	if l.most <= 0 || done == 0 {
		return nil
	}
	if need := float64(l.written+buffered) / float64(done) * float64(all); need > float64(l.most) {
		return fmt.Errorf("%w: it would take about %.0f bytes, and there is room for %d", errRoom, need, l.most)
	}
	return nil
}

// A counted64 reader counts the bytes that were read.
type counted64 struct {
	f    io.Reader
	read int64
}

func (c *counted64) Read(b []byte) (int, error) {
	n, err := c.f.Read(b)
	c.read += int64(n)
	return n, err
}

package bench

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"assay/result"
	"assay/workload"
)

const (
	// streamBuffer is the size in bytes of the buffer between a library and its file.
	streamBuffer = 1 << 20
	// streamBatch is about how many bytes of values a batch has between two readings of the
	// clock, and streamMost is its largest number of messages. Such a batch is long enough to
	// make the cost of the clock negligible, and small enough to hold in memory.
	streamBatch = 1 << 20
	streamMost  = 1024
	// progressEvery is how often the progress file is written.
	progressEvery = 200 * time.Millisecond
)

// A streaming is one pass over a stream.
type streaming struct {
	Stream
	// source begins the stream of values anew.
	source func() (*workload.Stream, error)
	values *workload.Stream
	fresh  func() *StreamCodec
	pipe   *Pipe // nil: the files are plain
	batch  int
	mark   *mark
	said   *os.File // the progress file; nil: none
	last   time.Time
	sum    *digester
	out    *Streamed
	walks  *walks // nil: the sentinel does not walk
}

// stream runs one pass that writes or reads a stream of messages, or an op on a whole value.
func (s *session) stream(c Stream) (_ *Streamed, err error) {
	s.drop()
	if c.Whole {
		return s.whole(c)
	}
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
	p.walks = newWalks()
	if err := p.out.watched(c.Subject, c.Op, pass); err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	p.out.Sentinel = p.walks.median()
	p.out.Items, p.out.Root = p.out.Messages*int64(p.values.Items), p.values.Root
	return p.out, nil
}

// prepare looks up the workload, the binding and the codec of the pass.
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
	p.fresh = program.Streams[i].New
	return errors.Join(p.piped(program.Pipes), p.dealt())
}

// piped looks up the codec that compresses the files.
func (p *streaming) piped(pipes []Pipe) error {
	if p.Codec == "" {
		return nil
	}
	i := slices.IndexFunc(pipes, func(x Pipe) bool { return x.Codec == p.Codec })
	if i < 0 {
		return fmt.Errorf("nothing in this runner compresses with %q", p.Codec)
	}
	p.pipe = &pipes[i]
	return nil
}

// dealt decides how many messages a batch has. If there are several files, each gets about the
// same number of messages.
func (p *streaming) dealt() error {
	files := int64(1 + len(p.More))
	if p.values.Messages < files {
		return fmt.Errorf("a stream of %d messages cannot be dealt to %d files", p.values.Messages, files)
	}
	batch := max(1, min(streamMost, streamBatch/max(1, p.values.Bytes)))
	if files > 1 {
		turns := (p.values.Messages + batch*files - 1) / (batch * files)
		batch = (p.values.Messages + turns*files - 1) / (turns * files)
	}
	p.batch = int(batch)
	return nil
}

// timed adds the time of f to the pass.
func (p *streaming) timed(f func() error) error {
	err := p.out.timed(f)
	p.walks.take()
	p.mark.beat()
	return err
}

// write makes the values and writes them to the files.
func (p *streaming) write() (err error) {
	room := &limited{most: p.Room}
	all, err := p.lanes(func(l *lane) error { return l.create(room) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.close()) }()
	if err := p.timed(func() error { return all.each((*lane).begin) }); err != nil {
		return err
	}
	for {
		full, n, err := p.fill(all)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		if err := p.timed(func() error { return full.each((*lane).write) }); err != nil {
			return p.at(err)
		}
		p.out.Messages += int64(n)
		pending := all.pending()
		if err := room.enough(pending, p.out.Messages, p.values.Messages); err != nil {
			return err
		}
		p.progress(room.bytes() + pending)
	}
	if err := p.timed(func() error { return all.each((*lane).end) }); err != nil {
		return err
	}
	p.counted(room.bytes(), all)
	p.out.Sum = p.sum.text()
	return p.complete()
}

// counted sets the bytes of the files and the bytes before compression.
func (p *streaming) counted(bytes int64, all lanes) {
	p.out.Bytes, p.out.Plain = bytes, bytes
	if p.pipe != nil {
		p.out.Plain = all.plain()
	}
}

// fill makes the next batch of messages for each lane. It returns the lanes that got one, and
// the number of messages.
func (p *streaming) fill(all lanes) (full lanes, messages int, err error) {
	for _, l := range all {
		values, err := p.values.Next(p.batch)
		if err != nil {
			return nil, 0, err
		}
		list := reflect.ValueOf(values)
		if list.Len() == 0 {
			break
		}
		for i := range list.Len() {
			p.sum.add(list.Index(i).Addr())
		}
		if err := l.codec.Fill(values); err != nil {
			return nil, 0, err
		}
		full, messages = append(full, l), messages+list.Len()
	}
	return full, messages, nil
}

// read reads the files and compares the values with the written ones.
func (p *streaming) read() error {
	err := p.files(func(l *lane) error {
		for i := range l.read {
			p.sum.add(reflect.ValueOf(l.codec.Value(i)))
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

// files reads the files in batches and calls look for each batch, in the order in which the
// batches were written. call runs each timed part.
func (p *streaming) files(look func(*lane) error, call func(func() error) error) (err error) {
	all, err := p.lanes((*lane).open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.close()) }()
	if err := call(func() error { return all.each((*lane).start) }); err != nil {
		return err
	}
	for left := all; len(left) > 0; {
		if err := call(func() error { return left.each(func(l *lane) error { return l.next(p.batch) }) }); err != nil {
			return p.at(err)
		}
		for _, l := range left {
			if err := look(l); err != nil {
				return err
			}
			p.out.Messages += int64(l.read)
		}
		p.counted(all.bytes(), all)
		p.progress(p.out.Bytes)
		left = slices.DeleteFunc(slices.Clone(left), func(l *lane) bool { return l.over })
	}
	return nil
}

// compare finds out why the checksum of the values read differs from the checksum of the values
// written: only because of declared losses, or because a message is wrong. It reads the files
// again, in parallel with a generator of the same values.
func (p *streaming) compare() error {
	again := &streaming{Stream: p.Stream, values: p.values, fresh: p.fresh, pipe: p.pipe, batch: p.batch, mark: p.mark, out: &Streamed{}}
	forgive := set(p.Losses)
	suffered := map[string]bool{}
	source, err := p.source()
	if err != nil {
		return err
	}
	err = again.files(func(l *lane) error {
		want, err := source.Next(l.read)
		if err != nil {
			return err
		}
		list := reflect.ValueOf(want)
		if list.Len() != l.read {
			return fmt.Errorf("%d messages were read where %d were written", again.out.Messages+int64(l.read), again.out.Messages+int64(list.Len()))
		}
		for i := range l.read {
			diff, lost := workload.Diff(list.Index(i).Addr().Interface(), l.codec.Value(i), forgive)
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

// complete returns an error if the pass had more or fewer messages than the stream.
func (p *streaming) complete() error {
	if p.out.Messages != p.values.Messages {
		return fmt.Errorf("%d messages, want %d", p.out.Messages, p.values.Messages)
	}
	return nil
}

// at adds the batch in which an error occurred.
func (p *streaming) at(err error) error {
	return fmt.Errorf("at message %d or one of the next %d: %w", p.out.Messages, p.batch, err)
}

// progress writes from time to time how far the pass is. It ignores a failed write, because the
// file is only informative.
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

package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// A lane is one file of a stream with the goroutine that writes or reads it: the library, its
// buffer and, if the file is compressed, the codec with another buffer.
type lane struct {
	name  string
	codec *StreamCodec
	pipe  *Pipe // nil: the file is plain
	file  *os.File
	in    *counted64 // counts the bytes read from the file
	w     *bufio.Writer
	outer *bufio.Writer // buffer before the file, if it is compressed; otherwise w
	press io.WriteCloser
	r     *bufio.Reader
	put   *limited   // counts plain bytes, if the file is compressed on writing
	got   *counted64 // counts plain bytes, if the file is decompressed on reading
	read  int        // messages of the last batch
	over  bool
}

// lanes are all files of a stream.
type lanes []*lane

// lanes opens the files of the stream by open.
func (p *streaming) lanes(open func(*lane) error) (lanes, error) {
	var all lanes
	for _, name := range append([]string{p.File}, p.More...) {
		l := &lane{name: name, codec: p.fresh(), pipe: p.pipe}
		if err := open(l); err != nil {
			return nil, errors.Join(err, all.close())
		}
		all = append(all, l)
	}
	return all, nil
}

// each calls f for all lanes concurrently. A single lane runs on the calling goroutine.
func (all lanes) each(f func(*lane) error) error {
	if len(all) == 1 {
		return f(all[0])
	}
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, l := range all {
		wg.Go(func() { errs[i] = f(l) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// close closes the files.
func (all lanes) close() error {
	var errs []error
	for _, l := range all {
		errs = append(errs, l.file.Close())
	}
	return errors.Join(errs...)
}

// create truncates the file. room limits the total size of all files.
func (l *lane) create(room *limited) (err error) {
	if l.file, err = os.OpenFile(l.name, os.O_WRONLY|os.O_TRUNC, 0); err != nil {
		return err
	}
	l.outer = bufio.NewWriterSize(room.of(l.file), streamBuffer)
	l.w = l.outer
	return nil
}

// begin begins the codec's stream, if the file is compressed, and the library's stream.
func (l *lane) begin() (err error) {
	if l.pipe != nil {
		if l.codec.OpenAt != nil {
			return errSeeks
		}
		if l.press, err = l.pipe.Writer(l.outer); err != nil {
			return err
		}
		l.put = &limited{}
		l.w = bufio.NewWriterSize(l.put.of(l.press), streamBuffer)
	}
	return l.codec.Create(l.w)
}

func (l *lane) write() error { return l.codec.Write() }

// end ends the streams and flushes the buffers.
func (l *lane) end() error {
	if err := errors.Join(l.codec.Close(), l.w.Flush()); err != nil || l.pipe == nil {
		return err
	}
	return errors.Join(l.press.Close(), l.outer.Flush())
}

// open opens the file for reading.
func (l *lane) open() (err error) {
	if l.file, err = os.Open(l.name); err != nil {
		return err
	}
	l.in = &counted64{f: l.file}
	return nil
}

// errSeeks reports a format that is read by seeking and therefore cannot be compressed as a
// whole.
var errSeeks = errors.New("the format is read by seeking in the file, which a file that is compressed as a whole does not allow; it compresses by itself")

// start begins to read.
func (l *lane) start() error {
	if l.codec.OpenAt != nil && l.pipe != nil {
		return errSeeks
	}
	if l.codec.OpenAt != nil {
		info, err := l.file.Stat()
		if err != nil {
			return err
		}
		return l.codec.OpenAt(&countedAt{l.file, l.in}, info.Size())
	}
	l.r = bufio.NewReaderSize(l.in, streamBuffer)
	if l.pipe != nil {
		plain, err := l.pipe.Reader(l.r)
		if err != nil {
			return err
		}
		l.got = &counted64{f: plain}
		l.r = bufio.NewReaderSize(l.got, streamBuffer)
	}
	return l.codec.Open(l.r)
}

// next reads up to n messages and notes whether the stream has ended.
func (l *lane) next(n int) (err error) {
	l.read, err = l.codec.Read(n)
	if l.over = errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF); l.over {
		return nil
	}
	return err
}

// pending returns how many bytes wait in the buffers before the files.
func (all lanes) pending() (n int64) {
	for _, l := range all {
		n += int64(l.outer.Buffered())
	}
	return n
}

// bytes returns how many bytes of the files were read.
func (all lanes) bytes() (n int64) {
	for _, l := range all {
		n += l.in.read
	}
	return n
}

// plain returns how many plain bytes the libraries wrote or read, if the files are compressed.
func (all lanes) plain() (n int64) {
	for _, l := range all {
		switch {
		case l.put != nil:
			n += l.put.bytes()
		case l.got != nil:
			n += l.got.read
		}
	}
	return n
}

// A limited limits the bytes that several writers may write together; if most is 0, there is no
// limit.
type limited struct {
	written atomic.Int64
	most    int64
}

// of returns a writer to w that counts against the limit.
func (l *limited) of(w io.Writer) io.Writer { return &limitedWriter{l, w} }

// bytes returns how many bytes were written.
func (l *limited) bytes() int64 { return l.written.Load() }

type limitedWriter struct {
	*limited
	w io.Writer
}

func (l *limitedWriter) Write(b []byte) (int, error) {
	if l.most > 0 && l.bytes()+int64(len(b)) > l.most {
		return 0, fmt.Errorf("%w: more than the %d bytes that there is room for", errRoom, l.most)
	}
	n, err := l.w.Write(b)
	l.written.Add(int64(n))
	return n, err
}

// errRoom reports a stream that does not fit on the disk.
var errRoom = errors.New("the stream does not fit on the disk")

// enough returns an error if a stream of all messages will not fit, judged by the size of the
// done messages. pending bytes of them are not written yet.
func (l *limited) enough(pending, done, all int64) error {
	if l.most <= 0 || done == 0 {
		return nil
	}
	if need := float64(l.bytes()+pending) / float64(done) * float64(all); need > float64(l.most) {
		return fmt.Errorf("%w: it would take about %.0f bytes, and there is room for %d", errRoom, need, l.most)
	}
	return nil
}

// A counted64 is a reader that counts the bytes it has read.
type counted64 struct {
	f    io.Reader
	read int64
}

func (c *counted64) Read(b []byte) (int, error) {
	n, err := c.f.Read(b)
	c.read += int64(n)
	return n, err
}

// A countedAt is an io.ReaderAt that counts the bytes it has read.
type countedAt struct {
	f  io.ReaderAt
	in *counted64
}

func (c *countedAt) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.f.ReadAt(b, at)
	c.in.read += int64(n)
	return n, err
}

package userdata

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/internal/cachedir"
)

// All returns the name of the file of all records.
func (d *Data) All() string { return d.entry.Path(recordsFile) }

// Sample returns the name of a file of the records that are timed.
func (d *Data) Sample() (string, error) { return d.spread(int64(d.Timed())) }

// Spread returns a file of n records whose sizes are distributed like those of all and that have
// about the given number of bytes together. If all records fit, it returns the file of all of them.
func (d *Data) Spread(bytes int64) (file string, n int64, err error) {
	n = d.Records
	if total := d.Neutral(); total > bytes {
		n = max(1, int64(float64(n)*float64(bytes)/float64(total)))
	}
	file, err = d.spread(n)
	return file, n, err
}

// Few returns a file of at most n records whose sizes are distributed like those of all.
func (d *Data) Few(n int64) (string, error) { return d.spread(min(n, d.Records)) }

// spread returns a file of n records whose sizes are distributed like those of all.
func (d *Data) spread(n int64) (string, error) {
	if n == d.Records {
		return d.All(), nil
	}
	chosen := d.chosen(n)
	write := func(to io.Writer) error {
		return d.copy(to, n, func(i int64) int64 { return chosen[i] })
	}
	name := fmt.Sprintf("sample-%d.jsonl", n)
	if d.evenly { // another process may read the other records
		name = fmt.Sprintf("spread-%d.jsonl", n)
	}
	same, err := d.holds(name, write)
	if err == nil && !same {
		err = d.entry.Fill(func(w *cachedir.Writer) error { return w.Write(name, write) })
	}
	return d.entry.Path(name), err
}

// holds reports whether a file beside the records has the content that write writes. The file
// may have been damaged.
func (d *Data) holds(name string, write func(io.Writer) error) (bool, error) {
	f, err := d.entry.Open(name)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	got, want := newCounter(io.Discard), newCounter(io.Discard)
	if _, err := io.Copy(got, f); err != nil {
		return false, nil
	}
	err = write(want)
	return got.hashed() == want.hashed(), err
}

// copy writes n records. number returns their numbers, which must ascend.
func (d *Data) copy(to io.Writer, n int64, number func(i int64) int64) error {
	all, err := os.Open(d.All())
	if err != nil {
		return err
	}
	defer all.Close()
	r, at := bufio.NewReaderSize(all, 64<<10), int64(0) // at is the number of the record that r reads next
	w := bufio.NewWriterSize(to, 1<<20)
	for i := range n {
		k := number(i)
		if record, offset := d.places.before(k); record > at {
			if _, err := all.Seek(offset, io.SeekStart); err != nil {
				return err
			}
			r.Reset(all)
			at = record
		}
		for ; at < k; at++ {
			if err := line(r, io.Discard); err != nil {
				return err
			}
		}
		if err := line(r, w); err != nil {
			return err
		}
		at++
	}
	return w.Flush()
}

// line copies the rest of a line, including its end.
func line(r *bufio.Reader, to io.Writer) error {
	for {
		part, err := r.ReadSlice('\n')
		if _, failed := to.Write(part); failed != nil {
			return failed
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(part) > 0:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// A Block is a range of consecutive records.
type Block struct {
	First, N int64 // the number of the first record, from 0, and the number of records
	Bytes    int64 // size in neutral form
}

// Blocks divides all records into blocks of at most the given number of bytes. A block is
// larger if the records between two known offsets are.
func (d *Data) Blocks(bytes int64) []Block {
	var out []Block
	for first := int64(0); first < d.Records; {
		_, begin := d.places.before(first)
		n := min(d.places.every, d.Records-first)
		for first+n < d.Records {
			next := min(first+n+d.places.every, d.Records)
			if d.end(next)-begin > bytes {
				break
			}
			n = next - first
		}
		out = append(out, Block{first, n, d.end(first+n) - begin})
		first += n
	}
	return out
}

// end returns the offset of record k, where the records before it end. The offset of k must
// be known, or k must be the number of records.
func (d *Data) end(k int64) int64 {
	if k == d.Records {
		return d.size
	}
	_, offset := d.places.before(k)
	return offset
}

// Block writes the records of a block to a temporary file, calls do with its name, and
// removes the file.
func (d *Data) Block(b Block, do func(file string) error) error {
	write := func(to io.Writer) error { return d.copy(to, b.N, func(i int64) int64 { return b.First + i }) }
	tmp, err := d.cache.Temp(true)
	if err != nil {
		return blockElsewhere(write, do)
	}
	defer tmp.Remove()
	if err := tmp.Fill(func(w *cachedir.Writer) error { return w.Write(recordsFile, write) }); err != nil {
		return err
	}
	return do(tmp.Path(recordsFile))
}

// blockElsewhere is Block with a file outside the cache, for a cache that cannot be written
// to.
func blockElsewhere(write func(io.Writer) error, do func(file string) error) error {
	dir, err := os.MkdirTemp("", "assay-block-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, recordsFile)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return do(name)
}

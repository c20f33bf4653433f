package userdata

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// All is the file of all records.
func (d *Data) All() string { return filepath.Join(d.dir, recordsFile) }

// Sample returns the file of the records that are timed.
func (d *Data) Sample() (string, error) { return d.spread(int64(d.Timed())) }

// Spread returns a file of records that are spread evenly over all and have
// about that many bytes together, and how many they are: all of them where they
// fit.
func (d *Data) Spread(bytes int64) (file string, n int64, err error) {
	n = d.Records
	if total := d.Neutral(); total > bytes {
		n = max(1, int64(float64(n)*float64(bytes)/float64(total)))
	}
	file, err = d.spread(n)
	return file, n, err
}

// Few returns a file of at most n records that are spread evenly over all.
func (d *Data) Few(n int64) (string, error) { return d.spread(min(n, d.Records)) }

// spread returns the file of n records, each from the middle of its n-th part.
func (d *Data) spread(n int64) (string, error) {
	if n == d.Records {
		return d.All(), nil
	}
	name := filepath.Join(d.dir, fmt.Sprintf("spread-%d.jsonl", n))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	return name, d.copy(name, n, func(i int64) int64 { return (2*i + 1) * d.Records / (2 * n) })
}

// copy makes a file of n records, whose numbers are in ascending order.
func (d *Data) copy(name string, n int64, number func(i int64) int64) (err error) {
	all, err := os.Open(d.All())
	if err != nil {
		return err
	}
	defer all.Close()
	tmp, err := os.CreateTemp(d.dir, ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails after the rename, as it should
	w := bufio.NewWriterSize(tmp, 1<<20)
	for i := range n {
		k := number(i)
		if _, err = io.Copy(w, io.NewSectionReader(all, d.index[k], d.index[k+1]-d.index[k])); err != nil {
			break
		}
	}
	if err = errors.Join(err, w.Flush(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// Blocks calls do for files of records in turn, which together are all of them:
// each has about that many bytes at most, or one record. First is the number of
// its first record, from 0. A file is gone after its call.
func (d *Data) Blocks(bytes int64, do func(file string, first, n int64) error) error {
	for first := int64(0); first < d.Records; {
		n := int64(1)
		for first+n < d.Records && d.index[first+n+1]-d.index[first] <= bytes {
			n++
		}
		if err := d.block(first, n, do); err != nil {
			return err
		}
		first += n
	}
	return nil
}

func (d *Data) block(first, n int64, do func(file string, first, n int64) error) error {
	dir, err := os.MkdirTemp(d.dir, ".block-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, recordsFile)
	if err := d.copy(name, n, func(i int64) int64 { return first + i }); err != nil {
		return err
	}
	return do(name, first, n)
}

package userdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Shown is how many records are kept as they are in the files, spread evenly over
// all: what a user takes away with --with-records.
const Shown = 10

// originals are records as they are in the files.
type originals struct {
	total int64 // 0: it is not known
	seen  int64
	kept  [][]byte
}

// take takes the next record, and keeps it if it is one of those to keep: from the
// middle of each part of all, or the first where their number is not known.
func (o *originals) take(raw []byte) error {
	i := o.seen
	o.seen++
	n := min(Shown, o.total)
	wanted := i < Shown
	if o.total > 0 {
		// The k-th kept is number (2k+1)·total/2n.
		k := int64(len(o.kept))
		wanted = k < n && i == (2*k+1)*o.total/(2*n)
	}
	if wanted {
		o.kept = append(o.kept, slices.Clone(raw))
	}
	return nil
}

// keepOriginals keeps the records as they are in the files beside the records.
func (d *Data) keepOriginals() error {
	data, err := json.Marshal(d.originals.kept)
	if err != nil {
		return err
	}
	return d.entry.WriteFile(originalsFile, data)
}

// Originals returns records as they are in the files, at most Shown, spread evenly
// over all: JSON, or messages in binary form. There are none where a program of
// another version kept the records, or where they have no such form.
func (d *Data) Originals() ([][]byte, error) {
	all := d.originals.kept
	if d.originals.seen == 0 { // they are of the cache
		f, err := d.entry.Open(originalsFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := json.NewDecoder(f).Decode(&all); err != nil {
			return nil, fmt.Errorf("%s in the cache: %w", originalsFile, err)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(raw []byte) bool { return len(raw) == 0 }), nil
}

package userdata

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

// write writes them to a file.
func (o *originals) write(name string) error {
	data, err := json.Marshal(o.kept)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}

// originalsFile is a file in a directory of records.
const originalsFile = "originals.json"

// Originals returns records as they are in the files, at most Shown, spread evenly
// over all: JSON, or messages in binary form. There are none where a program of
// another version kept the records, or where they have no such form.
func (d *Data) Originals() ([][]byte, error) {
	data, err := os.ReadFile(filepath.Join(d.dir, originalsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all [][]byte
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(raw []byte) bool { return len(raw) == 0 }), nil
}

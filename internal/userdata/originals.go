package userdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Shown is how many records are kept as they are in the files, spread evenly over all. The
// flag --with-records shows them.
const Shown = 10

// originals holds records as they are in the files.
type originals struct {
	total int64 // number of records; 0: unknown
	seen  int64
	kept  [][]byte
}

// take counts the next record, and keeps it if it is in the middle of one of Shown equal
// parts of all records. If the total is unknown, it keeps the first Shown.
func (o *originals) take(raw []byte) error {
	i := o.seen
	o.seen++
	n := min(Shown, o.total)
	wanted := i < Shown
	if o.total > 0 {
		// The k-th kept record has number (2k+1)·total/2n.
		k := int64(len(o.kept))
		wanted = k < n && i == (2*k+1)*o.total/(2*n)
	}
	if wanted {
		o.kept = append(o.kept, slices.Clone(raw))
	}
	return nil
}

// keepOriginals stores the original records in the cache, beside the neutral ones.
func (d *Data) keepOriginals() error {
	data, err := json.Marshal(d.originals.kept)
	if err != nil {
		return err
	}
	return d.entry.WriteFile(originalsFile, data)
}

// Originals returns at most Shown records as they are in the files, spread evenly over all:
// JSON, or messages in binary form. It returns none if another version of the program stored
// the records, or if the records have no such form.
func (d *Data) Originals() ([][]byte, error) {
	all := d.originals.kept
	if d.originals.seen == 0 { // the records were opened from the cache
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

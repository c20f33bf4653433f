package infer

import (
	"errors"
	"fmt"
)

// Errorf returns an error at an offset of the record's JSON.
func (r Record) Errorf(offset int64, format string, args ...any) *Error {
	return r.fail(offset, format, args...)
}

// Each visits the records of JSON sources, found as the function JSON finds them, for callers that
// have their schema from elsewhere. With Options.SkipBad, a record is left out if visit returns an
// *Error. Reading ends when visit returns ErrEnough. The result has no schema; its Records, Bytes,
// Bad and Notes are those of the records visited so far, and Limited is the note that a limit ended the
// reading.
func Each(sources []Source, o Options, visit func(Record) error) (*Result, error) {
	r := &Result{sources: sources, options: o.WithDefaults()}
	if err := r.place(nil); err != nil {
		return nil, err
	}
	p, err := r.each(visit)
	if errors.Is(err, errWhole) {
		return nil, fmt.Errorf("%w; say with --records where the records are, with . when each document is one", err)
	}
	if err != nil {
		return nil, err
	}
	if p.cut {
		return nil, r.nothing(p)
	}
	r.Records, r.Bytes, r.Bad, r.BadCount, r.Notes = p.seen, p.bytes, p.bad, p.badCount, append(p.stopped, p.notRecords()...)
	r.Limited = p.limited
	return r, nil
}

package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"assay/internal/nearest"
)

// Embedded reads the claims of the published benchmarks.
func Embedded(source fs.FS) (*Ledger, error) {
	names, err := fs.Glob(source, "published/sources/*/claims.toml")
	if err != nil {
		return nil, err
	}
	return Read(names, func(name string) ([]byte, error) { return fs.ReadFile(source, name) })
}

// Read reads claims files into one ledger. The error lists everything that is wrong in any file,
// with file, line and column.
func Read(names []string, read func(string) ([]byte, error)) (*Ledger, error) {
	ledger := &Ledger{}
	var errs []error
	for _, name := range names {
		data, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read the claims: %w", err)
		}
		l, err := Parse(name, data)
		if err == nil {
			err = ledger.Add(l)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return ledger, nil
}

// Choose returns the IDs of the wanted claims, which are named by their ID or by their number in
// the ledger, counted from 1. Without names it returns all claims. If source is not empty, it
// returns only claims of that source. It returns an error if the source or a claim does not exist,
// or if a wanted claim is of another source.
func (l *Ledger) Choose(source string, wanted []string) ([]string, error) {
	if _, ok := l.Source(source); !ok && source != "" {
		var ids []string
		for _, s := range l.Sources {
			ids = append(ids, s.ID)
		}
		return nil, fmt.Errorf("there is no source %q%s", source, nearest.Otherwise(source, ids))
	}
	var known, chosen []string
	for _, c := range l.Claims {
		known = append(known, c.ID)
	}
	named := map[int]bool{}
	for _, name := range wanted {
		i := slices.Index(known, name)
		if n, err := strconv.Atoi(name); err == nil && i < 0 && n <= len(known) {
			i = n - 1
		}
		switch {
		case i < 0:
			return nil, fmt.Errorf("there is no claim %q%s", name, nearest.OtherwiseListed("claims", name, known))
		case source != "" && l.Claims[i].Source != source:
			return nil, fmt.Errorf("claim %s is of source %s, not of %s", name, l.Claims[i].Source, source)
		}
		named[i] = true
	}
	for i, c := range l.Claims {
		if (source == "" || c.Source == source) && (named[i] || len(wanted) == 0) {
			chosen = append(chosen, c.ID)
		}
	}
	return chosen, nil
}

// Part returns a ledger with the claims of the given IDs and all sources.
func (l *Ledger) Part(ids []string) *Ledger {
	part := &Ledger{Sources: l.Sources}
	for _, c := range l.Claims {
		if slices.Contains(ids, c.ID) {
			part.Claims = append(part.Claims, c)
		}
	}
	return part
}

package catalog

import (
	"io/fs"
	"slices"
	"strings"

	"assay/internal/nearest"
	"assay/internal/refusal"
	"assay/published/claims"
	"assay/published/exhibits"
	"assay/published/sources"
)

// Exhibits returns the exhibits with these names, or all of them if there are no names. The error for
// an unknown name is a refusal.
func Exhibits(source fs.FS, names []string) ([]exhibits.Description, error) {
	all, err := exhibits.Load(source)
	if err != nil {
		return nil, err
	}
	return among("exhibit", all, exhibitName, names)
}

// ClaimedExhibits returns an error if a claim names an exhibit that does not exist. It is a refusal,
// and says where the claim is.
func ClaimedExhibits(source fs.FS, all []*claims.Claim) error {
	known, err := exhibits.Load(source)
	if err != nil {
		return err
	}
	for _, c := range all {
		if _, err := among("exhibit", slices.Clone(known), exhibitName, c.Exhibits); err != nil {
			return refusal.Errorf("%s:%d: claim %s: %w", c.File, c.Line, c.ID, err)
		}
	}
	return nil
}

// ExhibitNames returns the names of all exhibits, for completion; nil if they cannot be read.
func ExhibitNames(source fs.FS) []string {
	all, _ := exhibits.Load(source)
	return namesOf(all, exhibitName)
}

func exhibitName(e exhibits.Description) string { return e.Name }

// Sources returns the sources with these IDs, or all of them if there are no IDs. The error for an
// unknown ID is a refusal.
func Sources(source fs.FS, ids []string) ([]sources.Source, error) {
	all, err := sources.Load(source)
	if err != nil {
		return nil, err
	}
	return among("source", all, sourceID, ids)
}

// SourceIDs returns the IDs of all sources, for completion; nil if they cannot be read.
func SourceIDs(source fs.FS) []string {
	all, _ := sources.Load(source)
	return namesOf(all, sourceID)
}

func sourceID(s sources.Source) string { return s.ID }

// ClaimIDs returns the IDs of all claims, for completion; nil if they cannot be read.
func ClaimIDs(source fs.FS) []string {
	l, err := claims.Embedded(source)
	if err != nil {
		return nil
	}
	return namesOf(l.Claims, func(c *claims.Claim) string { return c.ID })
}

// among returns the named things of a kind, or all of them if there are no names.
func among[T any](kind string, all []T, name func(T) string, names []string) ([]T, error) {
	known := namesOf(all, name)
	for _, n := range names {
		if !slices.Contains(known, n) {
			near := nearest.Hint(n, known)
			if near == "" { // assay list has no list of them
				near = "; there are: " + strings.Join(known, ", ")
			}
			return nil, refusal.Errorf("there is no %s %q%s", kind, n, near)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(names, name(x)) }), nil
}

func namesOf[T any](all []T, name func(T) string) []string {
	var names []string
	for _, x := range all {
		names = append(names, name(x))
	}
	return names
}

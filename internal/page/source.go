package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/report"
	"assay/result"
)

// Of returns the source of the page of a run. t is the answer of a run of assay try, and nil for
// other runs.
func Of(run *result.Run, records []result.Record, t *report.Try) *Source {
	return of(run, records, t, "")
}

// of does what Of does. side is the version to show of a run that compares two; "" is the first.
func of(run *result.Run, records []result.Record, t *report.Try, side string) *Source {
	args := run.Args
	if run.Private() {
		args = withoutConditions(args)
	}
	s := &Source{Records: records, Try: t, Command: phrase.ShellLine(append([]string{"assay"}, args...)...), Again: again(run)}
	if t != nil {
		s.Results = t.Results
	} else {
		s.Results = analysis.Of(run, records, analysis.View{Side: side})
	}
	return s
}

// OfComparison returns the source of the page of a comparison: the second run or version, and the
// changes.
func OfComparison(c *analysis.Comparison) *Source {
	s := of(c.B.Run, c.B.Records, nil, c.B.Version)
	s.Comparison = c
	switch c.Kind {
	case analysis.OfRuns:
		s.Beside = []*analysis.Results{analysis.Of(c.A.Run, c.A.Records, analysis.View{})}
	case analysis.OfVersions:
		s.Again = "" // assay show prints the first version
		s.Results.Warnings = append(s.Results.Warnings, analysis.Warning{Kind: analysis.TwoSides,
			Text: fmt.Sprintf("the run compared two versions: this shows %s; the changes and the samples are of both", c.B.Label)})
	}
	return s
}

// OfClaims returns the source of the page of rulings.
func OfClaims(c *report.Claims) *Source {
	s := &Source{Claims: c, Results: c.Results, Command: c.Repeat}
	if c.Results != nil && c.Results.Run.Name != "" {
		s.Again = again(c.Results.Run)
	}
	return s
}

// again returns the command line that prints a stored run.
func again(run *result.Run) string {
	if run.Name != "" {
		return "assay show " + run.Name
	}
	return "assay show " + phrase.ShellLine(run.ID)
}

// withoutConditions returns the arguments of a command without the values of records that --only
// names, because people send pages to others.
func withoutConditions(args []string) []string {
	const flag = "--only"
	out := slices.Clone(args)
	for i, arg := range out {
		before := ""
		if rest, ok := strings.CutPrefix(arg, flag+"="); ok {
			before, arg = flag+"=", rest
		} else if i == 0 || args[i-1] != flag {
			continue
		}
		if path, _, ok := strings.Cut(arg, "="); ok {
			out[i] = before + path + "=…"
		}
	}
	return out
}

// Private reports whether a page shows anything of a user's own data, from its run or from a run
// beside it.
func (s *Source) Private() bool {
	for _, r := range append([]*analysis.Results{s.Results}, s.Beside...) {
		if r != nil && r.Run.Private() {
			return true
		}
	}
	return s.Try != nil
}

// WriteFile writes a page to a new file, completely or not at all. Only the owner can read the
// page of a user's own data; the owner may pass it on.
func WriteFile(file string, s *Source) error {
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		return fmt.Errorf("cannot make the page: %w", err)
	}
	write := outfile.Write
	if s.Private() {
		write = outfile.WritePrivate
	}
	if err := write(file, func(w io.Writer) error { _, err := b.WriteTo(w); return err }); err != nil {
		return fmt.Errorf("cannot write %s: %w; name another file", file, err)
	}
	return nil
}

// WriteSite writes the pages of Site to a directory. It overwrites pages that an earlier WriteSite wrote
// there and nobody changed, and removes those that the new site no longer has: a page that no index
// names would still show a run. If a run is private, so are all pages, because that of a contender shows
// several runs.
func WriteSite(dir string, runs []*Source) error {
	pages, err := Site(runs)
	if err != nil {
		return fmt.Errorf("cannot make the pages: %w", err)
	}
	private := slices.ContainsFunc(runs, (*Source).Private)
	var files []outfile.File
	for _, p := range pages {
		files = append(files, outfile.File{Name: p.Name, Data: p.Data, Private: private})
	}
	if err := outfile.ReplaceDir(dir, indexFile, files); err != nil {
		return fmt.Errorf("cannot write the site: %w", err)
	}
	return nil
}

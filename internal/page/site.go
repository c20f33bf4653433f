package page

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/report"
	"assay/result"
)

// indexFile is the page that leads to all others of a site. Every site has it.
const indexFile = "index.html"

// A File is a file of a site. Name is its path in the site's directory.
type File struct {
	Name string
	Data []byte
}

// Site returns the pages of several runs: an index, a page for each run, a page for each
// contender over all runs and machines, and a page of claims for each run that rules on claims.
// The pages link to one another by relative paths, so any static host can serve them. Runs keep
// the given order; all must have results.
func Site(runs []*Source) ([]File, error) {
	s := site{runs: runs}
	names := s.contenders()
	files := map[string]func() ([]byte, error){indexFile: func() ([]byte, error) { return s.index(names) }}
	order := []string{indexFile}
	add := func(name string, of func() ([]byte, error)) {
		if files[name] == nil {
			order = append(order, name)
		}
		files[name] = of
	}
	for i, run := range runs {
		add(s.runFile(i), func() ([]byte, error) {
			one := *run
			one.Links = append([]Link{{"All runs", indexFile}}, one.Links...)
			var b bytes.Buffer
			err := Write(&b, &one)
			return b.Bytes(), err
		})
		if run.Claims != nil {
			add(s.claimsFile(i), func() ([]byte, error) {
				var b bytes.Buffer
				err := Write(&b, &Source{Claims: run.Claims, Contenders: run.Contenders, Links: []Link{{"All runs", indexFile}}})
				return b.Bytes(), err
			})
		}
	}
	for i, name := range names {
		add(contenderFile(i, name), func() ([]byte, error) { return s.contender(name) })
	}
	var out []File
	for _, name := range order {
		data, err := files[name]()
		if err != nil {
			return nil, err
		}
		out = append(out, File{name, data})
	}
	return out, nil
}

type site struct{ runs []*Source }

// runFile, claimsFile and contenderFile return the names of pages. The number separates names
// that become equal without their punctuation.
func (s *site) runFile(i int) string {
	return fmt.Sprintf("run-%d-%s.html", i+1, slug(s.runs[i].Results.Run.ID))
}

func (s *site) claimsFile(i int) string {
	return fmt.Sprintf("claims-%d-%s.html", i+1, slug(s.runs[i].Results.Run.ID))
}

func contenderFile(i int, name string) string {
	return fmt.Sprintf("contender-%d-%s.html", i+1, slug(name))
}

// contenders returns the sorted names of all contenders that have a time in some run.
func (s *site) contenders() []string {
	var names []string
	for _, run := range s.runs {
		for _, t := range run.Results.Tables {
			for _, row := range t.Rows {
				if name := row.Case.Contender; row.Metric == analysis.Time && row.Number != nil && name != analysis.Floor && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// plain returns a page that has only sections.
func plain(title, line string, links []Link, sections ...section) ([]byte, error) {
	island, err := compressed((&builder{Source: &Source{}}).island())
	if err != nil {
		return nil, err
	}
	c := &content{
		Title: title, Head: header{Title: title, Line: line}, Policy: Policy(), Style: template.CSS(pageCSS), Script: template.JS(script()),
		Island: island, Sections: sections, Links: links,
	}
	var b bytes.Buffer
	err = c.write(&b, nil)
	return b.Bytes(), err
}

// index returns the page that lists the runs and the contenders.
func (s *site) index(names []string) ([]byte, error) {
	runs := section{ID: "runs", Title: "Runs"}
	t := &table{Title: "Runs, with what they measured and how far they can be trusted", Columns: []report.PartColumn{
		{Title: "run"}, {Title: "date"}, {Title: "what"}, {Title: "machine"}, {Title: "Go"}, {Title: "grade"}, {Title: "verified", Right: true},
	}}
	var claims []Link
	for i, run := range s.runs {
		r := run.Results.Run
		if run.Claims != nil {
			claims = append(claims, Link{"The claims, ruled on by run " + short(r.ID), s.claimsFile(i)})
		}
		p := &builder{Source: run}
		grade := ""
		if run.Results.Grade != nil {
			grade = run.Results.Grade.Letter
		}
		t.Rows = append(t.Rows, tableRow{Subject: -1, Cells: []cell{
			{Text: short(r.ID), Link: s.runFile(i)}, {Text: dateOf(r)}, {Text: p.title()}, {Text: machineOf(r)}, {Text: r.Build.Go},
			{Text: grade}, {Text: verifiedOf(run.Results)},
		}})
	}
	runs.add(block{Table: t})
	if len(claims) > 0 {
		runs.add(block{Links: claims})
	}
	all := section{ID: "contenders", Title: "Contenders"}
	var links []Link
	for i, name := range names {
		links = append(links, Link{short(name), contenderFile(i, name)})
	}
	if len(links) > 0 {
		all.add(text("Each over all runs and machines:"), block{Links: links})
	}
	sections := []section{runs}
	if len(all.Blocks) > 0 {
		sections = append(sections, all)
	}
	return plain("Runs of assay", phrase.Count(len(s.runs), "run")+", "+phrase.Count(len(names), "contender"), nil, sections...)
}

// contender returns the page with one contender's numbers in every run.
func (s *site) contender(name string) ([]byte, error) {
	numbers := section{ID: "numbers", Title: "Every run"}
	t := &table{Title: "Speeds are against the reference of their own run: times of two machines are not compared", Columns: []report.PartColumn{
		{Title: "run"}, {Title: "machine"}, {Title: "version"}, {Title: "what"}, {Title: "mode"}, {Title: "rank"}, {Title: "times as fast", Right: true}, {Title: "time", Right: true}, {Title: "size", Right: true}, {Title: "allocs", Right: true},
	}}
	line := ""
	for i, run := range s.runs {
		p := &builder{Source: run}
		about := p.about(name)
		version := ""
		if about != nil {
			version, line = p.version(about), about.Title
		}
		for k := range run.Results.Tables {
			table := &run.Results.Tables[k]
			v := p.tableView(table)
			if v == nil {
				continue
			}
			for _, row := range v.Rows {
				if p.subjects[row.Subject].Contender != name {
					continue
				}
				speed := textOf(row.Speed)
				if speed != "" {
					speed += " " + v.Reference
				}
				t.Rows = append(t.Rows, tableRow{Subject: -1, Cells: []cell{
					{Text: short(run.Results.Run.ID), Link: s.runFile(i)}, {Text: machineOf(run.Results.Run)}, {Text: version}, {Text: report.CellName(table.Cell)}, {Text: analysis.ModeName(row.Mode)},
					{Text: row.Rank}, {Text: speed}, {Text: textOf(row.Time)}, {Text: textOf(row.Size)}, {Text: textOf(row.Allocs)},
				}})
			}
		}
	}
	numbers.add(block{Table: t})
	return plain(short(name), line, []Link{{"All runs", indexFile}}, numbers)
}

func textOf(v *value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

func dateOf(r *result.Run) string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format("2006-01-02")
}

// verifiedOf says how many round trips succeeded. It is empty if there were none.
func verifiedOf(r *analysis.Results) string {
	if r.Trips == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", r.Verified, r.Trips)
}

// machineOf describes a machine in a few words.
func machineOf(r *result.Run) string {
	name := short(r.Host.CPU)
	if name == "" {
		name = short(strings.Trim(r.Host.OS+"/"+r.Host.Arch, "/"))
	}
	if r.Host.CPUs > 0 {
		name += ", " + phrase.Count(r.Host.CPUs, "CPU")
	}
	return strings.TrimPrefix(name, ", ")
}

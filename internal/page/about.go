package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

// bar draws a share as a part of the width of its cell.
func bar(share float64) template.HTML {
	if !finite(share) {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<svg><rect width="%s%%"/></svg>`, at(100*min(1, max(0, share)))))
}

// spread is the largest distance of a drawn launch from the row's time, as a share of that time.
const spread = 0.10

// noise shows each launch of each case, and the results of the controls.
func (p *builder) noise() section {
	s := section{ID: "noise", Title: "Noise"}
	if p.Results == nil {
		return s
	}
	p.each(&s, func(d *dataset) []block {
		var out []block
		for _, t := range p.tablesOf(d) {
			if b := p.launches(t); b != nil {
				out = append(out, block{Table: b})
			}
		}
		return out
	})
	s.Blocks = slices.Insert(s.Blocks, 0, p.sentinel()...)
	if g := p.Results.Grade; g != nil && g.Control != nil {
		s.Blocks = slices.Insert(s.Blocks, 0, text("The control: the reference took part twice in a launch. Its second series took "+report.TimesText(*g.Control)+" of the time of the first."))
	}
	return s
}

// launches returns the table that draws the median of each launch around the row's time. No command
// prints launches.
func (p *builder) launches(t *analysis.Table) *table {
	out := &table{Title: report.CellName(t.Cell) + ": every launch behind the row's time, within ±10% of it",
		Columns: []report.PartColumn{{Title: "contender"}, {Title: "−10%  …  +10%"}, {Title: "time", Right: true}, {Title: "launches", Right: true}}}
	for _, row := range t.Rows {
		if row.Metric != analysis.Time || row.Number == nil || len(row.Launches) == 0 || !(row.Number.Value > 0) {
			continue
		}
		var d drawing
		beyond := 0
		d.raw(`<path d="`)
		for _, l := range row.Launches {
			off := l.NS/row.Number.Value - 1
			if !finite(off) || math.Abs(off) > spread {
				beyond++
				continue
			}
			d.raw("M%.0f 9h0", 500+500*off/spread)
		}
		d.raw(`"/>`)
		n := fmt.Sprint(len(row.Launches))
		if beyond > 0 {
			n += fmt.Sprintf(", %d beyond", beyond)
		}
		out.Rows = append(out.Rows, tableRow{Subject: p.subject(row.Case.Subject()), Cells: []cell{
			{Text: short(row.Case.Subject().String()), Head: true},
			{SVG: template.HTML(`<svg viewBox="0 0 1000 18" preserveAspectRatio="none">` + d.b.String() + `</svg>`), Class: "launches"},
			{Text: report.MeasureText(*row.Number)}, {Text: n},
		}})
	}
	if len(out.Rows) == 0 {
		return nil
	}
	return out
}

// leastEdge is the least upper edge of the picture of the sentinel, as a multiple of its best: on a
// quiet machine, small differences do not fill the picture.
const leastEdge = 2

// sentinel draws the median sentinel time of each launch, and says what the picture shows. The scale is
// logarithmic and reaches the slowest launch: on a busy machine it takes several times its best.
func (p *builder) sentinel() []block {
	var medians []float64
	best := math.Inf(1)
	if b := p.Results.Run.Host.SentinelBest; b > 0 {
		best = float64(b)
	}
	for _, r := range p.Records {
		if r.Launch == nil || len(r.Launch.Sentinel) == 0 {
			continue
		}
		walks := slices.Clone(r.Launch.Sentinel)
		slices.Sort(walks)
		if m := float64(walks[len(walks)/2]); m > 0 {
			medians = append(medians, m)
			best = min(best, m)
		}
	}
	if len(medians) < 2 {
		return nil
	}
	edge := max(leastEdge, slices.Max(medians)/best)
	const width, height = 720.0, 90.0
	y := func(m float64) float64 { return height - 8 - (height-16)*math.Log(m/best)/math.Log(edge) }
	var d drawing
	d.line("limit", 0, y(1.1*best), width, y(1.1*best))
	d.raw(`<path class="walks" d="`)
	for i, m := range medians {
		d.raw("M%s %sh0", at(4+(width-8)*float64(i)/float64(len(medians)-1)), at(y(m)))
	}
	d.raw(`"/>`)
	return []block{
		text("The sentinel, a walk through 1 MiB of pointers, launch by launch in the order of the run. It takes longer when other programs use the caches. " +
			"The lower edge is its best, and the line 1.1 times its best. The scale is logarithmic, and the upper edge is " + report.FactorText(edge) + " times its best."),
		{SVG: d.svg("strip", width, height, fmt.Sprintf("The sentinel in %d launches", len(medians)))},
	}
}

// contenders describes each contender.
func (p *builder) contenders() section {
	s := section{ID: "contenders", Title: "Contenders"}
	t := &table{Title: "Contenders of this page", Columns: []report.PartColumn{
		{Title: "contender"}, {Title: "format"}, {Title: "version"}, {Title: "license"}, {Title: "traits"}, {Title: "when to choose it"}, {Title: "code that is timed"},
	}, Command: "assay list contenders"}
	var links []Link
	for _, name := range p.names() {
		c := p.about(name)
		if c == nil {
			c = &contender.Contender{Name: name}
		}
		var traits []string
		for _, tr := range c.Traits {
			traits = append(traits, string(tr))
		}
		code := ""
		if c.Emit != nil {
			code = "contenders/" + c.Dir() + "/gen"
		}
		t.Rows = append(t.Rows, tableRow{Subject: p.subject(result.Subject{Contender: name}), Cells: []cell{
			{Text: short(name), Head: true}, {Text: c.Format}, {Text: p.version(c)}, {Text: c.License}, {Text: strings.Join(traits, ", ")}, {Text: c.Choose}, {Text: code},
		}})
		if docs := p.usage(c); docs != "" {
			links = append(links, Link{name, docs})
		}
	}
	if len(t.Rows) == 0 {
		return s
	}
	s.add(block{Table: t})
	if len(links) > 0 {
		s.add(text("What their authors say about using them:"), block{Links: links})
	}
	if b, ok := p.timedBlock(p.names()); ok {
		s.add(b)
	}
	s.add(text("assay explain CONTENDER says how each is called here, and why so."))
	return s
}

// version returns the exact version of a contender's module in the run.
func (p *builder) version(c *contender.Contender) string {
	if x := p.external(c); x != nil {
		return x.Version
	}
	if p.Results == nil || c.Module == "" {
		if c.Is(contender.Standard) && p.Results != nil {
			return p.Results.Run.Build.Go
		}
		return ""
	}
	for _, m := range p.Results.Run.Build.Modules {
		if m.Path == c.Module {
			return m.Version
		}
	}
	return ""
}

// external returns what the run knows of a contender that is external, and nil otherwise.
func (p *builder) external(c *contender.Contender) *result.External {
	if p.Results == nil {
		return nil
	}
	for i, x := range p.Results.Run.Plan.Externals {
		if x.Name == c.Name {
			return &p.Results.Run.Plan.Externals[i]
		}
	}
	return nil
}

// usage returns the URL where the authors document how to use their library.
func (p *builder) usage(c *contender.Contender) string {
	switch {
	case strings.HasPrefix(c.Advice.URL, "https://"):
		return c.Advice.URL
	case c.Module != "":
		return "https://pkg.go.dev/" + c.Module
	case c.Is(contender.Standard) && p.external(c) == nil:
		return "https://pkg.go.dev/" + c.Name
	}
	return ""
}

// method says how the run was measured, by the kind of its tables: a run has launches, streams and whole
// values, or build costs.
func (p *builder) method() []string {
	all := p.Results.Tables
	switch {
	case slices.ContainsFunc(all, func(t analysis.Table) bool { return t.Cell.Op == result.Building }):
		return nil
	case slices.ContainsFunc(all, func(t analysis.Table) bool { return t.Streamed() }):
		return []string{
			"Each op of a contender has a process of its own, with the garbage collector on.",
			"A checksum of all values that were written is compared with a checksum of all values that were read. They agree, but for declared losses; a row that nobody read back says so.",
			"Bounds are the smallest and the largest of the repeats, which are no 95% interval. A power of growth has a 95% interval.",
		}
	}
	return []string{
		"All contenders of a table, but for external contenders, share a process and take turns, batch by batch. Ratios are paired round by round, with the garbage collector off.",
		"The program is linked many times with its functions in random order, because the order alone moves a ratio by 1 to 4%.",
		"Every case was verified before it was timed: its round trip returned the value it was given, but for declared losses.",
		"Intervals in columns have 95% confidence. A ranking or another baseline uses the ranking's confidence, and changes use the comparison's.",
	}
}

// machine says where and how the run was measured, and what can be wrong with that. The machine is that of
// the run, which no command describes.
func (p *builder) machine() section {
	s := section{ID: "machine", Title: "Machine, method and bias"}
	if p.Results == nil {
		return s
	}
	run, h := p.Results.Run, p.Results.Run.Host
	t := &table{Title: "Machine and build", Columns: []report.PartColumn{{Title: ""}, {Title: ""}}}
	add := func(name, value string) {
		if value != "" && value != "0" {
			t.Rows = append(t.Rows, tableRow{Subject: -1, Cells: []cell{{Text: name, Head: true}, {Text: value}}})
		}
	}
	add("CPU", h.CPU)
	add("CPUs", fmt.Sprint(h.CPUs))
	if h.MemoryMB > 0 {
		add("memory", report.BytesText(float64(h.MemoryMB<<20)))
	}
	if h.OS != "" {
		add("system", strings.TrimSpace(h.OS+"/"+h.Arch+" "+h.Kernel))
	}
	if h.Virtual {
		add("virtual", "yes: neighbours may take CPU time and caches")
	}
	add("governor", h.Governor)
	add("Go", run.Build.Go)
	add("GOAMD64", run.Build.GOAMD64)
	add("GOFLAGS", run.Build.GOFLAGS)
	add("GOEXPERIMENT", run.Build.GOEXPERIMENT)
	add("assay", run.Tool)
	add("seed of the values", fmt.Sprint(run.Seed))
	add("run", run.ID)
	s.add(block{Table: t}, block{List: append(p.method(),
		"One machine and one set of values: another CPU, other data and other versions change the order. Measure your own data: assay try FILE.",
		"METHODOLOGY.md and BIAS.md of the project say how it is measured and what its authors chose.",
	)})
	return s
}

// reproduce shows the commands that measure and print the run again.
func (p *builder) reproduce() section {
	s := section{ID: "reproduce", Title: "Measure it again"}
	if p.Command != "" {
		s.add(text("To measure the same again:"), block{Code: p.Command})
	}
	if p.Again != "" {
		s.add(text("To print the tables of this run:"), block{Code: p.Again + " --tables"})
	}
	return s
}

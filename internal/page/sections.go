package page

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assay/bench/compress"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/report"
	"assay/result"
)

// A header is the top of a page.
type header struct {
	Title, Line string
	// Trust says how far the run can be trusted, and Why the reasons. Grades explains the letters, and is
	// never shortened.
	Trust, Grades string
	Why, Warnings []string
}

// header says what was measured, where, and how far it can be trusted.
func (p *builder) header() header {
	switch {
	case p.Results == nil && p.Comparison != nil:
		return header{Title: short(p.Comparison.A.Label) + " → " + short(p.Comparison.B.Label), Line: "a comparison"}
	case p.Results == nil && p.Claims != nil:
		return header{Title: "Claims", Line: "what was published about Go serialization, ruled on"}
	case p.Results == nil:
		return header{Title: "assay"}
	}
	run := p.Results.Run
	h := header{Title: p.title()}
	parts := []string{run.Build.Go, strings.Trim(run.Host.OS+"/"+run.Host.Arch, "/"), run.Host.CPU}
	if run.Host.CPUs > 0 {
		parts = append(parts, phrase.Count(run.Host.CPUs, "CPU"))
	}
	if run.Host.Virtual {
		parts = append(parts, "a virtual machine")
	}
	if !run.Started.IsZero() {
		parts = append(parts, run.Started.UTC().Format("2006-01-02 15:04 UTC"))
	}
	h.Line = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
	lines := report.TrustParts(p.Results)
	if len(lines) > 0 {
		h.Trust, h.Why = lines[0], lines[1:]
		if len(p.views) > 0 { // streams are not ranked
			h.Trust += " · " + report.TieText
		}
	}
	h.Grades = analysis.GradeText
	for _, w := range p.Results.Warnings {
		h.Warnings = append(h.Warnings, w.Text)
	}
	return h
}

// title names the subject of the page.
func (p *builder) title() string {
	if p.Try != nil {
		var names []string
		for _, file := range p.Try.Data.Files {
			names = append(names, short(path.Base(strings.ReplaceAll(file, `\`, "/"))))
		}
		if len(names) > 4 {
			names = append(names[:4], fmt.Sprintf("%d more", len(names)-4))
		}
		return strings.Join(names, ", ")
	}
	if p.Claims != nil {
		return "Claims about Go serialization"
	}
	if p.Comparison != nil {
		return p.Comparison.A.Label + " → " + p.Comparison.B.Label
	}
	if p.Reproduction != nil {
		return "Published tables, measured again"
	}
	var names []string
	for _, t := range p.Results.Tables {
		if !slices.Contains(names, t.Cell.Workload) {
			names = append(names, short(t.Cell.Workload))
		}
	}
	if len(names) > 6 {
		names = append(names[:6], fmt.Sprintf("%d more", len(names)-6))
	}
	if len(names) == 0 {
		return "A run of assay"
	}
	return "Go serialization: " + strings.Join(names, ", ")
}

// sections returns the sections that have content.
func (p *builder) sections() []section {
	var out []section
	for _, f := range []func() section{
		p.comparison, p.claims, p.schema, p.heat, p.sizes, p.memory, p.modesSection, p.scaling, p.losses,
		p.reproduction, p.calculator, p.noise, p.buildCost, p.streams, p.contenders, p.machine, p.reproduce,
	} {
		if s := f(); len(s.Blocks) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func (p *builder) comparison() section {
	s := section{ID: "changes", Title: "Changes"}
	if p.Comparison == nil {
		return s
	}
	above, parts, legend := report.CompareParts(p.Comparison)
	for _, line := range above {
		s.add(text(line))
	}
	s.add(tables("", parts...)...)
	s.add(block{List: legend})
	return s
}

func (p *builder) claims() section {
	s := section{ID: "claims", Title: "Claims"}
	if p.Claims == nil {
		return s
	}
	s.add(tables(p.Claims.Print, p.Claims.Parts()...)...)
	return s
}

func (p *builder) reproduction() section {
	s := section{ID: "published", Title: "Published tables beside ours"}
	if p.Reproduction != nil {
		s.add(tables("", report.ReproduceParts(p.Reproduction)...)...)
	}
	return s
}

// schema shows the schema of a user's records and the guesses about it.
func (p *builder) schema() section {
	s := section{ID: "schema", Title: "Schema and guesses"}
	if p.Try == nil {
		return s
	}
	for _, line := range p.Try.Facts() {
		s.add(text(line))
	}
	s.add(tables(p.Again, p.Try.GuessPart())...)
	if p.Try.Data.Schema != "" {
		s.add(block{Summary: "The schema", Inner: []block{{Code: p.Try.Data.Schema}}})
	}
	return s
}

// heat shows all contenders by all workloads.
func (p *builder) heat() section {
	s := section{ID: "workloads", Title: "Contenders by workload"}
	if len(p.datas) == 0 || p.datas[0].ID != "all" {
		return s
	}
	o := p.datas[0].overview
	t := &table{Title: fmt.Sprintf("Times as fast as %s, code only. A stronger colour is further from 1: blue is faster, orange slower.", o.Reference), Command: p.command(result.Cell{}, "")}
	t.Columns = []report.PartColumn{{Title: "contender"}}
	for _, c := range o.Columns {
		t.Columns = append(t.Columns, report.PartColumn{Title: strings.TrimSpace(short(c.Workload) + " " + short(c.Size)), Right: true})
	}
	for _, r := range o.Rows {
		row := tableRow{Subject: p.subject(r.Subject), Cells: []cell{{Text: short(r.Subject.String()), Head: true}}}
		for _, c := range r.Columns {
			v := speedOf(c)
			if v == nil {
				row.Cells = append(row.Cells, cell{Text: "—"})
				continue
			}
			row.Cells = append(row.Cells, cell{Text: report.FactorText(v.V) + "×", Class: heatClass(v.V)})
		}
		t.Rows = append(t.Rows, row)
	}
	s.add(block{Table: t})
	return s
}

// heatClass returns a CSS class for the distance of a factor from 1: f1 to f5 for faster, s1 to
// s5 for slower.
func heatClass(v float64) string {
	if !(v > 0) {
		return ""
	}
	l := math.Log2(v)
	step := int(min(5, math.Round(math.Abs(l))))
	switch {
	case step == 0:
		return ""
	case l > 0:
		return fmt.Sprintf("f%d", step)
	}
	return fmt.Sprintf("s%d", step)
}

// tablesOf returns the tables of a dataset.
func (p *builder) tablesOf(d *dataset) []*analysis.Table {
	var out []*analysis.Table
	for i := range p.Results.Tables {
		t := &p.Results.Tables[i]
		if d.cell.Workload == t.Cell.Workload && d.cell.Size == t.Cell.Size && d.ID != "all" {
			out = append(out, t)
		}
	}
	return out
}

// each adds the blocks of each dataset. If there are several datasets, each one gets a part that
// the reader can open.
func (p *builder) each(s *section, of func(*dataset) []block) {
	type part struct {
		title  string
		blocks []block
	}
	var parts []part
	for i := range p.datas {
		if b := of(&p.datas[i]); len(b) > 0 {
			parts = append(parts, part{p.datas[i].Title, b})
		}
	}
	for _, x := range parts {
		if len(parts) == 1 {
			s.add(x.blocks...)
		} else {
			s.add(block{Summary: x.title, Inner: x.blocks})
		}
	}
}

// sizes shows the sizes of a message, raw and compressed.
func (p *builder) sizes() section {
	s := section{ID: "sizes", Title: "Sizes"}
	p.each(&s, func(d *dataset) []block {
		for _, t := range p.tablesOf(d) {
			if t.Cell.Op == result.Encode {
				return p.sizesOf(t)
			}
		}
		for _, t := range p.tablesOf(d) {
			if t.Cell.Op == result.Decode {
				return p.sizesOf(t)
			}
		}
		return nil
	})
	return s
}

func (p *builder) sizesOf(t *analysis.Table) []block {
	type sized struct {
		s result.Subject
		v float64
	}
	var all []sized
	for _, c := range t.Cases() {
		if n := number(t, c.Subject(), analysis.EncodedSize, report.BytesText); n != nil && n.V > 0 && c.Contender != analysis.Floor {
			if c.Mode != "" && slices.ContainsFunc(all, func(x sized) bool { return x.s.Contender == c.Contender && x.v == n.V }) {
				continue // this mode does not change the size
			}
			all = append(all, sized{c.Subject(), n.V})
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b sized) int {
		switch {
		case a.v < b.v:
			return -1
		case a.v > b.v:
			return 1
		}
		return strings.Compare(a.s.String(), b.s.String())
	})
	most := all[len(all)-1].v
	out := &table{Title: "Bytes of one message: " + p.cellTitle(t.Cell), Command: p.command(t.Cell, string(t.Cell.Op))}
	out.Columns = []report.PartColumn{{Title: "contender"}, {Title: "raw, to scale"}, {Title: "raw", Right: true}}
	var codecs []string
	for _, batch := range []bool{false, true} {
		for _, c := range compress.Codecs {
			name := analysis.CompressedSize(c.Name, batch)
			if slices.ContainsFunc(t.Rows, func(r analysis.Row) bool { return r.Metric == name && r.Number != nil }) {
				codecs = append(codecs, name)
				title := c.Name + ", each alone"
				if batch {
					title = c.Name + ", in a batch"
				}
				out.Columns = append(out.Columns, report.PartColumn{Title: title, Right: true})
			}
		}
	}
	if text := report.SizesOf(p.Results.Run); text != "" {
		out.Below = append(out.Below, text)
	}
	for _, x := range all {
		row := tableRow{Subject: p.subject(x.s), Cells: []cell{
			{Text: short(x.s.String()), Head: true}, {SVG: bar(x.v / most), Class: "bar"}, {Text: report.BytesText(x.v)},
		}}
		for _, name := range codecs {
			text := "—"
			if n := number(t, x.s, name, report.BytesText); n != nil {
				text = n.Text
			}
			row.Cells = append(row.Cells, cell{Text: text})
		}
		out.Rows = append(out.Rows, row)
	}
	return []block{{Table: out}}
}

func (p *builder) cellTitle(c result.Cell) string {
	return strings.TrimSuffix(short(c.Workload)+" · "+short(c.Size), " · ")
}

// memory shows what is allocated and kept, and how much time the garbage collector takes.
func (p *builder) memory() section {
	s := section{ID: "memory", Title: "Memory and the garbage collector"}
	p.each(&s, func(d *dataset) []block {
		var out []block
		for _, t := range p.tablesOf(d) {
			out = append(out, tables(p.command(t.Cell, string(t.Cell.Op)), p.memoryOf(t))...)
		}
		return out
	})
	if len(s.Blocks) > 0 {
		s.Blocks = slices.Insert(s.Blocks, 0, text("CPU/op is CPU time of all cores with the collector on. 64 MiB live is the same beside a heap of that size. "+
			"GC is the collector's share of CPU/op. Kept is the heap that one decoded message keeps."))
	}
	return s
}

// memoryOf returns a table with a row for each case: its costs with the garbage collector on, and
// what it allocates. If all modes are the default mode, it has no column of modes.
func (p *builder) memoryOf(t *analysis.Table) report.Part {
	out, allocated := report.CellPart(t).Service, p.allocations(t)
	switch {
	case len(out.Rows) == 0:
		return allocated
	case len(allocated.Rows) == 0:
		return out
	}
	out.Title += ", and what one operation allocates"
	wide := len(out.Columns)
	names := len(allocated.Columns) - 2 // the columns of contender and mode
	out.Columns = append(slices.Clone(out.Columns), allocated.Columns[names:]...)
	rows := make([][]string, len(out.Rows))
	for i, row := range out.Rows {
		rows[i] = append(slices.Clone(row), "", "")
	}
	for _, a := range allocated.Rows {
		i := slices.IndexFunc(rows, func(r []string) bool { return slices.Equal(r[:names], a[:names]) })
		if i < 0 {
			i = len(rows)
			rows = append(rows, append(slices.Clone(a[:names]), make([]string, wide+2-names)...))
		}
		copy(rows[i][wide:], a[names:])
	}
	out.Rows = rows
	return out
}

// allocations returns a row for each case, with the same first columns as the table of the
// service.
func (p *builder) allocations(t *analysis.Table) report.Part {
	cases := t.Cases()
	modes := slices.ContainsFunc(cases, func(c result.Case) bool { return c.Mode != "" })
	part := report.Part{Title: report.CellName(t.Cell) + ": allocated by one operation", Columns: []report.PartColumn{{Title: "contender"}}}
	if modes {
		part.Columns = append(part.Columns, report.PartColumn{Title: "mode"})
	}
	part.Columns = append(part.Columns, report.PartColumn{Title: "allocated", Right: true}, report.PartColumn{Title: "allocations", Right: true})
	for _, c := range cases {
		b, n := number(t, c.Subject(), analysis.AllocBytes, report.BytesText), number(t, c.Subject(), analysis.Allocs, report.CountText)
		if b == nil || n == nil {
			continue
		}
		row := []string{c.Contender}
		if modes {
			row = append(row, analysis.ModeName(c.Mode))
		}
		part.Rows = append(part.Rows, append(row, b.Text, n.Text))
	}
	return part
}

// modesSection shows what modes gain and cost, such as reuse, streaming and aliasing, relative to
// the default mode of the same contender.
func (p *builder) modesSection() section {
	s := section{ID: "modes", Title: "Modes: what they buy and give up"}
	axes := map[string]bool{}
	p.each(&s, func(d *dataset) []block {
		var out []block
		for _, t := range p.tablesOf(d) {
			part := report.Part{Title: report.CellName(t.Cell) + ": against the contender's default mode", Columns: []report.PartColumn{
				{Title: "contender"}, {Title: "mode"}, {Title: "times as fast", Right: true}, {Title: "allocations", Right: true}, {Title: "in the default mode", Right: true},
			}}
			for i, place := range t.Ranking.Places {
				j := slices.IndexFunc(t.Ranking.Places, func(x analysis.Place) bool { return x.Subject == result.Subject{Contender: place.Contender} })
				if place.Mode == "" || j < 0 {
					continue
				}
				for _, axis := range strings.Split(place.Mode, ",") {
					axes[axis] = true
				}
				cells := []string{place.Contender, place.Mode, report.SpeedText(t.Ranking.Difference(i, j)), "", ""}
				for k, who := range []result.Subject{place.Subject, {Contender: place.Contender}} {
					if n := number(t, who, analysis.Allocs, report.CountText); n != nil {
						cells[3+k] = n.Text
					}
				}
				part.Rows = append(part.Rows, cells)
			}
			out = append(out, tables(p.command(t.Cell, string(t.Cell.Op)), part)...)
		}
		return out
	})
	var texts []string
	for axis := range axes {
		if a := contender.AxisOf(axis); a.Text != "" {
			texts = append(texts, axis+" "+a.String())
		}
	}
	slices.Sort(texts)
	if len(texts) > 0 {
		s.add(block{Summary: "What the modes are", Inner: []block{{List: texts}}})
	}
	return s
}

// scaling shows how times grow with size, CPUs and footprint.
func (p *builder) scaling() section {
	s := section{ID: "scaling", Title: "Scaling with size and CPUs"}
	s.add(p.bySize()...)
	p.each(&s, func(d *dataset) []block {
		var out []block
		for _, t := range p.tablesOf(d) {
			out = append(out, tables(p.command(t.Cell, string(t.Cell.Op)), report.CellPart(t).Scaling)...)
			out = append(out, tables(p.command(t.Cell, string(t.Cell.Op)), report.CellPart(t).Footprints)...)
		}
		return out
	})
	return s
}

// bySize returns tables of time by size, for workloads with several sizes.
func (p *builder) bySize() []block {
	if p.Results == nil {
		return nil
	}
	type key struct {
		workload string
		op       result.Op
	}
	var order []key
	of := map[key][]*analysis.Table{}
	for i := range p.Results.Tables {
		t := &p.Results.Tables[i]
		k := key{t.Cell.Workload, t.Cell.Op}
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], t)
	}
	var out []block
	for _, k := range order {
		if len(of[k]) < 2 || k.op == result.Building || of[k][0].Streamed() {
			continue
		}
		part := report.Part{Title: k.workload + " · " + string(k.op) + ": time per op by size", Columns: []report.PartColumn{{Title: "contender"}}}
		var subjects []result.Subject
		for _, t := range of[k] {
			part.Columns = append(part.Columns, report.PartColumn{Title: short(t.Cell.Size), Right: true})
			for _, place := range t.Ranking.Places {
				if !slices.Contains(subjects, place.Subject) {
					subjects = append(subjects, place.Subject)
				}
			}
		}
		for _, who := range subjects {
			row := []string{short(who.String())}
			for _, t := range of[k] {
				text := "—"
				if one, ok := t.Row(t.Cell.Case(who), analysis.Time); ok && one.Number != nil {
					text = report.MeasureText(*one.Number)
				}
				row = append(row, text)
			}
			part.Rows = append(part.Rows, row)
		}
		if b := tables(p.command(result.Cell{Workload: k.workload}, string(k.op)), part); len(b) > 0 {
			out = append(out, block{Summary: part.Title, Inner: b})
		}
	}
	return out
}

// losses shows what round trips do not give back, and which cases have no number.
func (p *builder) losses() section {
	s := section{ID: "losses", Title: "Losses and failures"}
	if p.Results == nil {
		return s
	}
	suffered := map[result.Subject][]string{}
	part := report.Part{Title: "What has no number, and why", Columns: []report.PartColumn{{Title: "case"}, {Title: "reason"}}}
	for i := range p.Results.Tables {
		t := &p.Results.Tables[i]
		for _, text := range report.CellPart(t).Failures {
			part.Rows = append(part.Rows, []string{report.CellName(t.Cell), text})
		}
		for _, row := range t.Rows {
			for _, l := range row.Losses {
				if who := row.Case.Subject(); !slices.Contains(suffered[who], l) {
					suffered[who] = append(suffered[who], l)
				}
			}
		}
	}
	lost := report.Part{Title: "What round trips of these values did not give back", Columns: []report.PartColumn{{Title: "contender"}, {Title: "loses"}}}
	for _, who := range p.subjects {
		var texts []string
		for _, l := range suffered[who] {
			if text := contender.Loss(l).In().Text; text != "" {
				l = text
			}
			texts = append(texts, l)
		}
		if len(texts) > 0 {
			lost.Rows = append(lost.Rows, []string{short(who.String()), strings.Join(texts, "; ")})
		}
	}
	declared := report.Part{Title: "What contenders declare that values in general may lose, whatever these values did", Columns: []report.PartColumn{{Title: "contender"}, {Title: "may lose"}}}
	for _, name := range p.names() {
		c := p.about(name)
		if c == nil || len(c.Losses) == 0 {
			continue
		}
		var texts []string
		for _, l := range c.Losses {
			texts = append(texts, l.In().Text)
		}
		declared.Rows = append(declared.Rows, []string{name, strings.Join(texts, "; ")})
	}
	s.add(tables(p.Again, part, lost)...)
	if b := tables("assay verify --probes", declared); len(b) > 0 {
		s.add(block{Summary: declared.Title, Inner: b})
	}
	return s
}

// names returns the names of the page's contenders, without the floor.
func (p *builder) names() []string {
	var out []string
	for _, s := range p.subjects {
		if s.Contender != analysis.Floor && !slices.Contains(out, s.Contender) {
			out = append(out, s.Contender)
		}
	}
	return out
}

// calculator shows what each candidate costs in machines.
func (p *builder) calculator() section {
	s := section{ID: "calculator", Title: "Calculator"}
	p.each(&s, func(d *dataset) []block {
		t := p.answers[d.ID]
		if t == nil || p.Results.Run.Plan.Data == nil && len(t.Answer.Costs) == 0 {
			return nil
		}
		part := t.CostPart()
		if len(part.Rows) == 0 {
			return nil
		}
		return tables(p.Again, part)
	})
	return s
}

func (p *builder) buildCost() section {
	s := section{ID: "build", Title: "What it takes to build"}
	if p.Results == nil {
		return s
	}
	for i := range p.Results.Tables {
		s.add(tables(p.Again, report.CellPart(&p.Results.Tables[i]).BuildCost)...)
	}
	return s
}

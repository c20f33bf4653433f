package page

import "assay/internal/report"

// streams has the tables of streams through files and of whole values.
func (p *builder) streams() section {
	s := section{ID: "streams", Title: "Streams through a file, and values whole in memory"}
	if p.Results == nil {
		return s
	}
	for i := range p.Results.Tables {
		s.add(tables(p.Again, report.CellPart(&p.Results.Tables[i]).Streams...)...)
	}
	s.add(tables(p.Again, report.GrowthParts(p.Results)...)...)
	return s
}

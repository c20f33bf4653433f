package cli

import (
	"assay/internal/analysis"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/result"
)

// watch has the terminal show the table of a run while that is measured: the analysis
// of the finished run, of the records that there are.
func (a *app) watch(m *measure.Measurement) {
	about := live.About{Workloads: live.Workloads(m.Run.Plan), Precision: m.Precision(), Typical: func(c result.Cell) bool { return measure.Typical(a.input, c) }}
	a.progress().known = func(v *live.View) {
		v.Show(about, func() *analysis.Results { return analysis.Of(m.Run, m.Records, analysis.View{}) })
	}
}

package cli

import (
	"assay/internal/analysis"
	"assay/internal/live"
)

// watch has the terminal show the table of a run while that is measured: the analysis
// of the finished run, of the records that there are.
func (m *measurement) watch() {
	about := live.About{Workloads: live.Workloads(m.run.Plan), Precision: m.precision(), Typical: typical}
	m.progress.known = func(v *live.View) {
		v.Show(about, func() *analysis.Results { return analysis.Of(m.run, m.records, analysis.View{}) })
	}
}

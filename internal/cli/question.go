package cli

import (
	"assay/internal/flags"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/result"
)

// storedTry returns the answer of a stored run on a user's own records.
func (a *app) storedTry(dir string, run *result.Run, records []result.Record, q flags.Asking) (*report.Try, error) {
	return tried.Again(dir, run, records, &q.Asking, "assay show "+stored.Name(dir))
}

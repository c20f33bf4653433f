package flags

import (
	"github.com/spf13/cobra"

	"assay/internal/export"
	"assay/internal/refusal"
)

// TakeAway has the flags that say which files are written for the user to copy.
type TakeAway struct {
	Dir         string
	Module      string
	WithRecords bool
	force       bool
}

// Add adds the flags to a command.
func (t *TakeAway) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Dir, "out", "", "write schemas and code to `DIR`, a new or empty directory")
	f.StringVar(&t.Module, "module", "", "give the module of the code this `PATH` (default example.com/NAME)")
	f.BoolVar(&t.WithRecords, "with-records", false, "write a few of your records to DIR too, and test the code on them (default: an invented value)")
	f.BoolVar(&t.force, "force", false, "write to DIR even if it is not empty, and replace only unchanged files that assay wrote there before")
}

// Check checks the flags, and that the directory is writable.
func (t *TakeAway) Check() error {
	if t.Dir == "" {
		if t.Module != "" || t.WithRecords || t.force {
			return refusal.Errorf("--module, --with-records and --force need --out DIR")
		}
		return nil
	}
	if err := export.Check(t.Dir, t.force); err != nil {
		return refusal.Errorf("--out: %v", err)
	}
	if err := export.CheckModule(t.Module); err != nil {
		return refusal.Errorf("--module: %v", err)
	}
	return nil
}

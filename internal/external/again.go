package external

import (
	"os"
	"path/filepath"
	"slices"

	"assay/internal/refusal"
	"assay/internal/userfile"
	"assay/result"
)

// Again refuses to go on with the external contenders of a stored run if the runner.toml of one says
// something else than when the run began, or if a run's directory has it, and nobody named it: a stored
// run may come from somebody else. It reads files only, and nothing of a contender may be started before.
// named are the directories that the user names. Whoever starts the runners reports files that are
// missing or wrong.
func Again(run *result.Run, named []string) error {
	moved := map[string]*Contender{}
	for _, dir := range named {
		if x, err := Read(dir); err == nil {
			moved[x.Name] = x
		}
	}
	for _, then := range run.Plan.Externals {
		now := moved[then.Name]
		if now == nil {
			var err error
			if now, err = Read(then.Dir); err != nil {
				continue
			}
		}
		if now.Name != then.Name || now.Format != then.Format || !slices.Equal(now.Command, then.Command) {
			return refusal.Errorf("the runner in %s is another one since run %s began; start a new run", now.Dir, run.ID)
		}
		if in := runAround(then.Dir); in != "" && moved[then.Name] == nil {
			return refusal.Errorf("run %s has a runner in %s, within the stored run %s, which may come from somebody else: if you trust it, name it with --runner", run.ID, then.Dir, in)
		}
	}
	return nil
}

// runAround returns the directory of the stored run that a directory is in; empty: none.
func runAround(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for dir := range userfile.Above(at) {
		if info, err := os.Stat(filepath.Join(dir, result.RunFile)); err == nil && info.Mode().IsRegular() {
			return dir
		}
	}
	return ""
}

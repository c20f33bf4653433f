package result

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Private reports whether nobody else may read the run, and what is written of it: it is
// of a user's own data, whose values are in reasons and whose schema is beside it.
func (r *Run) Private() bool { return r.Plan.Data != nil }

// dirMode and fileMode are the permissions of the run's directory and files.
func (r *Run) dirMode() fs.FileMode {
	if r.Private() {
		return 0o700
	}
	return 0o755
}

func (r *Run) fileMode() fs.FileMode {
	if r.Private() {
		return 0o600
	}
	return 0o644
}

// guard gives a run directory that is gone on with the permissions that it would
// be made with, if an earlier version made it with wider ones, and checks that
// the samples are a file to append to: a link might lead to somebody else's.
func guard(dir string, run *Run) error {
	name := filepath.Join(dir, samplesFile)
	info, err := os.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file; a run cannot be gone on with through a link", name)
	case !run.Private():
		return nil
	case err == nil:
		if err := os.Chmod(name, run.fileMode()); err != nil {
			return err
		}
	}
	return os.Chmod(dir, run.dirMode())
}

package result

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Private reports whether only the user may read the run and reports about it. It is true for
// a user's own data: reasons quote its values, and the run directory holds its schema.
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

// guard prepares a run directory for Resume. It restricts the permissions of a private run,
// which an earlier version may have made wider. It returns an error if samples.jsonl is not a
// regular file, because a link might lead to a file of somebody else.
func guard(dir string, run *Run) error {
	name := filepath.Join(dir, samplesFile)
	info, err := os.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file; a run cannot be resumed through a link", name)
	case !run.Private():
		return nil
	case err == nil:
		if err := os.Chmod(name, run.fileMode()); err != nil {
			return err
		}
	}
	return os.Chmod(dir, run.dirMode())
}

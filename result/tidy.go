package result

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Names of what a process leaves if it is killed while it begins a run or replaces run.json:
// a run directory without a run.json, a run.json that is not complete, and an empty file that
// tested whether a directory is writable.
var (
	idShape    = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{4}$`)
	halfShape  = regexp.MustCompile(`^run\.json\.[0-9]+\.tmp$`)
	triedShape = regexp.MustCompile(`^\.write-[0-9]+$`)
)

// abandoned is the age, since the last change, at which such files count as left by a killed
// process.
const abandoned = time.Hour

// Tidy removes from a results directory what processes left that were killed before their
// runs began. Nothing there was measured. Tidy keeps what is younger than an hour, because it
// may belong to a live process. It ignores errors: the next call tries again.
func Tidy(results string, now time.Time) {
	entries, err := os.ReadDir(results)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(results, e.Name())
		info, err := os.Lstat(path)
		if err != nil || now.Sub(info.ModTime()) < abandoned {
			continue
		}
		switch {
		case info.IsDir() && idShape.MatchString(e.Name()):
			tidyRun(path)
		case info.Mode().IsRegular() && info.Size() == 0 && triedShape.MatchString(e.Name()):
			os.Remove(path)
		}
	}
}

// tidyRun removes the directory of a run that never began. Such a directory is empty, or
// holds only partly written run.json files.
func tidyRun(dir string) {
	halves, others := halvesOf(dir)
	if others {
		return
	}
	for _, name := range halves {
		os.Remove(name)
	}
	os.Remove(dir) // fails if the directory is not empty
}

// halvesOf returns the partly written run.json files of a run directory, and whether it has
// other files.
func halvesOf(dir string) (halves []string, others bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, true
	}
	for _, e := range entries {
		if e.Type()&fs.ModeType == 0 && halfShape.MatchString(e.Name()) {
			halves = append(halves, filepath.Join(dir, e.Name()))
		} else {
			others = true
		}
	}
	return halves, others
}

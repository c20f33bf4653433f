package result

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// What a process leaves that is killed while it begins a run, or replaces its run.json:
// a directory by the name of a run without a run.json, a file by the name of one that
// is being written, and an empty file of a directory that was found to be writable.
var (
	idShape    = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{4}$`)
	halfShape  = regexp.MustCompile(`^run\.json\.[0-9]+\.tmp$`)
	triedShape = regexp.MustCompile(`^\.write-[0-9]+$`)
)

// abandoned is how long after its last change what a process begins is taken for what
// a killed one left.
const abandoned = time.Hour

// Tidy removes from a results directory what killed processes have left there that were
// about to begin a run: it holds nothing that was measured. What is younger than an hour
// may be another process's, and stays. What cannot be removed is left for another time.
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

// tidyRun removes the directory of a run that was never begun: it is empty, or holds
// files that would have become its run.json.
func tidyRun(dir string) {
	halves, others := halvesOf(dir)
	if others {
		return
	}
	for _, name := range halves {
		os.Remove(name)
	}
	os.Remove(dir) // which fails if there is anything in it
}

// halvesOf returns the files of a run that would have become its run.json, and whether
// there are others.
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

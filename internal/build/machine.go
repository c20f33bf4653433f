package build

import (
	"regexp"
	"strings"
)

// A MachineError says that the go command, or a generator that it ran, failed because of the
// machine: a disk is full, for example. No contender is to blame.
type MachineError struct {
	// Said is the line of the message that names the cause.
	Said string
	// Remedy says what to do about the cause.
	Remedy string
}

func (e *MachineError) Error() string { return e.Said + "; " + e.Remedy }

// starved matches messages about a program that was killed or had too little memory.
var starved = regexp.MustCompile(`(?m)signal: killed|out of memory|cannot allocate memory|failed to create new OS thread`)

// brief matches messages about a shortage that may be over at the next attempt.
var brief = regexp.MustCompile(`(?mi): (resource temporarily unavailable|text file busy)\r?$`)

// faults are the faults of a machine that lines of a message can name, with their remedies.
var faults = []struct {
	says   *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`(?i)no space left on device|disk quota exceeded|not enough space on the disk`),
		"free some space, or set TMPDIR, GOCACHE or --cache to where there is some"},
	{regexp.MustCompile(`(?i)file too large`), "allow larger files (ulimit -f), or set TMPDIR, GOCACHE or --cache to where they may be larger"},
	{regexp.MustCompile(`(?i)read-only file system`), "set TMPDIR, GOCACHE or --cache to where files can be written"},
	{regexp.MustCompile(`(?i): (permission denied|access is denied\.)$`), "allow this user what was denied, or set TMPDIR, GOCACHE, GOMODCACHE or --cache to directories of its own"},
	{regexp.MustCompile(`(?i)too many open files`), "allow more open files (ulimit -n)"},
	{regexp.MustCompile(`(?i): resource temporarily unavailable$`), "end other programs, or allow more processes (ulimit -u)"},
	{regexp.MustCompile(`(?i): text file busy$`), "try again"},
	{regexp.MustCompile(`(?i)fork/exec .*: cannot allocate memory$`), "end other programs, or give the machine more memory"},
	{regexp.MustCompile(`(?i)input/output error`), "look for a failing disk, or set TMPDIR, GOCACHE or --cache to another one"},
}

// harmless matches lines that name no fault of this machine that made a command fail: what the go
// command could not write down and did without, and connections that were refused.
var harmless = regexp.MustCompile(`^go: writing |\bdial (tcp|udp)|\bGet "`)

// fault returns the fault of the machine that the message names, nil if it names none.
func (e *goError) fault() error {
	for line := range strings.Lines(e.out) {
		line = strings.TrimSpace(line)
		if harmless.MatchString(line) {
			continue
		}
		for _, f := range faults {
			if f.says.MatchString(line) {
				return &MachineError{e.within(line), f.remedy}
			}
		}
	}
	return nil
}

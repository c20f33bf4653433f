package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// surroundings are the properties of the process that all its contenders share, besides its
// memory and the settings in state. Reading them takes some ten microseconds.
type surroundings struct {
	env      []string
	dir      string
	local    *time.Location
	priority int    // of the calling thread
	cpus     cpuSet // CPUs that the calling thread may run on
	// living is the number of child processes. reaped is the number of minor page faults of
	// child processes that have ended and were waited for; it grows with each of them.
	living int
	reaped int64
}

func readSurroundings() surroundings {
	dir, _ := os.Getwd() // an error leaves dir empty
	return surroundings{
		env: os.Environ(), dir: dir, local: time.Local, priority: threadPriority(), cpus: threadCPUs(),
		living: children(), reaped: childFaults(),
	}
}

// changed describes a property that differs from was, or returns an empty string. It restores
// the property if it can.
func (s surroundings) changed(was surroundings) string {
	switch {
	case !slices.Equal(s.env, was.env):
		os.Clearenv()
		for _, v := range was.env {
			if name, value, ok := strings.Cut(v, "="); ok {
				os.Setenv(name, value)
			}
		}
		return "it changes the environment of the process: " + variable(was.env, s.env)
	case s.dir != was.dir:
		if err := os.Chdir(was.dir); err != nil {
			return fmt.Sprintf("it changes the working directory, and there is no way back: %v", err)
		}
		return "it changes the working directory"
	case s.local != was.local:
		time.Local = was.local
		return fmt.Sprintf("it sets time.Local from %s to %s", was.local, s.local)
	case s.priority != was.priority:
		return fmt.Sprintf("it changes the priority of its thread from %d to %d", was.priority, s.priority)
	case s.cpus != was.cpus:
		setThreadCPUs(was.cpus)
		return "it changes the CPUs that its thread may run on"
	case s.living > was.living || s.reaped > was.reaped:
		return "it starts other processes, whose work no clock of this one counts"
	}
	return ""
}

// variable names the first variable that differs between two environments.
func variable(was, is []string) string {
	for _, of := range [][2][]string{{is, was}, {was, is}} {
		for _, v := range of[0] {
			if !slices.Contains(of[1], v) {
				name, _, _ := strings.Cut(v, "=")
				return name
			}
		}
	}
	return "their order"
}

// settle compares the surroundings with those of the stay and makes them the new ones of the
// stay. If they changed and only one contender has run in the stay, settle charges it.
// Otherwise the goroutine of another contender may be the cause, so settle blanks the mark and
// the parent tries each contender alone.
func (s *session) settle(c CaseSpec, t *stay) error {
	was := t.place
	t.place = readSurroundings()
	what := t.place.changed(was)
	switch {
	case what == "":
		return nil
	case t.alone(c.Contender):
		return wrongly(c.Subject, c.Op, fmt.Errorf("while it was timed, %s", what))
	}
	if err := s.loaded.mark.blank(); err != nil {
		return err
	}
	return fmt.Errorf("one of the contenders, which of them is not known, does what it may not: %s", what)
}

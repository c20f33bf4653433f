package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// surroundings are what all contenders of a process share besides its memory and the
// settings of a state. Reading them takes some ten microseconds.
type surroundings struct {
	env      []string
	dir      string
	local    *time.Location
	priority int    // of the calling thread
	cpus     cpuSet // that it may run on
	// living are the processes that this one has started and that live, and reaped is how
	// often those that ended had needed a page of memory: it grows with each.
	living int
	reaped int64
}

func readSurroundings() surroundings {
	dir, _ := os.Getwd() // without one it stays without
	return surroundings{
		env: os.Environ(), dir: dir, local: time.Local, priority: threadPriority(), cpus: threadCPUs(),
		living: children(), reaped: childFaults(),
	}
}

// changed says what is not as it was, and puts it back where it can.
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

// variable names the first variable that is not the same in two environments.
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

// settle takes the surroundings of a stay as they are. It charges what they say to the
// contender of a case of the command, if no other has been in the stay: one of another's
// goroutines may be late. Otherwise the mark is blanked, so that the parent tries each by
// itself.
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

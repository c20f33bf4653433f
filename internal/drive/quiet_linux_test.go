package drive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/drive"
)

// No runner process exists during an event: the last one has ended, and the next one has not been
// started. Drawing progress on an event therefore disturbs no sample.
func TestNothingRunsDuringAnEvent(t *testing.T) {
	r, _ := runner(t)
	announced := 0
	var n notebook
	_, err := drive.Launches(t.Context(), drive.LaunchesConfig{
		Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1, 2}},
		Cells: []drive.Cell{cell("a", "x", "y"), cell("b", "x")},
	}, n.sink, func(e drive.Event) {
		n.event(e)
		if _, ok := e.(drive.LaunchDone); ok {
			announced++
		}
		if running := children(t); running != "" {
			t.Errorf("during %T there are processes %s", e, running)
		}
	})
	if err != nil || announced != 6 {
		t.Errorf("%d launches, %v", announced, err)
	}
}

// children returns the living processes that this one has started.
func children(t *testing.T) string {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	if err != nil || len(tasks) == 0 {
		t.Skip("the system does not list children")
	}
	var alive []string
	for _, name := range tasks {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that has ended
		}
		for _, pid := range strings.Fields(string(text)) {
			var number int
			if fmt.Sscan(pid, &number); !zombie(number) {
				alive = append(alive, pid)
			}
		}
	}
	return strings.Join(alive, " ")
}

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"assay/internal/live/screen"
)

// watch COLUMNSxLINES COMMAND ARG... runs a command on a terminal of that size. It prints each
// table that the command draws, with a line of dashes before it, and at the end a line of equals
// signs and the final screen. It fails if the command writes a control sequence that package
// screen does not know.
func watch() {
	if err := watched(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(1)
	}
}

func watched(size string, args []string) error {
	var width, height int
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		return err
	}
	var last *screen.Screen
	var broken error
	shown := ""
	_, err := screen.Record(context.Background(), exec.Command(args[0], args[1:]...), width, height, func(s *screen.Screen) {
		last = s
		if drawn := table(s.Lines()); drawn != "" && drawn != shown {
			shown = drawn
			fmt.Print("-----\n", drawn)
		}
	})
	switch {
	case err != nil:
		return err
	case last == nil:
		return nil
	case len(last.Unknown()) > 0:
		broken = fmt.Errorf("control sequences %q", last.Unknown())
	}
	fmt.Print("=====\n", last.Text())
	return broken
}

// table returns the table that is drawn during a measurement, from its title to the status. It
// returns "" if the screen has no complete table: the program draws a picture at once, but its
// output may be read in two pieces.
func table(lines []string) string {
	for i, line := range lines {
		if strings.HasPrefix(line, "~ provisional: ") && i+2 == len(lines) {
			for from := i; from >= 0; from-- {
				if strings.HasPrefix(lines[from], "times as fast as ") {
					return strings.Join(lines[from:], "\n") + "\n"
				}
			}
		}
	}
	return ""
}

package chaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// signals are the kinds that only send signals to the command.
var signals = map[Kind][]syscall.Signal{
	Killed:        {syscall.SIGKILL},
	Interrupted:   {syscall.SIGINT},
	Terminated:    {syscall.SIGTERM},
	HungUp:        {syscall.SIGHUP},
	Quit:          {syscall.SIGQUIT},
	InterruptedII: {syscall.SIGINT, syscall.SIGINT},
	TerminatedII:  {syscall.SIGTERM, syscall.SIGTERM},
	HungUpII:      {syscall.SIGHUP, syscall.SIGHUP},
	QuitII:        {syscall.SIGQUIT, syscall.SIGQUIT},
}

// exits are the accepted exits after each kind of disturbance. 0 is always accepted: the
// disturbance may have come too late or done no harm.
var exits = map[Kind][]string{
	Killed:      {"SIGKILL"},
	Interrupted: {"130"}, Terminated: {"130"}, HungUp: {"130"}, Quit: {"130"},
	InterruptedII: {"130"}, TerminatedII: {"130"}, HungUpII: {"130"}, QuitII: {"130"},
	Stopped: nil, ChildStopped: nil, ChildKilled: {"3"},
	ResultsFull: {"3"}, CacheFull: {"3"}, TempFull: {"3"}, FileSize: {"3"},
	// If a program gets no memory, the Go runtime ends it with 2.
	Memory: {"2", "3", "SIGKILL", "SIGABRT"}, ChildMemory: {"3"},
}

// starved reports whether the disturbance limits the memory of the command itself, which may then
// crash.
func (k Kind) starved() bool { return k == Memory }

// tells reports whether the command may print a crash: its own, or that of a program whose memory
// was limited.
func (k Kind) tells() bool { return k == Memory || k == ChildMemory }

// disk returns the directory whose disk the kind fills; empty if it fills none.
func (k Kind) disk(at place) string {
	switch k {
	case ResultsFull:
		return at.results
	case CacheFull:
		return at.cache
	case TempFull:
		return at.tmp
	}
	return ""
}

// apply disturbs a command and waits until it ends.
func (c *command) apply(ctx context.Context, d Disturbance) (exit string, err error) {
	limit := patience
	release := func() {}
	if ss := signals[d.Kind]; len(ss) > 0 {
		limit = prompt
		for _, s := range ss {
			if err := c.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return "", err
			}
		}
	} else if dir := d.Kind.disk(c.place); dir != "" {
		if release, err = fill(dir); err != nil {
			return "", err
		}
	} else if err := c.constrain(ctx, d); err != nil {
		return "", err
	}
	defer release()
	return c.wait(ctx, limit)
}

// constrain stops, kills or limits the command or one of its child processes. It is no error if
// the process has ended meanwhile.
func (c *command) constrain(ctx context.Context, d Disturbance) error {
	pid, found := c.cmd.Process.Pid, true
	switch d.Kind {
	case ChildStopped, ChildKilled, ChildMemory:
		var p markedProcess
		if p, found = c.child(ctx); found {
			pid = p.pid
		}
	}
	if !found {
		return ctx.Err()
	}
	err := func() error {
		switch d.Kind {
		case Stopped, ChildStopped:
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				return err
			}
			select {
			case <-time.After(d.For):
			case <-ctx.Done():
			}
			return syscall.Kill(pid, syscall.SIGCONT)
		case ChildKilled:
			return syscall.Kill(pid, syscall.SIGKILL)
		case Memory, ChildMemory:
			has, err := addressSpace(pid)
			if err != nil {
				return err
			}
			return limitTo(pid, unix.RLIMIT_AS, has)
		case FileSize:
			return limitTo(pid, unix.RLIMIT_FSIZE, uint64(max(1, len(c.samples()))))
		}
		return fmt.Errorf("there is no %q", d.Kind)
	}()
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// limitTo limits a resource of a process and of the processes that it starts later.
func limitTo(pid, resource int, n uint64) error {
	return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
}

// addressSpace returns the size of a process's address space in bytes.
func addressSpace(pid int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return 0, fmt.Errorf("process %d has ended: %w", pid, os.ErrNotExist)
	}
	return pages * uint64(os.Getpagesize()), nil
}

// fill fills the disk of a directory to its last byte. release frees the space.
func fill(dir string) (release func(), err error) {
	name := filepath.Join(dir, ballast)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	release = func() { os.Remove(name) }
	for block := make([]byte, 1<<20); len(block) > 0; {
		_, err := f.Write(block)
		if err == nil {
			continue
		}
		if !errors.Is(err, syscall.ENOSPC) {
			release()
			return nil, err
		}
		block = block[:len(block)/2]
	}
	return release, nil
}

// relieved waits until no ballast fills the disks of a place.
func relieved(ctx context.Context, at place) {
	for limit := time.Now().Add(patience); time.Now().Before(limit) && ctx.Err() == nil; time.Sleep(glance) {
		full := false
		for _, dir := range []string{at.results, at.cache, at.tmp} {
			_, err := os.Lstat(filepath.Join(dir, ballast))
			full = full || err == nil
		}
		if !full {
			return
		}
	}
}

// diskSizes are the sizes of the small disks. The cache's disk has room for some dozens of
// programs, and the disk of TMPDIR for the files that a linker writes.
var diskSizes = map[Kind]string{ResultsFull: "8m", CacheFull: "1g", TempFull: "512m"}

// mount mounts a small file system on a directory. unmount removes it.
func mount(dir, size string) (unmount func() error, err error) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=0700,size="+size); err != nil {
		return nil, err
	}
	return func() error {
		for range 100 { // a process that is ending still uses it
			if err = unix.Unmount(dir, 0); !errors.Is(err, syscall.EBUSY) {
				return err
			}
			time.Sleep(10 * glance)
		}
		return errors.Join(err, unix.Unmount(dir, unix.MNT_DETACH))
	}, nil
}

// mayEnd reports whether the exit is accepted after the disturbance.
func (d Disturbance) mayEnd(exit string) bool {
	return exit == "0" || slices.Contains(exits[d.Kind], exit)
}

// reason checks that a command that failed on a full disk or a file limit says so.
func (d Disturbance) reason(exit string, stderr []byte) []string {
	said := map[Kind]string{
		ResultsFull: "no space left on device", CacheFull: "no space left on device", TempFull: "no space left on device",
		FileSize: "file too large",
	}[d.Kind]
	if exit == "3" && said != "" && !strings.Contains(string(stderr), said) {
		return []string{fmt.Sprintf("it does not say %q: %s", said, tail(stderr))}
	}
	return nil
}

// tail returns the last six lines of a text.
func tail(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], " | ")
}

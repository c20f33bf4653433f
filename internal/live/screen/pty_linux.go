package screen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Record runs a command on a terminal of its own until it ends. It returns what the command wrote
// there. If cmd.Stdout is set, it is not changed. If each is not nil, Record calls it with the
// screen after each piece of output, and whenever the command returns to the beginning of a line,
// which is how it begins to replace a picture: on a busy machine one piece has several. The error
// is that of the terminal, or the exit of the command.
func Record(ctx context.Context, cmd *exec.Cmd, width, height int, each func(*Screen)) (*Recording, error) {
	master, slave, err := open(width, height)
	if err != nil {
		return nil, err
	}
	defer master.Close()
	cmd.Stdin, cmd.Stderr = slave, slave
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	start := time.Now()
	err = cmd.Start()
	slave.Close()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { cmd.Process.Signal(os.Interrupt) })
	defer stop()
	r := &Recording{Width: width, Height: height}
	s := New(width, height)
	piece, kept := make([]byte, 64<<10), 0 // kept: bytes of an incomplete rune
	for {
		n, err := master.Read(piece[kept:])
		if n > 0 {
			whole := kept + n
			for whole > 0 && !utf8.Valid(piece[:whole]) && kept+n-whole < utf8.UTFMax {
				whole--
			}
			r.Output = append(r.Output, Output{time.Since(start), string(piece[:whole])})
			for rest := piece[:whole]; len(rest) > 0; {
				picture := upToReturn(rest)
				rest = rest[len(picture):]
				s.Write(picture)
				if each != nil {
					each(s)
				}
			}
			kept = copy(piece, piece[whole:kept+n])
		}
		if err != nil {
			break // the last program on the terminal has ended
		}
	}
	return r, cmd.Wait()
}

// upToReturn returns the text before the next carriage return that belongs to no newline and is
// not at the beginning, or all of the text.
func upToReturn(text []byte) []byte {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '\r' && text[i+1] != '\n' {
			return text[:i]
		}
	}
	return text
}

// open opens a new pseudo-terminal.
func open(width, height int) (master, slave *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("there is no pseudo-terminal: %w", err)
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	slave, err = other(fd, width, height)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("there is no pseudo-terminal: %w", err), master.Close())
	}
	return master, slave, nil
}

// other opens the side of a pseudo-terminal that programs use.
func other(master, width, height int) (*os.File, error) {
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(master, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)}); err != nil {
		return nil, err
	}
	fd, err := unix.Open("/dev/pts/"+strconv.Itoa(n), unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "terminal"), nil
}

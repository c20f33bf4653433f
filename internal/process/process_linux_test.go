package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain also makes the test binary a guard, a parent that gets killed, and a program that uses
// much memory.
func TestMain(m *testing.M) {
	if code, asked := Guard(os.Args); asked {
		os.Exit(code)
	}
	ctx := Guarded(context.Background(), os.Args[0])
	cmd := exec.Command("sh", "-c", os.Getenv("ASSAY_TEST_PARENT"))
	switch os.Getenv("ASSAY_TEST_HOW") {
	case "run":
		Run(ctx, cmd)
		os.Exit(0)
	case "eat":
		var all [][]byte
		for len(all) < 1<<12 {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			all = append(all, block)
		}
		fmt.Println("ate", len(all))
		os.Exit(0)
	case "watch":
		cmd.SysProcAttr = aside()
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if _, err := Watch(ctx, cmd); err != nil {
			panic(err)
		}
		cmd.Wait()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// family is a program that starts others, ignores interrupts, and writes "ready" when all of them
// run.
const family = `trap '' INT TERM HUP; (trap '' INT; sleep 1000) & sh -c 'sleep 1000' & echo ready; wait; sleep 1000`

// marked puts a mark into the environment of a command, which all processes that it starts
// inherit. It returns a func that counts the processes with the mark.
func marked(t *testing.T, cmd *exec.Cmd) (alive func() int) {
	t.Helper()
	mark := fmt.Sprintf("ASSAY_TEST_MARK=%d-%d", os.Getpid(), time.Now().UnixNano())
	cmd.Env = append(cmd.Environ(), mark)
	return func() (n int) {
		all, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range all {
			data, _ := os.ReadFile(name) // the process may have ended
			if bytes.Contains(data, []byte(mark)) {
				n++
			}
		}
		return n
	}
}

// patience is how long the tests wait for something that normally takes a moment. A machine that
// is building at the same time is slow.
const patience = 2 * time.Minute

// gone waits until no process has the mark.
func gone(t *testing.T, alive func() int) {
	t.Helper()
	for end := time.Now().Add(patience); alive() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d processes are left", alive())
		}
	}
}

// run waits until at least so many processes have the mark. The environment of a process in the
// middle of exec cannot be read.
func run(t *testing.T, least int, alive func() int) {
	t.Helper()
	for end := time.Now().Add(patience); alive() < least; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d processes run, want %d", alive(), least)
		}
	}
}

// ready waits until a program has written that it is ready.
func ready(t *testing.T, out *os.File) {
	t.Helper()
	if _, err := out.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
}

func contexts(t *testing.T) map[string]context.Context {
	return map[string]context.Context{"alone": t.Context(), "guarded": Guarded(t.Context(), os.Args[0])}
}

// A program behaves the same with and without a guard.
func TestRun(t *testing.T) {
	for name, ctx := range contexts(t) {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", `cat; echo "$1" >&2; cd ..; pwd; exit 3`, "sh", "a b'")
			var stdout, stderr bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = strings.NewReader("in\n"), &stdout, &stderr, "/usr/bin"
			err := Run(ctx, cmd)
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 3 {
				t.Errorf("got %v", err)
			}
			if stdout.String() != "in\n/usr\n" || stderr.String() != "a b'\n" {
				t.Errorf("it printed %q and %q", &stdout, &stderr)
			}
			if cmd := exec.Command("/none/such"); Run(ctx, cmd) == nil {
				t.Error("a program that is not there was started")
			}
		})
	}
}

// Who reads the output of a program that something else kills learns of it, with and without a guard.
func TestKilled(t *testing.T) {
	cmd := exec.Command("sh", "-c", "kill -9 $$")
	if err := Run(t.Context(), cmd); err == nil || err.Error() != "signal: killed" {
		t.Errorf("alone: %v", err)
	}
	var stderr bytes.Buffer
	cmd = exec.Command("sh", "-c", "kill -9 $$")
	cmd.Stderr = &stderr
	if err := Run(Guarded(t.Context(), os.Args[0]), cmd); err == nil || stderr.String() != "signal: killed\n" {
		t.Errorf("guarded: %v, it printed %q", err, &stderr)
	}
}

// Cancelling the context ends a program with everything that it has started. The error is the
// cause.
func TestCancel(t *testing.T) {
	for name, ctx := range contexts(t) {
		t.Run(name, func(t *testing.T) {
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(ctx)
			out, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd := exec.Command("sh", "-c", family)
			cmd.Stdout = w
			alive := marked(t, cmd)
			p, err := Start(ctx, cmd)
			if err != nil {
				t.Fatal(err)
			}
			w.Close()
			ready(t, out)
			run(t, 3, alive)
			cancel(cause)
			if err := p.Wait(); err != cause {
				t.Errorf("got %v", err)
			}
			gone(t, alive)
			if _, err := Start(ctx, exec.Command("true")); err != cause {
				t.Errorf("started after the cancelling: %v", err)
			}
		})
	}
}

// A guard kills a program that ignores interrupts, even if signals keep coming in less time than the
// program has to end.
func TestSignalsKeepComing(t *testing.T) {
	out, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("sh", "-c", family)
	cmd.Stdout = w
	alive := marked(t, cmd)
	p, err := Start(Guarded(t.Context(), os.Args[0]), cmd)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	ready(t, out)
	run(t, 3, alive)
	for end := time.Now().Add(patience); alive() > 0; time.Sleep(grace / 10) {
		if time.Now().After(end) {
			t.Fatalf("%d processes are left", alive())
		}
		p.do(func(cmd *exec.Cmd) { cmd.Process.Signal(os.Interrupt) })
	}
	p.Wait()
}

// Processes that a program leaves running are killed as soon as the program ends, even if they
// hold its standard output open.
func TestLeftRunning(t *testing.T) {
	for name, ctx := range contexts(t) {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", `(trap '' INT TERM HUP; sleep 1000) & echo ready`)
			var out bytes.Buffer
			cmd.Stdout = &out
			alive := marked(t, cmd)
			if err := Run(ctx, cmd); err != nil || out.String() != "ready\n" {
				t.Errorf("it printed %q and ended with %v", &out, err)
			}
			gone(t, alive)
		})
	}
}

// If a parent is killed, nothing that its guards run or watch stays alive.
func TestKilledParent(t *testing.T) {
	for _, how := range []string{"run", "watch"} {
		t.Run(how, func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := os.OpenFile(pipe, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(cmd.Environ(), "ASSAY_TEST_HOW="+how, "ASSAY_TEST_PARENT=exec >"+pipe+"; "+family)
			alive := marked(t, cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ready(t, out)
			run(t, 5, alive)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait() // the error says that it was killed
			gone(t, alive)
		})
	}
}

// A watched program continues after release.
func TestReleased(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	cmd.SysProcAttr = aside()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	release, err := Watch(Guarded(t.Context(), os.Args[0]), cmd)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("it was killed: %v", err)
	}
	KillGroup(cmd)
	cmd.Wait() // the error says that it was killed
}

// Guard ignores the arguments of other programs.
func TestNoGuard(t *testing.T) {
	for _, args := range [][]string{nil, {"assay"}, {"assay", guardName}, {"assay", guardName, "x", "true"}, {"assay", "run", "1", "true"}} {
		if _, asked := Guard(args); asked {
			t.Errorf("%q is a guard", args)
		}
	}
}

// A program with a memory limit ends when it uses more, with and without a guard.
func TestLimit(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, ctx := range map[string]context.Context{"alone": t.Context(), "guarded": Guarded(t.Context(), self)} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "ASSAY_TEST_HOW=eat")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		p, err := StartLimited(ctx, cmd, 512<<20)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err == nil || !strings.Contains(said.String(), "out of memory") {
			t.Errorf("%s: a program that takes 4 GiB ended with %v and said %.300s", name, err, &said)
		}
	}
}

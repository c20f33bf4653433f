package drive_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/bench"
	"assay/result"
)

// A CPU limit that is changed from outside while a runner measures is not charged to a contender: the
// Go runtime would change GOMAXPROCS a second later, and a batch would seem to have set it. The
// affinity of the threads that do not measure stands for the limit, which needs a cgroup.
func TestLimitFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the Go runtime to look at its CPUs")
	}
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two CPUs")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), plantEnv+"=none", armedEnv+"=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	answers := bufio.NewReader(out)
	send := func(c bench.Command) {
		t.Helper()
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	receive := func() {
		t.Helper()
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var a bench.Answer
		if err := json.Unmarshal(line, &a); err != nil || a.Error != "" {
			t.Fatalf("%v, error %q", err, a.Error)
		}
	}
	send(bench.Command{Cmd: "load", Load: &bench.Load{Workload: "numbers", Size: "n=1", Inputs: 8}})
	receive()
	// The runtime looks at most once a second.
	send(bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
		Cases:  []bench.CaseSpec{{Subject: result.Subject{Contender: soundNames[0]}, Op: result.Decode, N: 1000}},
		Rounds: 1e6, LimitNS: int64(2500 * time.Millisecond), Last: true,
	}})
	time.Sleep(100 * time.Millisecond)
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/*")
	if err != nil || len(tasks) == 0 {
		t.Fatalf("no threads: %v", err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(filepath.Base(task))
		if err != nil {
			t.Fatal(err)
		}
		if tid == cmd.Process.Pid {
			continue
		}
		var all, one unix.CPUSet
		if err := unix.SchedGetaffinity(tid, &all); err != nil {
			t.Fatal(err)
		}
		for cpu := range 1024 {
			if all.IsSet(cpu) {
				one.Set(cpu)
				break
			}
		}
		if err := unix.SchedSetaffinity(tid, &one); err != nil {
			t.Fatal(err)
		}
	}
	receive()
}

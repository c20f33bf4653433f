//go:build unix

package drive_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/published"
	"assay/result"
)

// fakeEnv makes the test binary a fake runner. Its value is a directory in which the fake keeps
// its log and other state.
const fakeEnv = "DRIVE_TEST_FAKE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(fakeEnv); dir != "" {
		fake{dir: dir, out: os.Stdout}.serve(os.Stdin)
		os.Exit(0)
	}
	if os.Getenv(cheatEnv) != "" {
		bench.Main(cheating())
		os.Exit(0)
	}
	if side := os.Getenv(unseenEnv); side != "" {
		serveUnseen(side)
		os.Exit(0)
	}
	if lie := os.Getenv(auditEnv); lie != "" {
		serveAudit(lie)
		os.Exit(0)
	}
	if os.Getenv(plantEnv) != "" {
		bench.Main(planted())
		os.Exit(0)
	}
	if value := os.Getenv(relayEnv); value != "" {
		bench.Main(relaying(value))
		os.Exit(0)
	}
	if os.Getenv(streamEnv) != "" {
		bench.Main(streaming())
		os.Exit(0)
	}
	if os.Getenv(wholeEnv) != "" {
		bench.Main(wholes())
		os.Exit(0)
	}
	if dir := os.Getenv(publishEnv); dir != "" {
		published.Main(publishedSets(dir)...)
		os.Exit(0)
	}
	// Parallel tests wait for processes that hang or grow, more than they compute.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// tellEnv is the label of a fake. A fake with a label logs more about itself and what it does.
const tellEnv = "DRIVE_TEST_TELL"

// allowed returns the CPUs that this process may run on, in the format of Linux.
func allowed() string {
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "Cpus_allowed_list:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// A fake speaks the protocol and misbehaves as the names of the contenders say: "panic" always,
// "panic@rounds" only in that command, "panic+" only beside others, "panic-" without a mark.
type fake struct {
	dir  string
	out  io.Writer
	mark string
	// flaky says that "flaky" has worked in this process.
	flaky bool
	// values are the values of the workload "values", which use the same memory each time.
	values []byte
}

// touched returns so many bytes of resident memory.
func touched(n int) []byte {
	block := make([]byte, n)
	for i := range block {
		block[i] = 1
	}
	return block
}

func (f fake) serve(in io.Reader) {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var c bench.Command
		if err := json.Unmarshal(line, &c); err != nil {
			f.answer(bench.Answer{Error: err.Error()})
			continue
		}
		if c.Cmd == "exit" {
			return
		}
		f.answer(f.do(c))
	}
}

func (f fake) answer(a bench.Answer) {
	line, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	f.out.Write(append(line, '\n'))
}

func (f *fake) do(c bench.Command) (a bench.Answer) {
	switch c.Cmd {
	case "load":
		f.mark = c.Load.Mark
		f.log("load " + c.Load.Workload)
		if os.Getenv(tellEnv) != "" {
			f.log(os.Getenv(tellEnv) + " GOMAXPROCS=" + os.Getenv("GOMAXPROCS") + " CPUs " + allowed())
		}
		f.misbehave(c.Load.Workload, "load", 2)
		if c.Load.Size == "unknown" {
			return bench.Answer{Error: "no such size"}
		}
		a.Loaded = &bench.Loaded{Root: "Root", Inputs: 1}
	case "calibrate":
		for _, spec := range c.Calibrate.Cases {
			if err := f.work(spec, c.Cmd, len(c.Calibrate.Cases)); err != nil {
				return bench.Answer{Error: err.Error()}
			}
			a.Calibrated = append(a.Calibrated, bench.Calibrated{N: 7, NS: 1.5})
		}
	case "memory":
		if err := f.work(bench.CaseSpec{Subject: c.Memory.Subject, Op: c.Memory.Op}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.Counted = &bench.Counted{Ops: c.Memory.Ops, Bytes: 2, Allocs: 1, Messages: 1, Encoded: 3}
	case "steady":
		f.log(fmt.Sprintf("steady %s %d", c.Steady.Contender, c.Steady.LiveMB))
		f.log(fmt.Sprintf("length %v to %v, %v", time.Duration(c.Steady.MinNS), time.Duration(c.Steady.MaxNS), time.Duration(c.Steady.WaitNS)))
		if err := f.work(bench.CaseSpec{Subject: c.Steady.Subject, Op: c.Steady.Op}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.Steadied = &bench.Steadied{Ops: 10, Wall: 100, CPU: 120, Cycles: 3, GCCPU: 20}
	case "cold":
		if err := f.work(bench.CaseSpec{Subject: c.Cold.Subject, Op: c.Cold.Op}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.First = &bench.First{NS: 1234}
	case "retain":
		if err := f.work(bench.CaseSpec{Subject: c.Retain.Subject, Op: result.Decode}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.Retained = &bench.Retained{Messages: c.Retain.Messages, Bytes: 5000, Encoded: 700}
	case "write":
		if err := f.work(bench.CaseSpec{Subject: c.Write.Subject, Op: result.Encode}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.Written = &bench.Written{Messages: [][]byte{[]byte("aaaaaaaaaaaaaaaaaaaaaaaa"), []byte(c.Write.Contender), {}}}
	case "parallel":
		f.log(fmt.Sprintf("parallel %s %d", c.Parallel.Contender, c.Parallel.Goroutines))
		if err := f.work(bench.CaseSpec{Subject: c.Parallel.Subject, Op: c.Parallel.Op}, c.Cmd, 1); err != nil {
			return bench.Answer{Error: err.Error()}
		}
		a.Paralleled = &bench.Paralleled{}
		for i := range c.Parallel.Rounds {
			a.Paralleled.Wall = append(a.Paralleled.Wall, int64(1000*c.Parallel.Goroutines+i))
		}
	case "rounds":
		f.log(fmt.Sprintf("rounds %d", len(c.Rounds.Cases)))
		if tell := os.Getenv(tellEnv); tell != "" {
			f.log(fmt.Sprintf("%s %s %d", tell, c.Rounds.Cases[0].Contender, c.Rounds.Rounds))
			f.log(fmt.Sprintf("garbage %s %d after %d", c.Rounds.Cases[0].Contender, c.Rounds.Garbage, c.Rounds.Warmup))
		}
		a.Measured = &bench.Measured{}
		if c.Rounds.Sentinel {
			a.Measured.Sentinel = make([]int64, c.Rounds.Rounds)
		}
		for i, spec := range c.Rounds.Cases {
			if spec.Contender == "varying" {
				a.Measured.Varying = append(a.Measured.Varying, i)
			}
			if err := f.work(spec, c.Cmd, len(c.Rounds.Cases)); err != nil {
				return bench.Answer{Error: err.Error()}
			}
			series := result.Series{Subject: spec.Subject, Role: spec.Role, N: spec.N}
			for r := 0; r < c.Rounds.Rounds; r += max(1, spec.Every) {
				series.Round = append(series.Round, r)
				series.Wall = append(series.Wall, 100)
				series.CPU = append(series.CPU, 99)
			}
			switch spec.Contender { // impossible values
			case "timeless":
				series.Wall[0] = 0
			case "beyond":
				series.Round[len(series.Round)-1]++
			case "owing":
				series.CPU[0] = -1
			}
			a.Measured.Series = append(a.Measured.Series, series)
		}
	}
	return a
}

func (f *fake) work(spec bench.CaseSpec, cmd string, company int) error {
	if f.mark != "" && !strings.Contains(spec.Contender, "-") {
		text := fmt.Sprintf("%-256s", spec.Contender+"\t"+spec.Mode+"\t"+string(spec.Op)+"\n")
		if err := os.WriteFile(f.mark, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if spec.Role == result.Floor {
		return nil
	}
	return f.misbehave(spec.Contender, cmd, company)
}

// misbehave does what the name of a contender says.
func (f *fake) misbehave(name, cmd string, company int) error {
	name, only, limited := strings.Cut(name, "@")
	if limited && only != cmd {
		return nil
	}
	if beside, ok := strings.CutSuffix(name, "+"); ok {
		if company < 2 {
			return nil
		}
		name = beside
	}
	if once, ok := strings.CutSuffix(name, "!"); ok { // only the first time
		f.log(once)
		if f.count(once) > 1 {
			return nil
		}
		name = once
	}
	switch strings.TrimSuffix(name, "-") {
	case "flaky": // works the first time in each process, then exits
		if f.flaky = !f.flaky; !f.flaky {
			os.Exit(0)
		}
	case "panic":
		var none []int
		fmt.Println(none[3])
	case "overflow":
		debug.SetMaxStack(32 << 20)
		fmt.Println(overflow(1))
	case "exit":
		os.Exit(0)
	case "status":
		fmt.Fprintln(os.Stderr, "\nlicence expired")
		os.Exit(3)
	case "slow":
		time.Sleep(200 * time.Millisecond)
	case "hang":
		for {
			time.Sleep(time.Second)
		}
	case "alloc":
		var all [][]byte
		for {
			all = append(all, touched(1<<20))
			runtime.KeepAlive(all)
		}
	case "values":
		if f.values == nil {
			f.values = touched(16 << 20)
		}
	case "much": // for longer than it takes to look at the memory of a process
		block := touched(256 << 20)
		time.Sleep(500 * time.Millisecond)
		runtime.KeepAlive(block)
	case "absurd":
		var n uint64 = 1 << 46
		fmt.Println(len(make([]byte, n)))
	case "maps":
		concurrentMaps()
	case "kill":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "abort":
		syscall.Kill(os.Getpid(), syscall.SIGABRT)
		time.Sleep(time.Minute)
	case "child":
		child := exec.Command("sleep", "1000")
		child.Stdout = os.Stdout
		child.Start()
		f.log(fmt.Sprintf("child %d", child.Process.Pid))
		os.Exit(0)
	case "garbage":
		f.out.Write([]byte("hello, I am a library\n"))
	case "empty":
		f.out.Write([]byte("{}\n"))
	case "half":
		f.out.Write([]byte(`{"measured":{"ser`))
		os.Exit(0)
	case "mute":
		os.Stdout.Close()
		time.Sleep(time.Minute)
	case "stderr":
		for range 10000 {
			fmt.Fprintln(os.Stderr, "debug: nothing is wrong")
		}
	case "loudpanic":
		for range 10000 {
			fmt.Fprintln(os.Stderr, "debug: nothing is wrong")
		}
		panic("after a long log")
	case "error":
		return fmt.Errorf("error: field 3 is missing")
	}
	return nil
}

//lint:ignore SA5007 it is to overflow the stack
func overflow(n int) int { return overflow(n+1) + 1 }

func concurrentMaps() {
	m := map[int]int{}
	for range 8 {
		go func() {
			for i := 0; ; i++ {
				m[i%8] = i
			}
		}()
	}
	time.Sleep(10 * time.Second)
}

// log appends a line to the fake's log.
func (f *fake) log(line string) {
	file, err := os.OpenFile(filepath.Join(f.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintln(file, line)
}

// count returns how often the line is in the log.
func (f *fake) count(line string) int {
	text, _ := os.ReadFile(filepath.Join(f.dir, "log"))
	n := 0
	for l := range strings.Lines(string(text)) {
		if strings.TrimSpace(l) == line {
			n++
		}
	}
	return n
}

// runner returns a Runner of fakes, and the directory of their log.
func runner(t *testing.T) (drive.Runner, string) {
	t.Helper()
	dir := t.TempDir()
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary {
			return drive.Binary{Path: os.Args[0], Env: []string{fakeEnv + "=" + dir, fmt.Sprint("LAYOUT=", layout)}}
		},
		Limits: drive.Limits{Memory: 256 << 20, Answer: 30 * time.Second},
		Seed:   1,
	}, dir
}

// readLog returns the lines of the fakes' log.
func readLog(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// A notebook is a sink and an event func that store what they get.
type notebook struct {
	records []result.Record
	events  []drive.Event
}

func (n *notebook) sink(r result.Record) error {
	n.records = append(n.records, r)
	return nil
}

func (n *notebook) event(e drive.Event) { n.events = append(n.events, e) }

// outcomes returns the outcomes as "contender/op: status: reason".
func (n *notebook) outcomes() []string {
	var out []string
	for _, r := range n.records {
		if o := r.Outcome; o != nil {
			out = append(out, fmt.Sprintf("%s/%s: %s: %s", o.Case.Subject(), o.Case.Op, o.Status, o.Reason))
		}
	}
	return out
}

// repeated returns the reasons for which commands were tried again.
func (n *notebook) repeated() []string {
	var out []string
	for _, e := range n.events {
		if again, ok := e.(drive.Repeated); ok {
			out = append(out, again.Failure.Reason)
		}
	}
	return out
}

// inTime replaces the waiting time in a reason. The time is longer on a machine on which the
// values took long to load.
func inTime(reason string) string { return waited.ReplaceAllString(reason, "no answer in time") }

var waited = regexp.MustCompile(`no answer in (\d+[hms])+`)

// launches returns the launches as "workload#index: contenders".
func (n *notebook) launches() []string {
	var out []string
	for _, r := range n.records {
		if l := r.Launch; l != nil {
			line := fmt.Sprintf("%s#%d:", l.Cell.Workload, l.Index)
			for _, s := range l.Series {
				line += " " + s.Contender
				if s.Role != "" {
					line += "/" + s.Role
				}
			}
			out = append(out, line)
		}
	}
	return out
}

// zombie says whether a process has ended and has not been reaped yet.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, ok := strings.Cut(string(text), ") ")
	return err == nil && ok && strings.HasPrefix(state, "Z")
}

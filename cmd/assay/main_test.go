package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/internal/cachedir/cachetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assay": main, "guest": guest, "watch": watch})
}

// Scripts that build runners share one cache with other tests, so that each runner is built only
// once. The go command keeps the user's caches, because the scripts have no home directory.
func TestScript(t *testing.T) {
	cachetest.Once(t)
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := filepath.Abs(filepath.Join("testdata", "runs"))
	if err != nil {
		t.Fatal(err)
	}
	cache := ""
	if !testing.Short() {
		cache = cachetest.Dir(t)
	}
	// Without these variables, each short script that runs the go command would compile the
	// standard library.
	env := map[string]string{}
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			// The scripts use the path of the program, so that they can remove it from PATH.
			program := filepath.Join(filepath.SplitList(e.Getenv("PATH"))[0], "assay")
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			e.Setenv("ASSAY", program)
			e.Setenv("CACHE", cache)
			e.Setenv("EXAMPLES", examples)
			e.Setenv("RUNS", runs) // stored runs
			for name, value := range env {
				e.Setenv(name, value)
			}
			for _, name := range []string{"GOPROXY", "GOFLAGS", "GOSUMDB", "GONOSUMDB", "GOTOOLCHAIN"} {
				if value, ok := os.LookupEnv(name); ok {
					e.Setenv(name, value)
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"finds":     finds,
			"awaits":    awaits,
			"interrupt": interrupt,
			"append":    appendText,
			"repeat":    repeat,
			"rows":      rows,
			"module":    module,
			"says":      says,
			"island":    island,
		},
	})
}

// exits CODE assay ARG... runs the program and checks its exit code. It runs any other command
// than assay under its own name.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	command := args[1]
	if command == "assay" {
		command = ts.Getenv("ASSAY")
	}
	err = ts.Exec(command, args[2:]...)
	if got := code(err); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// finds N FILE PATTERN assay ARG... runs the program, which must succeed, until its output
// matches the pattern, at most N times. It stores the last output in the file. It is for results
// that a disturbed machine can hide once.
func finds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 5 || args[3] != "assay" {
		ts.Fatalf("usage: finds N FILE PATTERN assay ARG...")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	pattern, err := regexp.Compile("(?m)" + args[2])
	ts.Check(err)
	for range n {
		ts.Check(ts.Exec(ts.Getenv("ASSAY"), args[4:]...))
		out := ts.ReadFile("stdout")
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out), 0o666))
		if pattern.MatchString(out) {
			return
		}
	}
	ts.Fatalf("in none of %d tries %s has %q", n, args[1], args[2])
}

// code returns the exit code for an error of running a command.
func code(err error) int {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// awaits PATTERN TEXT waits until a file that matches the pattern contains the text.
func awaits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: awaits PATTERN TEXT")
	}
	if !await(ts, args[0], args[1], nil) {
		ts.Fatalf("no file %s came to hold %q", args[0], args[1])
	}
}

// await waits until a file that matches the pattern contains the text. It reports false if end
// receives first, or after five minutes.
func await(ts *testscript.TestScript, pattern, text string, end <-chan error) bool {
	for last := time.Now().Add(5 * time.Minute); time.Now().Before(last); {
		files, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err == nil && strings.Contains(string(data), text) {
				return true
			}
		}
		select {
		case <-end:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

// interrupt PATTERN TEXT assay ARG... runs the command and interrupts it as soon as a file that
// matches the pattern contains the text. It checks that the command exits with 130. The file
// stderr has the command's standard error.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[2] != "assay" {
		ts.Fatalf("usage: interrupt PATTERN TEXT assay ARG...")
	}
	cmd := exec.Command(ts.Getenv("ASSAY"), args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "CACHE", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOSUMDB"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stderr, err := os.Create(ts.MkAbs("stderr"))
	ts.Check(err)
	defer stderr.Close()
	cmd.Stderr = stderr
	ts.Check(cmd.Start())
	defer cmd.Process.Kill() // if the script fails; after Wait it does nothing
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if !await(ts, args[0], args[1], ended) {
		ts.Fatalf("no file %s came to hold %q; the command: %v; on standard error:\n%s", args[0], args[1], cmd.ProcessState, ts.ReadFile("stderr"))
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if got := code(<-ended); got != 130 {
		ts.Fatalf("exit code %d after an interrupt, want 130; on standard error:\n%s", got, ts.ReadFile("stderr"))
	}
}

// append PATTERN TEXT appends the text to the only file that matches. \n in the text is a
// newline.
func appendText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append PATTERN TEXT")
	}
	files, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%d files match %s, want 1", len(files), args[0])
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = io.WriteString(f, strings.ReplaceAll(args[1], `\n`, "\n"))
	ts.Check(errors.Join(err, f.Close()))
}

// repeat N FROM TO writes a file with N copies of the content of another one.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(ts.ReadFile(args[1]), n)), 0o644))
}

// module DIR MODULE [FILE OLD NEW] copies a module that our module requires to a directory, and
// replaces one text in one of its files.
func module(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 && len(args) != 5 {
		ts.Fatalf("usage: module DIR MODULE [FILE OLD NEW]")
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", args[1]).Output() // in this package's directory
	ts.Check(err)
	to := ts.MkAbs(args[0])
	ts.Check(os.CopyFS(to, os.DirFS(strings.TrimSpace(string(out)))))
	if len(args) == 2 {
		return
	}
	name := filepath.Join(to, args[2])
	ts.Check(os.Chmod(name, 0o644)) // a module in the cache is read-only
	data, err := os.ReadFile(name)
	ts.Check(err)
	if !strings.Contains(string(data), args[3]) {
		ts.Fatalf("%s of %s does not hold %q", args[2], args[1], args[3])
	}
	ts.Check(os.WriteFile(name, []byte(strings.Replace(string(data), args[3], args[4], 1)), 0o644))
}

// says PATTERN checks that the last line of standard error matches.
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: says PATTERN")
	}
	text := strings.TrimRight(ts.ReadFile("stderr"), "\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if !regexp.MustCompile(args[0]).MatchString(last) {
		ts.Fatalf("the last line of standard error is %q", last)
	}
}

// A row is a row of the JSON output, as the contract defines it.
type row struct {
	Workload, Size, Contender, Mode, Op, Metric, Unit, Status, Reason string
	Value, Lo, Hi                                                     *float64
	N                                                                 int
}

// rows FILE [METRIC CONTENDER VALUE]... checks that the file contains JSON with schema 1, that
// every row keeps the contract, and that each metric of a contender has exactly the value in
// every op.
func rows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args)%3 != 1 {
		ts.Fatalf("usage: rows FILE [METRIC CONTENDER VALUE]...")
	}
	var got struct {
		Schema int
		Run    struct{ ID, Tool, Go string }
		Rows   []row
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &got))
	if got.Schema != 1 || got.Run.ID == "" || got.Run.Go == "" || len(got.Rows) == 0 {
		ts.Fatalf("schema %d, run %+v, %d rows", got.Schema, got.Run, len(got.Rows))
	}
	for _, r := range got.Rows {
		ts.Check(r.check())
	}
	for want := range slices.Chunk(args[1:], 3) {
		value, err := strconv.ParseFloat(want[2], 64)
		ts.Check(err)
		found := 0
		for _, r := range got.Rows {
			if r.Metric != want[0] || r.Contender != want[1] {
				continue
			}
			found++
			if r.Value == nil || *r.Value != value {
				ts.Fatalf("%s of %s is not %v: %+v", r.Metric, r.Contender, value, r)
			}
		}
		if found == 0 {
			ts.Fatalf("no row has the %s of %s", want[0], want[1])
		}
	}
}

// check checks what the contract says about every row.
func (r row) check() error {
	statuses := []string{"ok", "unverified", "unsupported", "oom", "panic", "timeout", "build-failed", "noisy"}
	measured := r.Status == "ok" || r.Status == "noisy"
	switch {
	case r.Workload == "" || r.Size == "" || r.Contender == "" || r.Op == "" || r.Metric == "" || r.Unit == "":
		return fmt.Errorf("row without a name: %+v", r)
	case !slices.Contains(statuses, r.Status):
		return fmt.Errorf("unknown status: %+v", r)
	case measured != (r.Value != nil):
		return fmt.Errorf("value of a row that is %s: %+v", r.Status, r)
	case r.Status != "ok" && r.Reason == "":
		return fmt.Errorf("row without a reason: %+v", r)
	case r.Lo != nil && r.Hi != nil && (*r.Lo > *r.Value || *r.Hi < *r.Value):
		return fmt.Errorf("value outside of its interval: %+v", r)
	}
	return nil
}

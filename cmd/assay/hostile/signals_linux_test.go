package hostile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/cachedir/cachetest"
)

// within is how long the tests wait for things that normally take a second. Machines that build
// at the same time are slow.
const within = 2 * time.Minute

// A started is a running program.
type started struct {
	*exec.Cmd
	t       *testing.T
	mark    string // set in the environment of the program and of all processes that it starts
	tmp     string
	stdin   io.WriteCloser
	stderr  string // the file with its standard error
	results string
}

// start starts the program, or a shell that becomes it. The program has its own directory for
// temporary files, and its standard input stays silent.
func start(t *testing.T, env []string, args ...string) *started {
	t.Helper()
	dir := t.TempDir()
	s := &started{Cmd: exec.Command(args[0], args[1:]...), t: t, tmp: filepath.Join(dir, "tmp"), stderr: filepath.Join(dir, "stderr"), results: filepath.Join(dir, "runs")}
	s.mark = fmt.Sprintf("ASSAY_TEST_MARK=%d-%d", os.Getpid(), time.Now().UnixNano())
	if err := os.Mkdir(s.tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, a := range s.Args {
		s.Args[i] = strings.ReplaceAll(a, "{results}", s.results)
	}
	s.Env = append(append(os.Environ(), env...), "TMPDIR="+s.tmp, s.mark)
	stderr, err := os.Create(s.stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	s.Stderr = stderr
	if s.stdin, err = s.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Process.Kill()
		s.Wait()
	})
	return s
}

// said returns the standard error so far.
func (s *started) said() string {
	data, err := os.ReadFile(s.stderr)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// until waits until holds returns true. It fails the test after limit.
func (s *started) until(what string, limit time.Duration, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not in %v; on standard error:\n%s\nrunning:\n%s", what, limit, s.said(), strings.Join(s.alive(), "\n"))
		}
	}
}

// alive returns the command lines of all processes with the mark.
func (s *started) alive() (all []string) {
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, name := range names {
		env, _ := os.ReadFile(name) // the process may have ended
		if bytes.Contains(env, []byte(s.mark)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			all = append(all, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return all
}

// recorded reports whether a run has a record of the kind.
func (s *started) recorded(kind string) bool {
	files, err := filepath.Glob(filepath.Join(s.results, "*", "samples.jsonl"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if bytes.Contains(data, []byte(`"`+kind+`"`)) {
			return true
		}
	}
	return false
}

// ends sends signals. It checks that the program ends with exit code 130 and leaves no process
// and no temporary file behind. After a kill, the next command must remove the temporary files.
func (s *started) ends(signals ...syscall.Signal) {
	s.t.Helper()
	begin := time.Now()
	for _, sig := range signals {
		if signal.Ignored(sig) {
			s.t.Skipf("%v is ignored where the tests were started, as by nohup, and in what they start", sig)
		}
		if err := s.Process.Signal(sig); err != nil {
			s.t.Fatal(err)
		}
	}
	got := make(chan int, 1)
	go func() { got <- code(s.Wait()) }()
	select {
	case c := <-got:
		s.t.Logf("ended after %v", time.Since(begin).Round(time.Millisecond))
		if killed := signals[0] == syscall.SIGKILL; !killed && c != 130 {
			s.t.Errorf("exit code %d, want 130; on standard error:\n%s", c, s.said())
		}
	case <-time.After(within):
		s.t.Fatalf("it does not end; on standard error:\n%s", s.said())
	}
	s.until("its processes end", within, func() bool { return len(s.alive()) == 0 })
	s.t.Logf("nothing runs after %v", time.Since(begin).Round(time.Millisecond))
	if signals[0] == syscall.SIGKILL { // the next command tidies up
		next := exec.Command("assay", "data", "infer", "-")
		next.Stdin, next.Env = strings.NewReader(`{"a":1}`), append(os.Environ(), "TMPDIR="+s.tmp)
		if out, err := next.CombinedOutput(); err != nil {
			s.t.Errorf("the next one: %v\n%s", err, out)
		}
	}
	left, err := os.ReadDir(s.tmp)
	if err != nil || len(left) > 0 {
		s.t.Errorf("left behind: %v, %v", left, err)
	}
}

// sample writes a file of records.
func sample(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "{\"id\":%d,\"name\":\"n%d\",\"tags\":[\"a\",\"b\"]}\n", i, i)
	}
	file := filepath.Join(t.TempDir(), "orders.ndjson")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Each signal ends a command that waits for input. After a kill, the next command removes
// everything that is left.
func TestSignalsWhileReading(t *testing.T) {
	cachetest.Once(t)
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	endless := func(s *started) { go io.Copy(s.stdin, &loop{body: `{"a":1}` + "\n"}) }
	silent := func(s *started) { go io.WriteString(s.stdin, `{"a":1}`) }
	for _, test := range []struct {
		args    string
		input   func(*started)
		signals []syscall.Signal
	}{
		{"data infer -", silent, []syscall.Signal{syscall.SIGINT}},
		{"data infer -", silent, []syscall.Signal{syscall.SIGTERM}},
		{"data infer -", silent, []syscall.Signal{syscall.SIGHUP}},
		{"data infer -", silent, []syscall.Signal{syscall.SIGQUIT}},
		{"data infer -", silent, []syscall.Signal{syscall.SIGINT, syscall.SIGINT}},
		{"data infer -", silent, []syscall.Signal{syscall.SIGKILL}},
		{"data infer - --max-records 1000000000 --max-bytes 100GB", endless, []syscall.Signal{syscall.SIGINT}},
		{"data infer - --max-records 1000000000 --max-bytes 100GB", endless, []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}},
		{"data infer - --max-records 1000000000 --max-bytes 100GB", endless, []syscall.Signal{syscall.SIGKILL}},
		{"data infer /dev/stdin", silent, []syscall.Signal{syscall.SIGINT}},
		{"data infer " + pipe, silent, []syscall.Signal{syscall.SIGINT}},
		{"data infer " + pipe, silent, []syscall.Signal{syscall.SIGKILL}},
		{"data anonymize -", silent, []syscall.Signal{syscall.SIGQUIT}},
		{"data export - --out " + dir + "/out", silent, []syscall.Signal{syscall.SIGHUP}},
		{"try -", silent, []syscall.Signal{syscall.SIGTERM}},
		{"try " + pipe, silent, []syscall.Signal{syscall.SIGHUP}},
		{"data infer " + sample(t) + " --schema /dev/stdin", silent, []syscall.Signal{syscall.SIGINT}},
		{"claims /dev/stdin", silent, []syscall.Signal{syscall.SIGINT}},
	} {
		t.Run(fmt.Sprint(test.args, " ", test.signals), func(t *testing.T) {
			s := start(t, []string{"XDG_CACHE_HOME=" + dir}, append([]string{"assay"}, strings.Fields(test.args)...)...)
			test.input(s)
			s.until("it begins", within, func() bool {
				made, err := os.ReadDir(s.tmp)
				return err == nil && len(made) > 0
			})
			time.Sleep(100 * time.Millisecond) // no event shows how far it is
			s.ends(test.signals...)
		})
	}
}

// An external contender ends together with all processes that it started.
func TestSignalsOfExternals(t *testing.T) {
	cachetest.Once(t)
	dir := filepath.Join(t.TempDir(), "visitor")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "name = \"visitor\"\nformat = \"json\"\ntitle = \"T\"\ncommand = [\"sh\", \"-c\", \"sleep 1000 & sleep 1000\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "runner.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, signals := range [][]syscall.Signal{{syscall.SIGINT}, {syscall.SIGTERM, syscall.SIGTERM}, {syscall.SIGKILL}} {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			s := start(t, nil, "assay", "verify", "-w", "movie", "--runner", dir)
			s.until("it asks the external contender", within, func() bool {
				return slices.ContainsFunc(s.alive(), func(line string) bool { return strings.HasPrefix(line, "sleep 1000") })
			})
			s.ends(signals...)
		})
	}
}

// A signal that was ignored when the program started stays ignored, as nohup requires.
func TestNoHangup(t *testing.T) {
	s := start(t, nil, "sh", "-c", `trap '' HUP; exec assay data infer -`)
	s.until("it begins", within, func() bool {
		made, err := os.ReadDir(s.tmp)
		return err == nil && len(made) > 0
	})
	if err := s.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if len(s.alive()) == 0 {
		t.Fatal("SIGHUP ended it")
	}
	s.ends(syscall.SIGTERM)
}

// A program that is stopped for a while says so. The time does not count towards its budget.
func TestStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a runner")
	}
	cachetest.Once(t)
	args := "assay try " + sample(t) + " -c ^encoding/json$ -o encode --quick --rounds 10 --layouts 4 --budget 20s --results {results} --cache " + cachetest.Dir(t)
	s := start(t, nil, strings.Fields(args)...)
	s.until("it measures", 5*time.Minute, func() bool { return s.recorded("launch") })
	if err := s.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	if err := s.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if got := code(s.Wait()); got != 0 && got != 4 {
		t.Errorf("exit code %d", got)
	}
	if !regexp.MustCompile(`stopped   for ([3-9]|\d\d)`).MatchString(s.said()) { // a busy machine goes on later
		t.Errorf("it does not say that it was stopped:\n%s", s.said())
	}
}

// typedModule writes a module with a type of records. It returns its directory.
func typedModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module corp.example/shop\n\ngo 1.26\n",
		"model/order.go": "package model\n\nimport \"encoding/json\"\n\nvar _ json.Marshaler\n\ntype Order struct {\n\tID   int      `json:\"id\"`\n\tName string   `json:\"name\"`\n\tTags []string `json:\"tags\"`\n}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// One signal ends a run and its programs at any point, and the run says how to resume it, also after
// a second signal. A kill also ends the run, but without that message.
func TestSignalsWhileMeasuring(t *testing.T) {
	if testing.Short() {
		t.Skip("builds runners")
	}
	cachetest.Once(t)
	file, dir, cache := sample(t), typedModule(t), cachetest.Dir(t)
	said := func(text string) func(*started) bool {
		return func(s *started) bool { return strings.Contains(s.said(), text) }
	}
	recorded := func(kind string) func(*started) bool {
		return func(s *started) bool { return s.recorded(kind) }
	}
	runs := func(programs ...string) func(*started) bool {
		return func(s *started) bool {
			return slices.ContainsFunc(s.alive(), func(line string) bool {
				return slices.ContainsFunc(programs, func(p string) bool { return strings.Contains(line, p) })
			})
		}
	}
	compiler := runs("/compile ", "/link ", "/asm ")
	const (
		try      = "assay try " // with the sample
		own      = "assay try --type ./model.Order --sample "
		measured = " -c ^encoding/json$ -o encode --results {results} --layouts 4 --budget 30s --cache "
		soon     = " -c ^encoding/json$ -o encode --results {results} --layouts 4 --budget 10s --cache " // for late phases
		goOn     = "what was measured is kept: go on with assay try --resume "
		before   = "interrupted before anything was measured"
	)
	warm := start(t, nil, strings.Fields(try+file+measured+cache)...)
	warm.until("it measures", 5*time.Minute, func() bool { return recorded("launch")(warm) })
	warm.ends(syscall.SIGINT)
	for _, test := range []struct {
		name, args, cache string // empty for an empty cache
		at                func(*started) bool
		signal            syscall.Signal
		hint              string
	}{
		{"generating", try + file + measured, "", said("read "), syscall.SIGINT, before},
		{"compiling", try + file + measured, "", compiler, syscall.SIGTERM, before},
		{"verifying", try + file + measured, cache, said("runner "), syscall.SIGHUP, goOn},
		{"sizing", try + file + measured, cache, recorded("verification"), syscall.SIGQUIT, goOn},
		{"counting", try + file + measured, cache, recorded("calibration"), syscall.SIGINT, goOn},
		{"measuring", try + file + measured, cache, recorded("launch"), syscall.SIGTERM, goOn},
		{"CPU time", try + file + soon, cache, recorded("steady"), syscall.SIGHUP, goOn},
		{"listing a type", own + file + measured, "", runs("/compile "), syscall.SIGINT, before},
		{"compiling a type", own + file + measured, "", compiler, syscall.SIGTERM, before},
		{"a runner of a type", own + file + soon, cache, runs("./runner "), syscall.SIGQUIT, ""},
		{"doctor", "assay doctor --budget 20s --cache ", "", compiler, syscall.SIGINT, "interrupted"},
		{"exhibits", "assay exhibits xmlslice --results {results} --cache ", "", compiler, syscall.SIGHUP, before},
		{"running an exhibit", "assay exhibits xmlslice --results {results} --cache ", cache, recorded("bench"), syscall.SIGTERM, "what was measured is kept: assay exhibits --run "},
		{"buildcost", "assay buildcost -c ^encoding/json$ -w tick --results {results} --cache ", "", compiler, syscall.SIGINT, "interrupted"},
	} {
		for _, signals := range [][]syscall.Signal{{test.signal}, {test.signal, test.signal}, {syscall.SIGKILL}} {
			t.Run(fmt.Sprint(test.name, " ", signals), func(t *testing.T) {
				var env []string
				at := test.cache
				if at == "" {
					at = t.TempDir()
				}
				if test.name == "listing a type" { // it compiles the imports of the type
					env = []string{"GOCACHE=" + t.TempDir()}
				}
				t.Chdir(dir)
				s := start(t, env, strings.Fields(test.args+at)...)
				s.until("it comes to "+test.name, 3*time.Minute, func() bool { return test.at(s) })
				s.ends(signals...)
				told := len(signals) == 1 || test.hint == goOn
				if told && signals[0] != syscall.SIGKILL && !strings.Contains(s.said(), test.hint) {
					t.Errorf("it does not say %q:\n%s", test.hint, s.said())
				}
			})
		}
	}
}

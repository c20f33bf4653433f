package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
	"assay/workload"
)

// TestMain makes the test binary a runner of the fakes if BENCH_TEST_RUNNER is set.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_TEST_RUNNER") != "" {
		Main(program())
		return
	}
	os.Exit(m.Run())
}

const (
	loadLine   = `{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":4}}`
	verifyLine = `{"cmd":"verify","verify":{"contender":"json","mode":""}}`
)

func TestDescribe(t *testing.T) {
	a := serve(t, program(), `{"cmd":"describe"}`)[0]
	d := a.Described
	if d == nil || d.Protocol != 1 || d.Go != runtime.Version() || d.GOOS != runtime.GOOS || d.GOARCH != runtime.GOARCH || d.ThreadCPU != hasThreadCPU {
		t.Fatalf("%+v", a)
	}
	if d.Modules == nil {
		t.Error("modules is null")
	}
	want := BindingInfo{Contender: "json", Workload: "items", Root: "Item", Mode: "target=reuse", Ops: []result.Op{"decode"}}
	if len(d.Bindings) != len(fakes)+1 || !cmp.Equal(d.Bindings[2], want) {
		t.Errorf("bindings: %+v", d.Bindings)
	}
}

func TestLoad(t *testing.T) {
	answers := serve(t, program(),
		`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":18446744073709551615,"inputs":0}}`,
		loadLine, verifyLine,
		`{"cmd":"load","load":{"workload":"none","size":"n=1","seed":1,"inputs":0}}`, verifyLine)
	want := []Answer{
		{Loaded: &Loaded{Root: "Item", Inputs: 64}},
		{Loaded: &Loaded{Root: "Item", Inputs: 4}},
		{Verified: &Verified{OK: true}},
		{Error: `load: no workload "none" in this runner, which has items`},
		{Error: "verify: nothing is loaded: send load first"},
	}
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Error(diff)
	}
}

// TestBadInput: each bad line is answered with an error that says what is wrong, and the next
// line is answered normally.
func TestBadInput(t *testing.T) {
	tests := []struct{ line, want string }{
		{"", "empty line"},
		{"   ", "empty line"},
		{"load", "not a command: invalid character"},
		{`{"cmd":"load"`, "not a command: unexpected EOF"},
		{`[]`, "not a command: json: cannot unmarshal array"},
		{`{"cmd":1}`, "not a command: json: cannot unmarshal number"},
		{`{"cmd":"describe"} {"cmd":"describe"}`, "not a command: more than one JSON value"},
		{`{"cmd":"describe"} x`, "not a command: more than one JSON value"},
		{`{"cmd":"verify","verify":{"contender":"json","fast":true}}`, `not a command: json: unknown field "fast"`},
		{`{}`, `unknown command ""`},
		{`{"cmd":"dance"}`, `unknown command "dance": want describe, load,`},
		{`{"cmd":"load"}`, `load: the field "load" with its arguments is missing`},
		{`{"cmd":"verify"}`, `verify: the field "verify"`},
		{`{"cmd":"calibrate","load":{}}`, `calibrate: the field "calibrate"`},
		{`{"cmd":"rounds","rounds":null}`, `rounds: the field "rounds"`},
		{`{"cmd":"memory"}`, `memory: the field "memory"`},
		{`{"cmd":"verify","verify":{"contender":"nobody"}}`, `verify: unknown contender "nobody"`},
		{`{"cmd":"verify","verify":{"contender":"json","mode":"fast"}}`, "verify: json (fast) has no binding to Item of workload items in this mode"},
		{`{"cmd":"verify","verify":{"contender":"json","mode":"output=reuse","from":{"contender":"json"}}}`, "verify: json (output=reuse) offers no decode"},
		{`{"cmd":"verify","verify":{"contender":"json","from":{"contender":"nobody"}}}`, "verify: from: nobody offers no encode"},
		{`{"cmd":"verify","verify":{"contender":"json","from":{"contender":"wrongconvert"}}}`, "verify: from: wrongconvert offers no encode"},
		{`{"cmd":"calibrate","calibrate":{"cases":[],"batch_ns":1}}`, "calibrate: no cases"},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","op":"encode"}]}}`, "calibrate: batch_ns is 0"},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","op":"encode"}],"batch_ns":1,"min_ops":-1}}`, "calibrate: min_ops is -1"},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","op":"encode"}],"batch_ns":1,"max_ns":-1}}`, "calibrate: max_ns is -1"},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","op":"sing"}],"batch_ns":1}}`, `calibrate: json offers no op "sing"`},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"failing","op":"decode"}],"batch_ns":1}}`, `calibrate: failing decode: cannot read`},
		{`{"cmd":"rounds","rounds":{"cases":[],"rounds":1}}`, "rounds: no cases"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode"}],"rounds":1}}`, "rounds: json encode: n is 0"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode","n":1,"every":-1}],"rounds":1}}`, "rounds: json encode: every is -1"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode","n":1}]}}`, "rounds: rounds is 0"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode","n":1}],"rounds":1,"warmup":-1}}`, "rounds: warmup is -1"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode","n":1}],"rounds":1,"limit_ns":-1}}`, "rounds: limit_ns is -1"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"wrongconvert","op":"encode","n":1}],"rounds":1}}`, `rounds: wrongconvert offers no op "encode" here, but [convert]`},
		{`{"cmd":"memory","memory":{"contender":"json","op":"encode"}}`, "memory: ops is 0"},
		{`{"cmd":"memory","memory":{"contender":"json","op":"encode","ops":1073741825}}`, "memory: ops is 1073741825"},
		{`{"cmd":"memory","memory":{"contender":"failing","op":"decode","ops":1}}`, "memory: failing decode: cannot read"},
		{`{"cmd":"memory","memory":{"contender":"nobody","op":"decode","ops":1}}`, `memory: unknown contender "nobody"`},
		{`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","op":"encode","role":"king"}],"batch_ns":1}}`, `calibrate: json encode: unknown role "king": want control, floor or none`},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"encode","n":1,"role":"king"}],"rounds":1}}`, `rounds: json encode: unknown role "king": want control, floor or none`},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"decode","n":1,"role":"floor"}],"rounds":1}}`, "rounds: json decode: the role floor is for op encode only"},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","mode":"target=reuse","op":"encode","n":1,"role":"floor"}],"rounds":1}}`, `rounds: nobody to write the messages: json (target=reuse) offers no op "encode"`},
		{`{"cmd":"rounds","rounds":{"cases":[{"contender":"nobody","op":"decode","n":1,"role":"control"}],"rounds":1}}`, `rounds: unknown contender "nobody"`},
		{`{"cmd":"steady"}`, `steady: the field "steady"`},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode"}}`, "steady: max_ns is 0, want at least 1"},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode","min_ns":2,"max_ns":1}}`, "steady: max_ns is 1, want at least 1 and at least min_ns"},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode","min_ns":-1,"max_ns":1}}`, "steady: min_ns is -1"},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode","min_cycles":-1,"max_ns":1}}`, "steady: min_cycles is -1"},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode","live_mb":-1,"max_ns":1}}`, "steady: live_mb is -1, want 0 to 4096"},
		{`{"cmd":"steady","steady":{"contender":"json","op":"encode","live_mb":4097,"max_ns":1}}`, "steady: live_mb is 4097, want 0 to 4096"},
		{`{"cmd":"steady","steady":{"contender":"nobody","op":"encode","max_ns":1}}`, `steady: unknown contender "nobody"`},
		{`{"cmd":"steady","steady":{"contender":"failing","op":"decode","max_ns":1}}`, "steady: failing decode: cannot read"},
		{`{"cmd":"steady","steady":{"contender":"failing","op":"scan","max_ns":1}}`, "steady: failing scan: cannot read"},
		{`{"cmd":"steady","steady":{"contender":"wrongcount","op":"decode","max_ns":1}}`, "steady: wrongcount decode: 1 operations from input 0 returned the sum 2, want 1"},
		{`{"cmd":"cold"}`, `cold: the field "cold"`},
		{`{"cmd":"cold","cold":{"contender":"json","op":"encode"}}`, "cold: a contender's code has already run in this process: start a new runner"},
		{`{"cmd":"retain"}`, `retain: the field "retain"`},
		{`{"cmd":"retain","retain":{"contender":"json"}}`, "retain: messages is 0, want 1 to"},
		{`{"cmd":"retain","retain":{"contender":"json","messages":-1}}`, "retain: messages is -1"},
		{`{"cmd":"retain","retain":{"contender":"json","messages":1073741825}}`, "retain: messages is 1073741825"},
		{`{"cmd":"retain","retain":{"contender":"json","mode":"output=reuse","messages":1}}`, `retain: json (output=reuse) offers no op "decode"`},
		{`{"cmd":"retain","retain":{"contender":"json","mode":"target=reuse","messages":1}}`, "retain: json (target=reuse) decode: two messages were decoded into the same value"},
		{`{"cmd":"retain","retain":{"contender":"failing","messages":1}}`, "retain: failing decode: cannot read"},
		{`{"cmd":"retain","retain":{"contender":"wrongcount","messages":1}}`, "retain: wrongcount decode: 1 operations returned the sum 2, want 1"},
		{`{"cmd":"retain","retain":{"contender":"withholding","messages":1}}`, "retain: withholding does not give its decoded values away"},
		{`{"cmd":"retain","retain":{"contender":"nothing","messages":1}}`, "retain: nothing decode: there is no decoded value"},
		{`{"cmd":"parallel"}`, `parallel: the field "parallel"`},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","n":1,"rounds":1}}`, "parallel: goroutines is 0, want 1 to 1024"},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","goroutines":1025,"n":1,"rounds":1}}`, "parallel: goroutines is 1025"},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","goroutines":1,"rounds":1}}`, "parallel: n is 0"},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","goroutines":1,"n":1}}`, "parallel: rounds is 0"},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","goroutines":1,"n":1,"rounds":1,"warmup":-1}}`, "parallel: warmup is -1"},
		{`{"cmd":"parallel","parallel":{"contender":"json","op":"sing","goroutines":1,"n":1,"rounds":1}}`, `parallel: json offers no op "sing"`},
		{`{"cmd":"parallel","parallel":{"contender":"unbound","op":"encode","goroutines":2,"n":1,"rounds":1}}`, "parallel: bind unbound: does not fit"},
		{`{"cmd":"parallel","parallel":{"contender":"mute","op":"decode","goroutines":2,"n":1,"rounds":1}}`, "parallel: mute encode: cannot write"},
		{`{"cmd":"parallel","parallel":{"contender":"failing","op":"decode","goroutines":2,"n":20,"rounds":1}}`, "parallel: failing decode: cannot read"},
		{`{"cmd":"parallel","parallel":{"contender":"failing","op":"scan","goroutines":2,"n":1,"rounds":1}}`, "parallel: failing scan: cannot read"},
		{`{"cmd":"parallel","parallel":{"contender":"wrongcount","op":"decode","goroutines":2,"n":1,"rounds":1}}`, "parallel: wrongcount decode: 1 operations from input 0 returned the sum 2, want 1"},
	}
	lines := []string{loadLine, verifyLine}
	for _, test := range tests {
		lines = append(lines, test.line, verifyLine)
	}
	answers := serve(t, program(), lines...)
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	for i, test := range tests {
		bad, next := answers[2+2*i], answers[3+2*i]
		if !strings.HasPrefix(bad.Error, test.want) || !cmp.Equal(bad, Answer{Error: bad.Error}) {
			t.Errorf("%s\nanswer %+v\nwant error %s", test.line, bad, test.want)
		}
		if next.Verified == nil || !next.Verified.OK {
			t.Errorf("after %s: %+v", test.line, next)
		}
	}
}

func TestBadLoad(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"cmd":"load","load":{"workload":"items","size":"n=2","seed":1,"inputs":1}}`, `load: workload items has no size "n=2"`},
		{`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":-1}}`, "load: inputs is -1"},
		{`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":-1,"inputs":1}}`, "not a command: json: cannot unmarshal number -1"},
		{`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":5000}}`, "load: generate items n=1: 5000 are too many"},
		{`{"cmd":"load","load":{"workload":"items","size":"wrong","seed":1,"inputs":5}}`, "load: generate items wrong: got 6 values, want 5"},
		{`{"cmd":"load","load":{"workload":"items","size":"other","seed":1,"inputs":5}}`, "load: generate items other: *int has no method LeafSum"},
		{`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":1,"mark":"no/such/directory"}}`, "load: mark file: open no/such/directory"},
	}
	for _, test := range tests {
		answers := serve(t, program(), test.line, loadLine)
		if !strings.HasPrefix(answers[0].Error, test.want) {
			t.Errorf("%s\nanswer %+v\nwant error %s", test.line, answers[0], test.want)
		}
		if answers[1].Loaded == nil {
			t.Errorf("after %s: %+v", test.line, answers[1])
		}
	}
	if a := serve(t, Program{}, loadLine)[0]; a.Error != `load: no workload "items" in this runner, which has none` {
		t.Errorf("%+v", a)
	}
}

// TestOutOfOrder: every command that needs values is an error before load.
func TestOutOfOrder(t *testing.T) {
	for _, cmd := range []string{"verify", "calibrate", "rounds", "memory", "steady", "cold", "retain", "parallel"} {
		a := serve(t, program(), `{"cmd":"`+cmd+`","`+cmd+`":{}}`)[0]
		if a.Error != cmd+": nothing is loaded: send load first" {
			t.Errorf("%s: %+v", cmd, a)
		}
	}
}

func TestExit(t *testing.T) {
	answers := serve(t, program(), `{"cmd":"exit"}`, `{"cmd":"describe"}`)
	if !cmp.Equal(answers, []Answer{{}}) {
		t.Errorf("%+v", answers)
	}
	if answers := serve(t, program()); len(answers) != 1 || answers[0].Error == "" {
		t.Errorf("a newline alone: %+v", answers)
	}
	var out bytes.Buffer
	if err := Serve(program(), strings.NewReader(""), &out); err != nil || out.Len() != 0 {
		t.Errorf("no input: %v, %q", err, &out)
	}
	// The last line needs no newline.
	if err := Serve(program(), strings.NewReader(loadLine), &out); err != nil || len(decodeAnswers(t, out.Bytes())) != 1 {
		t.Errorf("no newline: %v, %q", err, &out)
	}
}

type brokenPipe struct{ io.Reader }

func (brokenPipe) Read([]byte) (int, error)  { return 0, errors.New("no line") }
func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestServeErrors(t *testing.T) {
	if err := Serve(program(), brokenPipe{}, io.Discard); err == nil || err.Error() != "read command: no line" {
		t.Errorf("reading: %v", err)
	}
	if err := Serve(program(), strings.NewReader(loadLine), brokenPipe{}); err == nil || err.Error() != "write answer: gone" {
		t.Errorf("writing: %v", err)
	}
}

// TestLongLine: a line may be much longer than any buffer.
func TestLongLine(t *testing.T) {
	name := strings.Repeat("x", 1<<20)
	a := serve(t, program(), loadLine, `{"cmd":"verify","verify":{"contender":"`+name+`"}}`, verifyLine)
	if !strings.Contains(a[1].Error, name) || a[2].Verified == nil {
		t.Errorf("error of %d bytes, then %+v", len(a[1].Error), a[2])
	}
}

// TestMark: the mark names a contender before the contender's code runs.
func TestMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mark")
	var seen []string
	look := func() {
		b, err := os.ReadFile(path)
		if err != nil || len(b) != MarkSize {
			t.Fatalf("mark of %d bytes: %v", len(b), err)
		}
		text := strings.TrimRight(string(b), " ")
		if len(seen) == 0 || seen[len(seen)-1] != text {
			seen = append(seen, text)
		}
	}
	w := testWorkload()
	generate := w.Generate
	w.Generate = func(s workload.Size, seed uint64, n int) (any, error) { look(); return generate(s, seed, n) }
	p := Program{Workloads: []*workload.Workload{w}}
	for _, b := range program().Bindings {
		if b.Contender != "json" {
			continue
		}
		bind := b.New
		b.New = func(values any) (*Codec, error) {
			look()
			c, err := bind(values)
			for _, op := range []*Op{&c.Encode, &c.Decode} {
				if f := *op; f != nil {
					*op = func(n int) (uint64, error) { look(); return f(n) }
				}
			}
			return c, err
		}
		p.Bindings = append(p.Bindings, b)
	}
	load := Command{Cmd: "load", Load: &Load{Workload: "items", Size: "n=1", Inputs: 2, Mark: path}}
	line, err := json.Marshal(load)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, p, string(line), string(line),
		`{"cmd":"verify","verify":{"contender":"json","mode":"output=reuse"}}`,
		`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","mode":"target=reuse","op":"decode","n":2}],"rounds":1}}`,
		`{"cmd":"memory","memory":{"contender":"json","op":"encode","ops":2}}`)
	want := []string{
		"",
		"json\toutput=reuse\tencode\n", "json\t\tdecode\n",
		"json\ttarget=reuse\tdecode\n", "json\t\tencode\n", "json\ttarget=reuse\tdecode\n",
		"json\t\tencode\n", "json\t\tdecode\n",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	// A case whose names do not fit is refused before it runs.
	m, err := openMark(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	if err := m.set(result.Subject{Contender: strings.Repeat("x", MarkSize)}, "encode"); !errors.Is(err, errMark) {
		t.Errorf("long mark: %v", err)
	}
}

// runner runs the test binary as a runner that reads lines.
func runner(t *testing.T, lines ...string) (stdout, stderr []byte, err error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "BENCH_TEST_RUNNER=1")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.Bytes(), errs.Bytes(), err
}

// TestStrayPrints: output that a library prints does not get between the answers.
func TestStrayPrints(t *testing.T) {
	stdout, stderr, err := runner(t, loadLine, `{"cmd":"verify","verify":{"contender":"printing","mode":""}}`, `{"cmd":"exit"}`)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if runtime.GOOS != "linux" {
		stdout = bytes.ReplaceAll(stdout, []byte("printed early\n"), nil)
	}
	want := []Answer{{Loaded: &Loaded{Root: "Item", Inputs: 4}}, {Verified: &Verified{OK: true}}, {}}
	if diff := cmp.Diff(want, decodeAnswers(t, stdout)); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(stderr, []byte("printed\n")) {
		t.Errorf("standard error: %q", stderr)
	}
}

// TestDeath: if a contender kills the process, the mark names it.
func TestDeath(t *testing.T) {
	for name, text := range map[string]string{"panicking": "panic: out of range", "recursing": "stack exceeds 67108864-byte limit"} {
		path := filepath.Join(t.TempDir(), "mark")
		load, err := json.Marshal(Command{Cmd: "load", Load: &Load{Workload: "items", Size: "n=1", Inputs: 4, Mark: path}})
		if err != nil {
			t.Fatal(err)
		}
		stdout, stderr, err := runner(t, string(load), verifyLine, `{"cmd":"verify","verify":{"contender":"`+name+`","mode":""}}`, verifyLine)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !bytes.Contains(stderr, []byte(text)) {
			t.Errorf("%s: %v\n%.500s", name, err, stderr)
		}
		if answers := decodeAnswers(t, stdout); len(answers) != 2 {
			t.Errorf("%s: answers %+v", name, answers)
		}
		if b, err := os.ReadFile(path); err != nil || strings.TrimRight(string(b), " ") != name+"\t\tdecode\n" {
			t.Errorf("%s: mark %q, %v", name, b, err)
		}
	}
}

func TestModule(t *testing.T) {
	dep := func(path, version string, r *debug.Module) *debug.Module {
		return &debug.Module{Path: path, Version: version, Replace: r}
	}
	tests := []struct {
		m    *debug.Module
		want result.Module
	}{
		{dep("a/b", "v1.0.0", nil), result.Module{Path: "a/b", Version: "v1.0.0"}},
		{dep("a/b", "v1.0.0", dep("fork/b", "v1.0.1", nil)), result.Module{Path: "a/b", Version: "fork/b@v1.0.1"}},
		{dep("a/b", "v1.0.0", dep("../b", "", nil)), result.Module{Path: "a/b", Version: "../b"}},
	}
	for _, test := range tests {
		if got := module(test.m); got != test.want {
			t.Errorf("%+v, want %+v", got, test.want)
		}
	}
}

// FuzzServe: for any input, every line has one answer, and no line ends a runner of
// well-behaved contenders.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"cmd":"describe"}`))
	f.Add([]byte(loadLine + "\n" + verifyLine))
	f.Add([]byte(`{"cmd":"verify","verify":{"contender":"json","mode":"output=reuse","losses":["nil-empty"],"from":{"contender":"late","mode":""}}}`))
	f.Add([]byte(`{"cmd":"calibrate","calibrate":{"cases":[{"contender":"json","mode":"","op":"encode"}],"batch_ns":1000,"min_ops":2,"max_ns":5000}}`))
	f.Add([]byte(`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","mode":"","op":"scan","n":3,"every":2}],"warmup":1,"rounds":3,"seed":9,"limit_ns":1000}}`))
	f.Add([]byte(`{"cmd":"memory","memory":{"contender":"json","mode":"","op":"decode","ops":9}}`))
	f.Add([]byte(`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","mode":"","op":"encode","n":3,"role":"control"},{"contender":"json","mode":"","op":"encode","n":3,"role":"floor"}],"warmup":1,"rounds":3,"seed":9,"sentinel":true}}`))
	f.Add([]byte(`{"cmd":"steady","steady":{"contender":"json","mode":"","op":"decode","live_mb":1,"min_ns":1000,"min_cycles":1,"max_ns":100000}}`))
	f.Add([]byte(`{"cmd":"cold","cold":{"contender":"json","mode":"","op":"decode"}}`))
	f.Add([]byte(`{"cmd":"retain","retain":{"contender":"json","mode":"","messages":9}}`))
	f.Add([]byte(`{"cmd":"parallel","parallel":{"contender":"json","mode":"","op":"scan","goroutines":3,"n":11,"warmup":1,"rounds":2}}`))
	f.Add([]byte("{\"cmd\":\"exit\"}\n{"))
	p := program()
	p.Bindings = slices.DeleteFunc(p.Bindings, func(b Binding) bool {
		return b.Contender == "panicking" || b.Contender == "recursing" || b.Contender == "printing"
	})
	f.Fuzz(func(t *testing.T, in []byte) {
		lines := 0
		exited := false
		for line := range bytes.Lines(in) {
			c, err := parse(line)
			if l := c.Load; l != nil && l.Mark != "" || c.Export != nil || c.Stream != nil {
				t.Skip("writes a file")
			}
			if r := c.Rounds; r != nil && r.Relay != nil {
				t.Skip("takes descriptors that are not its own")
			}
			if takesLong(c) {
				t.Skip("takes long")
			}
			if !exited {
				lines++
			}
			exited = exited || err == nil && c.Cmd == "exit"
		}
		var out bytes.Buffer
		if err := Serve(p, io.MultiReader(strings.NewReader(loadLine+"\n"), bytes.NewReader(in)), &out); err != nil {
			t.Fatal(err)
		}
		if got := len(decodeAnswers(t, out.Bytes())); got != lines+1 {
			t.Errorf("%d answers to %d lines", got, lines+1)
		}
	})
}

// takesLong reports a command that would slow a fuzzer down.
func takesLong(c Command) bool {
	if r := c.Rounds; r != nil && (r.Rounds > 20 || r.Warmup > 20 || len(r.Cases) > 5) {
		return true
	}
	if s := c.Steady; s != nil && (s.LiveMB > 2 || s.MaxNS > 1e6) {
		return true
	}
	if r := c.Retain; r != nil && r.Messages > 1000 {
		return true
	}
	p := c.Parallel
	return p != nil && (p.Goroutines > 8 || p.Warmup > 20 || p.Rounds > 20 || p.N > 1000)
}

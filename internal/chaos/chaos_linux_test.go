package chaos

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/cachedir/cachetest"
	"assay/internal/rootonly"
)

// TestShortChaos runs a short form of the experiment: a few runs of one small cell, from one
// seed.
func TestShortChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("builds assay and measures")
	}
	cachetest.Once(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "assay")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", program, "../../cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report, err := Run(t.Context(), Options{
		Assay: program, Dir: dir, N: 4, Seed: 2, Undisturbed: 1, Layouts: 3, Rounds: 3, Commands: []string{"try"}, Log: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Violations() {
		t.Error(v)
	}
	for _, note := range report.Notes {
		t.Log(note)
	}
	hits := 0
	for _, o := range report.Runs {
		for _, h := range o.Hits {
			t.Logf("%s while %s: exit %s after %v", h.Kind, h.Phase, h.Exit, h.Took.Round(time.Millisecond))
			if h.Phase != Over {
				hits++
			}
		}
	}
	if len(report.Runs) != 4 || hits < 2 {
		t.Errorf("%d runs, %d disturbances in time", len(report.Runs), hits)
	}
}

// script starts a shell script in place of assay.
func script(t *testing.T, text string) *command {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "assay")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	h := &harness{Options: Options{Assay: path, Dir: dir}}
	c, err := h.start("try", place{results: dir, cache: dir, tmp: dir}, "1s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.destroy)
	return c
}

// sleeping waits until c has exactly one other process, and that process is sleep. Between fork
// and exec the process still has the command line of the shell.
func sleeping(t *testing.T, c *command) {
	t.Helper()
	var others []markedProcess
	for limit := time.Now().Add(prompt); time.Now().Before(limit); time.Sleep(glance) {
		others = slices.DeleteFunc(c.processes(), func(p markedProcess) bool { return p.pid == c.cmd.Process.Pid })
		if len(others) == 1 && strings.HasPrefix(others[0].line, "sleep") {
			return
		}
	}
	t.Errorf("other processes: %v", others)
}

// TestCommand checks that the harness sees the processes that a program leaves, the phase of the
// program, and how it ends.
func TestCommand(t *testing.T) {
	c := script(t, "sleep 1000 &\nexit 7\n")
	if exit, err := c.wait(t.Context(), prompt); exit != "7" || err != nil {
		t.Errorf("exit %s, %v", exit, err)
	}
	sleeping(t, c)
	c.destroy()
	if wrong := c.remains(); len(wrong) > 0 {
		t.Errorf("destroyed: %q", wrong)
	}

	c = script(t, "echo 'read      3 records' >&2\nsleep 1000\n")
	if now, err := c.until(t.Context(), Generating); now != Generating || err != nil {
		t.Errorf("%s, %v", now, err)
	}
	if _, err := c.wait(t.Context(), 10*time.Millisecond); err == nil || !strings.Contains(err.Error(), "it does not end in") {
		t.Errorf("%v", err)
	}
	sleeping(t, c)
	if p, ok := c.child(t.Context()); !ok || !strings.HasPrefix(p.line, "sleep") {
		t.Errorf("child %v, %t", p, ok)
	}
	if exit, err := c.apply(t.Context(), Disturbance{Kind: Killed}); exit != "SIGKILL" || err != nil {
		t.Errorf("exit %s, %v", exit, err)
	}
	if len(c.processes()) != 1 {
		t.Error("the child of a program that was killed is not seen")
	}
}

// TestExits checks which exits are accepted after each kind of disturbance.
func TestExits(t *testing.T) {
	for _, test := range []struct {
		kind   Kind
		exit   string
		stderr string
		ok     bool
	}{
		{Interrupted, "130", "", true}, {Interrupted, "1", "", false}, {Interrupted, "SIGINT", "", false}, {Killed, "SIGKILL", "", true},
		{Stopped, "0", "", true}, {Stopped, "130", "", false}, {Memory, "2", "", true}, {ChildMemory, "2", "", false},
		{ResultsFull, "3", "no space left on device", true}, {ResultsFull, "3", "something else", false},
	} {
		d := Disturbance{Kind: test.kind}
		if got := d.mayEnd(test.exit) && len(d.reason(test.exit, []byte(test.stderr))) == 0; got != test.ok {
			t.Errorf("%s, exit %s, %q: %t", test.kind, test.exit, test.stderr, got)
		}
	}
	for _, k := range Kinds {
		if _, ok := exits[k]; !ok {
			t.Errorf("how a command may end after %s is not said", k)
		}
	}
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	unmount, err := mount(dir, "256k")
	if err != nil {
		rootonly.Skip(t, "a small disk needs the right to mount one: ", err)
	}
	defer unmount()
	release, err := fill(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	release()
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o600); err != nil {
		t.Error(err)
	}
	if err := unmount(); err != nil {
		t.Error(err)
	}
}

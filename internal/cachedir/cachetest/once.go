package cachetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	// thorough is the environment variable that makes every test run.
	thorough = "ASSAY_THOROUGH"
	// passes is the directory of passed tests: one file for each test, with the newest keys first.
	passes = "passed"
	// kept is the number of keys that are kept for a test.
	kept = 8
)

// Once is for tests that build programs and measure for a minute. It skips a test that has
// already passed here with the same code. Unlike the cache of go test, it ignores comments, which
// change the line numbers in a program. The code is every file of the module except documents and
// hidden directories; also names the documents that the test reads. The toolchain and the
// programs that tests run belong to the code too.
//
// ASSAY_THOROUGH=1 makes every test run, and so does -count, -run, or any flag that the test
// program itself defines. Short tests always run.
func Once(t *testing.T, also ...string) {
	t.Helper()
	if testing.Short() || os.Getenv(thorough) == "1" || asked() {
		return
	}
	base, err := onceBase()
	if err != nil {
		t.Fatal(err)
	}
	env, err := onceEnv()
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	fmt.Fprintln(h, runtime.GOOS, runtime.GOARCH, env.settings, os.Getuid(), also)
	fmt.Fprintln(h, built())
	for _, program := range []string{"git", "protoc", "flatc", "capnp", "python3"} {
		fmt.Fprintln(h, program, identity(program))
	}
	digest, err := onceCode()
	if err != nil {
		t.Fatal(err)
	}
	h.Write(digest)
	if err := documents(h, env.module, also); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(base, within, passes, hex.EncodeToString(sum(t.Name() + "\x00" + os.Args[0][strings.LastIndexAny(os.Args[0], `/\`)+1:])[:10]))
	key := hex.EncodeToString(h.Sum(nil))
	if passed(file, key) {
		t.Skipf("it passed with the same code; %s=1 or -count=1 runs it again", thorough)
	}
	t.Cleanup(func() {
		if t.Failed() || t.Skipped() {
			return
		}
		if err := pass(file, key); err != nil {
			t.Logf("that it passed is not kept: %v", err)
		}
	})
}

// goEnv is what the go command says of this module: its files, and the settings that it compiles with.
type goEnv struct {
	module   fs.FS
	settings string
}

var onceEnv = sync.OnceValues(func() (goEnv, error) {
	out, err := exec.Command("go", "env", "GOMOD", "GOVERSION", "GOFLAGS", "GOEXPERIMENT", "CGO_ENABLED", "GOAMD64", "GOARM64").Output()
	gomod, settings, _ := strings.Cut(string(out), "\n")
	return goEnv{os.DirFS(filepath.Dir(strings.TrimSpace(gomod))), settings}, err
})

// onceCode returns a hash of the module's code.
var onceCode = sync.OnceValues(func() ([]byte, error) {
	env, err := onceEnv()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	err = code(h, env.module)
	return h.Sum(nil), err
})

// asked reports whether a flag selects the tests to run.
func asked() (yes bool) {
	flag.Visit(func(f *flag.Flag) {
		name, ofGo := strings.CutPrefix(f.Name, "test.")
		yes = yes || !ofGo || slices.Contains([]string{"count", "run", "skip", "bench", "fuzz", "list"}, name)
	})
	return yes
}

// built returns the build settings of this program, such as -race=true, which go env does not
// report.
func built() []debug.BuildSetting {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return nil
	}
	return slices.DeleteFunc(info.Settings, func(s debug.BuildSetting) bool { return strings.HasPrefix(s.Key, "vcs") })
}

// identity identifies a version of a program; "none" if there is no such program.
func identity(program string) string {
	file, err := exec.LookPath(program)
	if err != nil {
		return "none"
	}
	info, err := os.Stat(file)
	if err != nil {
		return "none"
	}
	return fmt.Sprintf("%q %d %d", file, info.Size(), info.ModTime().UnixNano())
}

func sum(text string) []byte {
	s := sha256.Sum256([]byte(text))
	return s[:]
}

// passed reports whether the file has the key.
func passed(file, key string) bool {
	data, _ := os.ReadFile(file) // a missing file has no key
	return slices.Contains(strings.Fields(string(data)), key)
}

// pass adds the key to the file, before the others.
func pass(file, key string) error {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	keys := append([]string{key}, strings.Fields(string(data))...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Join(keys[:min(kept, len(keys))], "\n")+"\n"), 0o600)
}

// code writes the names and contents of a module's files to h. It omits comments from Go files,
// except in test data, and all documents.
func code(h hash.Hash, module fs.FS) error {
	return fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && name != "." && (d.Name()[0] == '.' || name == "docs"):
			return fs.SkipDir
		case !d.Type().IsRegular() || path.Ext(name) == ".md" && !strings.Contains(name, "/"):
			return nil
		}
		return add(h, module, name)
	})
}

// documents writes the names and contents of documents, and of all in directories of documents, to
// h.
func documents(h hash.Hash, module fs.FS, names []string) error {
	for _, name := range names {
		err := fs.WalkDir(module, name, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			return add(h, module, name)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add writes the name and the content of a file to h.
func add(h hash.Hash, module fs.FS, name string) error {
	data, err := fs.ReadFile(module, name)
	if err != nil {
		return err
	}
	if path.Ext(name) == ".go" && !strings.Contains("/"+name, "/testdata/") {
		data = bare(data)
	}
	fmt.Fprintf(h, "%q %d\n", name, len(data))
	h.Write(data)
	return nil
}

// directive matches comments that the compiler or package testing interprets.
var directive = regexp.MustCompile(`^(//go:|//export |//line |/\*line |// \+build|// (Unordered )?[Oo]utput:|// Code generated )`)

// bare returns the tokens of a Go file without comments and white space. It returns a file that
// is not Go unchanged.
func bare(data []byte) []byte {
	var s scanner.Scanner
	var out bytes.Buffer
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(data)), data, func(token.Position, string) {}, scanner.ScanComments)
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF && s.ErrorCount == 0:
			return out.Bytes()
		case tok == token.EOF:
			return data
		case tok == token.COMMENT && !directive.MatchString(text):
		case tok == token.SEMICOLON: // explicit, or inserted at the end of a line
			out.WriteString(";\n")
		default:
			fmt.Fprintln(&out, tok, text)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// plantedModule is the library whose copies are slowed down. In its default mode, contender
// goccy/go-json calls two functions of plantedFile. Its other modes call neither of them.
const (
	plantedModule = "github.com/goccy/go-json"
	plantedFile   = "json.go"
)

// A plant is a modified copy of the library.
type plant struct {
	name string
	// every is the number of calls of a function after which one call is made twice, so that
	// every calls cost as much as every+1: 33 is a slow-down of 3%.
	every int
	// padding is the number of extra functions in the copy. They have no other use than to change
	// the order of all functions: copies with the same number have the same order in each layout.
	padding int
}

// never is a larger number of calls than any program makes.
const never = 1 << 62

// plants are the copies that -plant writes. The first is the base of the comparison. It counts
// its calls as the others do, because counting takes a nanosecond or more, which is 1% of short
// calls.
var plants = []plant{{name: "plain", every: never}, {name: "slower-1", every: 100}, {name: "slower-3", every: 33}}

// slowdown returns the time of the copy over that of the library.
func (p plant) slowdown() float64 { return 1 + 1/float64(p.every) }

// planted are the statements to insert in a copy, each after the line that begins the function or
// the import. The result of the second call is discarded.
var planted = [][2]string{
	{"import (\n", "\t\"reflect\"\n"},
	{"func Marshal(v any) ([]byte, error) {\n", "\tif twice(&marshals) {\n\t\t_, _ = MarshalWithOption(v)\n\t}\n"},
	{"func Unmarshal(data []byte, v any) error {\n", "\tif twice(&unmarshals) {\n\t\t_ = unmarshal(data, reflect.New(reflect.TypeOf(v).Elem()).Interface())\n\t}\n"},
}

// counting is the format of the file that is added to a copy.
const counting = `package json

// every is after how many calls one is made twice.
const every = %d

var marshals, unmarshals int

func twice(calls *int) bool {
	if *calls++; *calls < every {
		if *calls < 0 {
			for _, f := range padding {
				f()
			}
		}
		return false
	}
	*calls = 0
	return true
}

var padding = []func(){
`

// source returns the text of the added file.
func (p plant) source() []byte {
	text := fmt.Appendf(nil, counting, p.every)
	for i := range p.padding {
		text = fmt.Appendf(text, "\tfunc() { marshals += %d },\n", i)
	}
	return append(text, "}\n"...)
}

// library returns the directory of the library in the module cache.
func library(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", plantedModule).Output()
	if err != nil {
		return "", fmt.Errorf("looking for %s: %w", plantedModule, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("%s is not in the module cache: go mod download %s", plantedModule, plantedModule)
	}
	return dir, nil
}

// plantAll writes the copies to a new directory.
func plantAll(ctx context.Context, dir string) error {
	from, err := library(ctx)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for _, p := range plants {
		if err := p.write(from, filepath.Join(dir, p.name)); err != nil {
			return err
		}
	}
	return nil
}

// write copies the library to a new directory and inserts the code that slows it down.
func (p plant) write(library, dir string) error {
	if err := os.CopyFS(dir, os.DirFS(library)); err != nil {
		return err
	}
	file := filepath.Join(dir, plantedFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, x := range planted {
		if bytes.Count(text, []byte(x[0])) != 1 {
			return fmt.Errorf("%s of %s has not one line %q", plantedFile, plantedModule, strings.TrimSpace(x[0]))
		}
		text = bytes.Replace(text, []byte(x[0]), []byte(x[0]+x[1]), 1)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "planted.go"), p.source(), 0o666)
}

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

// plantedModule is the library whose copies are slowed down, and plantedContender the
// contender of it. In its default mode the contender calls two functions of plantedFile;
// its other modes call neither.
const (
	plantedModule    = "github.com/goccy/go-json"
	plantedContender = "goccy/go-json"
	plantedFile      = "json.go"
)

// A plant is a copy of the library.
type plant struct {
	name string
	// every is after how many calls of each function one is made twice, so that every+1
	// calls are paid for every: 33 is a slow-down of 3%.
	every int
	// padding is how many functions the copy has besides, of no use but to put all others in
	// another order: copies with as many share the order of each layout.
	padding int
}

// never is more calls than anybody makes.
const never = 1 << 62

// plants are the copies that -plant writes. The others are compared with the first, which
// counts its calls as they do: counting takes a nanosecond or more, 1% of short calls.
var plants = []plant{{name: "plain", every: never}, {name: "slower-1", every: 100}, {name: "slower-3", every: 33}}

// slowdown is by which factor a copy is slower than the library.
func (p plant) slowdown() float64 { return 1 + 1/float64(p.every) }

// planted are the statements that functions of the library begin with in a copy, by their
// first lines. The result of the second call is thrown away.
var planted = [][2]string{
	{"import (\n", "\t\"reflect\"\n"},
	{"func Marshal(v any) ([]byte, error) {\n", "\tif twice(&marshals) {\n\t\t_, _ = MarshalWithOption(v)\n\t}\n"},
	{"func Unmarshal(data []byte, v any) error {\n", "\tif twice(&unmarshals) {\n\t\t_ = unmarshal(data, reflect.New(reflect.TypeOf(v).Elem()).Interface())\n\t}\n"},
}

// counting is the file that a copy has besides.
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

// source is the text of that file.
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

// write copies the library to a new directory, and plants what slows it down.
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

package tick

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
)

// builds is how many builds TestProtojsonSizeOverBuilds makes.
const builds = 16

// spaced is a program that prints a list as protojson writes it.
const spaced = `package main

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

func main() {
	list, err := structpb.NewList([]any{true, false, true})
	if err != nil {
		panic(err)
	}
	text, err := protojson.Marshal(list)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
}
`

// Whether protojson writes a space after a comma depends on the build: one program, linked in
// several layouts of its functions, does both. The published tick is 1158 bytes without spaces and
// has 206 commas, so it is 1364 bytes with spaces. How many builds have either size depends on the
// build flags and on the toolchain.
func TestProtojsonSizeOverBuilds(t *testing.T) {
	text, err := protojson.Marshal(message())
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	if size, commas := compact.Len(), bytes.Count(compact.Bytes(), []byte(",")); size != 1158 || commas != 206 || len(text) != size && len(text) != size+commas {
		t.Errorf("%d bytes, %d without spaces, with %d commas; want 1158 or 1364, and 206 commas", len(text), size, commas)
	}
	if testing.Short() {
		t.Skipf("links %d programs", builds)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte(spaced), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i := range builds {
		program := filepath.Join(dir, fmt.Sprintf("program%d.exe", i))
		build := exec.Command("go", "build", "-trimpath", "-ldflags", fmt.Sprintf("-s -w -randlayout=%d", i+1), "-o", program, source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as runners are built
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", build.Args, err, out)
		}
		text, err := exec.Command(program).Output()
		if err != nil {
			t.Fatal(err)
		}
		seen[string(text)]++
	}
	without, with := seen["[true,false,true]"], seen["[true, false, true]"]
	t.Logf("of %d builds, %d write no spaces and %d do", builds, without, with)
	if without == 0 || with == 0 || without+with != builds {
		t.Errorf("%d builds wrote %v; want some without spaces and some with", builds, seen)
	}
}

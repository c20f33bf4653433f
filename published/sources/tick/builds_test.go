package tick

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// builds is how many builds TestProtojsonSizeOverBuilds makes.
const builds = 16

// spaced prints a list as protojson writes it.
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

// Whether protojson puts a space after a comma depends on the build: one program linked in
// several layouts of its functions does both. The published tick has 206 commas, so
// its size is 1158 or 1364 bytes.
func TestProtojsonSizeOverBuilds(t *testing.T) {
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

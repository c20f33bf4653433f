//go:build generated

package encodinggob_test

import (
	"encoding/gob"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"testing"

	sizesgen "assay/contenders/encodinggob/gen/sizes"
	"assay/workload/sizes"
)

// TestTypeNumbers shows why gob's sizes are stated for a process that has encoded little else:
// gob numbers types in the order in which a process meets them, and sends the numbers with
// every message.
func TestTypeNumbers(t *testing.T) {
	const env = "ENCODINGGOB_TEST_TYPES"
	if before := os.Getenv(env); before != "" {
		n, err := strconv.Atoi(before)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			other := reflect.New(reflect.ArrayOf(i+1, reflect.TypeFor[int]()))
			if err := gob.NewEncoder(io.Discard).EncodeValue(other); err != nil {
				t.Fatal(err)
			}
		}
		codec, err := sizesgen.Bindings[0].New([]sizes.Tiny{{TinyId: 1, SomeStr: "foo bar"}})
		if err != nil {
			t.Fatal(err)
		}
		size, err := codec.Encode(1)
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(strconv.FormatUint(size, 10))
		os.Exit(0)
	}
	for before, want := range map[string]string{"0": "56", "200": "60"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTypeNumbers$")
		cmd.Env = append(os.Environ(), env+"="+before)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != want {
			t.Errorf("a Tiny takes %s bytes after %s other types, want %s", out, before, want)
		}
	}
}

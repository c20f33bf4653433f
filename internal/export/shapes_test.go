package export

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/cachedir/cachetest"
	"assay/internal/infer"
	made "assay/internal/samples"
)

// shapeContenders are the contenders that are tested on samples of every shape: one that reads
// the user's JSON, one with its own schema, and one that writes field names.
var shapeContenders = []string{"encoding/json", "protobuf", "fxamacker/cbor"}

var everyShape = flag.Bool("shapes", false, "build the modules of samples of every shape, not of one in so many")

// someShapes limits the builds without -shapes: the module of one in someShapes samples is built.
// Each build takes six seconds.
const someShapes = 6

// The packages for samples of every shape that users have, and for public files, read the records
// and return them unchanged.
func TestShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a module for each sample")
	}
	cachetest.Once(t)
	cache := cachetest.Shared(t)
	try := func(file, records string, data []byte) {
		t.Run(file, func(t *testing.T) {
			o := inferred(t, file, data, infer.Options{Records: records})
			o.Build.Cache = cache
			o.Contenders = named(t, shapeContenders...)
			m := moduleOf(t, o)
			if len(m.Packages) != len(shapeContenders) {
				t.Errorf("there are %d packages; left out: %v", len(m.Packages), m.LeftOut)
			}
			if out := write(t, m).run(t); strings.Contains(out, "SKIP") || strings.Count(out, "--- PASS: Test_sample") != len(m.Packages) {
				t.Errorf("not every package reads the sample:\n%s", out)
			}
		})
	}
	for i, s := range made.All() {
		if *everyShape || i%someShapes == 0 {
			try(s.File(), s.Records, s.JSON(0))
		}
	}
	files, err := filepath.Glob(filepath.Join("..", "userdata", "testdata", "public", "*json*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for i, f := range files {
		if !*everyShape && i%someShapes != 0 {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		try(filepath.Base(f), "", data)
	}
}

// Command generate writes the committed part of the contenders' code,
// contenders/<contender>/gen/<workload>/, and the table of the workloads that formats cannot
// hold. All other code is generated when a runner is built. Packages that no published benchmark
// links get the build constraint golden, so that ./... leaves them out. Go generate runs
// it in the root of the repository, after tables. Its arguments, if any, are the names of the
// contenders whose code it writes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/codegen"
	"assay/internal/outfile"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if err := writeHolds("contenders/holds.go", contenders.All()); err != nil {
		log.Fatal(err)
	}
	published, err := linked("published")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range contenders.All() {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], c.Name) {
			continue
		}
		if err := write(c, committed(c, published), published); err != nil {
			log.Fatalf("%s: %v", c.Name, err)
		}
	}
}

// golden is the workload whose code is committed for every contender, to be read and to be
// compared when an emitter or a generator changes.
const golden = "customer"

// committed returns the workloads for which a contender's code is committed: golden, or the first
// workload that the contender can hold, and the workloads that published benchmarks link.
func committed(c *contender.Contender, published map[string]bool) []*workload.Workload {
	read := golden
	if !holds(c, golden) {
		read = builtin.All()[slices.IndexFunc(builtin.All(), func(w *workload.Workload) bool { return holds(c, w.Name) })].Name
	}
	return slices.DeleteFunc(slices.Clone(builtin.All()), func(w *workload.Workload) bool {
		return w.Name != read && !published[path.Join("contenders", c.Dir(), "gen", w.Name)]
	})
}

// holds asks the emitter, because the table in package contenders is being written.
func holds(c *contender.Contender, name string) bool {
	i := slices.IndexFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == name })
	w := builtin.All()[i]
	_, err := c.Emit(codegen.Of(w, w.Schema.Roots).Request(c))
	return err == nil
}

// write replaces the generated packages of one contender by those for the workloads. The Go files
// of packages that no published benchmark links are golden.
func write(c *contender.Contender, kept []*workload.Workload, published map[string]bool) error {
	o := build.Options{Source: assay.Source, Cache: cachedir.In("")}
	p, err := codegen.Generate(context.Background(), o, codegen.Whole(kept), []*contender.Contender{c})
	if err != nil {
		return err
	}
	for _, l := range p.LeftOut {
		if l.Status == result.BuildFailed {
			return fmt.Errorf("for %s: %s", l.Workload, l.Text)
		}
	}
	old, err := filepath.Glob("contenders/" + c.Dir() + "/gen/*")
	if err != nil {
		return err
	}
	for _, dir := range old {
		if err := outfile.RemoveGenerated(dir); err != nil {
			return err
		}
	}
	for _, f := range p.Files {
		if err := os.MkdirAll(path.Dir(f.Name), 0o777); err != nil {
			return err
		}
		data := f.Data
		if path.Ext(f.Name) == ".go" && !published[path.Dir(f.Name)] {
			data = append([]byte(codegen.Golden), data...)
		}
		if err := outfile.Replace(f.Name, data, outfile.Generated); err != nil {
			return err
		}
	}
	return nil
}

// linked returns the directories of generated packages that Go files below root import.
func linked(root string) (map[string]bool, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		paths, err := imports(name)
		for _, p := range paths {
			if dir, ok := strings.CutPrefix(p, "assay/"); ok && strings.HasPrefix(dir, "contenders/") && strings.Contains(dir, "/gen/") {
				found[dir] = true
			}
		}
		return err
	})
	return found, err
}

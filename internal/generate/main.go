// Command generate writes the code of every contender for every workload,
// contenders/<contender>/gen/<workload>/, and the tests that follow from which
// of it there is. It is run by go generate from the root of the repository,
// after tables. With arguments it writes the code of the contenders of those
// names only.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/outfile"
	"assay/schema"
	"assay/workload/builtin"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	for _, c := range contenders.All() {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], c.Name) {
			continue
		}
		for _, w := range builtin.All() {
			if err := write(c, w.Schema); err != nil {
				log.Fatalf("%s for %s: %v", c.Name, w.Name, err)
			}
		}
	}
	if err := writeTests(contenders.All()); err != nil {
		log.Fatal(err)
	}
}

// write replaces the generated package of one contender for one schema. A
// format that cannot hold the schema has no package.
func write(c *contender.Contender, s *schema.Schema) error {
	pkg := "contenders/" + c.Dir() + "/gen/" + s.Name
	files, err := build.Generate(context.Background(), "go", ".", c, contender.Request{
		Schema:    s,
		Package:   "assay/" + pkg,
		Model:     "assay/workload/" + s.Name,
		Contender: c.Name,
	})
	var no *contender.Unsupported
	if err != nil && !errors.As(err, &no) {
		return err
	}
	if err := outfile.RemoveGenerated(pkg); err != nil {
		return err
	}
	if no != nil {
		fmt.Printf("nothing to generate: the format of %s cannot hold %s, as declared: %v\n", c.Name, s.Name, no)
		return nil
	}
	if err := os.MkdirAll(pkg, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := outfile.Replace(filepath.Join(pkg, f.Name), f.Data, outfile.Generated); err != nil {
			return err
		}
	}
	return nil
}

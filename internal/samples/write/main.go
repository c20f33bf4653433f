// Command write writes the samples of package samples into a directory, which is
// made. It replaces files of their names only where it wrote them.
//
//	go run ./internal/samples/write DIR [NAME...]
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/outfile"
	"assay/internal/samples"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("write: ")
	if len(os.Args) < 2 {
		log.Fatal("name the directory to write the samples to")
	}
	dir, only := os.Args[1], os.Args[2:]
	var files []outfile.File
	for _, s := range samples.All() {
		if len(only) > 0 && !slices.Contains(only, s.Name) {
			continue
		}
		files = append(files, outfile.File{Name: s.File(), Data: s.JSON(0)})
		records := ""
		if s.Records != "" {
			records = " --records '" + s.Records + "'"
		}
		fmt.Printf("%s%s: %s\n", filepath.Join(dir, s.File()), records, s.Text)
	}
	if err := outfile.WriteDir(dir, files); err != nil {
		log.Fatal(err)
	}
}

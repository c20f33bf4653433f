// Command write writes the samples of package samples into a directory, which is
// made. It replaces files of their names.
//
//	go run ./internal/samples/write DIR [NAME...]
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/samples"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("write: ")
	if len(os.Args) < 2 {
		log.Fatal("name the directory to write the samples to")
	}
	dir, only := os.Args[1], os.Args[2:]
	if err := os.MkdirAll(dir, 0o777); err != nil {
		log.Fatal(err)
	}
	for _, s := range samples.All() {
		if len(only) > 0 && !slices.Contains(only, s.Name) {
			continue
		}
		file := filepath.Join(dir, s.File())
		if err := os.WriteFile(file, s.JSON(0), 0o666); err != nil {
			log.Fatal(err)
		}
		records := ""
		if s.Records != "" {
			records = " --records '" + s.Records + "'"
		}
		fmt.Printf("%s%s: %s\n", file, records, s.Text)
	}
}

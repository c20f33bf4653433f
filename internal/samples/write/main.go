// Command write writes the samples of package samples into a directory, which it makes. It
// replaces only files that it wrote itself. With -size it writes the records of one sample to
// standard output, one on each line, and keeps only one record in memory. A good sample for that
// is hetero, which has events of eight kinds.
//
//	go run ./internal/samples/write DIR [NAME...]
//	go run ./internal/samples/write -size 3GB NAME > FILE.ndjson
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/outfile"
	"assay/internal/plan"
	"assay/internal/samples"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("write: ")
	size := flag.String("size", "", "write one sample's records to standard output until they have `SIZE`, as in 3GB")
	flag.Parse()
	args := flag.Args()
	var err error
	switch {
	case *size != "" && len(args) != 1:
		err = errors.New("with -size, name one sample")
	case *size != "":
		err = lines(os.Stdout, args[0], *size)
	case len(args) == 0:
		err = errors.New("name the directory to write the samples to")
	default:
		err = files(args[0], args[1:])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// lines writes the records of the named sample.
func lines(to io.Writer, name, size string) error {
	n, err := plan.ParseBytes(size)
	if err != nil {
		return fmt.Errorf("-size: %w", err)
	}
	all := samples.All()
	i := slices.IndexFunc(all, func(s samples.Sample) bool { return s.Name == name })
	if i < 0 {
		return unknown(name)
	}
	w := bufio.NewWriterSize(to, 1<<20)
	return errors.Join(all[i].Lines(w, n), w.Flush())
}

func unknown(name string) error { return fmt.Errorf("there is no sample %q", name) }

// files writes the named samples, or all of them, into a directory.
func files(dir string, only []string) error {
	all := samples.All()
	for _, name := range only {
		if !slices.ContainsFunc(all, func(s samples.Sample) bool { return s.Name == name }) {
			return unknown(name)
		}
	}
	var files []outfile.File
	for _, s := range all {
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
	return outfile.WriteDir(dir, files)
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"assay/internal/outfile"
)

// findingsTable matches the table of experiments in the README of the evidence.
var findingsTable = regexp.MustCompile(`(?m)^\| experiment \|.*\n(\|.*\n)+`)

// index updates the table of experiments in DIR/README.md. It does nothing if the file does not
// exist.
func index(dir string) error {
	name := filepath.Join(dir, "README.md")
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	table, err := findings(dir)
	if err != nil {
		return err
	}
	if !findingsTable.Match(text) {
		return fmt.Errorf("%s has no table of experiments", name)
	}
	with := findingsTable.ReplaceAllLiteral(text, table)
	if bytes.Equal(with, text) {
		return nil
	}
	return outfile.Replace(name, with, findingsTable.Match)
}

// findings returns the table of experiments: the question and the latest stored finding of each.
func findings(dir string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("| experiment | asks | bar | found |\n| --- | --- | --- | --- |\n")
	for _, e := range slices.Concat(experiments, timings) {
		data, err := os.ReadFile(filepath.Join(dir, e.name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var f finding
		if err := json.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		met := f.met()
		if f.Earlier {
			met += ", by an earlier engine"
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s |\n", e.name, e.name, e.asks, met, f.Summary)
	}
	return b.Bytes(), nil
}

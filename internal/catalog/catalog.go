// Package catalog is what there is, by name: the rows of assay list, the names that
// flags take, and what assay explain says of a name.
package catalog

import (
	"slices"

	"assay/bench/compress"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/result"
	"assay/workload/builtin"
)

// WorkloadNames are the names of the built-in workloads.
func WorkloadNames() []string { return measure.WorkloadNames(builtin.All()) }

// SizeKeys returns the sizes that workloads declare. The same key in two of them
// is listed once.
func SizeKeys() []string {
	var keys []string
	for _, w := range builtin.All() {
		for _, s := range w.Sizes {
			if !slices.Contains(keys, s.Key) {
				keys = append(keys, s.Key)
			}
		}
	}
	return keys
}

// ContenderNames are the names of the contenders that are built in.
func ContenderNames() []string { return measure.Names(contenders.All()) }

// ModeNames are the names of all modes, default first, with those of codecs and of
// streams on one goroutine, and that of whole values.
func ModeNames() []string {
	names := []string{analysis.DefaultMode}
	seen := map[string]bool{}
	for _, c := range contenders.All() {
		for _, m := range c.Modes {
			if !seen[m.Key] {
				seen[m.Key] = true
				names = append(names, m.Key)
			}
		}
	}
	return slices.Concat(names, compress.Modes(), []string{contender.StreamMode}, compress.StreamModes(), []string{contender.WholeMode})
}

// OpNames are the names of all ops.
func OpNames() []string {
	names := make([]string, len(result.Ops))
	for i, op := range result.Ops {
		names[i] = string(op)
	}
	return names
}

// FormatNames are the formats of all contenders, each once.
func FormatNames() []string {
	var names []string
	for _, c := range contenders.All() {
		if c.Format != "" && !slices.Contains(names, c.Format) {
			names = append(names, c.Format)
		}
	}
	slices.Sort(names)
	return names
}

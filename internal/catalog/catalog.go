// Package catalog lists everything that has a name: the rows of assay list, the names that flags
// accept, and the explanations of assay explain.
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

// WorkloadNames returns the names of the built-in workloads.
func WorkloadNames() []string { return measure.WorkloadNames(builtin.All()) }

// SizeKeys returns the sizes that workloads declare. A key that several workloads have is listed
// once.
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

// ContenderNames returns the names of the built-in contenders.
func ContenderNames() []string { return measure.Names(contenders.All()) }

// ModeNames returns the names of all modes, the default mode first. They include the modes of
// codecs, of streams on one goroutine, and of whole values.
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

// OpNames returns the names of all ops.
func OpNames() []string {
	names := make([]string, len(result.Ops))
	for i, op := range result.Ops {
		names[i] = string(op)
	}
	return names
}

// FormatNames returns the formats of all contenders, sorted and without duplicates.
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

package userfile

import (
	"iter"
	"path/filepath"
)

// Above returns a directory and those above it, the nearest first. A relative path has only its own
// elements, so callers make it absolute.
func Above(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; yield(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		}
	}
}

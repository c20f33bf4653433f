package build

import (
	"maps"
	"slices"

	"assay/contender"
)

// Files returns the source that runners of the specs are built from, with a main
// package of each in the directory runner/NAME, sorted by name.
func Files(o Options, specs map[string]Spec) ([]contender.File, error) {
	files, err := readOptions(o)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		src, err := mainSource(specs[name].normal())
		if err != nil {
			return nil, err
		}
		files = append(files, contender.File{Name: mainDir + "/" + name + "/main.go", Data: src})
	}
	return withFiles(files), nil
}

package build

import (
	"maps"
	"slices"

	"assay/contender"
)

// Files returns the source of the runners of the specs, sorted by file name. The main package
// of the spec with key NAME is in the directory runner/NAME.
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

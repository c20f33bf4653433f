package build

import (
	"context"
	"maps"
	"slices"

	"assay/contender"
)

// WriteSource writes the source that runners are built from into the cache,
// Extra included, and returns its directory, where code generators can be run,
// and a name for its content: equal sources have equal names. It is an error when
// the go command is set up so that generators could not run.
func WriteSource(ctx context.Context, o Options) (dir, hash string, err error) {
	files, err := readOptions(o)
	if err != nil {
		return "", "", err
	}
	m := starting(o)
	m.emit(Event{Step: Copying})
	if err := m.write(files); err != nil {
		return "", "", err
	}
	path, err := findGo(o.Go)
	if err != nil {
		return "", "", err
	}
	m.gocmd.path, m.gocmd.env = path, o.Env
	_, err = m.readEnv(ctx)
	return m.dir, m.source.Key(), err
}

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

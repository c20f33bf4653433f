package build

// WriteSource writes the source that runners are built from into the cache,
// Extra included, and returns its directory, where code generators can be run,
// and a name for its content: equal sources have equal names.
func WriteSource(o Options) (dir, hash string, err error) {
	cache, err := cacheDir(o.Cache)
	if err != nil {
		return "", "", err
	}
	files, err := readSource(o.Source, o.Extra)
	if err != nil {
		return "", "", err
	}
	m := &maker{cache: cache, progress: o.Progress}
	m.emit(Event{Step: Copying})
	if err := m.write(files); err != nil {
		return "", "", err
	}
	return m.source, m.hash, nil
}

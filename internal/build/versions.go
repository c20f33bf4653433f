package build

import (
	"fmt"

	"golang.org/x/mod/modfile"
)

// ModuleVersions returns the version that a go.mod file pins for each required module. For a
// replaced module it is the replacement's version.
func ModuleVersions(gomod []byte) (map[string]string, error) {
	f, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the pinned versions: %w", err)
	}
	versions := map[string]string{}
	for _, r := range f.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range f.Replace {
		if v, required := versions[r.Old.Path]; required && (r.Old.Version == "" || r.Old.Version == v) {
			versions[r.Old.Path] = r.New.Version
		}
	}
	return versions, nil
}

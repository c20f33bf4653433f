package measure

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"assay/internal/external"
	"assay/internal/refusal"
	"assay/result"
)

// inviteAgain invites the external contenders of a stored run. They must not have changed. named
// are the directories of those that have moved.
func (cfg *Config) inviteAgain(ctx context.Context, run *result.Run, named []string) (Externals, error) {
	moved, err := movedTo(run, named)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, g := range run.Plan.Externals {
		dir, ok := moved[g.Name]
		if !ok {
			dir = g.Dir
			if err := cmp.Or(cfg.undamaged(dir), found(run, dir)); err != nil {
				return nil, err
			}
		}
		dirs = append(dirs, dir)
	}
	xs, err := cfg.Invite(ctx, dirs)
	if err != nil {
		return nil, err
	}
	for i, g := range run.Plan.Externals {
		if another(g, xs[i].kept()) {
			return nil, refuse("the runner in %s is another one since run %s began; start a new run", dirs[i], run.ID)
		}
	}
	return xs, nil
}

// movedTo maps the names of the run's external contenders to the directories that have them.
func movedTo(run *result.Run, dirs []string) (map[string]string, error) {
	at := map[string]string{}
	for _, dir := range dirs {
		g, err := external.Read(dir)
		switch {
		case err != nil:
			return nil, refusal.Of(err)
		case !run.External(g.Name):
			return nil, refuse("--runner %s: run %s has no external contender %q, and --resume adds none; start a new run", dir, run.ID, g.Name)
		case at[g.Name] != "":
			return nil, refuse("--runner: %s and %s both have the contender %q; name one of them", at[g.Name], dir, g.Name)
		}
		at[g.Name] = dir
	}
	return at, nil
}

// found returns an error if the directory of a stored run's runner does not exist.
func found(run *result.Run, dir string) error {
	_, err := os.Stat(dir)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return nil // Invite reports any other problem
	case filepath.IsAbs(dir):
		return refuse("run %s has a runner in %s, and there is no such directory: name it with --runner DIR", run.ID, dir)
	}
	return refuse("run %s has a runner in %s, relative to where it began: go on from there, or name it with --runner DIR", run.ID, dir)
}

// another says whether an external contender has changed. Its version and modules are empty if
// its runner did not describe itself.
func another(then, now result.External) bool {
	newer := now.Version != then.Version && now.Version != "" && then.Version != ""
	rebuilt := !slices.Equal(now.Modules, then.Modules) && len(now.Modules) > 0 && len(then.Modules) > 0
	return now.Name != then.Name || newer || rebuilt || now.Format != then.Format || !slices.Equal(now.Command, then.Command)
}

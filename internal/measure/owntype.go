package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/contender"
	"assay/contenders"
	"assay/internal/cachedir"
	"assay/internal/infer/gotype"
	"assay/internal/userdata"
)

// InviteType builds the runner of the user's own type with encoding/json, and invites it as an
// external contender. If that is impossible, it warns why and returns no external contender.
func (cfg *Config) InviteType(ctx context.Context, d *userdata.Data, r *gotype.Result) (Externals, error) {
	cfg.doing("compiling a runner into the module of %s", r.Type)
	start := time.Now()
	packages, err := d.Generate(ctx, cfg.Tools(), nil, false)
	if err != nil {
		return nil, err
	}
	tmp, err := cfg.Cache.Temp(true)
	if err != nil {
		return nil, err
	}
	defer tmp.Remove()
	like := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == Reference })
	err = r.External(ctx, tmp, gotype.ExternalOptions{
		Source: cfg.Source, Files: packages.Extra, Workload: d.Workload().Name, Like: contenders.All()[like],
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		cfg.warn("%s is not measured as it is in your module: %v", r.Type, err)
		return nil, nil
	}
	// The name of the directory is a hash of its content, so that a resumed run finds the same
	// runner.
	name, err := digest(tmp.Path())
	if err != nil {
		return nil, err
	}
	e := cfg.Cache.Entry(cachedir.Types, name)
	whole := func() bool {
		same, err := digest(e.Path())
		return err == nil && same == name
	}
	if err := tmp.KeepWhole(".", e, whole); err != nil {
		return nil, fmt.Errorf("keeping the runner of %s: %w", r.Type, err)
	}
	e.Touch()
	cfg.tell(TypeBuilt{r.Type, time.Since(start)})
	return cfg.Invite(ctx, []string{e.Path()})
}

// digest returns a hash of the files of a directory.
func digest(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", e.Name(), len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:cachedir.KeySize]), nil
}

// undamaged returns an error if dir is a cached runner of a user's own type whose files have
// changed, because its behaviour would be attributed to the type. Otherwise it marks the cached
// runner as used.
func (cfg *Config) undamaged(dir string) error {
	e := cfg.Cache.Entry(cachedir.Types, filepath.Base(dir))
	if e.Path() != filepath.Clean(dir) {
		return nil
	}
	name, err := digest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("the runner of your type is no longer in the cache; start a new run")
	}
	if err == nil && name != e.Key() {
		err = refuse("the runner of your type in %s is damaged; start a new run", dir)
	}
	if err == nil {
		e.Touch()
	}
	return err
}

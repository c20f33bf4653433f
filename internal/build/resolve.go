package build

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	goversion "go/version"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/nearest"
)

// vary returns the source with the variant's go.mod and go.sum, and makes the versions of the
// variant exact. The original source must already be in the maker's directory.
func (m *maker) vary(ctx context.Context, files []contender.File, spec Spec) ([]contender.File, error) {
	base, err := modfile.Parse("go.mod", file(files, "go.mod"), nil)
	if err != nil {
		return nil, fmt.Errorf("reading the source's go.mod: %w", err)
	}
	before := versions(base)
	r := resolution{}
	if m.variant.Go != "" {
		m.variant.Go = plainVersion(m.env["GOVERSION"])
		if was, now := lowerGo(base, m.variant.Go); now != "" {
			m.lowered = true
			r.Changed = append(r.Changed, fmt.Sprintf("go: %s → %s", was, now))
		}
	}
	for _, w := range m.variant.With {
		if err := required(w.Path, before); err != nil {
			return nil, err
		}
	}
	for _, d := range m.variant.Replace {
		if err := required(d.Path, before); err != nil {
			return nil, err
		}
	}
	r.Mod, r.Sum = modfile.Format(base.Syntax), file(files, "go.sum")
	if len(m.variant.With)+len(m.variant.Replace) > 0 {
		if m.lowered { // the go command refuses the go.mod that asks for a newer one
			if err := m.write(withFiles(files, contender.File{Name: "go.mod", Data: r.Mod})); err != nil {
				return nil, err
			}
		}
		if err := m.exact(ctx); err != nil {
			return nil, err
		}
		if r, err = m.resolve(ctx, r, spec); err != nil {
			return nil, err
		}
	}
	m.changed = r.Changed
	return withFiles(files, contender.File{Name: "go.mod", Data: r.Mod}, contender.File{Name: "go.sum", Data: r.Sum}), nil
}

// A resolution is the go.mod and the go.sum that a variant is built with, and the versions that
// changed without being asked for.
type resolution struct {
	Mod, Sum []byte
	Changed  []string
	// Linked are the modules that the contenders link. It is nil if the packages of some
	// contender could not be loaded.
	Linked []string
}

// file returns the content of the named file; nil when it is absent.
func file(files []contender.File, name string) []byte {
	for _, f := range files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// versions returns the versions that a go.mod file requires, by module.
func versions(f *modfile.File) map[string]string {
	out := map[string]string{}
	for _, r := range f.Require {
		out[r.Mod.Path] = r.Mod.Version
	}
	return out
}

// plainVersion returns a Go version without its experiments, for example go1.26.8 for
// go1.26.8-X:jsonv2. The variant's variables hold the experiments.
func plainVersion(v string) string {
	v, _, _ = strings.Cut(v, "-X:")
	v, _, _ = strings.Cut(v, " X:")
	return v
}

// lowerGo makes a go.mod ask for no newer Go than the version, such as go1.25.3. It returns the
// version that go.mod asked for and the one that it now asks for; both are empty if nothing had
// to change.
func lowerGo(f *modfile.File, version string) (was, now string) {
	now = strings.TrimPrefix(version, "go")
	if f.Go == nil || !modfile.GoVersionRE.MatchString(now) || !older(now, f.Go.Version) {
		return "", ""
	}
	was = f.Go.Version
	if f.AddGoStmt(now) != nil {
		return "", ""
	}
	f.DropToolchainStmt()
	return was, now
}

// older says whether Go release a is older than b; releases are such as 1.25.3 and 1.26rc1.
func older(a, b string) bool { return goversion.Compare("go"+a, "go"+b) < 0 }

// required returns an error if go.mod does not require the module, because no runner can link
// it. The error suggests similar modules.
func required(p string, known map[string]string) error {
	if _, ok := known[p]; ok {
		return nil
	}
	paths := slices.Sorted(maps.Keys(known))
	var near []string
	for _, k := range paths {
		if shortPath(k) == shortPath(p) || path.Base(k) == path.Base(p) {
			near = append(near, k)
		}
	}
	if n := nearest.Name(p, paths); n != "" && !slices.Contains(near, n) {
		near = append(near, n)
	}
	if len(near) == 0 {
		return fmt.Errorf("no contender requires module %s; assay list contenders names the modules of all", p)
	}
	return fmt.Errorf("no contender requires module %s; did you mean %s?", p, strings.Join(near, " or "))
}

// exact makes the variant's versions exact: tomorrow a query such as latest may name another
// version.
func (m *maker) exact(ctx context.Context) error {
	for i, w := range m.variant.With {
		if c := module.CanonicalVersion(w.Version); c == w.Version && semver.IsValid(c) {
			continue
		}
		out, err := m.run(ctx, nil, nil, "list", "-mod=mod", "-m", "-f", "{{.Version}}", w.String())
		if said := (*goError)(nil); errors.As(err, &said) {
			return fmt.Errorf("%s names no version that can be had: %s", w, oneLine(said.reason(nil)))
		}
		if err != nil {
			return err
		}
		m.variant.With[i].Version = strings.TrimSpace(string(out))
	}
	return nil
}

// resolve lets the go command find the versions of all other modules, and completes go.sum. It
// keeps the answer in the cache: versions are exact, so the answer depends only on what the
// cache key is made of.
func (m *maker) resolve(ctx context.Context, start resolution, spec Spec) (resolution, error) {
	key, err := m.resolutionKey(start, spec)
	if err != nil {
		return resolution{}, err
	}
	var r resolution
	if data, ok := m.cache.Recall(cachedir.Modules.Of(m.own), key); ok && json.Unmarshal(data, &r) == nil && len(r.Mod) > 0 {
		return r, m.linked(r)
	}
	m.emit(Event{Step: Resolving})
	tmp, err := m.temporary()
	if err != nil {
		return resolution{}, err
	}
	defer tmp.Remove()
	s := solver{maker: m, tmp: tmp, mod: tmp.Path("go.mod"), modules: map[string]bool{}}
	if err := s.write(start); err != nil {
		return resolution{}, err
	}
	if err := s.prepare(ctx, spec); err != nil {
		return resolution{}, err
	}
	before, err := s.versions()
	if err != nil {
		return resolution{}, err
	}
	if err := s.get(ctx); err != nil {
		return resolution{}, err
	}
	whole, err := s.complete(ctx, spec)
	if err != nil {
		return resolution{}, err
	}
	if r, err = s.read(); err != nil {
		return resolution{}, err
	}
	raised, err := s.sameGo(start, r)
	if err != nil {
		return resolution{}, err
	}
	after, err := s.versions()
	if err != nil {
		return resolution{}, err
	}
	r.Changed = slices.Concat(start.Changed, raised, m.changes(before, after, s.modules))
	if !whole {
		// A later attempt may load the missing packages.
		return r, nil
	}
	r.Linked = slices.Sorted(maps.Keys(s.modules))
	if err := m.linked(r); err != nil {
		return resolution{}, err
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return resolution{}, err
	}
	return r, m.cache.Keep(cachedir.Modules.Of(m.own), key, append(data, '\n'))
}

// resolutionKey returns the cache key of the resolution.
func (m *maker) resolutionKey(start resolution, spec Spec) (string, error) {
	var mods [][]byte
	for _, d := range m.variant.Replace {
		data, err := os.ReadFile(filepath.Join(d.Dir, "go.mod"))
		if err != nil {
			return "", err
		}
		mods = append(mods, data)
	}
	data, err := json.Marshal(struct {
		Source   string
		Start    resolution
		Variant  Variant
		Replaced [][]byte
		Spec     Spec
		Env      goEnv
	}{m.source.Key(), start, m.variant, mods, spec, m.env})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:cachedir.KeySize]), nil
}

// linked returns an error if no contender links a module of the variant: the comparison would
// be of two equal runners.
func (m *maker) linked(r resolution) error {
	if r.Linked == nil {
		return nil
	}
	var paths []string
	for _, w := range m.variant.With {
		paths = append(paths, w.Path)
	}
	for _, d := range m.variant.Replace {
		paths = append(paths, d.Path)
	}
	for _, p := range paths {
		if !slices.Contains(r.Linked, p) {
			return fmt.Errorf("no contender of this runner links module %s, so another version would change nothing; name a module that they link: %s", p, strings.Join(r.Linked, ", "))
		}
	}
	return nil
}

// changes lists the linked modules whose version changed, and the modules that were dropped
// because no version agrees with the variant. It leaves out modules of the variant.
func (m *maker) changes(before, after map[string]string, linked map[string]bool) []string {
	asked := map[string]bool{}
	for _, w := range m.variant.With {
		asked[w.Path] = true
	}
	for _, d := range m.variant.Replace {
		asked[d.Path] = true
	}
	var changed []string
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, p := range slices.Sorted(maps.Keys(all)) {
		was, now := cmp.Or(before[p], "none"), cmp.Or(after[p], "none that agrees")
		if !asked[p] && was != now && (linked[p] || after[p] == "") {
			changed = append(changed, fmt.Sprintf("%s: %s → %s", p, was, now))
		}
	}
	return changed
}

// A solver edits one go.mod and the go.sum beside it with the go command.
type solver struct {
	*maker
	tmp     *cachedir.Temp // holds go.mod and go.sum
	mod     string
	modules map[string]bool // modules of the packages that were loaded so far
}

func (s solver) sum() string { return strings.TrimSuffix(s.mod, ".mod") + ".sum" }

func (s solver) write(r resolution) error {
	return s.tmp.Fill(func(w *cachedir.Writer) error {
		return errors.Join(w.WriteFile("go.mod", r.Mod), w.WriteFile("go.sum", r.Sum))
	})
}

func (s solver) read() (r resolution, err error) {
	if r.Mod, err = os.ReadFile(s.mod); err != nil {
		return r, err
	}
	r.Sum, err = os.ReadFile(s.sum())
	return r, err
}

// get upgrades or downgrades go.mod to the variant's versions.
func (s solver) get(ctx context.Context) error {
	if len(s.variant.With) == 0 {
		return nil
	}
	args := []string{"get", "-modfile=" + s.mod}
	for _, w := range s.variant.With {
		args = append(args, w.String())
	}
	_, err := s.run(ctx, nil, nil, args...)
	if said := (*goError)(nil); errors.As(err, &said) {
		return fmt.Errorf("taking %s: %s", s.variant.Label(), oneLine(said.reason(nil)))
	}
	if err != nil {
		return err
	}
	if kept, err := s.kept(); err != nil || kept {
		return err
	}
	return fmt.Errorf("the other modules do not let %s be taken", s.variant.Label())
}

// sameGo returns an error if the variant's versions need a newer Go than this one, because the go command
// would silently build this side with another release. If they only raise the version of the language,
// which changes some defaults of the runtime, changed says so.
func (m *maker) sameGo(start, end resolution) (changed []string, err error) {
	was, err := modfile.Parse("go.mod", start.Mod, nil)
	if err != nil {
		return nil, err
	}
	now, err := modfile.Parse("go.mod", end.Mod, nil)
	if err != nil || now.Go == nil || was.Go == nil || now.Go.Version == was.Go.Version {
		return nil, err
	}
	if here := strings.TrimPrefix(plainVersion(m.env["GOVERSION"]), "go"); modfile.GoVersionRE.MatchString(here) && older(here, now.Go.Version) {
		return nil, fmt.Errorf("%s needs Go %s, and this is %s: put a go command of that release first on PATH", m.variant.Label(), now.Go.Version, here)
	}
	return []string{fmt.Sprintf("go: %s → %s", was.Go.Version, now.Go.Version)}, nil
}

// versions returns the versions that go.mod requires.
func (s solver) versions() (map[string]string, error) {
	data, err := os.ReadFile(s.mod)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	return versions(f), nil
}

// kept says whether go.mod still has the versions of the variant.
func (s solver) kept() (bool, error) {
	now, err := s.versions()
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(s.variant.With, func(w ModuleVersion) bool { return now[w.Path] != w.Version }), nil
}

// prepare drops the requirements that no contender's package needs, and then replaces the
// variant's modules. The go command asks every module of go.mod when it looks for versions. The
// modules of the tool itself must not influence what is measured: they may want other versions,
// or refuse an older toolchain.
func (s solver) prepare(ctx context.Context, spec Spec) error {
	out, err := s.run(ctx, nil, nil, slices.Concat([]string{"list", "-modfile=" + s.mod, "-mod=readonly", "-e", "-deps", "-f", linkedModule}, packages(spec))...)
	if said := (*goError)(nil); errors.As(err, &said) {
		return fmt.Errorf("finding the modules that the contenders link: %s", oneLine(said.reason(nil)))
	}
	if err != nil {
		return err
	}
	r, err := s.read()
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", r.Mod, nil)
	if err != nil {
		return err
	}
	needed := parseLinked(out)
	for _, w := range s.variant.With {
		needed[w.Path] = true
	}
	for _, d := range s.variant.Replace {
		needed[d.Path] = true
	}
	for p := range versions(f) {
		if !needed[p] {
			if err := f.DropRequire(p); err != nil {
				return err
			}
		}
	}
	for _, d := range s.variant.Replace {
		if err := f.AddReplace(d.Path, "", d.Dir, ""); err != nil {
			return err
		}
	}
	f.Cleanup()
	r.Mod = modfile.Format(f.Syntax)
	return s.write(r)
}

// linkedModule is the format for go list to name the module of a package.
const linkedModule = "{{with .Module}}{{.Path}} {{.Main}}{{end}}"

// parseLinked reads the output of go list with the format linkedModule.
func parseLinked(out []byte) map[string]bool {
	modules := map[string]bool{}
	for line := range bytes.Lines(out) {
		if p, main, _ := strings.Cut(strings.TrimSpace(string(line)), " "); p != "" && main == "false" {
			modules[p] = true
		}
	}
	return modules
}

// packages returns the packages of a spec that link libraries.
func packages(spec Spec) []string {
	var pkgs []string
	if spec.Main != "" {
		pkgs = append(pkgs, "assay/"+spec.Main)
	}
	if spec.Codecs {
		pkgs = append(pkgs, "assay/bench/compress")
	}
	for _, c := range spec.Contenders {
		for _, w := range c.Workloads {
			pkgs = append(pkgs, genPackage(c, w))
		}
	}
	return pkgs
}

// complete adds to go.mod and go.sum what the contenders' packages need. It tries all
// contenders at once and, if that fails, one after the other. A contender whose packages cannot
// be loaded with the variant's versions adds nothing, and fails when it is built. Whole says
// that there was no such contender.
func (s solver) complete(ctx context.Context, spec Spec) (whole bool, err error) {
	if ok, err := s.load(ctx, packages(spec)); ok || err != nil {
		return ok, err
	}
	for _, c := range spec.Contenders {
		if _, err := s.load(ctx, packages(Spec{Contenders: []Contender{c}})); err != nil {
			return false, err
		}
	}
	return false, nil
}

// load adds to go.mod and go.sum what packages need. If the packages cannot be loaded, load
// restores both files.
func (s solver) load(ctx context.Context, pkgs []string) (bool, error) {
	before, err := s.read()
	if err != nil {
		return false, err
	}
	out, err := s.run(ctx, nil, nil, slices.Concat([]string{"list", "-modfile=" + s.mod, "-mod=mod", "-deps", "-f", linkedModule}, pkgs)...)
	said := (*goError)(nil)
	failed := errors.As(err, &said)
	if err != nil && !failed {
		return false, err
	}
	if !failed {
		// If an old version lacks a package, go list -mod=mod looks for it in the newest
		// version and requires that one instead.
		kept, err := s.kept()
		if err != nil {
			return false, err
		}
		failed = !kept
	}
	if failed {
		return false, s.write(before)
	}
	maps.Copy(s.modules, parseLinked(out))
	return true, nil
}

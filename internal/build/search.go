package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"assay/internal/cachedir"
)

// search finds the contenders that prevent a runner from being built. It first compiles the
// packages of each contender alone. If all compile, it links each contender alone, because the
// linker may refuse a library that compiles. A fault that neither step shows belongs to no
// contender and is returned as the error; so is a fault in assay's own packages.
func (m *maker) search(ctx context.Context, spec Spec, whole *goError) (map[string]Failure, error) {
	// The whole build downloaded what it could. To ask again for the rest could take a time-out
	// for each contender.
	causes := whole.fetches()
	var env []string
	if len(causes) > 0 {
		env = []string{"GOPROXY=off"}
	}
	if err := m.checkOwn(ctx, env, spec); err != nil {
		return nil, err
	}
	compile := func(c Contender) error {
		var pkgs []string
		for _, w := range c.Workloads {
			pkgs = append(pkgs, genPackage(c, w))
		}
		return m.build(ctx, env, 0, pkgs...)
	}
	link := func(c Contender) error {
		alone := spec.alone(c)
		key, err := m.key(alone)
		if err != nil {
			return err
		}
		pkg := mainDir + "/" + key
		if err := m.writeMain(pkg, alone); err != nil {
			return err
		}
		tmp, err := m.temporary()
		if err != nil {
			return err
		}
		defer tmp.Remove()
		return m.build(ctx, env, 0, "-o", tmp.Path("runner"), "./"+pkg)
	}
	for _, build := range []func(Contender) error{compile, link} {
		failed := map[string]Failure{}
		for i, c := range spec.Contenders {
			m.emit(Event{Step: Searching, Contender: c.Name, I: i + 1, N: len(spec.Contenders)})
			f, err := failure(c, build, causes)
			if err != nil {
				return nil, err
			}
			if f != nil {
				failed[c.Name] = *f
			}
		}
		if len(failed) > 0 {
			return failed, nil
		}
	}
	return nil, fmt.Errorf("the runner does not build, though each of its contenders does: %s", oneLine(whole.reason(nil)))
}

// checkOwn builds assay's own packages of a runner. Contenders are not to blame if an old
// toolchain or a full disk, for example, prevents that.
func (m *maker) checkOwn(ctx context.Context, env []string, spec Spec) error {
	pkgs := []string{"assay/bench"}
	if spec.Codecs {
		pkgs = append(pkgs, "assay/bench/compress")
	}
	for _, w := range spec.Workloads {
		pkgs = append(pkgs, "assay/workload/"+w)
	}
	err := m.build(ctx, env, 0, pkgs...)
	var said *goError
	if !errors.As(err, &said) {
		return err
	}
	why := fmt.Errorf("assay's own packages do not build with %s: %s", plainVersion(m.env["GOVERSION"]), oneLine(said.reason(nil)))
	if m.lowered {
		return fmt.Errorf("%w; take a newer release with --go", why)
	}
	return why
}

// failure builds a contender. If that fails, failure builds each of the contender's workloads
// to find out which ones fail. It returns nil if the contender builds.
func failure(c Contender, build func(Contender) error, causes map[string]string) (*Failure, error) {
	err := build(c)
	var said *goError
	if err == nil || !errors.As(err, &said) {
		return nil, err
	}
	f := &Failure{Workloads: c.Workloads, Reason: said.reason(causes), Fetch: len(said.fetches()) > 0}
	if len(c.Workloads) == 1 {
		return f, nil
	}
	var bad []string
	for _, w := range c.Workloads {
		c.Workloads = []string{w}
		err := build(c)
		if errors.As(err, &said) {
			bad = append(bad, w)
		} else if err != nil {
			return nil, err
		}
	}
	if len(bad) > 0 { // otherwise they do not build together
		f.Workloads = bad
	}
	return f, nil
}

// readFailures returns the remembered failures of the spec with the key, or nil if there are
// none. An unreadable record only costs another search.
func (m *maker) readFailures(key string) map[string]Failure {
	data, ok := m.cache.Recall(cachedir.Failures.Of(m.own), key)
	var failed map[string]Failure
	if !ok || json.Unmarshal(data, &failed) != nil || len(failed) == 0 || passing(failed) {
		return nil
	}
	return failed
}

// passing says that the failure may not occur again: a module could not be downloaded, a compiler
// had too little memory, or the machine was at fault, which earlier versions remembered.
func (f Failure) passing() bool {
	return f.Fetch || starved.MatchString(f.Reason) || (&goError{out: f.Reason}).fault() != nil
}

// passing says that one of the failures may not occur again.
func passing(failed map[string]Failure) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(failed)), Failure.passing)
}

// writeFailures remembers the failures, unless one of them is passing.
func (m *maker) writeFailures(key string, failed map[string]Failure) error {
	if passing(failed) {
		return nil
	}
	data, err := json.MarshalIndent(failed, "", "\t")
	if err != nil {
		return err
	}
	return m.cache.Keep(cachedir.Failures.Of(m.own), key, append(data, '\n'))
}

package analysis

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/result"
)

// differences compares how and where two runs, or the two sides of one, were made. same has only
// what a reader would ask about. oneSided are the modules that only one of them links.
func differences(a, b *result.Run) (differs, oneSided, same []string) {
	check := func(name, x, y string) {
		switch {
		case x != y:
			differs = append(differs, fmt.Sprintf("%s %s → %s", name, orNone(x), orNone(y)))
		case name == "go" || name == "seed" || name == "host":
			same = append(same, name)
		}
	}
	for _, module := range modulePaths(a.Build.Modules, b.Build.Modules) {
		x, y := versionOf(a.Build.Modules, module), versionOf(b.Build.Modules, module)
		if x == "" || y == "" {
			oneSided = append(oneSided, fmt.Sprintf("%s %s → %s", moduleName(module), orNone(x), orNone(y)))
			continue
		}
		check(moduleName(module), x, y)
	}
	check("host", hostName(a.Host), hostName(b.Host))
	check("kernel", a.Host.Kernel, b.Host.Kernel)
	check("governor", a.Host.Governor, b.Host.Governor)
	check("go", a.Build.Go, b.Build.Go)
	check("GOAMD64", a.Build.GOAMD64, b.Build.GOAMD64)
	check("GOFLAGS", a.Build.GOFLAGS, b.Build.GOFLAGS)
	check("GOEXPERIMENT", a.Build.GOEXPERIMENT, b.Build.GOEXPERIMENT)
	check("assay", a.Tool, b.Tool)
	if a, b := a.Plan.Data, b.Plan.Data; a != nil && b != nil && a.Hash != b.Hash {
		differs = append(differs, "the user's records")
	}
	check("footprint", footprintText(a.Plan), footprintText(b.Plan))
	check("seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	return differs, oneSided, same
}

// footprintText returns the footprint of a plan's launches; empty if none was asked for.
func footprintText(p result.Plan) string {
	if len(p.Footprints) == 0 {
		return ""
	}
	return fmt.Sprintf("%d B", p.Footprints[0])
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func hostName(h result.Host) string {
	return strings.Join(slices.DeleteFunc([]string{h.CPU, fmt.Sprintf("%d cpus", h.CPUs), h.OS + "/" + h.Arch},
		func(s string) bool { return s == "" }), ", ")
}

// modulePaths returns the distinct paths of both lists, sorted.
func modulePaths(a, b []result.Module) []string {
	var paths []string
	for _, m := range slices.Concat(a, b) {
		paths = append(paths, m.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func versionOf(modules []result.Module, path string) string {
	for _, m := range modules {
		if m.Path == path {
			return m.Version
		}
	}
	return ""
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// moduleName returns a short name for a module: the last element of its path that is not a major
// version. If that is "go", which would name the toolchain, the element before precedes it.
func moduleName(module string) string {
	if majorVersion.MatchString(path.Base(module)) {
		module = path.Dir(module)
	}
	name := path.Base(module)
	if name == "go" {
		name = path.Join(path.Base(path.Dir(module)), name)
	}
	return name
}

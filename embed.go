// Package assay carries the source that runners are built from, so that the
// installed command can build them anywhere with nothing but Go.
package assay

import "embed"

// Source is the module's own source: go.mod, go.sum, and every package that a
// runner may link, with the generated code that is committed; internal/codegen makes
// the rest. Package internal/build writes it out and compiles it. Because go.mod and
// go.sum are among it, runners link the very versions that this module was tested
// with. Of published it has what the program of published benchmarks links, and the
// TOML files beside that: a change of the packages that rule on claims makes no
// runner anew.
//
//go:embed go.mod go.sum schema result contender workload bench contenders internal/nearest internal/nesting internal/tomldoc
//go:embed published/*.go published/protocol published/program published/sources/*/* published/exhibits/*/*
var Source embed.FS

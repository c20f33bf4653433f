// Package assay embeds the source from which runners are built, so that the installed command
// can build them anywhere with only a Go installation.
package assay

import "embed"

// Source is the module's own source: go.mod, go.sum, and every package that a runner may link,
// with the committed part of the generated code. Package internal/codegen generates the rest,
// and package internal/build writes and compiles all of it. Source includes go.mod and go.sum,
// so runners link the same versions with which this module was tested. Of published it includes
// what the program of published benchmarks links, and the TOML files beside it. It excludes the
// packages that rule on claims, so that a change to them does not rebuild any runner.
//
//go:embed go.mod go.sum schema result contender workload bench contenders internal/nearest internal/nesting internal/tomldoc
//go:embed published/*.go published/protocol published/program published/sources/*/* published/exhibits/*/*
var Source embed.FS

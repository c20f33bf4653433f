// Package assay carries the source that runners are built from, so that the
// installed command can build them anywhere with nothing but Go.
package assay

import "embed"

// Source is the module's own source: go.mod, go.sum, and every package that a
// runner may link, generated code included. Package internal/build writes it
// out and compiles it. Because go.mod and go.sum are among it, runners link
// the very versions that this module was tested with.
//
//go:embed go.mod go.sum schema result contender workload bench contenders published internal/nearest internal/nesting internal/tomldoc
var Source embed.FS

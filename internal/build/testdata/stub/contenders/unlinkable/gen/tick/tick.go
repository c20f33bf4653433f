package tick

import (
	"assay/bench"
	_ "unsafe"
)

var Bindings = []bench.Binding{{Contender: "unlinkable", Workload: name()}}

//go:linkname name runtime.noSuchFunction
func name() string

package tick

import (
	"assay/bench"

	"example.com/absent/codec"
)

var Bindings = []bench.Binding{{Contender: "absent", Workload: codec.Name}}

package chain

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "half", Workload: 1}}

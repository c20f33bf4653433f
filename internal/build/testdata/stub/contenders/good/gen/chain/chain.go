package chain

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "good", Workload: "chain"}}

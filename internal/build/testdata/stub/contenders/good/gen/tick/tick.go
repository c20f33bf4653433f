package tick

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "good", Workload: "tick"}}

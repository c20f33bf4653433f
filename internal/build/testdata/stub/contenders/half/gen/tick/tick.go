package tick

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "half", Workload: "tick"}}

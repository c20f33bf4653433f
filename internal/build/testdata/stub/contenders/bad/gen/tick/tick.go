package tick

import "assay/bench"

var Bindings = []bench.Binding{{Contender: "bad", Workload: "tick"}}

var (
	a int = "one"
	b int = "two"
	c int = "three"
	d int = "four"
)

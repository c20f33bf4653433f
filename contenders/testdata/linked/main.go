// Command linked serves the runner protocol for the contenders in bindings, which
// a test in contenders writes: the variable exists in that build only.
package main

import (
	"assay/bench"
	"assay/workload/builtin"
)

func main() {
	bench.Main(bench.Program{Workloads: builtin.All(), Bindings: bindings})
}

// Command linked serves the runner protocol for the contenders in the variable bindings. A test
// in contenders writes that variable, which exists only in the test's build.
package main

import (
	"assay/bench"
	"assay/workload/builtin"
)

func main() {
	bench.Main(bench.Program{Workloads: builtin.All(), Bindings: bindings})
}

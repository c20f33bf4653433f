// Command assay measures Go serialization formats and libraries, on the workloads of published
// benchmarks and on your own data. Run it without arguments to see what it can do.
package main

import "assay/internal/cli"

func main() { cli.Program() }

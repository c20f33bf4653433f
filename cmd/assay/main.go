// Command assay weighs Go serialization formats and libraries: on the workloads
// that people publish about, and on your own data. Run it without arguments to
// see what it can do.
package main

import "assay/internal/cli"

func main() { cli.Program() }

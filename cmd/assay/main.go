// Command assay weighs Go serialization formats and libraries: on the workloads
// that people publish about, and on your own data. Run it without arguments to
// see what it can do.
package main

import (
	"os"

	"assay/internal/cli"
	"assay/internal/process"
)

func main() {
	if code, asked := process.Guard(os.Args); asked {
		os.Exit(code)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}

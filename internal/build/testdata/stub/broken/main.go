// Command broken fails like a code generator of protoc.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "broken: cannot read the request")
	os.Exit(1)
}

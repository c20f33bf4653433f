// Command broken fails as a code generator of protoc does.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "broken: cannot read the request")
	os.Exit(1)
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assay/contender"
	"assay/internal/codegen"
	"assay/workload/builtin"
)

// writeHolds writes the table of the built-in workloads that formats cannot hold.
// Asking the emitters takes a second, which is too long for whoever lists what there
// is.
func writeHolds(file string, all []*contender.Contender) error {
	var cases bytes.Buffer
	for _, c := range all {
		var not []string
		for _, t := range codegen.Whole(builtin.All()) {
			_, err := c.Emit(t.Request(c))
			if no := (*contender.Unsupported)(nil); errors.As(err, &no) {
				not = append(not, fmt.Sprintf("%q", t.Schema.Name))
			} else if err != nil {
				return fmt.Errorf("%s for %s: %w", c.Name, t.Schema.Name, err)
			}
		}
		if len(not) > 0 {
			fmt.Fprintf(&cases, "case %q:\nswitch workload {\ncase %s:\nreturn false\n}\n", c.Name, strings.Join(not, ", "))
		}
	}
	return writeSource(file, fmt.Sprintf(header+`package contenders

// Holds says whether a contender's format can hold a built-in workload. Why it
// cannot, its emitter says.
func Holds(contender, workload string) bool {
	switch contender {
	%s}
	return true
}
`, &cases))
}

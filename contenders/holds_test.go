package contenders_test

import (
	"errors"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/internal/codegen"
	"assay/workload/builtin"
)

// The table says what the emitters say.
func TestHolds(t *testing.T) {
	for _, c := range contenders.All() {
		for _, target := range codegen.Whole(builtin.All()) {
			_, err := c.Emit(target.Request(c))
			no := (*contender.Unsupported)(nil)
			if err != nil && !errors.As(err, &no) {
				t.Errorf("%s: %v", c.Name, err)
			}
			if got := contenders.Holds(c.Name, target.Schema.Name); got != (err == nil) {
				t.Errorf("Holds(%q, %q) = %t, but its emitter says %v; run go generate", c.Name, target.Schema.Name, got, err)
			}
		}
	}
}

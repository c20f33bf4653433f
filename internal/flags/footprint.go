package flags

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/measure"
	"assay/internal/plan"
)

// Footprints is a flag with numbers of bytes, separated by commas. Each is the amount of memory
// that batches may allocate between two runs of the garbage collector.
type Footprints []int64

// String returns the sizes with their units, separated by commas.
func (f *Footprints) String() string {
	texts := make([]string, len(*f))
	for i, n := range *f {
		texts[i] = plan.Bytes(n)
	}
	return strings.Join(texts, ",")
}

// Type is the name of the type in package pflag.
func (f *Footprints) Type() string { return "sizes" }

// Set adds sizes such as 3MiB,32MiB.
func (f *Footprints) Set(text string) error {
	for _, part := range strings.Split(text, ",") {
		n, err := plan.ParseBytes(part)
		if err != nil {
			return err
		}
		switch {
		case n < measure.LeastFootprint || n > measure.MostFootprint:
			return &ruleError{fmt.Errorf("%s is not from %s to %s", part, plan.Bytes(measure.LeastFootprint), plan.Bytes(measure.MostFootprint))}
		case slices.Contains(*f, n):
			return &ruleError{fmt.Errorf("%s is there twice", part)}
		}
		*f = append(*f, n)
	}
	return nil
}

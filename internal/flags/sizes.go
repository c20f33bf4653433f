package flags

import (
	"assay/internal/intake"
	"assay/internal/plan"
)

// A Size is a flag with a number of bytes.
type Size int64

// String returns the size with its unit, or "" for 0.
func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return plan.Bytes(int64(*s))
}

// Type is the name of the type in package pflag.
func (s *Size) Type() string { return "size" }

// Set parses a size such as 100MB or 2GiB.
func (s *Size) Set(text string) error {
	n, err := plan.ParseBytes(text)
	if err == nil {
		*s = Size(n)
	}
	return err
}

// A saying is a flag whose values go to a list that it shares with other flags, in the order of
// the command line.
type saying struct {
	flag string
	to   *[]intake.Said
}

func (s saying) String() string { return "" }

func (s saying) Type() string { return "string" }

func (s saying) Set(v string) error {
	*s.to = append(*s.to, intake.Said{Flag: s.flag, Value: v})
	return nil
}

package flags

import (
	"fmt"
	"strconv"

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

// exactBytes formats a number of bytes as a user would write it, without rounding: "1.5GiB", or
// "1234567B".
func exactBytes(n int64) string {
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.bytes && n%(u.bytes/2) == 0 {
			return strconv.FormatFloat(float64(n)/float64(u.bytes), 'f', -1, 64) + u.name
		}
	}
	return fmt.Sprintf("%dB", n)
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

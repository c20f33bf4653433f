package flags

import (
	"github.com/spf13/cobra"

	"assay/internal/measure"
)

// A Variant has the flags that describe another way to build a runner.
type Variant struct {
	with []string
	Go   string // the value of --go, which every command has
	env  []string
}

// With adds --with to a command.
func With(cmd *cobra.Command, with *[]string) {
	cmd.Flags().StringArrayVar(with, "with", nil, "use `MODULE@VERSION` instead of the pinned version (may be repeated)")
}

// Add adds --with and --env to a command.
func (v *Variant) Add(cmd *cobra.Command) {
	With(cmd, &v.with)
	cmd.Flags().StringArrayVar(&v.env, "env", nil, "set `NAME=VALUE` for the go command, such as GOEXPERIMENT=jsonv2 or GOAMD64=v3 (may be repeated)")
}

// Given reports whether any of the flags was given.
func (v *Variant) Given() bool { return len(v.with) > 0 || v.Go != "" || len(v.env) > 0 }

// Build converts the flags to the variant of package measure.
func (v *Variant) Build() (measure.Variant, error) {
	return measure.ParseVariant(v.with, v.Go, v.env)
}

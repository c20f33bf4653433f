package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/refusal"
	"assay/internal/scaffold"
)

// newCommand returns assay runner new.
func (a *app) newCommand() *cobra.Command {
	var c scaffold.Contender
	var module string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "write the files of a new contender",
		Long: fmt.Sprintf(`New writes the two files of a contender, contenders/<dir>/<dir>.go and emit.go,
into the checkout of assay that you are in. They work as they are, with
encoding/json in place of the library; %d places to change are marked CHANGE.
CONTRIBUTING.md walks through a real one. For a library in another language, or
one that stays outside the repository, see external contenders in PROTOCOL.md.`, scaffold.Places),
		Example: `  assay runner new my/yaml --format yaml --module gopkg.in/yaml.v3@v3.0.1`,
		Args:    flags.ArgsAtMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return refusal.Errorf("runner new takes the name of the contender, such as fxamacker/cbor")
			}
			c.Name = args[0]
			if module != "" {
				if err := c.SetModule(module); err != nil {
					return refusal.Errorf("--module: %v", err)
				}
			}
			return a.begun(c)
		},
	}
	cmd.Flags().StringVar(&c.Format, "format", "json", "give the contender this wire `FORMAT`, whose contenders read one another's bytes")
	cmd.Flags().StringVar(&module, "module", "", "use the library at `PATH@VERSION`")
	flags.Values(cmd, "format", catalog.FormatNames)
	return cmd
}

// begun writes the files of a new contender and says what to do next.
func (a *app) begun(c scaffold.Contender) error {
	if err := c.Check(); err != nil {
		return err
	}
	root, err := scaffold.Root(".")
	if err != nil {
		return err
	}
	files, err := scaffold.Write(root, c)
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintln(a.Out, f)
	}
	a.Next(c.Steps()...)
	return nil
}

package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/phrase"
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
	var steps [][2]string
	if c.Module != "" {
		steps = append(steps, [2]string{"go get " + c.Module + "@" + c.Version, "the library, in go.mod at that version"})
	}
	dir := "./" + filepath.ToSlash(filepath.Dir(files[0]))
	steps = append(steps,
		[2]string{"grep -n CHANGE " + dir[2:] + "/*.go", "the places to change"},
		[2]string{"go generate", "the tables, and the code for one workload to read"},
	)
	if c.Module != "" {
		steps = append(steps, [2]string{"go mod tidy", "go.mod and go.sum, now that the library is imported"})
	}
	a.Next(append(steps,
		[2]string{phrase.ShellLine("go", "test", "./contenders", "-run", "TestGenerated", "-only", c.Name, "-update"), "does it compile, and do what it says; writes what became of the probes"},
		[2]string{"go test ./contenders -run 'TestAxes|TestAdvice'", "has it all modes, and what is to be said of it"},
		[2]string{"go run ./cmd/assay verify -w movie", "a round trip of each, and who reads whose bytes"},
		[2]string{"go test . -update", "the documents that list contenders"},
	)...)
	return nil
}

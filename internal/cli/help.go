package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/nearest"
	"assay/internal/refusal"
)

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "show what a command does, and its flags",
		Long:  "Help shows what a command does, with examples and all of its flags.",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(of), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return refusal.Errorf("%w; assay help lists the commands", err)
			}
			if len(rest) > 0 {
				return noCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag() // lists -h
			return of.Help()
		},
	}
}

// commandNames returns the names of the visible subcommands of a command.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// shells lists the shells with a completion script.
var shells = []struct {
	name   string
	load   string // the command that loads the script
	script func(root *cobra.Command, w io.Writer) error
}{
	{"bash", "source <(assay completion bash)", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", "source <(assay completion zsh)", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", "assay completion fish | source", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", "assay completion powershell | Out-String | Invoke-Expression", func(root *cobra.Command, w io.Writer) error {
		return root.GenPowerShellCompletionWithDesc(w)
	}},
}

func (a *app) completionCommand() *cobra.Command {
	var names, loads []string
	for _, s := range shells {
		names = append(names, s.name)
		loads = append(loads, "  "+s.load)
	}
	return &cobra.Command{
		Use:   "completion " + strings.Join(names, "|"),
		Short: "print a script that completes commands, flags and names",
		Long: `Completion prints a script that lets a shell complete the commands, flags,
contenders, workloads, modes and runs of assay. Add the line for your shell to
the file that the shell reads when it starts.`,
		Example:   strings.Join(loads, "\n"),
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return refusal.Errorf("completion takes the name of one shell: %s", strings.Join(names, ", "))
			case !slices.Contains(names, args[0]):
				return refusal.Errorf("there is no completion for %q%s", args[0], nearest.Otherwise(args[0], names))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.script(cmd.Root(), a.Out)
				}
			}
			return fmt.Errorf("no script for %s", args[0])
		},
	}
}

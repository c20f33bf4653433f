package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"assay/internal/build"
	"assay/internal/plan"
)

func (a *app) runnerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "runner",
		Short: "build, list and clean the programs that measure",
		Long: `A runner is a program that links the contenders. It is built with the go command
when it is needed, and kept. These commands build it ahead of time, show what is
kept, and remove it.`,
		Args: cobra.ArbitraryArgs,
		RunE: commandOf,
	}
	var layouts int
	var s selection
	make := &cobra.Command{
		Use:   "build",
		Short: "build the runner that run would use",
		Long: `Build makes the runner for a selection, in as many layouts as a run would use,
and prints the path of its ordinary layout, a line for each group of contenders
that has a runner of its own. With it, a machine that is about to
lose its network has what it needs to measure.`,
		Args: argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if layouts < 0 || layouts > 1000 {
				return usagef("--layouts is %d; it must be between 0 and 1000", layouts)
			}
			sel, err := s.plan(false)
			if err != nil {
				return err
			}
			seeds := []uint64{}
			for l := range uint64(layouts + 1) {
				seeds = append(seeds, l)
			}
			made, err := a.make(cmd.Context(), sel, seeds, a.newProgress())
			if err != nil {
				return interrupted(cmd.Context(), err, "")
			}
			for _, r := range made {
				if _, err := fmt.Fprintln(a.stdout, r.Path(0)); err != nil {
					return err
				}
			}
			return a.pass(judgeBuilt(made, sel.Contenders))
		},
	}
	make.Flags().IntVar(&layouts, "layouts", defaultLayouts, "link `N` random layouts besides the ordinary one")
	s.flags(make)
	list := &cobra.Command{
		Use:   "list",
		Short: "show the runners that are kept",
		Long:  "List shows the runners that are kept, the last used first.",
		Args:  argsAtMost(0),
		RunE: func(*cobra.Command, []string) error {
			entries, err := build.List(a.cache)
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				a.hint("no runner is kept; assay run builds one")
				return nil
			}
			t := newTable()
			t.head("runner", ">layouts", ">size", "used")
			for _, e := range entries {
				t.row(fmt.Sprintf("%.12s", e.Key), strconv.Itoa(e.Layouts), plan.Bytes(e.Size), e.Used.Format("2006-01-02 15:04"))
			}
			return t.print(a)
		},
	}
	clean := &cobra.Command{
		Use:   "clean",
		Short: "remove all runners",
		Long:  "Clean removes all runners and the source that they were built from. The go\ncommand's own caches are left alone.",
		Args:  argsAtMost(0),
		RunE: func(*cobra.Command, []string) error {
			freed, err := build.Clean(a.cache)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "freed %s\n", plan.Bytes(freed))
			return err
		},
	}
	cmd.AddCommand(make, list, clean, a.newCommand())
	return cmd
}

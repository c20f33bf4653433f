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
		Args: argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var layouts int
	var s selection
	make := &cobra.Command{
		Use:   "build",
		Short: "build the runner that run would use",
		Args:  argsAtMost(0),
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
			r, err := a.make(cmd.Context(), sel, seeds, a.newProgress())
			if err != nil {
				return interrupted(cmd.Context(), err, "")
			}
			fmt.Fprintln(a.stdout, r.Path(0))
			return nil
		},
	}
	make.Flags().IntVar(&layouts, "layouts", defaultLayouts, "link `N` random layouts besides the ordinary one")
	s.flags(make)
	list := &cobra.Command{
		Use:   "list",
		Short: "show the runners that are kept",
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
		Args:  argsAtMost(0),
		RunE: func(*cobra.Command, []string) error {
			freed, err := build.Clean(a.cache)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "freed %s\n", plan.Bytes(freed))
			return nil
		},
	}
	cmd.AddCommand(make, list, clean)
	return cmd
}

// Package cli is the command line of assay: a file a command, each of which
// turns flags into options, calls, and prints. Standard output carries results
// only; progress, warnings and hints go to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/nearest"
)

// The exit codes.
const (
	exitOK          = 0
	exitNo          = 1   // a check said no
	exitUsage       = 2   // wrong usage
	exitFailed      = 3   // could not build or run
	exitNoisy       = 4   // too noisy for the precision asked
	exitInterrupted = 130 // what was measured is kept
)

// An exitError is an error with its exit code. An empty text prints nothing:
// the result already said it.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// errNo says that a check said no, which the result already shows.
var errNo = &exitError{exitNo, errors.New("")}

// An app is one invocation of the program.
type app struct {
	stdout, stderr io.Writer
	quiet          bool
	color          string // auto, always or never
	results        string // directory of run directories
	cache          string // of runners; empty: the user's
	goCommand      string // empty: the one on PATH
}

// Main runs the command line and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code := exitFailed
	var known *exitError
	if errors.As(err, &known) {
		code = known.code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "assay: %s\n", text)
	}
	return code
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "assay weighs Go serialization formats and libraries",
		Long: `assay weighs Go serialization formats and libraries on real workloads. It
verifies every round trip before it times it, shows every number with its
interval, and calls a tie a tie. Nothing leaves this machine.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return usagef("there is no command %q%s; assay help lists them", args[0], meant(args[0], names))
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	flags := root.PersistentFlags()
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only")
	flags.StringVar(&a.color, "color", "auto", "colour text: auto, always or never")
	flags.StringVar(&a.results, "results", ".assay/runs", "`directory` of stored runs")
	flags.StringVar(&a.cache, "cache", "", "`directory` of built runners (default: assay in the user's cache directory)")
	flags.StringVar(&a.goCommand, "go", "", "go `command` that builds runners (default: the one on PATH)")
	root.SetFlagErrorFunc(flagError)

	root.AddGroup(
		&cobra.Group{ID: "start", Title: "Start here"},
		&cobra.Group{ID: "look", Title: "Look"},
		&cobra.Group{ID: "trust", Title: "Trust"},
		&cobra.Group{ID: "more", Title: "More"},
	)
	for _, group := range []struct {
		id       string
		commands []*cobra.Command
	}{
		{"start", []*cobra.Command{a.runCommand()}},
		{"look", []*cobra.Command{a.listCommand(), a.explainCommand(), a.showCommand()}},
		{"trust", []*cobra.Command{a.verifyCommand()}},
		{"more", []*cobra.Command{a.exportCommand(), a.runnerCommand(), a.versionCommand()}},
	} {
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	return root
}

// flagError turns a flag error into a usage error that names the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		text += meant(name, known)
	}
	return usagef("%s; assay help %s lists the flags", text, cmd.Name())
}

// meant returns a question that names the known name that is near, or whose
// last element is, or nothing.
func meant(word string, known []string) string {
	full := map[string]string{}
	names := slices.Clone(known)
	for _, k := range known {
		if base := path.Base(k); base != k {
			full[base] = k
			names = append(names, base)
		}
	}
	near := nearest.Name(word, names)
	if near == "" {
		return ""
	}
	if k := full[near]; k != "" {
		near = k
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// otherwise returns a list of what there is, for when no name is near.
func otherwise(word string, known []string) string {
	if near := meant(word, known); near != "" {
		return near
	}
	return "; there are: " + strings.Join(known, ", ")
}

// argsAtMost is cobra.MaximumNArgs with our exit code.
func argsAtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("unexpected argument %q; see assay help %s", args[n], cmd.Name())
		}
		return nil
	}
}

// warn prints a warning to standard error.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.stderr, "assay: warning: "+format+"\n", args...)
}

// hint prints a line to standard error unless asked to be quiet.
func (a *app) hint(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}

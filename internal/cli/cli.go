// Package cli is the command line of assay. Each command turns flags into options, calls other
// packages, and prints; most commands have a file of their own. Standard output carries only
// results. Progress, warnings and hints go to standard error.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/console"
	"assay/internal/flags"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/process"
	"assay/internal/progress"
	"assay/internal/refusal"
	"assay/internal/scratch"
	"assay/internal/stored"
)

// An exitError is an error with its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// An app is one invocation of the program.
type app struct {
	console.Console
	args      []string    // the command line without the program's name
	source    fs.FS       // the source of runners: assay.Source
	cache     string      // the directory for the cache; empty for the user's cache directory
	goCommand string      // empty for the go command on PATH
	runs      stored.Runs // the stored runs
	// input is what is measured: the built-in workloads, or a user's records. more are additional
	// contenders, for either input.
	input measure.Input
	more  []*contender.Contender
	shown *progress.Progress // nil until something is shown
	// temporaries are the temporary files of this process; nil if the process does not track
	// them.
	temporaries *scratch.Temporaries
	// kept says what an interruption keeps, and how to go on; nil if there is nothing to say.
	kept *atomic.Pointer[string]
}

// newApp returns an invocation that measures the built-in workloads unless its input is changed.
// more are additional contenders.
func newApp(args []string, stdout, stderr io.Writer, source fs.FS, more ...*contender.Contender) *app {
	a := &app{
		Console: console.Console{Out: stdout, Err: stderr}, args: args, source: source, input: measure.Builtin(more...), more: more,
		kept: new(atomic.Pointer[string]),
	}
	a.runs.Console = &a.Console
	return a
}

// Program is the whole program. If the arguments ask for it, Program runs the guard of another
// assay process; otherwise it runs the command line. It ends the process.
func Program() {
	if code, asked := process.Guard(os.Args); asked {
		os.Exit(code)
	}
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Main runs the command line and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	var left scratch.Temporaries
	defer left.Remove()
	a := newApp(args, stdout, stderr, assay.Source)
	a.temporaries = &left
	// The first signal ends the command in an orderly way, the second one at once.
	ctx, stop := process.Interruptible(context.Background(), process.Patience, func() {
		left.Abandon()
		said := "assay: interrupted"
		if kept := a.kept.Load(); kept != nil {
			said += *kept
		}
		said = plaintext.Line(said)
		if (&console.Console{Err: stderr}).Watched() {
			said = "\n" + said // the last line of the picture has no end
		}
		// Nobody may read standard error any more.
		time.AfterFunc(time.Second, func() { os.Exit(ExitInterrupted) })
		fmt.Fprintln(stderr, said)
		os.Exit(ExitInterrupted)
	})
	defer stop()
	if self, err := os.Executable(); err == nil {
		ctx = process.Guarded(ctx, self)
	}
	cachedir.Hold(ctx)
	return a.main(ctx)
}

// Run runs a command line and returns the exit code. source is what runners are built from, and more
// are contenders besides those that are built in.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer, source fs.FS, more ...*contender.Contender) int {
	return newApp(args, stdout, stderr, source, more...).main(ctx)
}

// main runs the command line of an app and returns the exit code.
func (a *app) main(ctx context.Context) int {
	a.Protect()
	defer a.Close()
	root := a.root()
	a.Commands(commandNames(root))
	root.SetArgs(a.args)
	err := root.ExecuteContext(ctx)
	if lost := a.Printed(); err == nil {
		err = lost
	}
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = interrupted(ctx, err, "")
	}
	a.Error(err.Error())
	return exitCode(err)
}

// exitCode returns the exit code of a command that ended with an error.
func exitCode(err error) int {
	var known *exitError
	var refused *refusal.Error
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.As(err, &refused):
		return ExitUsage
	}
	return ExitFailed
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "assay measures Go serialization formats and libraries",
		Long: `assay measures Go serialization formats and libraries, on the workloads of
five published benchmarks or on your own data. It gives no number to a contender
whose round trip it has not verified, ranks by confidence intervals, and calls a
tie a tie. Nothing leaves this machine.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Our own completion command replaces cobra's. It says what is wrong with its argument.
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE:              commandOf,
		Version:           versionText(),
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(flags.NotEmpty(cmd), flags.NoEmptyArg(cmd, args)); err != nil {
				return err
			}
			if _, err := a.Colored(); err != nil { // before an hour is spent on a result that cannot be printed
				return err
			}
			if a.temporaries != nil && works(cmd) {
				a.temporaries.Make()
			}
			return nil
		},
	}
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	f := root.PersistentFlags()
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "print only results and errors")
	f.StringVar(&a.Color, "color", "auto", "colour text `WHEN`: auto, always, never")
	f.StringVar(&a.runs.Dir, "results", stored.DefaultDir, "store runs in `DIR`")
	f.StringVar(&a.cache, "cache", "", "keep built runners and records in assay-cache in `DIR` (default: your cache directory)")
	f.StringVar(&a.goCommand, "go", "", "build runners with `GO`, a go command or a release such as go1.25.3 (default: the one on PATH)")
	flags.Values(root, "color", func() []string { return []string{"auto", "always", "never"} })
	root.SetFlagErrorFunc(flags.Error)
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print the version and stop")

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
		{"start", []*cobra.Command{a.tryCommand(), a.runCommand()}},
		{"look", []*cobra.Command{a.listCommand(), a.explainCommand(), a.showCommand(), a.rankCommand(), a.compareCommand(), a.reportCommand()}},
		{"trust", []*cobra.Command{a.doctorCommand(), a.verifyCommand(), a.claimsCommand(), a.exhibitsCommand(), a.reproduceCommand()}},
		{"more", []*cobra.Command{a.dataCommand(), a.exportCommand(), a.runnerCommand(), a.buildCostCommand(), a.completionCommand(), a.versionCommand()}},
	} {
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(a.helpCommand())
	root.SetHelpCommandGroupID("more")
	root.InitDefaultHelpCmd()
	root.SetUsageTemplate(fmt.Sprintf(usageTemplate, phrase.Width))
	tellExits(root)
	return root
}

// commandOf runs a command that only groups other commands. Without an argument it shows the
// help. Any argument is an unknown command.
func commandOf(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return noCommand(cmd, args[0])
}

// noCommand returns the error that a command has no subcommand with that name.
func noCommand(cmd *cobra.Command, name string) error {
	of := ""
	if cmd.HasParent() {
		of = " of " + cmd.CommandPath()
	}
	return refusal.Errorf("there is no command %q%s%s; %s lists them", name, of, nearest.Hint(name, commandNames(cmd)), flags.HelpOf(cmd))
}

// works reports whether a command makes temporary files or starts programs, as those do that have the
// exit code of an interruption.
func works(cmd *cobra.Command) bool {
	return slices.ContainsFunc(exits[cmd.CommandPath()], func(e exit) bool { return e.code == ExitInterrupted })
}

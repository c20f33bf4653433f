// Package cli is the command line of assay. Each command turns flags into options, calls other
// packages, and prints; most commands have a file of their own. Standard output carries only
// results. Progress, warnings and hints go to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay"
	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/live"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/process"
	"assay/internal/progress"
	"assay/internal/refusal"
	"assay/internal/scratch"
)

// defaultResults is the default results directory.
const defaultResults = ".assay/runs"

// An exitError is an error with its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// An app is one invocation of the program.
type app struct {
	// stdout and stderr are where the program prints. The method main wraps both with package
	// plaintext, so that no output can control a terminal. It also makes stderr wrap lines at the
	// width of the terminal.
	stdout, stderr io.Writer
	args           []string // the command line without the program's name
	source         fs.FS    // the source of runners: assay.Source
	quiet          bool
	color          string // auto, always or never
	results        string // the directory of run directories
	cache          string // the directory for the cache; empty for the user's cache directory
	goCommand      string // empty for the go command on PATH
	// strict says that the command is a check of a stored run. If a newer run cannot be read,
	// "latest" is then an error and not an older run.
	strict bool
	// unusable are the IDs of the runs that were read without some of their records.
	unusable []string
	// input is what is measured: the built-in workloads, or a user's records. more are additional
	// contenders, for either input.
	input measure.Input
	more  []*contender.Contender
	shown *progress.Progress // nil until something is shown
	// view is what a terminal shows during a measurement; nil if there is none.
	view *live.View
	// temporaries are the temporary files of this process; nil if the process does not track
	// them.
	temporaries *scratch.Temporaries
}

// newApp returns an invocation that measures the built-in workloads unless its input is changed.
// more are additional contenders.
func newApp(args []string, stdout, stderr io.Writer, source fs.FS, more ...*contender.Contender) *app {
	return &app{stdout: stdout, stderr: stderr, args: args, source: source, input: measure.Builtin(more...), more: more}
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
	// The first signal ends the command in an orderly way, the second one at once.
	ctx, stop := process.Interruptible(context.Background(), process.Patience, func() {
		fmt.Fprintln(stderr, "assay: interrupted")
		left.Abandon()
		os.Exit(exitInterrupted)
	})
	defer stop()
	if self, err := os.Executable(); err == nil {
		ctx = process.Guarded(ctx, self)
	}
	cachedir.Hold(ctx)
	a := newApp(args, stdout, stderr, assay.Source)
	a.temporaries = &left
	return a.main(ctx)
}

// main runs the command line of an app and returns the exit code.
func (a *app) main(ctx context.Context) int {
	kept := &resultWriter{w: a.stdout}
	out := plaintext.NewWriter(kept)
	said := messagesTo(a.stderr, nil)
	a.stdout, a.stderr = out, said
	defer said.Close()
	root := a.root()
	said.commands = commandNames(root)
	root.SetArgs(a.args)
	err := root.ExecuteContext(ctx)
	out.Close() // kept has the error of Close
	if err == nil && kept.err != nil {
		err = kept.err
	}
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = interrupted(ctx, err, "")
	}
	fmt.Fprintf(a.stderr, errorPrefix+"%s\n", err)
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
		return exitUsage
	}
	return exitFailed
}

// A resultWriter is standard output. It keeps the first write error, so that a lost result is
// never reported as printed.
type resultWriter struct {
	w   io.Writer
	err error
}

func (r *resultWriter) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("cannot print the result: %w", err)
	}
	return n, r.err
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "assay measures Go serialization formats and libraries",
		Long: `assay measures Go serialization formats and libraries, on real workloads or on
your own data. It verifies every round trip before it times it, ranks by
confidence intervals, and calls a tie a tie. Nothing leaves this machine.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Our own completion command replaces cobra's. It says what is wrong with its argument.
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE:              commandOf,
		Version:           versionText(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd); err != nil {
				return err
			}
			if _, err := a.colored(); err != nil { // before an hour is spent on a result that cannot be printed
				return err
			}
			if a.temporaries != nil && works(cmd) {
				a.temporaries.Make()
			}
			return nil
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	flags := root.PersistentFlags()
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print only results and errors")
	flags.StringVar(&a.color, "color", "auto", "colour text `WHEN`: auto, always, never")
	flags.StringVar(&a.results, "results", defaultResults, "store runs in `DIR`")
	flags.StringVar(&a.cache, "cache", "", "keep built runners and records in assay-cache in `DIR` (default: your cache directory)")
	flags.StringVar(&a.goCommand, "go", "", "build runners with `GO`, a go command or a release such as go1.25.3 (default: the one on PATH)")
	completeFlag(root, "color", func() []string { return []string{"auto", "always", "never"} })
	root.SetFlagErrorFunc(flagError)
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
	root.SetUsageTemplate(usageTemplate)
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
	return usagef("there is no command %q%s%s; %s lists them", name, of, nearest.Hint(name, commandNames(cmd)), helpOf(cmd))
}

// helpOf returns the command line that prints the help of a command.
func helpOf(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.TrimSpace("assay help " + path)
}

// notEmpty refuses a flag with an empty value, such as a script passes if a variable is not set.
// Otherwise the flag would count as not given, and a check that the script asked for would be
// skipped.
func notEmpty(cmd *cobra.Command) error {
	var empty error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch v := f.Value.(type) {
		case pflag.SliceValue:
			if values := v.GetSlice(); slices.Contains(values, "") || len(values) == 0 {
				value = ""
			}
		case saying:
			return // each value is checked where it is parsed
		}
		if value == "" && empty == nil {
			empty = usagef("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return empty
}

// flagError converts a flag error to a usage error. The error says which value the flag takes, or
// names the most similar flag.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	var (
		unknown *pflag.NotExistError
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
	)
	switch {
	case errors.As(err, &unknown):
		if name, long := strings.CutPrefix(text, "unknown flag: --"); long {
			var known []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
			text = "there is no flag --" + name + nearest.Hint("--"+name, known)
		} else {
			text = fmt.Sprintf("there is no flag -%s", unknown.GetSpecifiedName())
		}
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		text = fmt.Sprintf("--%s is %q", f.Name, invalid.GetValue())
		switch what := takes(f); {
		case f.Value.Type() == "duration" && tooLong.MatchString(invalid.GetValue()):
			text += ", which is too long"
		case what != "":
			text += "; it must be" + what
		}
	case errors.As(err, &missing):
		f := missing.GetFlag()
		text = fmt.Sprintf("--%s needs a value", f.Name)
		if what := takes(f); what != "" {
			text += ":" + what
		}
	}
	return usagef("%s; %s lists the flags", text, helpOf(cmd))
}

// tooLong matches durations with correct syntax. If such a duration cannot be parsed, it is
// longer than a time.Duration can hold.
var tooLong = regexp.MustCompile(`^[0-9]+[0-9.]*(ns|us|µs|ms|s|m|h)$`)

// takes describes the value of a flag, with a space before it. It returns "" for a string, which
// can be anything.
func takes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return " true or false"
	case "int":
		return " a whole number"
	case "uint64":
		return " a whole number that is not negative"
	case "size":
		return " a size such as 100MB or 2GiB"
	case "sizes":
		return " sizes such as 3MiB,32MiB"
	case "duration":
		return " a time such as 30s or 2m"
	case "intSlice":
		return " whole numbers, such as 1,2,4"
	case "float64":
		return " a number, such as 1.5"
	case "int64":
		return " a whole number"
	}
	return ""
}

// argsAtMost is cobra.MaximumNArgs, but its error has the exit code of wrong usage.
func argsAtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("unexpected argument %q; see %s", args[n], helpOf(cmd))
		}
		return nil
	}
}

// warn prints a warning to standard error. With --quiet it prints nothing.
func (a *app) warn(format string, args ...any) {
	if !a.quiet {
		a.view.Clear()
		fmt.Fprintf(a.stderr, errorPrefix+"warning: "+format+"\n", args...)
	}
}

// warnAll prints lines of one kind as warnings. If there are many, it prints only the first
// twenty.
func (a *app) warnAll(lines []string) {
	phrase.Several(lines, func(line string) { a.warn("%s", line) })
}

// firstGiven returns the first of the named flags that the command line has, or "" if it has none
// of them.
func firstGiven(cmd *cobra.Command, names ...string) string {
	if i := slices.IndexFunc(names, cmd.Flags().Changed); i >= 0 {
		return names[i]
	}
	return ""
}

// hint prints a line to standard error. With --quiet it prints nothing.
func (a *app) hint(format string, args ...any) {
	if !a.quiet {
		a.view.Clear()
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}

// works reports whether a command makes temporary files or starts programs.
func works(cmd *cobra.Command) bool {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	name, _, _ := strings.Cut(path, " ")
	switch name {
	case "try", "run", "compare", "claims", "doctor", "verify", "exhibits", "reproduce", "data", "runner", "buildcost":
		return true
	}
	return false
}

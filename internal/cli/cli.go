// Package cli is the command line of assay. Each command, most in a file of its
// own, turns flags into options, calls, and prints. Standard output carries results
// only; progress, warnings and hints go to standard error.
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

// defaultResults is the results directory where none is named.
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
	// stdout and stderr are where the program prints. From main on they are of
	// package plaintext, so nothing that is printed can act on a terminal, and stderr
	// breaks the lines that are wider than a terminal.
	stdout, stderr io.Writer
	args           []string // the command line without the program's name
	source         fs.FS    // what runners are built from: assay.Source
	quiet          bool
	color          string // auto, always or never
	results        string // directory of run directories
	cache          string // of runners; empty: the user's
	goCommand      string // empty: the one on PATH
	// strict says that a check is made of a stored run: the latest is not an older one
	// because that cannot be read.
	strict bool
	// unusable are the IDs of runs that were read without some of their records.
	unusable []string
	// input is what is measured: the built-in workloads, or a user's records. More are
	// contenders besides those that there are, for both.
	input measure.Input
	more  []*contender.Contender
	shown *progress.Progress // nil: nothing was shown yet
	// view is what a terminal shows while something is measured; nil: nothing.
	view *live.View
	// temporaries are those of this process; nil: they are nobody's in particular.
	temporaries *scratch.Temporaries
}

// newApp returns an invocation that measures the built-in workloads until it is told
// otherwise. More are contenders that it has besides those that there are.
func newApp(args []string, stdout, stderr io.Writer, source fs.FS, more ...*contender.Contender) *app {
	return &app{stdout: stdout, stderr: stderr, args: args, source: source, input: measure.Builtin(more...), more: more}
}

// Program is the whole program: the guard of another process of it, if its arguments
// ask for that, and otherwise the command line. It ends the process.
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
	// The first signal ends the command in order, the second at once.
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
	out.Close() // kept has its error
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

// A resultWriter is standard output. It keeps the first error of writing, so that a
// result that was lost is never taken for one that was printed.
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
		// Completion is a command of ours, which says what is wrong with its
		// argument.
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE:              commandOf,
		Version:           versionText(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd); err != nil {
				return err
			}
			if _, err := a.colored(); err != nil { // before an hour is spent on what cannot be printed
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

// commandOf is run for a command that only holds others: without an argument it
// shows its help, and any argument is a command that there is not.
func commandOf(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return noCommand(cmd, args[0])
}

// noCommand says that a command has no command of that name.
func noCommand(cmd *cobra.Command, name string) error {
	of := ""
	if cmd.HasParent() {
		of = " of " + cmd.CommandPath()
	}
	return usagef("there is no command %q%s%s; %s lists them", name, of, nearest.Hint(name, commandNames(cmd)), helpOf(cmd))
}

// helpOf returns what to type to read the help of a command.
func helpOf(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.TrimSpace("assay help " + path)
}

// notEmpty refuses flags that were given an empty value, as a script does with a
// variable that is not set: they would be taken for flags that were not given, and a
// check that was asked for would not be made.
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
			return // its values are checked where they are taken apart
		}
		if value == "" && empty == nil {
			empty = usagef("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return empty
}

// flagError turns a flag error into a usage error that says what the flag
// takes, or names the nearest flag.
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

// tooLong matches times that are well written. One that cannot be read all the same is
// longer than what can be held.
var tooLong = regexp.MustCompile(`^[0-9]+[0-9.]*(ns|us|µs|ms|s|m|h)$`)

// takes says what the value of a flag is, after a space. It says nothing of a
// string, which can be anything.
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

// argsAtMost is cobra.MaximumNArgs with our exit code.
func argsAtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("unexpected argument %q; see %s", args[n], helpOf(cmd))
		}
		return nil
	}
}

// warn prints a warning to standard error unless asked to be quiet.
func (a *app) warn(format string, args ...any) {
	if !a.quiet {
		a.view.Clear()
		fmt.Fprintf(a.stderr, errorPrefix+"warning: "+format+"\n", args...)
	}
}

// warnAll warns of lines of one kind, the first twenty of many.
func (a *app) warnAll(lines []string) {
	phrase.Several(lines, func(line string) { a.warn("%s", line) })
}

// firstGiven is the first of the flags of those names that a command was given; empty:
// none was.
func firstGiven(cmd *cobra.Command, names ...string) string {
	if i := slices.IndexFunc(names, cmd.Flags().Changed); i >= 0 {
		return names[i]
	}
	return ""
}

// hint prints a line to standard error unless asked to be quiet.
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

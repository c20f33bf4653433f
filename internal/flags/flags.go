// Package flags holds the flags that several commands have: what is selected, how much is measured,
// how samples are read, and how results are printed. Each type adds its flags to a command, checks
// what the command line says, and returns it in the words of the packages below. Its errors are
// refusals.
package flags

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/nearest"
	"assay/internal/refusal"
	"assay/internal/report"
)

// FormatFlag adds --format. Its text lists the names of the formats.
func FormatFlag[T any](cmd *cobra.Command, format *string, formats []report.FormatOf[T]) {
	cmd.Flags().StringVar(format, "format", "text", "print as `FORMAT`: "+strings.Join(namesOf(formats), ", "))
	Values(cmd, "format", func() []string { return namesOf(formats) })
}

// Format returns the format of that name. The error for an unknown name lists the others.
func Format[T any](formats []report.FormatOf[T], name string) (report.FormatOf[T], error) {
	f, ok := report.Named(formats, name)
	if !ok {
		return f, refusal.Errorf("--format is %q%s", name, nearest.Otherwise(name, namesOf(formats)))
	}
	return f, nil
}

func namesOf[T any](formats []report.FormatOf[T]) []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Values lets the shell complete the values of a flag. It calls values only at completion,
// when the flags before it are known.
func Values(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command has no such flag, or a completion is already registered
	}
}

// HelpOf returns the command line that prints the help of a command.
func HelpOf(cmd *cobra.Command) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.TrimSpace("assay help " + path)
}

// NotEmpty refuses a flag with an empty value, such as a script passes if a variable is not set.
// Otherwise the flag would count as not given, and a check that the script asked for would be
// skipped.
func NotEmpty(cmd *cobra.Command) error {
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
			empty = refusal.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return empty
}

// NoEmptyArg refuses an empty argument, such as a script passes if a variable is not set.
// Otherwise it would stand for the latest run, which the script did not ask for.
func NoEmptyArg(cmd *cobra.Command, args []string) error {
	completes := cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd
	_, path, ok := strings.Cut(cmd.CommandPath(), " ")
	if completes || !ok || !slices.Contains(args, "") {
		return nil
	}
	return refusal.Errorf("an argument of %s is empty; give it a value, or leave it out", path)
}

// Error converts a flag error to a usage error. The error says which value the flag takes, or
// names the most similar flag.
func Error(cmd *cobra.Command, err error) error {
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
			if rule := (*ruleError)(nil); errors.As(invalid, &rule) {
				text += ": " + rule.Error()
			}
		}
	case errors.As(err, &missing):
		f := missing.GetFlag()
		text = fmt.Sprintf("--%s needs a value", f.Name)
		if what := takes(f); what != "" {
			text += ":" + what
		}
	}
	return refusal.Errorf("%s; %s lists the flags", text, HelpOf(cmd))
}

// A ruleError says which rule a value breaks that has the right syntax.
type ruleError struct{ error }

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

// ArgsAtMost is cobra.MaximumNArgs, but its error has the exit code of wrong usage.
func ArgsAtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return refusal.Errorf("unexpected argument %q; see %s", args[n], HelpOf(cmd))
		}
		return nil
	}
}

// FirstGiven returns the first of the named flags that the command line has, or "" if it has none
// of them.
func FirstGiven(cmd *cobra.Command, names ...string) string {
	if i := slices.IndexFunc(names, cmd.Flags().Changed); i >= 0 {
		return names[i]
	}
	return ""
}

// OnlyWith refuses the flags of a command beside --name that are not allowed with it. does says what
// --name does. The flags that every command has are allowed, and without --name all are.
func OnlyWith(cmd *cobra.Command, name, does string, allowed ...string) error {
	if !cmd.Flags().Changed(name) {
		return nil
	}
	var refused error
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != name && !slices.Contains(allowed, f.Name) && refused == nil {
			refused = refusal.Errorf("--%s %s; it cannot be combined with --%s", name, does, f.Name)
		}
	})
	return refused
}

// OnlyWithResume is OnlyWith for --resume.
func OnlyWithResume(cmd *cobra.Command, allowed ...string) error {
	return OnlyWith(cmd, "resume", "goes on with what was planned", allowed...)
}

// Percent reads a percentage as a share: 5% is 0.05.
func Percent(flag, s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	switch {
	case err != nil || !(v >= 0) || v > 1000:
		return 0, refusal.Errorf("%s is %q; it must be a percentage, such as 5%%", flag, s)
	case !strings.HasSuffix(s, "%"):
		return 0, refusal.Errorf("%s is %q; write %s%%", flag, s, s)
	}
	return v / 100, nil
}

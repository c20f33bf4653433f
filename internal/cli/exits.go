package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/gate"
	"assay/internal/phrase"
	"assay/internal/texttab"
)

// The exit codes. For a check, ExitNo is an answer, and ExitFailed means that there is no answer.
// A contender that does not build, dies, hangs or was not measured counts neither as wrong nor as
// right.
const (
	ExitOK          = 0
	ExitNo          = 1   // a check said no
	ExitUsage       = 2   // wrong usage
	ExitFailed      = 3   // could not build or run, so there is no answer
	ExitNoisy       = 4   // too noisy for the requested precision
	ExitInterrupted = 130 // what was measured is kept
)

// exitOf maps the verdict of a gate to an exit code.
var exitOf = map[gate.Verdict]int{gate.Passed: ExitOK, gate.No: ExitNo, gate.Failed: ExitFailed, gate.Noisy: ExitNoisy}

// pass returns nil if the gate passes, and otherwise an error of one line, which becomes the last
// line on standard error. If the findings do not fit into one line, pass first lists them. For a
// check of a stored run, damaged records also count as a finding.
func (a *app) pass(g *gate.Gate) error {
	if a.runs.Strict {
		g.Unusable(a.runs.Unusable)
	}
	if g.Verdict() == gate.Passed {
		return nil
	}
	line, before := g.Line()
	phrase.Several(before, a.Error)
	return &exitError{exitOf[g.Verdict()], errors.New(line)}
}

// An exit is an exit code of a command, with its meaning.
type exit struct {
	code int
	text string
}

// Exits that have the same meaning in many commands.
var (
	printedExit     = exit{ExitOK, "the result is printed"}
	usageExit       = exit{ExitUsage, "wrong usage: a flag, a name or a file that cannot be used"}
	unreadableExit  = exit{ExitFailed, "something could not be read or written"}
	interruptedExit = exit{ExitInterrupted, "interrupted; nothing is kept"}
	keptExit        = exit{ExitInterrupted, "interrupted; what was measured is kept, and --resume goes on"}
)

// exits maps the path of each command to its exit codes.
var exits = map[string][]exit{
	"assay": {{ExitOK, "the help or the version is printed"}, usageExit, unreadableExit},
	"assay try": {
		{ExitOK, "the answer is printed"},
		{ExitNo, "no measured contender meets --must"},
		usageExit,
		{ExitFailed, "could not read, build, run or store; or nothing was measured; or another process writes the run to resume; " +
			"with --precision or --must: the run to resume has damaged records"},
		{ExitNoisy, "a ratio is less precise than --precision asks"},
		keptExit,
	},
	"assay run": {
		{ExitOK, "the tables are printed, and what --precision asks is reached"},
		{ExitNo, "with --precision: a contender returns another value than it was given"},
		usageExit,
		{ExitFailed, "could not build, run or store; nothing was measured, or with --plan would be; another process writes the run to resume; " +
			"with --precision: a case has no number because its contender does not build, panics, outgrows its memory, hangs or had no time, or the run to resume has damaged records"},
		{ExitNoisy, "a ratio is less precise than --precision asks"},
		{ExitInterrupted, "interrupted; what was measured is kept, and --resume goes on; versions (--with, --env) are compared anew"},
	},
	"assay list":    {printedExit, usageExit, unreadableExit},
	"assay explain": {printedExit, usageExit, unreadableExit},
	"assay show":    {printedExit, usageExit, unreadableExit},
	"assay report":  {{ExitOK, "the page is written"}, usageExit, {ExitFailed, "a run cannot be read, or the page cannot be written"}},
	"assay rank":    {printedExit, usageExit, {ExitFailed, "could not read or write; or nothing in view has a time"}},
	"assay export":  {printedExit, usageExit, unreadableExit},
	"assay compare": {
		{ExitOK, "the comparison is printed; with --fail-on: every row was compared, and none is shown to be worse by more than the limit"},
		{ExitNo, "with --fail-on: a row is surely worse, or a side returns another value than it was given"},
		{ExitUsage, "wrong usage; with --fail-on also: the two are the same, or are of other records or machines; without it: they share nothing to compare"},
		{ExitFailed, "could not build, run or store; or no version could be measured; with --fail-on: nothing was compared, or something " +
			"was not, because a side does not build, panics, needs too much memory, hangs, lacks what the other has, had no time, or is too " +
			"imprecise to judge; or a run was cut short or has damaged records"},
		{ExitInterrupted, "interrupted; versions have to be compared anew"},
	},
	"assay doctor": {
		{ExitOK, "fit to measure, perhaps with care"}, {ExitNo, "not fit to measure now"}, usageExit,
		{ExitFailed, "could not build or run; or nothing was measured"}, interruptedExit,
	},
	"assay verify": {
		{ExitOK, "every contender that can hold the values returns them; with --probes: loses what it declares"},
		{ExitNo, "a contender returns another value than it was given; with --probes: loses something else than it declares"},
		usageExit,
		{ExitFailed, "could not build or run; a contender does not build, panics, outgrows its memory or hangs; or nothing was verified"},
		interruptedExit,
	},
	"assay claims": {
		{ExitOK, "every claim is as its file expects"},
		{ExitNo, "a claim differs from what its file expects"},
		{ExitUsage, "wrong usage; or a claims file with mistakes"},
		{ExitFailed, "could not build, run or store; a claim with an expected verdict could not be tested, in whole or in part; or no claim was tested; " +
			"or the run was cut short or has damaged records; " +
			"or another process writes the run to resume"},
		{ExitNoisy, "a claim with an expected verdict is undecided"},
		keptExit,
	},
	"assay exhibits": {
		{ExitOK, "every exhibit shows what its text says"},
		{ExitNo, "an exhibit does not show what its text says"},
		usageExit,
		{ExitFailed, "could not build, run or store; a half of an exhibit has no number; or the run was cut short or has damaged records"},
		{ExitInterrupted, "interrupted; what was measured is kept, and --run prints it"},
	},
	"assay reproduce": {
		{ExitOK, "the tables are printed; a row that is too large or too slow for this machine says so"},
		{ExitNo, "a case of the tables returns another value than it was given"},
		usageExit,
		{ExitFailed, "could not build, run, store or write files; a benchmark or a case does not build, panics or hangs; or nothing was measured; or the run was cut short or has damaged records; " +
			"or another process writes the run to resume"},
		keptExit,
	},
	"assay data":           {{ExitOK, "the help is printed"}, usageExit, unreadableExit},
	"assay data infer":     {printedExit, usageExit, unreadableExit, interruptedExit},
	"assay data anonymize": {{ExitOK, "the sample is written"}, usageExit, unreadableExit, interruptedExit},
	"assay data export":    {{ExitOK, "the files are written"}, usageExit, {ExitFailed, "could not read, generate or write; or a contender of -c has no package for the data"}, interruptedExit},
	"assay runner":         {{ExitOK, "the help is printed"}, usageExit, unreadableExit},
	"assay runner build": {
		{ExitOK, "the runners are built with every contender that was selected"}, usageExit,
		{ExitFailed, "could not build; or a contender that was selected is missing from its runner"}, interruptedExit,
	},
	"assay runner list":   {printedExit, usageExit, unreadableExit},
	"assay runner clean":  {{ExitOK, "the runners, their source and kept records are removed; with --data: only your own data"}, usageExit, unreadableExit},
	"assay runner source": {{ExitOK, "the files are written"}, usageExit, {ExitFailed, "could not generate or write"}, interruptedExit},
	"assay runner new":    {{ExitOK, "the files are written"}, usageExit, unreadableExit},
	"assay buildcost": {
		{ExitOK, "the table is printed"}, usageExit,
		{ExitFailed, "could not build, run or store; nothing was measured; or another process writes the run to resume"},
		keptExit,
	},
	"assay completion": {{ExitOK, "the script is printed"}, usageExit, unreadableExit},
	"assay version":    {printedExit, usageExit, unreadableExit},
	"assay help":       {{ExitOK, "the help is printed"}, usageExit, unreadableExit},
}

// exitsAnnotation is the name of the command annotation that holds the exit codes as text.
const exitsAnnotation = "exits"

// tellExits adds the exit codes to the help of a command and of its subcommands.
func tellExits(cmd *cobra.Command) {
	var b strings.Builder
	t := &texttab.Table{Limit: phrase.Width}
	for _, e := range exits[cmd.CommandPath()] {
		t.Row().Cell(fmt.Sprint(e.code), texttab.Margin("  ")).Rest(e.text, texttab.Margin("  "))
	}
	t.Format(&b, false) // a strings.Builder has no errors
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[exitsAnnotation] = strings.TrimRight(b.String(), "\n")
	for _, c := range cmd.Commands() {
		tellExits(c)
	}
}

// usageTemplate is the format of cobra's template, with the width at which flags wrap and with the exit
// codes.
const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{if eq (len .Groups) 0}}

Available Commands:{{range $cmds}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{else}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if (and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help")))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsagesWrapped %[1]d | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Global Flags:
{{.InheritedFlags.FlagUsagesWrapped %[1]d | trimTrailingWhitespaces}}{{end}}{{with index .Annotations "exits"}}

Exit codes:
{{.}}{{end}}{{if .HasAvailableSubCommands}}

Use "{{.CommandPath}} [command] --help" for more information about a command.{{end}}
`

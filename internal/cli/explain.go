package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/bench/compress"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/measure"
	"assay/published/claims"
	"assay/result"
	"assay/schema/text"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain NAME",
		Short: "explain a name or a word in the tables",
		Long: `Explain says what a name means: a contender, workload, probe, mode, op, metric,
claim, trait, loss or status, or a word in the tables. It says how assay calls a
contender and when to choose it, where a workload comes from, what a mode gives
up, and what a metric leaves out.`,
		Example: "  assay explain vtprotobuf\n  assay explain output=reuse\n  assay explain time",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("explain takes one name; assay list shows them")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return topicNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explain(args[0]) },
	}
}

// A topic is something that can be explained. print writes its text.
type topic struct {
	name  string
	print func(io.Writer) error
}

// topics are all things that can be explained. A name may stand for several,
// and is then explained as each of them.
func topics() []topic {
	var all []topic
	add := func(name string, print func(io.Writer) error) { all = append(all, topic{name, print}) }
	plain := func(kind, name, what string) {
		add(name, func(w io.Writer) error {
			return paragraphs(w, fmt.Sprintf("%s is %s.", name, kind), sentence(what))
		})
	}
	for _, c := range measure.Known() {
		add(c.Name, func(w io.Writer) error { return explainContender(w, c) })
	}
	for _, load := range builtin.All() {
		add(load.Name, func(w io.Writer) error { return explainWorkload(w, load) })
	}
	for _, p := range probes.All {
		add(p.Size(), func(w io.Writer) error { return explainProbe(w, p) })
	}
	for _, m := range analysis.Metrics {
		add(m.Name, func(w io.Writer) error {
			return paragraphs(w, fmt.Sprintf("%s is a metric: %s, in %s.", m.Name, m.Title, unitName(m.Unit)), m.Text)
		})
	}
	for _, op := range result.Ops {
		plain("an op", string(op), opText[op])
	}
	plain("the op of rows of assay buildcost", string(result.Building), "what is known of building a contender; no runner does it, and no other run has it")
	for _, key := range modeNames() {
		add(key, func(w io.Writer) error { return explainMode(w, key) })
	}
	for _, axis := range contender.Axes {
		if !slices.Contains(modeNames(), axis.Name) {
			plain("part of a mode", axis.Name, axis.String())
		}
	}
	wordTopics(add, plain)
	// That the ledger can be read is tested; without it there is that much less
	// to explain.
	if l, err := embeddedLedger(assay.Source); err == nil {
		for _, c := range l.Claims {
			add(c.ID, func(w io.Writer) error { return explainClaim(w, l, c) })
		}
	}
	return all
}

// wordTopics adds the words that have a row in a table: traits, losses, statuses,
// verdicts and the like.
func wordTopics(add func(name string, print func(io.Writer) error), plain func(kind, name, what string)) {
	word := func(kind string, w contender.Word) {
		add(w.Name, func(out io.Writer) error {
			return paragraphs(out, fmt.Sprintf("%s is %s: %s.", w.Name, kind, w.Short), w.Text, w.Rule)
		})
	}
	for _, w := range contender.Traits {
		word("a trait", w.Word())
	}
	for _, m := range answer.Musts {
		if !slices.ContainsFunc(contender.Traits, func(w contender.TraitWord) bool { return string(w.Trait) == m.Name }) {
			word("a condition of assay try --must", m.Word)
		}
	}
	for _, w := range answer.Terms {
		word("a word of the answer of assay try", w)
	}
	for _, l := range contender.Losses {
		add(string(l.Loss), func(w io.Writer) error {
			return paragraphs(w, fmt.Sprintf("%s is a loss.", l.Loss), sentence(l.Text), l.Rule())
		})
	}
	for _, s := range result.Statuses {
		plain("a status", string(s.Status), s.Text)
	}
	for kind, what := range analysis.WarningText {
		plain("a warning", string(kind), what)
	}
	for _, pass := range measure.Passes {
		plain("a pass of assay run --also", pass.Name, pass.Text)
	}
	plain("the judgement of a run", "grade", analysis.GradeText)
	for _, w := range words {
		plain("a word of the tables", w.Name, w.Text)
	}
	for _, c := range compress.Codecs {
		plain("a codec", c.Name, c.Text+". In tables: bytes of a message after it, by itself and, after the slash, in a batch that is compressed as a whole")
	}
	for _, v := range claims.Verdicts {
		plain("a verdict on a claim", string(v.Verdict), v.Text)
	}
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	slices.Sort(names)
	return names
}

func (a *app) explain(name string) error {
	found := 0
	for _, t := range topics() {
		if t.name != name {
			continue
		}
		if found++; found > 1 {
			fmt.Fprintln(a.stdout)
		}
		if err := t.print(a.stdout); err != nil {
			return err
		}
	}
	if found == 0 {
		return usagef("there is nothing called %q%s", name, otherwise(name, topicNames()))
	}
	return nil
}

func unitName(unit string) string {
	if unit == "1" {
		return "plain numbers"
	}
	return unit
}

func explainContender(w io.Writer, c *contender.Contender) error {
	version, err := versions()
	if err != nil {
		return err
	}
	module := "the standard library, " + version(c)
	if c.Module != "" {
		module = c.Module + " " + version(c)
	} else if !slices.Contains(c.Traits, contender.Standard) {
		module = "assay itself"
	}
	if err := paragraphs(w, fmt.Sprintf("%s is a contender: %s.", c.Name, c.Title), c.Text, "Choose it "+c.Choose+"."); err != nil {
		return err
	}
	same := []string{}
	for _, other := range contenders.All() {
		if other.Format == c.Format && other != c {
			same = append(same, other.Name)
		}
	}
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %-9s %s\n", label, text)
		}
	}
	fmt.Fprintln(w)
	format := c.Format
	if len(same) > 0 {
		format += ", as are " + strings.Join(same, ", ")
	}
	line("format", format)
	line("module", module)
	line("license", c.License)
	line("ops", strings.Join(names(c.Ops), ", "))
	for _, t := range c.Traits {
		line("trait", string(t)+": "+t.In().Short)
	}
	for _, l := range c.Losses {
		line("loses", string(l)+": "+l.In().Text)
	}
	line("mode", analysis.DefaultMode+": every call makes what it returns anew")
	for _, m := range c.Modes {
		line("mode", m.Key+" ("+strings.Join(names(m.Ops), ", ")+"): "+m.Text)
		for _, l := range m.Losses {
			line("", "and so loses "+string(l)+": "+l.In().Text)
		}
	}
	line("code", "contenders/"+c.Dir()+"/emit.go writes contenders/"+c.Dir()+"/gen")
	return explainFound(w, c)
}

func explainWorkload(w io.Writer, load *workload.Workload) error {
	if err := paragraphs(w, fmt.Sprintf("%s is a workload: %s.", load.Name, strings.TrimSuffix(load.Title, ".")), load.Text, "Source: "+load.Source); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, s := range load.Sizes {
		fmt.Fprintf(w, "  %-28s %-10s  %s\n", s.Key, sizeSet(s), s.Text)
	}
	fmt.Fprintln(w)
	_, err := w.Write(text.Format(load.Schema))
	return err
}

func explainMode(w io.Writer, key string) error {
	if key == analysis.DefaultMode {
		return paragraphs(w, "default is the mode that calls a library as most people do.", sentence(modeRows()[0].Text),
			"It stands for output=fresh, target=fresh, strings=copy and session=oneshot. In JSON, and in stored runs, its name is the empty string.")
	}
	if codec, ok := measure.CodecOf(key); ok {
		return paragraphs(w, key+" is a mode.", sentence(measure.CodecText(codec)),
			"It has the ops compress and decompress and no others, and every contender that encodes has it, in a runner of its own "+
				"that links what compresses. One coder is kept, and its destination is reused. The batch of many messages is not "+
				"timed; assay run --also compressed says how large it becomes.")
	}
	parts := []string{key + " is a mode."}
	for _, axis := range strings.Split(key, ",") {
		if axis == key {
			parts = append(parts, sentence(contender.AxisOf(axis).String()))
		} else {
			parts = append(parts, axis+": "+contender.AxisOf(axis).String())
		}
	}
	for _, c := range contenders.All() {
		for _, m := range c.Modes {
			if m.Key == key {
				parts = append(parts, c.Name+" ("+strings.Join(names(m.Ops), ", ")+"): "+m.Text)
			}
		}
	}
	return paragraphs(w, parts...)
}

// sentence makes a sentence of a phrase.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// paragraphs writes paragraphs wrapped at 80 columns with an empty line between
// them.
func paragraphs(w io.Writer, texts ...string) error {
	for i, t := range texts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		width := 0
		for _, word := range strings.Fields(t) {
			n := len([]rune(word))
			switch {
			case width == 0:
			case width+1+n > 80:
				fmt.Fprintln(w)
				width = 0
			default:
				fmt.Fprint(w, " ")
				width++
			}
			fmt.Fprint(w, word)
			width += n
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

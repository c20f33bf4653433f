package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"assay"
	"assay/bench/compress"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/texttab"
	"assay/published/claims"
	"assay/result"
	"assay/schema/text"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

// Explain writes what a name means. If it has several meanings, Explain writes all of them. It
// reports whether the name is known.
func Explain(w io.Writer, name string) (known bool, err error) {
	all := topics()
	spaced := func(s string) string { return strings.ReplaceAll(s, "-", " ") }
	// The words of a name may also be joined with hyphens, as in the names of metrics.
	exact := slices.ContainsFunc(all, func(t topic) bool { return t.name == name })
	for _, t := range all {
		if t.name != name && (exact || spaced(t.name) != spaced(name)) {
			continue
		}
		if known {
			fmt.Fprintln(w)
		}
		known = true
		if err := t.print(w); err != nil {
			return known, err
		}
	}
	// Any number of goroutines can share a stream.
	if way, ok := contender.StreamWayOf(name); !known && ok && way.CPUs > 1 && (way.Codec == "" || slices.Contains(compress.StreamModes(), contender.StreamWay{Codec: way.Codec}.Mode())) {
		return true, explainPipeline(w, name, way)
	}
	return known, nil
}

// A topic is a thing that can be explained. print writes the explanation.
type topic struct {
	name  string
	print func(io.Writer) error
}

// embedded returns the claims of the published benchmarks. It parses them only once.
var embedded = sync.OnceValues(func() (*claims.Ledger, error) { return claims.Embedded(assay.Source) })

// topics returns all things that can be explained. Several topics may have the same name.
func topics() []topic {
	var all []topic
	add := func(name string, print func(io.Writer) error) { all = append(all, topic{name, print}) }
	plain := func(kind, name, what string) {
		add(name, func(w io.Writer) error {
			return phrase.Paragraphs(w, fmt.Sprintf("%s is %s.", name, kind), phrase.Sentence(what))
		})
	}
	for _, c := range measure.Known() {
		add(c.Name, func(w io.Writer) error { return explainContender(w, c) })
	}
	for _, load := range builtin.All() {
		add(load.Name, func(w io.Writer) error { return explainWorkload(w, load) })
		for _, s := range load.Sizes {
			add(s.Key, func(w io.Writer) error { return explainSize(w, load, s) })
		}
	}
	for _, p := range probes.All {
		add(p.Size(), func(w io.Writer) error { return explainProbe(w, p) })
	}
	for _, m := range analysis.Metrics {
		add(m.Name, func(w io.Writer) error {
			return phrase.Paragraphs(w, fmt.Sprintf("%s is a metric: %s, in %s.", m.Name, m.Title, unitName(m.Unit)), m.Text)
		})
	}
	for _, op := range result.Ops {
		plain("an op", string(op), opText[op])
	}
	plain("the op of rows of assay buildcost", string(result.Building), "the cost of building a contender; no runner does it, and no other run has it")
	for _, key := range ModeNames() {
		add(key, func(w io.Writer) error { return explainMode(w, key) })
	}
	for _, axis := range contender.Axes {
		if !slices.Contains(ModeNames(), axis.Name) {
			add(axis.Name, func(w io.Writer) error {
				return phrase.Paragraphs(w, append([]string{axis.Name + " is part of a mode.", phrase.Sentence(axis.String())}, lacking(axis.Name)...)...)
			})
		}
	}
	wordTopics(add, plain)
	// A test checks that the ledger can be read. If it cannot be read, only its claims lack an
	// explanation.
	if l, err := embedded(); err == nil {
		for _, c := range l.Claims {
			add(c.ID, func(w io.Writer) error { return explainClaim(w, l, c) })
		}
	}
	return all
}

// wordTopics adds the words that are entries of a Go table: traits, losses, statuses, verdicts
// and so on.
func wordTopics(add func(name string, print func(io.Writer) error), plain func(kind, name, what string)) {
	word := func(kind string, w contender.Word) {
		add(w.Name, func(out io.Writer) error {
			return phrase.Paragraphs(out, fmt.Sprintf("%s is %s: %s.", w.Name, kind, w.Short), w.Text, w.Rule)
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
			return phrase.Paragraphs(w, fmt.Sprintf("%s is a loss.", l.Loss), phrase.Sentence(l.Text), l.Rule())
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
		plain("a codec", c.Name, c.Text+". Tables show the bytes of a message that is compressed by itself and, after the slash, in a batch that is compressed as a whole")
	}
	for _, v := range claims.Verdicts {
		plain("a verdict on a claim", string(v.Verdict), v.Text)
	}
}

// TopicNames returns the names that Explain knows, sorted.
func TopicNames() []string {
	var names []string
	for _, t := range topics() {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	slices.Sort(names)
	return names
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
	if err := phrase.Paragraphs(w, fmt.Sprintf("%s is a contender: %s.", c.Name, c.Title), c.Text, "Choose it "+c.Choose+"."); err != nil {
		return err
	}
	same := []string{}
	for _, other := range contenders.All() {
		if other.Format == c.Format && other != c {
			same = append(same, other.Name)
		}
	}
	lines := &texttab.Table{Limit: phrase.Width}
	line := func(label, text string) {
		if text != "" {
			lines.Row().Cell(fmt.Sprintf("%-10s", label), texttab.Margin("  ")).Rest(text, texttab.Margin(" "))
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
	line("varies", c.Varies)
	line("mode", analysis.DefaultMode+": every call returns new results")
	for _, m := range c.Modes {
		line("mode", m.Key+" ("+strings.Join(names(m.Ops), ", ")+"): "+m.Text)
		for _, l := range m.Losses {
			line("", "this mode also loses "+string(l)+": "+l.In().Text)
		}
	}
	if c.Stream != "" {
		line("mode", contender.StreamMode+" (encode, decode): "+c.Stream)
	}
	for _, l := range c.Lacks {
		line("no mode", l.Axis+": "+l.Reason)
	}
	if c.Advice.URL != "" {
		line("advice", "its authors: "+c.Advice.Text)
		line("", c.Advice.URL)
	}
	line("our code", c.Bias.Ours)
	line("bias", c.Bias.Favours)
	line("unmeasured", c.Bias.Unmeasured)
	line("code", "contenders/"+c.Dir()+"/emit.go writes contenders/"+c.Dir()+"/gen")
	if err := lines.Format(w, false); err != nil {
		return err
	}
	return explainFound(w, c)
}

func explainWorkload(w io.Writer, load *workload.Workload) error {
	if err := phrase.Paragraphs(w, fmt.Sprintf("%s is a workload: %s.", load.Name, strings.TrimSuffix(load.Title, ".")), load.Text, "Source: "+load.Source); err != nil {
		return err
	}
	fmt.Fprintln(w)
	sizes := &texttab.Table{Limit: phrase.Width}
	for _, s := range load.Sizes {
		sizes.Row().Cell(fmt.Sprintf("%-28s", s.Key), texttab.Margin("  ")).Cell(fmt.Sprintf("%-10s", sizeSet(s)), texttab.Margin(" ")).Rest(s.Text)
	}
	if err := sizes.Format(w, false); err != nil {
		return err
	}
	fmt.Fprintln(w)
	_, err := w.Write(text.Format(load.Schema))
	return err
}

// explainSize explains a size of a workload. Several workloads may have sizes of the same name.
func explainSize(w io.Writer, load *workload.Workload, s workload.Size) error {
	text := fmt.Sprintf("A value takes about %s of memory, and a case cycles through %s.", plan.Bytes(s.Bytes), phrase.Count(s.Inputs(), "value"))
	if s.Items > 1 {
		text += fmt.Sprintf(" A value has %s elements.", phrase.Grouped(int64(s.Items)))
	}
	return phrase.Paragraphs(w, fmt.Sprintf("%s is a size of workload %s: %s.", s.Key, load.Name, strings.TrimSuffix(s.Text, ".")),
		fmt.Sprintf("The message is %s. %s", s.Root, text),
		fmt.Sprintf("assay run -w %s --size %s selects it.", load.Name, phrase.ShellLine(s.Key)))
}

func explainMode(w io.Writer, key string) error {
	if key == analysis.DefaultMode {
		return phrase.Paragraphs(w, "default is the mode that returns new results on every call.",
			"It stands for output=fresh, target=fresh, strings=copy and session=oneshot. In JSON, and in stored runs, its name is the empty string.")
	}
	if codec, ok := measure.CodecOf(key); ok {
		return phrase.Paragraphs(w, key+" is a mode.", phrase.Sentence(measure.CodecText(codec)),
			"It has only the ops compress and decompress. Every contender that encodes has it, in a separate runner that links the "+
				"compressors. One coder serves all messages, and its destination is reused. The batch of many messages is not "+
				"timed; assay run --also compressed says how large it becomes.")
	}
	if way, ok := contender.StreamWayOf(key); ok && key != contender.StreamMode {
		return explainPipeline(w, key, way)
	}
	parts := []string{key + " is a mode."}
	for _, axis := range strings.Split(key, ",") {
		if axis == key {
			parts = append(parts, phrase.Sentence(contender.AxisOf(axis).String()))
		} else {
			parts = append(parts, axis+": "+contender.AxisOf(axis).String())
		}
	}
	parts = append(parts, offering(key)...)
	if contender.Whole(key) {
		parts = append(parts, "Every contender that encodes and decodes has it. assay run -m whole measures it, also beside streams: -m 'stream|whole'. "+
			"-o convert measures conversion to the library's own type and back. "+
			"A value that does not fit into --memory has a row that says oom, with the memory that it was expected to need and the memory that it was seen to have.")
	}
	return phrase.Paragraphs(w, append(parts, lacking(key)...)...)
}

// offering returns paragraphs that say how each contender has a mode. Contenders with the same text share
// a paragraph.
func offering(key string) []string {
	var ways shared
	for _, c := range contenders.All() {
		for _, m := range c.Modes {
			if m.Key == key {
				ways.add(c.Name, " ("+strings.Join(names(m.Ops), ", ")+"): "+m.Text)
			}
		}
		if key == contender.StreamMode && c.Stream != "" {
			ways.add(c.Name, ": "+c.Stream)
		}
	}
	var parts []string
	for _, text := range ways.texts {
		parts = append(parts, strings.Join(ways.who[text], ", ")+text)
	}
	return parts
}

// codecOfStreams describes what a codec does in a mode of streams.
const codecOfStreams = "the codec compresses what goes to the file, in the same goroutine"

// explainPipeline explains a mode of streams with compression, or with several goroutines.
func explainPipeline(w io.Writer, key string, way contender.StreamWay) error {
	parts := []string{key + " is a mode.", phrase.Sentence(contender.AxisOf(contender.StreamMode).Text + ".")}
	if codec, ok := compress.Named(way.Codec); ok {
		parts = append(parts, fmt.Sprintf("%s: %s: %s. S2 and Snappy write framed streams with checksums here.", codec.Name, codecOfStreams, codec.Text))
	}
	if way.CPUs > 1 {
		parts = append(parts, fmt.Sprintf("%d goroutines share the messages. Each has a file of its own and takes a batch in turn, and all of them wait for the slowest after each batch.", way.CPUs))
	}
	return phrase.Paragraphs(w, append(parts, "Rates count bytes of the file (rate) and of the messages before compression (plain). assay explain "+contender.StreamMode+
		" says how each contender writes streams. -m pipeline measures every codec.")...)
}

func explainClaim(w io.Writer, l *claims.Ledger, c *claims.Claim) error {
	source, _ := l.Source(c.Source)
	parts := []string{
		fmt.Sprintf("%s is a claim of %s: %s.", c.ID, source.ID, strings.TrimSuffix(source.Title, ".")),
		"“" + c.Statement + "”",
	}
	if len(c.Published) > 0 {
		parts = append(parts, "Published: "+c.PublishedText()+".")
	}
	if c.Untested != "" {
		parts = append(parts, "It is not tested as published: "+strings.TrimSuffix(c.Untested, ".")+".")
	}
	if c.Settled != nil {
		parts = append(parts, fmt.Sprintf("A test settles it: %s (%s): %s.", c.Settled.Verdict, c.Settled.Test, c.Settled.Why))
		if e := c.Settled.Elsewhere; e != nil {
			parts = append(parts, fmt.Sprintf("Elsewhere a test settles it: %s (%s): %s.", e.Verdict, e.Test, e.Why))
		}
	}
	if len(c.Conditions) > 0 {
		tested := "Tested"
		if c.Untested != "" {
			tested = "Tested elsewhere,"
		}
		parts = append(parts, fmt.Sprintf("%s of workload %s, %s: %s.", tested, c.Workload, c.Quantity(), c.Stated()))
	}
	if c.Differs != "" {
		parts = append(parts, "The data differ: "+c.Differs+".")
	}
	if c.From != "" {
		parts = append(parts, "The figure is from "+c.From+".")
	}
	parts = append(parts, c.Note)
	if err := phrase.Paragraphs(w, slices.DeleteFunc(parts, func(p string) bool { return p == "" })...); err != nil {
		return err
	}
	if len(c.Conditions) > 0 {
		fmt.Fprintln(w)
	}
	for _, condition := range c.Conditions {
		line := fmt.Sprintf("%s: %s", condition, condition.Compared(c.Predicate))
		const more = "\n    "
		fmt.Fprintf(w, "  %s\n", strings.Join(texttab.Wrap(line, phrase.Width-len(more)+1), more))
	}
	for _, name := range c.Exhibits {
		fmt.Fprintf(w, "  exhibit: assay exhibits %s\n", name)
	}
	_, err := fmt.Fprintf(w, "  rule on it: assay claims %s\n", c.ID)
	return err
}

package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/infer"
	"assay/internal/texttab"
	"assay/result"
)

// A Try is a run on a user's own records, with the answer.
type Try struct {
	Results *analysis.Results
	Answer  *answer.Answer
	Data    TryData
}

// TryData says what the records are.
type TryData struct {
	result.Data
	// Root is the message of the records.
	Root string `json:"root"`
	// Guesses are what was guessed of the schema.
	Guesses []TryGuess `json:"guesses"`
	Notes   []string   `json:"notes"`
	// Schema is in its text form.
	Schema string `json:"schema"`
	// Spelling is how records of JSON write what the schema says otherwise; nil: they
	// are none.
	Spelling *infer.Spelling `json:"spelling,omitempty"`
	// Proto is the .proto file that the records are messages of; nil: they are none.
	Proto *TryProto `json:"proto,omitempty"`
	// Messages and Fields count what the schema has.
	Messages int `json:"messages"`
	Fields   int `json:"fields"`
}

// A TryProto is a .proto file whose messages the records are.
type TryProto struct {
	// Message is the full name of the records' message.
	Message string `json:"message"`
	// Files are those that were named, as imports name them.
	Files []string `json:"files"`
}

// A TryGuess is one thing that was guessed, and how to say otherwise.
type TryGuess struct {
	Path     string `json:"path"` // in the keys of the records
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Overrule string `json:"overrule"` // the flag
}

// TryFormats are all formats of a run on a user's own records.
var TryFormats = []FormatOf[*Try]{
	{"text", "the answer and its tables, for a terminal", TryText},
	{"json", "every row, the answer, the guesses and the schema; a stable, versioned contract", plain(TryJSON)},
	{"csv", "one line a row, with the fields of json", rowsOnly(CSV)},
	{"md", "the answer and its tables as Markdown", plain(TryMarkdown)},
	{"gobench", "the Go benchmark format, which benchstat reads", rowsOnly(GoBench)},
}

// rowsOnly makes a format of a try of one that has rows only.
func rowsOnly(write func(io.Writer, *analysis.Results) error) func(io.Writer, *Try, Options) error {
	return func(w io.Writer, t *Try, _ Options) error { return write(w, t.Results) }
}

// shownGuesses is how many guesses the text lists. The schema file has them all,
// and so has the JSON.
const shownGuesses = 12

// TryText writes the answer, and the tables that it rests on.
func TryText(w io.Writer, t *Try, opts Options) error {
	opts = opts.orDefaults()
	if err := paragraphs(w, t.head(), opts.Width); err != nil {
		return err
	}
	if err := t.answers(w, opts); err != nil {
		return err
	}
	for _, g := range []*grid{t.ranking(), t.cost()} {
		if len(g.rows) == 0 && len(g.below) == 0 {
			continue
		}
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	if err := t.guesses(w, opts); err != nil {
		return err
	}
	return footnotes(w, t.legend(), nil, opts.Width)
}

// TryMarkdown writes what TryText does as Markdown.
func TryMarkdown(w io.Writer, t *Try) error {
	var b strings.Builder
	for _, line := range t.head() {
		fmt.Fprintf(&b, "%s\n\n", escape(line))
	}
	for _, p := range t.Answer.Picks {
		lines := pickLines(p, t.Answer)
		fmt.Fprintf(&b, "- **%s** %s\n", escape(p.Title), escape(lines[0]))
		for _, l := range lines[1:] {
			fmt.Fprintf(&b, "  - %s\n", escape(l))
		}
	}
	b.WriteString("\n")
	for _, g := range []*grid{t.ranking(), t.cost()} {
		if len(g.rows) > 0 || len(g.below) > 0 {
			g.markdown(&b)
		}
	}
	for _, g := range t.Data.Guesses {
		fmt.Fprintf(&b, "- guessed: `%s` is %s\n", g.Path, escape(guess(g)))
	}
	for _, text := range t.legend() {
		fmt.Fprintf(&b, "- %s\n", escape(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// head says what was measured and how far it can be trusted.
func (t *Try) head() []string {
	d := t.Data
	text := fmt.Sprintf("%s: %s, %s; the schema has %s and %s", strings.Join(d.Files, ", "), things(d.Records, "record"), bytes(float64(d.Bytes)),
		things(int64(d.Messages), "message"), things(int64(d.Fields), "field"))
	if int64(d.Measured) < d.Records {
		text += fmt.Sprintf("; %d records, spread evenly over all, are timed", d.Measured)
	}
	lines := append([]string{text}, d.Notes...)
	return append(lines, summary(t.Results)...)
}

// things returns a number of things in words.
func things(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatInt(n, 10) + " " + thing
}

// guesses writes what was guessed.
func (t *Try) guesses(w io.Writer, opts Options) error {
	title := "guessed of the schema"
	if len(t.Data.Guesses) == 0 {
		title = "nothing was guessed of the schema"
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", title); err != nil {
		return err
	}
	table := &texttab.Table{Limit: opts.Width}
	for i, x := range t.Data.Guesses {
		if i == shownGuesses {
			table.Row().Cell("", texttab.Margin("    ")).Rest(fmt.Sprintf("%d more: --format json has them all", len(t.Data.Guesses)-shownGuesses))
			break
		}
		table.Row().Cell(x.Path, texttab.Margin("    ")).Rest(guess(x))
	}
	if err := table.Format(w, opts.Color); err != nil {
		return err
	}
	if len(t.Data.Guesses) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w)
	return err
}

// guess says what was decided, why, and how to decide otherwise.
func guess(g TryGuess) string {
	text := g.Decision + ": " + g.Reason
	if g.Overrule != "" {
		text += "; otherwise " + g.Overrule
	}
	return text
}

// answers writes the recommendations.
func (t *Try) answers(w io.Writer, opts Options) error {
	title := "on your data"
	if len(t.Answer.Must) > 0 {
		title += ", of what is " + strings.Join(t.Answer.Must, ", ")
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", title); err != nil {
		return err
	}
	table := &texttab.Table{Limit: opts.Width}
	for _, p := range t.Answer.Picks {
		for i, line := range pickLines(p, t.Answer) {
			head := ""
			if i == 0 {
				head = p.Title
			}
			table.Row().Cell(head, texttab.Margin("    "), texttab.Styled(texttab.Bold)).Rest(line)
		}
	}
	if len(t.Answer.Front) > 0 {
		var names []string
		for i, c := range t.Answer.Front {
			if i == mostFront {
				names = append(names, fmt.Sprintf("%d more, which are marked below", len(t.Answer.Front)-mostFront))
				break
			}
			names = append(names, fmt.Sprintf("%s %s and %s", c.Subject, tripTime(c), bytes(c.Size)))
		}
		table.Row().Cell("none better in both", texttab.Margin("    "), texttab.Styled(texttab.Bold)).Rest(strings.Join(names, "; "))
	}
	if err := table.Format(w, opts.Color); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// mostTied is how many tied candidates a line names, and mostFront how many of the
// front.
const mostTied, mostFront = 6, 8

// pickLines says what a recommendation is, what it gives up, and what was passed
// over for its conditions.
func pickLines(p answer.Pick, a *answer.Answer) []string {
	if len(p.Best) == 0 {
		return []string{"none: " + p.Reason}
	}
	best := p.Best[0]
	lines := []string{pickValue(p, best, a)}
	if len(p.Best) > 1 {
		var names []string
		for i, c := range p.Best[1:] {
			if i == mostTied {
				names = append(names, fmt.Sprintf("%d more", len(p.Best)-1-mostTied))
				break
			}
			names = append(names, c.Subject.String()+" "+short(p, c))
		}
		how := "tied with "
		if p.Unresolved {
			how = "not told apart from (a longer --budget may) "
		}
		if p.Metric != analysis.Time {
			how = "as small within 1%: "
		}
		lines = append(lines, how+strings.Join(names, ", "))
	}
	if best.Subject != a.Have {
		lines = append(lines, givesUp(best.GivesUp, a))
	}
	if line := passed(p); line != "" {
		lines = append(lines, line)
	}
	return lines
}

// givesUp says what is given up.
func givesUp(p answer.Price, a *answer.Answer) string {
	if p.Nothing() {
		return "gives up nothing that " + a.Have.String() + " has"
	}
	var parts []string
	add := func(word string, list []string) {
		if len(list) > 0 {
			parts = append(parts, word+" "+strings.Join(list, ", "))
		}
	}
	add("gives up", texts(p.Lacks))
	add("brings", texts(p.Brings))
	add("loses", texts(p.Losses))
	add("is", p.Modes)
	if p.Format != "" {
		parts = append(parts, "writes "+p.Format)
	}
	return strings.Join(parts, "; ")
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

// passed names the best that was not eligible, and why.
func passed(p answer.Pick) string {
	i := 0
	if p.Narrow {
		// What is not safe, or not what it must be, the other answers speak of.
		i = slices.IndexFunc(p.Passed, func(c *answer.Candidate) bool { return c.Safe() && len(c.Unmet) == 0 })
	}
	if i < 0 || i >= len(p.Passed) {
		return ""
	}
	c := p.Passed[i]
	why := slices.Concat(c.Unmet, c.Unsafe)
	word := "faster"
	if p.Metric != analysis.Time {
		word = "smaller"
	}
	text := fmt.Sprintf("%s: %s %s", word, c.Subject, short(p, c))
	switch {
	case len(why) > 0:
		text += ", but " + strings.Join(why, ", ")
	default:
		text += ", which writes " + c.About.Format
		if c.Codegen() {
			text += " and needs a generate step"
		}
	}
	return text
}

// pickValue is the first candidate with its number and how it is to what is in
// use.
func pickValue(p answer.Pick, c *answer.Candidate, a *answer.Answer) string {
	text := c.Subject.String() + "  " + short(p, c)
	if c.Subject == a.Have {
		return text + ", which is in use"
	}
	if p.Metric == analysis.Time {
		if c.ToHave != nil {
			factor, bounds := speed(*c.ToHave)
			text += ", " + strings.TrimSpace(factor+" "+bounds) + " as fast as " + a.Have.String()
		}
		return text
	}
	i := slices.IndexFunc(a.Candidates, func(x *answer.Candidate) bool { return x.Subject == a.Have })
	if i >= 0 {
		if of, own := sizeBy(p.Metric, a.Candidates[i]), sizeBy(p.Metric, c); of > 0 {
			text += fmt.Sprintf(", %s of %s", share(own/of), a.Have)
		}
	}
	return text
}

func sizeBy(metric string, c *answer.Candidate) float64 {
	if metric == analysis.EncodedSize {
		return c.Size
	}
	return c.Packed
}

// short is a candidate's number.
func short(p answer.Pick, c *answer.Candidate) string {
	if p.Metric == analysis.Time {
		return tripTime(c)
	}
	return bytes(sizeBy(p.Metric, c)) + " a record"
}

func tripTime(c *answer.Candidate) string { return measure(c.Time) }

// ranking is the table of all round trips, and of what has none.
func (t *Try) ranking() *grid {
	a := t.Answer
	g := &grid{title: fmt.Sprintf("round trip: encode and decode of one record, %s", layoutsOr(t.Results.Tables)), columns: []column{
		{"", true}, {title: "contender"}, {title: "mode"}, {"round trip", true}, {"", true}, {"vs " + a.Have.String(), true},
		{title: ""}, {"encode", true}, {"decode", true}, {"bytes", true}, {"all", true}, {"all, " + answer.Compressed, true}, {title: ""},
	}}
	n := float64(t.Data.Records)
	for i, c := range a.Candidates {
		factor, bounds := "", ""
		if c.Subject == a.Have {
			factor = "1×"
		} else if c.ToHave != nil {
			factor, bounds = speed(*c.ToHave)
		}
		time, unit := duration(c.Time.Value)
		size, all, packed := "", "", ""
		if c.Size > 0 {
			size, all = bytes(math.Round(c.Size)), bytes(math.Round(c.Size*n))
		}
		if c.Packed > 0 {
			packed = bytes(math.Round(c.Packed * n))
		}
		var marks []string
		if c.Pareto {
			marks = append(marks, "●")
		}
		switch {
		case c.Safe():
		case c.Mode == "":
			marks = append(marks, "not safe: "+strings.Join(c.Unsafe, ", "))
		default:
			marks = append(marks, "not safe")
		}
		if len(c.Unmet) > 0 {
			marks = append(marks, strings.Join(c.Unmet, ", "))
		}
		g.row(strconv.Itoa(i+1), c.Contender, analysis.ModeName(c.Mode), time+" "+unit, plusMinus(c.Time), factor, bounds,
			t.opTime(result.Encode, c.Encode), t.opTime(result.Decode, c.Decode), size, all, packed, strings.Join(marks, "; "))
	}
	var left tally
	for _, l := range a.LeftOut {
		left.add(l.Subject, string(l.Status), tooSlow(l.Reason))
	}
	g.below = left.outcomes()
	return g
}

// tooSlow leaves out of a reason how slow a case is, so that those which do not
// fit into one budget have one.
func tooSlow(reason string) string {
	if _, after, ok := strings.Cut(reason, ", which does not fit"); ok && strings.HasPrefix(reason, "one op takes") {
		return "does not fit" + after
	}
	return reason
}

func layoutsOr(tables []analysis.Table) string {
	if text := layouts(tables); text != "" {
		return text + ", 95% interval"
	}
	return "95% interval"
}

// opTime is the time of one op of a subject.
func (t *Try) opTime(op result.Op, s result.Subject) string {
	for i := range t.Results.Tables {
		table := &t.Results.Tables[i]
		if table.Cell.Op != op {
			continue
		}
		if row, ok := table.Row(table.Cell.Case(s), analysis.Time); ok && row.Number != nil {
			text, unit := duration(row.Number.Value)
			return text + " " + unit
		}
	}
	return ""
}

// cost is the table of what each takes in machines.
func (t *Try) cost() *grid {
	a, p := t.Answer, t.Answer.Prices
	g := &grid{columns: []column{
		{title: "contender"}, {title: "mode"}, {"cores", true}, {"", true}, {"network", true}, {"stored", true}, {"a month", true}, {title: ""}, {"saves", true}, {title: "break-even"},
	}}
	g.title = fmt.Sprintf("cost of %s messages a second, kept for %s: $%s a core-hour, $%s a GB sent, $%s a GB and month (--rate, --retention, --price-core, --price-gb-network, --price-gb-month)",
		threeDigits(p.Rate), things(int64(math.Round(p.Retention)), "day"), threeDigits(p.Core), threeDigits(p.Network), threeDigits(p.Storage))
	for _, c := range a.Costs {
		saves := ""
		if c.Saves != nil {
			saves = money(*c.Saves)
		}
		cores, _ := digits(c.Cores.Value)
		g.row(c.Contender, analysis.ModeName(c.Mode), cores, plusMinus(c.Cores), bits(c.Network), bytes(c.Storage),
			money(c.PerMonth.Value), "("+money(c.PerMonth.Lo)+"…"+money(c.PerMonth.Hi)+")", saves, breakEven(c))
	}
	if len(g.rows) > 0 && !a.CPU {
		g.below = []outcome{{word: "cores", reason: "are of time with the garbage collector off, which is less than a service takes (--also cpu)"}}
	}
	return g
}

// breakEven says at which price or rate a candidate pays.
func breakEven(c answer.Cost) string {
	var parts []string
	if b := c.BreakEven; b != nil {
		side := "above"
		if b.Below {
			side = "below"
		}
		parts = append(parts, fmt.Sprintf("cheaper %s $%s a core-hour", side, threeDigits(b.CoreHour)))
	}
	if c.CoreAt > 0 {
		parts = append(parts, fmt.Sprintf("one core less at %s/s", threeDigits(c.CoreAt)))
	}
	return strings.Join(parts, "; ")
}

// threeDigits returns a number for reading, with three digits or all before the
// point.
func threeDigits(v float64) string {
	text, _ := digits(v)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func money(v float64) string {
	if v < 0 {
		return "−$" + strconv.FormatFloat(-v, 'f', 2, 64)
	}
	return "$" + strconv.FormatFloat(v, 'f', 2, 64)
}

// bits returns bytes a second as what networks are sold by.
func bits(v float64) string {
	text, unit := scaled(8*v, []string{"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"})
	return text + " " + unit
}

// legend explains the tables.
func (t *Try) legend() []string {
	texts := []string{
		"● none of what is safe is better in both time and size",
		"what the words mean: assay explain WORD, as in assay explain codegen",
		"safe: bytes and values are the caller's to keep, and damaged input cannot end the program",
	}
	if n := t.compressed(); n > 0 && int64(n) < t.Data.Records {
		texts = append(texts, fmt.Sprintf("all, %s: by what %d records, spread evenly over all, take together", answer.Compressed, n))
	}
	for _, w := range t.Results.Warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

// compressed is how many records were compressed as one batch; 0: none.
func (t *Try) compressed() int {
	for _, table := range t.Results.Tables {
		for _, row := range table.Rows {
			if row.Metric == analysis.CompressedSize(answer.Compressed, true) {
				return row.N
			}
		}
	}
	return 0
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/guess"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// ranking returns the table of all round trips, with the subjects that have none below it. Its
// title has the marks of the warnings that all rows have, and its rows those of their own.
func (t *Try) ranking(notes *texttab.Notes) *grid {
	a := t.Answer
	packed := "as " + answer.Compressed
	g := &grid{
		title: fmt.Sprintf("round trip: encode and decode of one record, garbage collector off, %s; speed: how many times as fast as %s%s",
			layoutsOr(t.Results.Tables, a.Confidence), a.Have, map[bool]string{true: ", by CPU time with the collector on, as is the order"}[a.Disagreement != nil]),
		columns: []column{
			{"", true}, {title: ""}, {title: "contender"}, {"round trip", true}, {title: ""}, {"speed", true}, {title: ""}, {"CPU with GC", true},
			{"encode", true}, {"decode", true}, {"bytes", true}, {"all", true}, {packed, true}, {title: ""},
		},
		drops: []string{"all", packed, "encode", "decode", "CPU with GC"}, rest: true,
	}
	common := t.common()
	for _, w := range common {
		g.title += " " + notes.Mark(w.Text)
	}
	n := float64(t.Data.Records)
	for _, c := range a.Candidates {
		factor, bounds := "", ""
		if c.Subject == a.Have {
			factor = "1×"
		} else if c.ToHave != nil {
			factor, bounds = speed(*c.ToHave)
		}
		size, all, packed, cpu := "", "", "", ""
		if c.Size > 0 {
			size, all = BytesText(math.Round(c.Size)), BytesText(math.Round(c.Size*n))
		}
		if c.Packed > 0 {
			packed = BytesText(math.Round(c.Packed * n))
		}
		if c.CPU != nil {
			cpu = phrase.Nanoseconds(c.CPU.Value)
		}
		front := ""
		switch {
		case c.Pareto && c.Unbeaten:
			front = "●"
		case c.Pareto:
			front = "○"
		}
		g.row(PlaceText(a.Rank(c)), front, c.Contender, phrase.Nanoseconds(c.Time.Value), t.footnotesOf(c, common, notes), factor, bounds, cpu,
			t.opTime(result.Encode, c.Encode), t.opTime(result.Decode, c.Decode), size, all, packed, marks(c))
	}
	var left tally
	for _, l := range a.LeftOut {
		left.add(l.Subject, string(l.Status), tooSlow(l.Reason))
	}
	g.below = left.outcomes()
	return g
}

// rowsOf returns the rows that a candidate is ranked by: of time, and of CPU time if that decides.
func (t *Try) rowsOf(c *answer.Candidate) []analysis.Row {
	metrics := []string{analysis.Time}
	if t.Answer.Disagreement != nil {
		metrics = append(metrics, analysis.CPUTime)
	}
	var rows []analysis.Row
	for _, part := range []struct {
		op result.Op
		s  result.Subject
	}{{result.Encode, c.Encode}, {result.Decode, c.Decode}} {
		table := t.timed(part.op, part.s)
		if table == nil {
			continue
		}
		for _, metric := range metrics {
			if row, ok := table.Row(table.Cell.Case(part.s), metric); ok {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// common returns the warnings that all rows of all candidates have.
func (t *Try) common() []analysis.Warning {
	if len(t.Answer.Candidates) < 2 {
		return nil
	}
	var rows []analysis.Row
	for _, c := range t.Answer.Candidates {
		rows = append(rows, t.rowsOf(c)...)
	}
	return inAll(rows)
}

// footnotesOf returns the marks of what there is to know about the rows of a candidate.
func (t *Try) footnotesOf(c *answer.Candidate, common []analysis.Warning, notes *texttab.Notes) string {
	var texts []string
	for _, row := range t.rowsOf(c) {
		texts = append(texts, remarks(row, common)...)
	}
	return markOf(texts, notes)
}

// marks returns the words at the end of a candidate's row: its mode, and which conditions it
// misses.
func marks(c *answer.Candidate) string {
	var words []string
	if c.Mode != "" {
		words = append(words, c.Mode)
	}
	if !c.Safe() {
		why := slices.Clone(c.Unsafe)
		if c.Mode != "" {
			why = nil // assay explain MODE says why
		}
		words = append(words, strings.TrimSuffix("not safe: "+strings.Join(why, ", "), ": "))
	}
	for _, text := range c.Unmet {
		if text != strings.Join(c.Unsafe, ", ") { // the condition safe, which says that above
			words = append(words, text)
		}
	}
	return strings.Join(words, "; ")
}

// tooSlow shortens the reason of a case that does not fit into the budget. Older runs say in it
// how slow the case is. Without that, all such cases share one reason.
func tooSlow(reason string) string {
	if _, after, ok := strings.Cut(reason, ", which does not fit"); ok && strings.HasPrefix(reason, "one op takes") {
		return "does not fit" + after
	}
	return reason
}

// layoutsOr says of a ranking how many layouts and which confidence its intervals have. of is 0 if
// the ranking has no confidence of its own.
func layoutsOr(tables []analysis.Table, of float64) string {
	interval := confidenceText(cmp.Or(of, confidence)) + " interval"
	if text := layouts(tables); text != "" {
		return text + ", " + interval
	}
	return interval
}

// timed returns the table of an op in which a subject has a time; nil if there is none.
func (t *Try) timed(op result.Op, s result.Subject) *analysis.Table {
	for i := range t.Results.Tables {
		table := &t.Results.Tables[i]
		if table.Cell.Op != op {
			continue
		}
		if row, ok := table.Row(table.Cell.Case(s), analysis.Time); ok && row.Number != nil {
			return table
		}
	}
	return nil
}

// opTime formats the time of one op of a subject.
func (t *Try) opTime(op result.Op, s result.Subject) string {
	table := t.timed(op, s)
	if table == nil {
		return ""
	}
	row, _ := table.Row(table.Cell.Case(s), analysis.Time)
	return phrase.Nanoseconds(row.Number.Value)
}

// costRate says for which rate and retention costs are computed.
func costRate(p answer.Prices) string {
	days := phrase.Count(int64(p.Retention), "day")
	if p.Retention != math.Trunc(p.Retention) {
		days = threeDigits(p.Retention) + " days"
	}
	return fmt.Sprintf("%s messages a second, kept for %s", grouped(p.Rate), days)
}

// cost returns the table of what each candidate costs in machines.
func (t *Try) cost() *grid {
	p := t.Answer.Asked.Prices
	return t.costOf(fmt.Sprintf("cost of %s: $%s a core-hour, $%s a GB sent, $%s a GB and month (--rate, --retention, --price-core, --price-gb-network, --price-gb-month)",
		costRate(p), threeDigits(p.Core), threeDigits(p.Network), threeDigits(p.Storage)), func(answer.Cost) bool { return true }, false)
}

// coreLess is the title of the column with the rate at which a candidate saves a core.
const coreLess = "a core less at"

// costOf returns the table of the costs that of selects. If brief is true, it leaves out the
// columns with the parts of a cost.
func (t *Try) costOf(title string, of func(answer.Cost) bool, brief bool) *grid {
	a := t.Answer
	p := a.Asked.Prices
	sent := a.Sends()
	due := "a month"
	if sent {
		due = "a month, " + p.Codec
		title += ", " + p.Sending()
		if brief {
			title += " (--rate, --codec, --batch)"
		} else {
			title += " (--codec, --batch), without the CPU that takes"
		}
	}
	g := &grid{title: title, rest: true, columns: []column{
		{title: "contender"}, {"cores", true}, {"", true}, {"network", true}, {"stored", true}, {due, true}, {title: ""}, {"saves", true}, {title: ""},
		{"uncompressed", true}, {"saving", true}, {coreLess, true}, {title: ""},
	}, drops: []string{"stored", "network", coreLess, "saving", "cores", "uncompressed"}}
	for _, c := range a.Costs {
		if !of(c) {
			continue
		}
		g.row(t.costRow(c, brief).cells(brief)...)
	}
	if len(g.rows) > 0 && !a.CPU && !brief {
		g.below = []outcome{{word: "cores", reason: "come from times with the garbage collector off; a service needs more (--also cpu)"}}
	}
	return g
}

// A costRow has the texts of a row of costs. A text is empty if its number is not known.
type costRow struct {
	contender, cores, plusMinus string
	network, stored             string
	due, dueBounds              string // a month
	saves, savesBounds          string
	uncompressed, saving        string // a month without a codec, if records are sent with one
	coreAt                      string // the rate at which the candidate saves a core
	words                       string
}

// costRow returns the row of a cost.
func (t *Try) costRow(c answer.Cost, brief bool) costRow {
	r := costRow{contender: c.Contender, plusMinus: plusMinus(c.Cores), words: t.costWords(c, brief)}
	r.cores, _ = phrase.Digits(c.Cores.Value)
	if c.CoreAt > 0 {
		r.coreAt = roundly(c.CoreAt) + "/s"
	}
	if bill := t.Answer.Due(c); bill != nil {
		r.network, r.stored = bits(bill.Network), BytesText(bill.Storage)
		r.due, r.dueBounds = cents(bill.PerMonth.Value), strings.TrimSpace(moneyBounds(bill.PerMonth))
		if bill.Saves != nil {
			r.saves, r.savesBounds = cents(bill.Saves.Value), strings.TrimSpace(moneyBounds(bill.Saves.Interval))
		}
	}
	if t.Answer.Sends() {
		r.uncompressed = cents(c.Plain.PerMonth.Value)
		if c.Plain.Saves != nil {
			r.saving = cents(c.Plain.Saves.Value)
		}
	}
	return r
}

// cells returns the texts in the order of the columns of costOf. A brief row leaves out the parts of
// a cost, its bounds and the rate that saves a core.
func (r costRow) cells(brief bool) []string {
	if brief {
		r.plusMinus, r.network, r.stored, r.dueBounds, r.saving, r.coreAt = "", "", "", "", "", ""
	}
	return []string{
		r.contender, r.cores, r.plusMinus, r.network, r.stored, r.due, r.dueBounds, r.saves, r.savesBounds, r.uncompressed, r.saving, r.coreAt, r.words,
	}
}

// costWords returns the mode of a row of costs, and at which price of a core-hour the candidate
// is cheaper.
func (t *Try) costWords(c answer.Cost, brief bool) string {
	var parts []string
	if c.Mode != "" {
		parts = append(parts, c.Mode)
	}
	if brief {
		return strings.Join(parts, "; ")
	}
	if bill := t.Answer.Due(c); bill != nil && bill.BreakEven != nil {
		b := bill.BreakEven
		side := "above"
		if b.Below {
			side = "below"
		}
		parts = append(parts, fmt.Sprintf("cheaper %s $%s a core-hour", side, threeDigits(b.CoreHour)))
	}
	return strings.Join(parts, "; ")
}

// threeDigits formats a number with three significant digits, or with all digits before the point
// if there are more.
func threeDigits(v float64) string {
	text, _ := phrase.Digits(v)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// money formats an amount with its cents. An amount that rounds to zero has no sign.
func money(v float64) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', 2, 64)
	if v < 0 && text != "0.00" {
		return "−$" + text
	}
	return "$" + text
}

// bits converts bytes a second to bits a second, the unit that networks are sold by.
func bits(v float64) string {
	text, unit := phrase.Scaled(8*v, []string{"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"})
	return text + " " + unit
}

// guesses writes the guesses about the schema.
func (t *Try) guesses(w io.Writer, opts Options) error {
	title := "guesses about the schema, largest effect on the result first"
	if len(t.Data.Guesses) == 0 {
		title = "no guesses about the schema"
	}
	if err := paragraphs(w, []string{title}, opts.Width); err != nil {
		return err
	}
	listed, others := guess.Listed(t.Data.Guesses)
	for _, x := range listed {
		table := &texttab.Table{Limit: opts.Width}
		table.Row().Rest(x.Path+": "+x.String(), texttab.Margin("    "), texttab.Hang(8))
		if err := table.Format(w, opts.Color); err != nil {
			return err
		}
	}
	if others != "" {
		if err := paragraphs(w, []string{others + "; --format json lists all"}, opts.Width); err != nil {
			return err
		}
	}
	if len(t.Data.Guesses) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w)
	return err
}

// legend explains the tables.
func (t *Try) legend() []string {
	texts := []string{
		"● on the Pareto front of time and size, and shown not to be beaten; ○ not shown to be beaten",
		fmt.Sprintf("the interval of speed decides: told apart beyond %s, tied within %[1]s; at most %.0f%% of the differences it calls are expected to be false", tie, 100*falseShare),
		"safe: damaged input cannot make it panic, and what it returns is yours to keep",
		"words: assay explain WORD, as in assay explain told-apart or codegen",
	}
	if slices.ContainsFunc(t.Answer.Candidates, func(c *answer.Candidate) bool { _, shared := t.Answer.Rank(c); return shared }) {
		texts = append(texts, sharedRank)
	}
	if t.ranking(&texttab.Notes{}).lone() || t.cost().lone() {
		texts = append(texts, loneLegend)
	}
	if n := t.compressed(); n > 0 && int64(n) < t.Data.Records {
		texts = append(texts, fmt.Sprintf("as %s: measured on %d records together, with sizes like those of all", answer.Compressed, n))
	}
	texts = append(texts, cellWarnings(tablesOf(t.Results))...)
	return append(texts, warned(t.Results)...)
}

// compressed returns how many records were compressed as one batch; 0 if none were.
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

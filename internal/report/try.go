package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/result"
)

// A Try is a run on a user's own records, together with its answer.
type Try struct {
	Results *analysis.Results
	Answer  *answer.Answer
	Data    TryData
	// Tables asks for the tables behind the answer, in addition to the answer.
	Tables bool
	// Again is the command that prints the answer with its tables.
	Again string
}

// TryData describes the records.
type TryData struct {
	result.Data
	// Root is the name of the records' message.
	Root string `json:"root"`
	// Guesses are the guesses about the schema.
	Guesses []guess.Guess `json:"guesses"`
	Notes   []string      `json:"notes"`
	// Schema is the schema in its text form.
	Schema string `json:"schema"`
	// Spelling says how JSON records write values of other types of the schema; nil if the
	// records are not JSON.
	Spelling *infer.Spelling `json:"spelling,omitempty"`
	// Proto names the .proto file of the records' message; nil if there is none.
	Proto *TryProto `json:"proto,omitempty"`
	// Messages and Fields count the messages and fields of the schema.
	Messages int `json:"messages"`
	Fields   int `json:"fields"`
}

// A TryProto is the .proto file that declares the message of the records.
type TryProto struct {
	// Message is the full name of the records' message.
	Message string `json:"message"`
	// Files are the named .proto files, with the names that imports use.
	Files []string `json:"files"`
}

// TryFormats are all formats of a run on a user's own records.
var TryFormats = []FormatOf[*Try]{
	{"text", "the answer and its tables, for a terminal", TryText},
	{"json", "every row, the answer, the guesses and the schema; a stable, versioned contract", plain(TryJSON)},
	{"csv", "one line a row, with the fields of json", rowsOnly(CSV)},
	{"md", "the answer and its tables as Markdown", plain(TryMarkdown)},
	{"gobench", "the Go benchmark format, which benchstat reads", rowsOnly(GoBench)},
}

// rowsOnly converts a format of rows to a format of a try.
func rowsOnly(write func(io.Writer, *analysis.Results) error) func(io.Writer, *Try, Options) error {
	return func(w io.Writer, t *Try, _ Options) error { return write(w, t.Results) }
}

// TryText writes the answer so that it takes at most a screen. If t.Tables is set, it writes the
// full answer and the tables behind it. No line is wider than the terminal.
func TryText(w io.Writer, t *Try, opts Options) error {
	opts = opts.orDefaults()
	if t.Tables {
		return t.writeAll(w, opts)
	}
	for fit := full; ; fit++ {
		var b strings.Builder
		if err := t.writeScreen(&b, Options{Width: opts.Width}, fit); err != nil {
			return err
		}
		if fit == barest || strings.Count(b.String(), "\n") <= screenLines {
			return t.writeScreen(w, opts, fit)
		}
	}
}

// screenLines is the largest number of lines of the answer on a terminal of at least 100 columns.
const screenLines = 40

// A fit is a level of shortening, which makes the answer fit on a screen. Each level also
// shortens what the levels before it shorten.
type fit int

const (
	full     fit = iota
	fewer        // one guess instead of three
	tight        // also without what was passed over and without the numbers of the front
	tightest     // also without the names of what was not measured, and with costs of the first pick only
	barest       // also without guesses and without contenders as small as the smallest
)

// writeAnswer writes what was measured, the opening lines and the recommendations.
func (t *Try) writeAnswer(w io.Writer, opts Options, fit fit) error {
	if err := paragraphs(w, t.head(), opts.Width); err != nil {
		return err
	}
	if err := paragraphs(w, t.lead(), opts.Width); err != nil {
		return err
	}
	if err := writePoints(w, t.points(fit), opts); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeScreen writes the answer, its costs and the largest guesses.
func (t *Try) writeScreen(w io.Writer, opts Options, fit fit) error {
	if err := t.writeAnswer(w, opts, fit); err != nil {
		return err
	}
	if g := t.briefCost(fit); len(g.rows) > 0 {
		if err := g.write(w, opts); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return writePoints(w, slices.Concat(t.brieflyLeftOut(fit), t.topGuesses(fit), t.words()), opts)
}

// writeAll writes the answer and its tables.
func (t *Try) writeAll(w io.Writer, opts Options) error {
	if err := t.writeAnswer(w, opts, full); err != nil {
		return err
	}
	var notes texttab.Notes
	for _, g := range []*grid{t.ranking(&notes), t.cost()} {
		if len(g.rows)+len(g.below) == 0 {
			continue
		}
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	if err := t.guesses(w, opts); err != nil {
		return err
	}
	return footnotes(w, t.legend(), notes.Texts(), opts.Width)
}

// writePoints writes points, each below the one before.
func writePoints(w io.Writer, points []Point, opts Options) error {
	for _, p := range points {
		t := &texttab.Table{Limit: opts.Width}
		if p.Title == "" {
			t.Row().Rest(p.Text)
		} else {
			t.Row().Cell(p.Title+":", texttab.Styled(texttab.Bold)).Rest(p.Text, texttab.Margin(" "), texttab.Hang(4))
		}
		tables := []*texttab.Table{t}
		for _, line := range p.Below {
			t := &texttab.Table{Limit: opts.Width}
			t.Row().Rest(line, texttab.Margin("    "), texttab.Hang(6))
			tables = append(tables, t)
		}
		for _, t := range tables {
			if err := t.Format(w, opts.Color); err != nil {
				return err
			}
		}
	}
	return nil
}

// TryMarkdown writes the answer and its tables as Markdown.
func TryMarkdown(w io.Writer, t *Try) error {
	var b strings.Builder
	for _, line := range slices.Concat(t.head(), t.lead()) {
		fmt.Fprintf(&b, "%s\n\n", paragraph(line))
	}
	for _, p := range t.points(full) {
		if p.Title == "" {
			fmt.Fprintf(&b, "%s\n\n", paragraph(p.Text))
			continue
		}
		fmt.Fprintf(&b, "- **%s:** %s\n", escape(p.Title), escape(p.Text))
		for _, l := range p.Below {
			fmt.Fprintf(&b, "  - %s\n", paragraph(l))
		}
	}
	b.WriteString("\n")
	var notes texttab.Notes
	for _, g := range []*grid{t.ranking(&notes), t.cost()} {
		if len(g.rows)+len(g.below) > 0 {
			g.markdown(&b)
		}
	}
	listed, others := guess.Listed(t.Data.Guesses)
	for _, g := range listed {
		fmt.Fprintf(&b, "- guessed: %s is %s\n", plaintext.Code(g.Path), escape(g.String()))
	}
	if others != "" {
		fmt.Fprintf(&b, "- guessed: %s\n", others)
	}
	for _, text := range append(t.legend(), numbered(&notes)...) {
		fmt.Fprintf(&b, "- %s\n", paragraph(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Facts says what was measured.
func (t *Try) Facts() []string {
	d := t.Data
	text := fmt.Sprintf("%s: %s, %s; the schema has %s and %s", strings.Join(d.Files, ", "), phrase.Count(d.Records, "record"), BytesText(float64(d.Bytes)),
		phrase.Count(d.Messages, "message"), phrase.Count(d.Fields, "field"))
	if int64(d.Measured) < d.Records {
		text += "; timed: " + timed(d.Data)
	}
	return append([]string{text}, d.Notes...)
}

// SizesOf says which records the sizes in the tables of a run are of, where those are not all of the
// user's records, and is empty otherwise. The answer has the sizes of all.
func SizesOf(run *result.Run) string {
	d := run.Plan.Data
	if d == nil || d.Measured == 0 || run.Plan.Stream != nil || int64(d.Measured) >= d.Records {
		return ""
	}
	return fmt.Sprintf("bytes: of the %s that are timed; the answer has the sizes of all %s", phrase.Count(d.Measured, "record"), phrase.Grouped(d.Records))
}

// clearly is how far the mean size of the timed records may be from that of all before a reader is
// told: a twentieth.
const clearly = 0.05

// timed says which records are timed, and whether they are larger or smaller than all.
func timed(d result.Data) string {
	text := phrase.Count(d.Measured, "record")
	switch by := d.MeasuredMean - 1; {
	case d.MeasuredMean == 0:
		return text + ", spread evenly"
	case math.Abs(by) <= clearly:
		return text + " with sizes like those of all"
	case by < 0:
		return fmt.Sprintf("%s, on average %.0f%% smaller than all records, so times are too short for your data", text, -100*by)
	default:
		return fmt.Sprintf("%s, on average %.0f%% larger than all records, so times are too long for your data", text, 100*by)
	}
}

// head says what was measured and how far it can be trusted.
func (t *Try) head() []string {
	lines := t.Facts()
	if t.Tables {
		return append(lines, summary(t.Results)...)
	}
	size := jsonLines(t.Results.JSON)
	if n := len(size) - mostJSONLines; n > 0 {
		size = append(size[:mostJSONLines:mostJSONLines], fmt.Sprintf("%s more: %s", phrase.Count(n, "line"), t.Again))
	}
	lines = append(lines, size...)
	if text := trust(t.Results); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// mostJSONLines is how many lines about the size of the measured JSON a screen has: the sizes and
// the largest differences from the user's JSON.
const mostJSONLines = 3

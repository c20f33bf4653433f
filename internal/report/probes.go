package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/result"
	"assay/workload/probes"
)

// A Matrix says what each contender, in each mode, does with the values of the probes.
type Matrix struct {
	Rows []MatrixRow
	// Missing lists the contenders that could not be probed, and why.
	Missing []result.Outcome
}

// A MatrixRow is what was found for one contender in one mode, and what the contender declares.
type MatrixRow struct {
	probes.Row
	// Encodes says that the mode writes its own bytes.
	Encodes bool
	// Losses are the losses that the contender declares.
	Losses []contender.Loss
	// Wrong lists the differences between what was found and what is declared.
	Wrong []string
}

// MatrixFormats are all formats of a matrix.
var MatrixFormats = []FormatOf[*Matrix]{
	{"text", "a table for a terminal, and what changed to what", MatrixText},
	{"json", "every answer of every contender and mode; a stable, versioned contract", plain(MatrixJSON)},
	{"md", "Markdown tables for a README or a pull request", plain(MatrixMarkdown)},
}

// signs maps each fate to its sign in a cell of the matrix.
var signs = map[probes.Fate]string{
	probes.Survives: "·", probes.Changes: "x", probes.EncodeRefuses: "E", probes.DecodeRefuses: "D", probes.Dies: "!",
}

const signsText = "· comes back unchanged, x comes back changed, E cannot be encoded, D can be encoded but not decoded, ! ends the process"

// columns returns the probes whose value is lost or changed in some row, and what the legend says:
// also which of the other probes every row gives back, and which some row did not answer.
func (m *Matrix) columns() (shown []probes.Probe, legend []string) {
	var survive, open []string
	for _, p := range probes.All {
		switch {
		case slices.ContainsFunc(m.Rows, func(r MatrixRow) bool { return lost(r.Answers, p.Name) }):
			shown = append(shown, p)
		case len(m.Rows) == 0: // nothing is known
		case slices.ContainsFunc(m.Rows, func(r MatrixRow) bool { return r.Answers[p.Name].Fate != probes.Survives }):
			open = append(open, p.Name)
		default:
			survive = append(survive, p.Name)
		}
	}
	legend = slices.Clone(matrixLegend)
	if len(survive) > 0 {
		legend = append(legend, "all of these give back: "+strings.Join(survive, ", "))
	}
	if len(open) > 0 {
		legend = append(legend, "not answered by all: "+strings.Join(open, ", "))
	}
	return shown, legend
}

func lost(answers map[string]probes.Answer, name string) bool {
	a, ok := answers[name]
	return ok && a.Fate != probes.Survives
}

// letter returns the heading of a column: a letter or, if there are no letters left, a number.
func letter(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return strconv.Itoa(i + 1)
}

// first returns the first row of the contender of row i. The contender's other modes are compared
// with this row.
func (m *Matrix) first(i int) MatrixRow {
	at := slices.IndexFunc(m.Rows, func(r MatrixRow) bool { return r.Contender == m.Rows[i].Contender })
	return m.Rows[at]
}

// tells reports whether row i differs from the first row of its contender. It is also true for
// that first row itself.
func (m *Matrix) tells(i int) bool {
	r, first := m.Rows[i], m.first(i)
	return r.Mode == first.Mode || len(probes.Differs(r.Row, first.Row)) > 0 || !slices.Equal(r.Aliases, first.Aliases) ||
		r.Encodes && (r.Encoded != first.Encoded || r.Varies != first.Varies)
}

// alike returns the modes of the contender of row i whose rows are the same as the contender's
// first row.
func (m *Matrix) alike(i int) []string {
	var modes []string
	for j, r := range m.Rows {
		if r.Contender == m.Rows[i].Contender && !m.tells(j) {
			modes = append(modes, r.Mode)
		}
	}
	return modes
}

// encoded, order and aliases return the cells of a row that belong to no probe.
func (r MatrixRow) encoded() string {
	if !r.Encodes {
		return ""
	}
	return strconv.Itoa(r.Encoded)
}

func (r MatrixRow) order() string {
	switch {
	case !r.Encodes:
		return ""
	case r.Varies:
		return "varies"
	}
	return "same"
}

func (r MatrixRow) aliases() string { return strings.Join(r.Aliases, ", ") }

// fate returns the sign of the row's answer to a probe; "" if there is no answer.
func (r MatrixRow) fate(p probes.Probe) string { return signs[r.Answers[p.Name].Fate] }

// title says what was probed.
func (m *Matrix) title() string {
	names := map[string]bool{}
	for _, r := range m.Rows {
		names[r.Contender] = true
	}
	return fmt.Sprintf("what becomes of values: %s, %s, %s",
		phrase.Count(len(names), "contender"), phrase.Count(len(m.Rows), "mode"), phrase.Count(len(probes.All), "probe"))
}

// matrixLegend explains the columns that belong to no probe.
var matrixLegend = []string{
	signsText,
	"bytes: size of an ordinary event; order: whether equal values have equal bytes, with maps of eight entries; " +
		"aliases: parts of a decoded value that change when its message is overwritten. The table leaves out modes with the same answers as the first one",
}

// MatrixText writes the matrix, the meaning of its columns, and what each contender did with the
// values that it did not give back.
func MatrixText(w io.Writer, m *Matrix, opts Options) error {
	opts = opts.orDefaults()
	shown, legend := m.columns()
	if _, err := fmt.Fprintf(w, "%s\n\n", m.title()); err != nil {
		return err
	}
	text, dropped, err := m.table(shown, opts)
	if err != nil {
		return err
	}
	if err := plaintext.WriteTrusted(w, text); err != nil {
		return err
	}
	if err := writeOutcomes(w, append(dropped, m.missing()...), opts); err != nil {
		return err
	}
	if err := m.keyText(w, shown, legend, opts); err != nil {
		return err
	}
	for i := range m.Rows {
		if m.Rows[i].Mode == m.first(i).Mode {
			if _, err := fmt.Fprintf(w, "\n%s\n", m.Rows[i].Contender); err != nil {
				return err
			}
			if err := m.Found(w, m.Rows[i].Contender, opts); err != nil {
				return err
			}
		}
	}
	return m.wrongText(w, opts)
}

// matrixColumns lists the columns before those of the probes.
var matrixColumns = []struct {
	title string
	text  func(MatrixRow) string
	right bool
}{
	{"contender", func(r MatrixRow) string { return r.Contender }, false},
	{"mode", func(r MatrixRow) string { return analysis.ModeName(r.Mode) }, false},
	{"bytes", MatrixRow.encoded, true},
	{"order", MatrixRow.order, false},
	{"aliases", MatrixRow.aliases, false},
}

// namesARow is how many of the first matrixColumns identify the row. They are never dropped.
const namesARow = 2

// table lays out the matrix. If it is wider than the terminal, table drops matrixColumns from the
// last one on.
func (m *Matrix) table(shown []probes.Probe, opts Options) (text string, dropped []outcome, err error) {
	var titles []string
	cell := func(t *texttab.Table, text string, right bool) {
		if right {
			t.Cell(text, texttab.Right)
			return
		}
		t.Cell(text)
	}
	for columns := matrixColumns; ; columns = columns[:len(columns)-1] {
		t := &texttab.Table{}
		t.Row()
		for _, c := range columns {
			cell(t, c.title, c.right)
		}
		for i := range shown {
			t.Cell(letter(i), texttab.Margin(" "))
		}
		for i, r := range m.Rows {
			if !m.tells(i) {
				continue
			}
			t.Row()
			for _, c := range columns {
				cell(t, c.text(r), c.right)
			}
			for _, p := range shown {
				t.Cell(r.fate(p), texttab.Margin(" "))
			}
		}
		var b strings.Builder
		if err := t.Format(&b, opts.Color); err != nil {
			return "", nil, err
		}
		if opts.open || len(columns) == namesARow || widest(b.String()) <= opts.Width {
			return b.String(), noRoom(titles), nil
		}
		titles = append([]string{columns[len(columns)-1].title}, titles...)
	}
}

// keyText writes the meaning of the columns, and the legend.
func (m *Matrix) keyText(w io.Writer, shown []probes.Probe, legend []string, opts Options) error {
	key := &texttab.Table{Limit: opts.Width}
	key.Row().Rest("")
	for i, p := range shown {
		key.Row().Cell(letter(i)).Cell(p.Name).Rest(p.Text)
	}
	if err := key.Format(w, opts.Color); err != nil {
		return err
	}
	return footnotes(w, append([]string{""}, legend...), nil, opts.Width)
}

// wrongText writes the differences between what was found and what is declared.
func (m *Matrix) wrongText(w io.Writer, opts Options) error {
	t := &texttab.Table{Limit: opts.Width}
	for _, r := range m.Rows {
		for _, wrong := range r.Wrong {
			t.Row().Cell(r.Contender, texttab.Margin("    "), texttab.Styled(texttab.Red)).Rest(wrong)
		}
	}
	if !m.Differs() {
		return nil
	}
	if _, err := fmt.Fprint(w, "\nnot as declared\n\n"); err != nil {
		return err
	}
	return t.Format(w, opts.Color)
}

// Differs reports whether any finding differs from what is declared.
func (m *Matrix) Differs() bool {
	return slices.ContainsFunc(m.Rows, func(r MatrixRow) bool { return len(r.Wrong) > 0 })
}

// missing returns the outcomes of the contenders that could not be probed.
func (m *Matrix) missing() []outcome {
	var t tally
	for _, o := range m.Missing {
		t.add(result.Subject{Contender: o.Case.Contender}, string(o.Status), o.Reason)
	}
	return t.outcomes()
}

// Found writes what a contender did with the values that it did not give back: everything for its
// first mode, and then the differences of each other mode.
func (m *Matrix) Found(w io.Writer, name string, opts Options) error {
	opts = opts.orDefaults()
	t := &texttab.Table{Limit: opts.Width}
	for _, f := range m.findings(name) {
		if texttab.Width(f.subject) > widestSubject {
			t.Row().Rest(f.subject, texttab.Margin("  "))
			f.subject = ""
		}
		t.Row().Cell(f.subject, texttab.Margin("  ")).Cell(f.fate).Rest(f.words)
	}
	return t.Format(w, opts.Color)
}

// widestSubject is the widest text, in cells, for the first column. A longer mode gets a line of
// its own, to leave room for the findings.
const widestSubject = 30

// A finding is one line about a contender.
type finding struct{ subject, fate, words string }

// findings returns the lines about a contender.
func (m *Matrix) findings(name string) []finding {
	var out []finding
	for i, r := range m.Rows {
		if r.Contender != name {
			continue
		}
		first := m.first(i)
		if r.Mode == first.Mode {
			for _, p := range probes.All {
				if a := r.Answers[p.Name]; lost(r.Answers, p.Name) {
					out = append(out, finding{p.Name, string(a.Fate), a.Words})
				}
			}
			if len(out) == 0 {
				out = append(out, finding{"all probes", string(probes.Survives), ""})
			}
			if also := m.alike(i); len(also) > 0 {
				out = append(out, finding{"alike", "", strings.Join(also, "; ")})
			}
			continue
		}
		if !m.tells(i) {
			continue
		}
		var words []string
		if r.Encodes && r.Encoded != first.Encoded {
			words = append(words, fmt.Sprintf("%d bytes, not %d", r.Encoded, first.Encoded))
		}
		if r.Encodes && r.Varies != first.Varies {
			words = append(words, map[bool]string{true: "the order of maps varies", false: "equal values have the same bytes"}[r.Varies])
		}
		if !slices.Equal(r.Aliases, first.Aliases) {
			words = append(words, "points into the message: "+cmp.Or(r.aliases(), "nothing"))
		}
		for _, p := range probes.Differs(r.Row, first.Row) {
			a := r.Answers[p]
			words = append(words, strings.TrimSuffix(p+" "+string(a.Fate)+": "+a.Words, ": "))
		}
		out = append(out, finding{r.Mode, "otherwise", strings.Join(words, "; ")})
	}
	return out
}

// MatrixMarkdown writes the matrix as a pipe table, then the legend as a list and the findings as
// tables.
func MatrixMarkdown(w io.Writer, m *Matrix) error {
	var b strings.Builder
	shown, legend := m.columns()
	fmt.Fprintf(&b, "### %s\n\n", escape(m.title()))
	var head, rule []string
	for _, c := range matrixColumns {
		edge := ":--"
		if c.right {
			edge = "--:"
		}
		head, rule = append(head, c.title), append(rule, edge)
	}
	for i := range shown {
		head, rule = append(head, letter(i)), append(rule, ":-:")
	}
	pipe(&b, head)
	fmt.Fprintf(&b, "|%s|\n", strings.Join(rule, "|"))
	for i, r := range m.Rows {
		if !m.tells(i) {
			continue
		}
		var cells []string
		for _, c := range matrixColumns {
			cells = append(cells, c.text(r))
		}
		for _, p := range shown {
			cells = append(cells, r.fate(p))
		}
		pipe(&b, cells)
	}
	b.WriteByte('\n')
	markdownOutcomes(&b, m.missing())
	for i, p := range shown {
		fmt.Fprintf(&b, "- **%s** %s: %s\n", letter(i), escape(p.Name), escape(p.Text))
	}
	for _, text := range legend {
		fmt.Fprintf(&b, "- %s\n", paragraph(text))
	}
	for i, r := range m.Rows {
		if r.Mode != m.first(i).Mode {
			continue
		}
		fmt.Fprintf(&b, "\n#### %s\n\n", escape(r.Contender))
		pipe(&b, []string{"", "", "found"})
		b.WriteString("|:--|:--|:--|\n")
		for _, f := range m.findings(r.Contender) {
			pipe(&b, []string{f.subject, f.fate, f.words})
		}
	}
	if m.Differs() {
		b.WriteString("\n#### not as declared\n\n")
		for _, r := range m.Rows {
			for _, wrong := range r.Wrong {
				fmt.Fprintf(&b, "- **%s** %s\n", escape(r.Contender), escape(wrong))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// matrixProbe, matrixJSONRow and matrixMissing are the parts of a matrix in JSON.
type matrixProbe struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Losses are the losses that explain any answer other than survival. The probe shows the
	// first one.
	Losses []contender.Loss `json:"losses"`
}

type matrixJSONRow struct {
	Contender string           `json:"contender"`
	Mode      string           `json:"mode"`
	Losses    []contender.Loss `json:"losses"` // declared
	// Bytes is the size of an ordinary event. Bytes and Varies are null if the mode does not
	// encode.
	Bytes   *int     `json:"bytes"`
	Varies  *bool    `json:"varies"`
	Aliases []string `json:"aliases"`
	// Answers maps the name of each probe to the answer.
	Answers map[string]probes.Answer `json:"answers"`
	// Wrong lists the differences between what was found and what is declared.
	Wrong []string `json:"wrong"`
}

type matrixMissing struct {
	Contender string        `json:"contender"`
	Status    result.Status `json:"status"`
	Reason    string        `json:"reason"`
}

// MatrixJSON writes every answer of every row.
func MatrixJSON(w io.Writer, m *Matrix) error {
	out := struct {
		Schema  int             `json:"schema"`
		Probes  []matrixProbe   `json:"probes"`
		Rows    []matrixJSONRow `json:"rows"`
		Missing []matrixMissing `json:"missing"`
	}{Schema: JSONSchema, Probes: []matrixProbe{}, Rows: []matrixJSONRow{}, Missing: []matrixMissing{}}
	for _, p := range probes.All {
		out.Probes = append(out.Probes, matrixProbe{p.Name, p.Text, orEmpty(p.Losses)})
	}
	for _, r := range m.Rows {
		j := matrixJSONRow{
			Contender: r.Contender, Mode: r.Mode, Losses: orEmpty(r.Losses), Aliases: orEmpty(r.Aliases),
			Answers: r.Answers, Wrong: orEmpty(r.Wrong),
		}
		if r.Encodes {
			j.Bytes, j.Varies = &r.Encoded, &r.Varies
		}
		out.Rows = append(out.Rows, j)
	}
	for _, o := range m.Missing {
		out.Missing = append(out.Missing, matrixMissing{o.Case.Contender, o.Status, o.Reason})
	}
	return indented(w, out)
}
